//! Signing in with an OpenID provider: who is let in, what a browser keeps in between, and what is
//! checked of what the provider says of a person.
//!
//! Nobody signs up: whoever is not on the [`AllowList`] is not let in, and nothing is stored of
//! them. The calls to the provider are an [`IdentityProvider`].

mod allow;
mod attempt;
mod issuer;
mod token;
mod used;

use std::fmt;
use std::sync::Arc;

use chrono::TimeDelta;

use crate::ports::IdentityProvider;

pub use allow::{Admission, AllowList, Allowed, EVERY_WORKSPACE, NotAllowed, Who, WhoFault};
pub use attempt::Attempt;
pub use issuer::{Issuer, IssuerFault};
pub use token::{Expected, IdToken, Identity, TokenFault};
pub use used::Used;

/// How long a person may take at the provider.
///
/// Source: our decision.
pub const ATTEMPT_LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// What an operator has set of the provider.
#[derive(Clone)]
pub struct OpenId {
    /// What people call the provider.
    pub name: String,
    /// Who is let in.
    pub allow: AllowList,
    /// Speaks with the provider.
    pub provider: Arc<dyn IdentityProvider>,
    /// The attempts that were finished.
    pub used: Arc<Used>,
}

impl OpenId {
    /// A provider of this name, and those whom it may let in.
    #[must_use]
    pub fn new(name: String, allow: AllowList, provider: Arc<dyn IdentityProvider>) -> Self {
        Self { name, allow, provider, used: Arc::default() }
    }
}

impl fmt::Debug for OpenId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OpenId").field("name", &self.name).finish_non_exhaustive()
    }
}
