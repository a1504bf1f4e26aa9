//! Why an OpenID provider has signed nobody in.

use super::ErrorCode;

/// Why an OpenID provider has signed nobody in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenIdRefusal {
    /// The server has no provider.
    #[error("This server lets nobody in by an OpenID provider. Sign in with a link or a key.")]
    NotOffered,
    /// The browser has begun no such sign-in.
    #[error(
        "This sign-in was not begun in this browser, or it is finished already. Begin it again."
    )]
    NotBegun,
    /// It took too long.
    #[error("It took longer than ten minutes to come back from {0}. Begin it again.")]
    Expired(String),
    /// The person, or the provider, did not want it.
    #[error("{0} did not sign you in: access was denied there. Begin again, or use another way.")]
    Denied(String),
    /// The provider does not do it, for this reason.
    #[error(
        "{provider} did not sign you in; it says {said:?}. Begin again; if it stays so, tell the owner."
    )]
    Refused {
        /// What people call the provider.
        provider: String,
        /// The name of its error.
        said: String,
    },
    /// The person is not on the list.
    #[error("{0} is not let in here. Ask the owner.")]
    NotLetIn(String),
    /// The address is on the list, but nobody has made sure that it is theirs.
    #[error(
        "{person} is not let in here: {provider} does not say that the address is confirmed. Confirm it there, or ask the owner to let in the subject {subject:?}."
    )]
    EmailUnverified {
        /// The address.
        person: String,
        /// What the provider calls them.
        subject: String,
        /// What people call the provider.
        provider: String,
    },
    /// The person may come in, but there is no workspace for them.
    #[error("{0} may come in, but none of the workspaces is there. Ask the owner.")]
    NoWorkspace(String),
    /// The provider does not answer.
    #[error("{0} does not answer at the moment. Try again, or sign in with a link.")]
    Unavailable(String),
    /// What it answers cannot be trusted.
    #[error(
        "{0} gave an answer that cannot be trusted, and nobody was signed in. The owner finds the reason in the log of the server."
    )]
    Untrusted(String),
}

impl OpenIdRefusal {
    pub(super) const fn code(&self) -> ErrorCode {
        match self {
            Self::NotOffered => ErrorCode::Unsupported,
            Self::NotBegun | Self::Expired(_) => ErrorCode::Unauthorized,
            Self::Denied(_)
            | Self::Refused { .. }
            | Self::NotLetIn(_)
            | Self::EmailUnverified { .. }
            | Self::NoWorkspace(_)
            | Self::Untrusted(_) => ErrorCode::Forbidden,
            Self::Unavailable(_) => ErrorCode::Unavailable,
        }
    }
}
