//! How clients are built, and how their failures are told.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

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

/// Builds a client that connects only where the guard lets it, uses no proxy (behind which the
/// guard would see nothing) and follows no redirect.
///
/// # Errors
/// [`ClientError`], such as without any trusted root certificates.
pub(crate) fn build(guard: Guard, limits: Limits) -> Result<Client, ClientError> {
    // Fails when there is a provider already, which then serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(limits.connect)
        .timeout(limits.whole)
        .redirect(Policy::none())
        .no_proxy()
        .https_only(!guard.allows_private())
        .dns_resolver(Arc::new(guard))
        .build()?;
    Ok(client)
}

/// The guard's refusal, when that is why a call failed.
pub(crate) fn refusal(error: &reqwest::Error) -> Option<&Refusal> {
    chain(error).find_map(|cause| cause.downcast_ref())
}

/// What went wrong at the bottom, in words that hold no part of the URL.
pub(crate) fn reason(error: &reqwest::Error) -> String {
    match chain(error).last() {
        Some(cause) if !cause.is::<reqwest::Error>() => cause.to_string(),
        _ => "the exchange broke off".to_owned(),
    }
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |&cause| cause.source())
}
