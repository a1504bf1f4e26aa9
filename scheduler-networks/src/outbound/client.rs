//! How clients are built, and how their failures are told.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::Resolve;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

use super::names::{GuardedNames, SystemNames};
use super::{Guard, Refusal};

/// What every call says of the caller. GoToSocial refuses calls that say nothing.
const USER_AGENT: &str = concat!("scheduler/", env!("CARGO_PKG_VERSION"));

/// A client could not be built.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be built")]
pub struct ClientError(#[from] reqwest::Error);

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Until a connection stands.
    pub(crate) connect: Duration,
    /// From the first look-up to the last byte of the answer.
    pub(crate) whole: Duration,
}

/// Builds a client whose calls end within the limits.
///
/// # Errors
/// [`ClientError`], such as without any trusted root certificates.
pub(crate) fn build(guard: Guard, limits: Limits) -> Result<Client, ClientError> {
    Ok(builder(guard, Arc::new(SystemNames), limits.connect).timeout(limits.whole).build()?)
}

/// Prepares a client that connects only where the guard lets it, uses no proxy (behind which the
/// guard would see nothing) and follows no redirect.
pub(crate) fn builder(guard: Guard, names: Arc<dyn Resolve>, connect: Duration) -> ClientBuilder {
    // Fails when there is a provider already, which then serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(connect)
        .redirect(Policy::none())
        .no_proxy()
        .https_only(!guard.allows_http())
        .dns_resolver(Arc::new(GuardedNames::new(guard, names)))
}

/// The guard's refusal, when that is why a call failed.
pub(crate) fn refusal(error: &reqwest::Error) -> Option<&Refusal> {
    chain(error).find_map(|cause| cause.downcast_ref())
}

/// The cause of a type, when one of that type is why a call failed.
pub(crate) fn cause<E: Error + 'static>(error: &reqwest::Error) -> Option<&E> {
    chain(error).find_map(|cause| cause.downcast_ref())
}

/// What went wrong at the bottom, in words that hold no part of the URL.
pub(crate) fn reason(error: &reqwest::Error) -> String {
    match chain(error).last() {
        Some(cause) if !cause.is::<reqwest::Error>() => cause.to_string(),
        _ => "the exchange broke off".to_owned(),
    }
}

/// What is wrong with the encryption, when that is why a call failed.
pub(crate) fn tls_fault(error: &reqwest::Error) -> Option<&rustls::Error> {
    chain(error).find_map(|cause| {
        // What an I/O error wraps is not its source, but takes its place; and it may wrap another.
        let unwrapped = std::iter::successors(Some(cause), |cause| {
            let wrapped = cause.downcast_ref::<std::io::Error>()?.get_ref()?;
            Some(wrapped as &(dyn Error + 'static))
        });
        unwrapped.last().and_then(|cause| cause.downcast_ref())
    })
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |&cause| cause.source())
}
