//! A provider that says who somebody is.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use crate::openid::{Attempt, Identity};

/// Why a provider says of nobody who they are. Each is a fragment for the log that holds neither
/// code nor secret nor token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// It cannot be reached, or fails.
    #[error("the provider does not answer: {0}")]
    Unavailable(String),
    /// It does not take the code, and calls the error so.
    #[error("the provider refuses: {0}")]
    Refused(String),
    /// What it answers is not what a provider answers, or is not of this sign-in.
    #[error("the provider's answer cannot be trusted: {0}")]
    Untrusted(String),
}

/// Somebody who comes back from the provider.
#[derive(Clone, Copy, Debug)]
pub struct Returning<'a> {
    /// What they bring, to be exchanged once.
    pub code: &'a str,
    /// The sign-in that they have begun.
    pub attempt: &'a Attempt,
    /// Where the provider has sent them.
    pub redirect_uri: &'a str,
}

/// An OpenID provider.
#[async_trait]
pub trait IdentityProvider: Send + Sync {
    /// The address at which a browser signs in for an attempt, and from which it is sent to the
    /// redirect address.
    ///
    /// # Errors
    /// [`IdentityError`] by variant.
    async fn sign_in_at(
        &self,
        attempt: &Attempt,
        redirect_uri: &str,
        now: DateTime<Utc>,
    ) -> Result<String, IdentityError>;

    /// Says who somebody is who has come back, from a token whose signature, maker, audience, time
    /// and nonce were checked ([`IdToken::checked`](crate::openid::IdToken::checked)).
    ///
    /// # Errors
    /// [`IdentityError`] by variant.
    async fn identify(
        &self,
        returning: Returning<'_>,
        now: DateTime<Utc>,
    ) -> Result<Identity, IdentityError>;

    /// What it calls itself.
    fn issuer(&self) -> &str;
}
