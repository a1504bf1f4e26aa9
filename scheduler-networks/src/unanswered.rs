//! Why a request has no answer, and what is known of what it did.

use scheduler_core::ports::{CallClass, FilesError, NetworkError, NetworkErrorKind};

use crate::conversation::Request;
use crate::handed_over::HandedOver;
use crate::outbound::{cause, reason, refusal};
use crate::stored_files::unread;

/// Why a request has no answer, and what that is to whoever observes it.
#[derive(Debug)]
pub(crate) struct Unanswered(pub(crate) CallClass, pub(crate) NetworkError);

pub(crate) fn no_place() -> NetworkError {
    let message = "The call was not made: a link to a file has no place in it.";
    NetworkError::new(NetworkErrorKind::Permanent, message)
}

pub(crate) fn not_sent(host: &str, reason: &str) -> Unanswered {
    let message = format!("The call to {host} was not made: {reason}.");
    Unanswered(CallClass::NotMade, NetworkError::new(NetworkErrorKind::Permanent, message))
}

pub(crate) fn failed(
    request: &Request,
    handed_over: &HandedOver,
    error: &reqwest::Error,
) -> Unanswered {
    let host = request.url.host_str().unwrap_or_default();
    if let Some(refusal) = refusal(error) {
        return not_sent(host, &refusal.to_string());
    }
    // A file that broke off kept the request from being whole, so it did nothing.
    if let Some(error) = cause::<FilesError>(error) {
        return Unanswered(CallClass::NotMade, unread(error));
    }
    if error.is_builder() {
        return not_sent(host, "the request cannot be made");
    }
    let reason = if error.is_timeout() { "it took too long".to_owned() } else { reason(error) };
    if error.is_connect() {
        let message = format!("{host} could not be reached: {reason}. Nothing was sent.");
        let error = NetworkError::new(NetworkErrorKind::Temporary, message);
        return Unanswered(CallClass::Unreachable, error);
    }
    if !handed_over.is_whole() {
        let message = format!("The connection to {host} broke before the file was sent: {reason}.");
        return Unanswered(
            CallClass::Lost,
            NetworkError::new(NetworkErrorKind::Temporary, message),
        );
    }
    lost(request, &reason)
}

/// The request left; what it did is not known.
pub(crate) fn lost(request: &Request, reason: &str) -> Unanswered {
    let host = request.url.host_str().unwrap_or_default();
    let kind =
        if request.is_visible { NetworkErrorKind::InDoubt } else { NetworkErrorKind::Temporary };
    let message = format!("The answer of {host} was lost: {reason}.");
    Unanswered(CallClass::Lost, NetworkError::new(kind, message))
}
