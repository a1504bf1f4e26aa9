//! Refusals as answers: which status a code has, the headers that go with it, the body.

use std::error::Error;
use std::num::NonZeroU32;
use std::sync::Arc;

use chrono::TimeDelta;
use http::header::{ACCEPT_ENCODING, ALLOW, CONTENT_RANGE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use scheduler_core::error::{AppError, ErrorBody, ErrorCode, ErrorDetail, Refusal};
use scheduler_core::ports::{FilesError, StoreError};
use warp::reply::Response;

use crate::answer::json;
use crate::directions;

/// Why a request is not met, with everything its answer needs.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    body: Box<ErrorBody>,
    header: Option<(HeaderName, HeaderValue)>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// How long a caller is asked to wait while the database or the store of files does not answer.
///
/// Source: our decision; a restart of PostgreSQL or a change to its standby takes about as long.
const UNAVAILABLE_SECONDS: u32 = 5;

/// What lies behind an answer of 500, 503 or 507; logged once, next to the request's id.
#[derive(Clone, Debug)]
pub(crate) struct InternalCause(pub(crate) Arc<dyn Error + Send + Sync>);

impl ApiError {
    /// A fault of the service itself; the caller is told nothing of it.
    pub(crate) fn internal(source: impl Error + Send + Sync + 'static) -> Self {
        Self { source: Some(Arc::new(source)), ..internal_refusal().into() }
    }

    /// The database or the store of files does not answer.
    fn unavailable(source: impl Error + Send + Sync + 'static) -> Self {
        let message = format!(
            "The server's storage does not answer at the moment, so it is not known whether this was stored. Try again in {UNAVAILABLE_SECONDS} s, with the same Idempotency-Key where there was one, or look first."
        );
        Self {
            source: Some(Arc::new(source)),
            ..unavailable_for(UNAVAILABLE_SECONDS, message).into()
        }
    }

    /// So much is in progress that nothing more of the kind is taken now.
    pub(crate) fn busy(seconds: u32) -> Self {
        let message = format!(
            "The server is handling as many requests of this kind as it takes at once; nothing was done. Try again in {seconds} s."
        );
        unavailable_for(seconds, message).into()
    }

    /// There is no room left for the database or for files.
    fn storage_full(source: impl Error + Send + Sync + 'static) -> Self {
        let message = "The server has no room left to store anything; nothing was stored. Try again when its operator has made room.";
        let refusal = Refusal::new(ErrorCode::StorageFull, message);
        Self { source: Some(Arc::new(source)), ..refusal.into() }
    }

    /// No path of the API.
    pub(crate) fn no_such_path() -> Self {
        Refusal::new(ErrorCode::NotFound, "There is nothing at this path.").into()
    }

    /// A path of the API, but for an id.
    pub(crate) fn no_id_in_path() -> Self {
        let message = "There is nothing at this path: an id in it has another form. Ids are UUIDs, as the server has given them.";
        Refusal::new(ErrorCode::NotFound, message).into()
    }

    /// A path of the API, but not with this method.
    pub(crate) fn wrong_method(allowed: &str) -> Self {
        let message = format!("This path does not take the method; it takes {allowed}.");
        let mut error = Self::from(Refusal::new(ErrorCode::InvalidRequest, message));
        error.status = StatusCode::METHOD_NOT_ALLOWED;
        error.header = HeaderValue::from_str(allowed).ok().map(|value| (ALLOW, value));
        error
    }

    /// A body that is not declared as JSON.
    pub(crate) fn wrong_content_type() -> Self {
        let message = "Send the body as JSON: Content-Type: application/json.";
        Self {
            status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ..Refusal::new(ErrorCode::InvalidRequest, message).into()
        }
    }

    /// A body that is compressed.
    pub(crate) fn wrong_content_encoding() -> Self {
        let message = "Send the body as it is, without Content-Encoding: this server does not decompress bodies.";
        Self {
            status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
            header: Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
            ..Refusal::new(ErrorCode::InvalidRequest, message).into()
        }
    }

    /// A refusal under another status than its code has.
    pub(crate) fn with_status(refusal: Refusal, status: StatusCode) -> Self {
        Self { status, ..refusal.into() }
    }

    /// A range that begins after the end of a file of so many bytes.
    pub(crate) fn range_outside(size_bytes: u64) -> Self {
        let message = format!("The file has {size_bytes} bytes; the range lies outside of it.");
        let refusal = Refusal::new(ErrorCode::InvalidRequest, message);
        let range = HeaderValue::from_str(&format!("bytes */{size_bytes}")).ok();
        let header = range.map(|range| (CONTENT_RANGE, range));
        Self { header, ..Self::with_status(refusal, StatusCode::RANGE_NOT_SATISFIABLE) }
    }

    /// Too many requests; `seconds` until the next is taken.
    pub(crate) fn rate_limited(seconds: u64) -> Self {
        let seconds = seconds.max(1);
        let message = format!("Too many requests; try again in {seconds} s.");
        let mut error = Self::from(Refusal::new(ErrorCode::RateLimited, message));
        error.header = Some((RETRY_AFTER, HeaderValue::from(seconds)));
        error
    }

    /// The same, which says how to be let in.
    pub(crate) fn challenging(self, challenge: &str) -> Self {
        let header = HeaderValue::from_str(challenge).ok().map(|value| (WWW_AUTHENTICATE, value));
        Self { header: header.or(self.header), ..self }
    }

    pub(crate) fn message(&self) -> &str {
        &self.body.error.message
    }

    pub(crate) fn code(&self) -> ErrorCode {
        self.body.error.code
    }

    /// The same as a page for a person, made of the status and the message.
    pub(crate) fn into_page(self, page: impl FnOnce(StatusCode, &str) -> Response) -> Response {
        let mut response = page(self.status, &self.body.error.message);
        response.headers_mut().extend(self.header);
        if let Some(source) = self.source {
            response.extensions_mut().insert(InternalCause(source));
        }
        response
    }

    pub(crate) fn into_response(self) -> Response {
        let mut response = json(self.status, &self.body);
        response.headers_mut().extend(self.header);
        if let Some(source) = self.source {
            response.extensions_mut().insert(InternalCause(source));
        }
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let header = if refusal.code == ErrorCode::Unauthorized {
            Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
        } else if matches!(refusal.code, ErrorCode::RateLimited | ErrorCode::Unavailable) {
            let seconds = refusal.retry_after_seconds().map_or(1, NonZeroU32::get);
            Some((RETRY_AFTER, HeaderValue::from(seconds)))
        } else {
            None
        };
        let body = directions::body_of(refusal);
        let status = StatusCode::from_u16(body.error.status());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, body: Box::new(body), header, source: None }
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Refused(refusal) => refusal.into(),
            AppError::Store(source) => source.into(),
            AppError::Files(source) => source.into(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(source: StoreError) -> Self {
        match source {
            StoreError::Unavailable(_) => Self::unavailable(source),
            StoreError::Full(_) => Self::storage_full(source),
            StoreError::Corrupt { .. } | StoreError::Unsupported | StoreError::Refused(_) => {
                Self::internal(source)
            }
        }
    }
}

impl From<FilesError> for ApiError {
    fn from(source: FilesError) -> Self {
        match source {
            FilesError::Unavailable(_) => Self::unavailable(source),
            FilesError::Full => Self::storage_full(source),
            FilesError::Missing | FilesError::Refused(_) | FilesError::Interrupted(_) => {
                Self::internal(source)
            }
        }
    }
}

/// The answer to a request whose handling panicked.
pub(crate) fn after_panic() -> Response {
    ApiError::from(internal_refusal()).into_response()
}

/// What is not there for so long.
fn unavailable_for(seconds: u32, message: String) -> Refusal {
    let wait = TimeDelta::seconds(seconds.into());
    Refusal::rate_limited(message, wait).with_code(ErrorCode::Unavailable)
}

fn internal_refusal() -> Refusal {
    Refusal::new(
        ErrorCode::Internal,
        "Something went wrong on our side; the x-request-id of this answer finds it in the log.",
    )
}

/// The statuses that a code comes with.
pub(crate) fn statuses_of(code: ErrorCode) -> Vec<u16> {
    let plain = ErrorBody::from(Refusal::new(code, "")).error;
    let of_plan = ErrorDetail { limit: Some(0), ..plain.clone() };
    let mut statuses = vec![of_plan.status(), plain.status()];
    statuses.dedup();
    statuses
}

/// An error and everything behind it, for the log.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        source = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_to_wait_says_how_long_and_never_zero() {
        for (name, error, want) in [
            ("of the limit", ApiError::rate_limited(7), "7"),
            ("never zero", ApiError::rate_limited(0), "1"),
            ("of a use case", Refusal::new(ErrorCode::RateLimited, "busy").into(), "1"),
        ] {
            let response = error.into_response();
            assert_eq!(response.status(), 429, "{name}");
            assert_eq!(response.headers()[RETRY_AFTER], want, "{name}");
        }
    }
}
