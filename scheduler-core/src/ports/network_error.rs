//! How a call to a network can fail.

use std::fmt;

use chrono::TimeDelta;

use crate::target::FailureCode;

/// What a failure of a network means for what comes next.
///
/// ```
/// use scheduler_core::ports::{NetworkError, NetworkErrorKind};
/// use scheduler_core::target::FailureCode;
///
/// let lost = NetworkError::new(NetworkErrorKind::InDoubt, "The answer was lost.");
/// assert_eq!(lost.code, FailureCode::InDoubt);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkErrorKind {
    /// Nothing was done; trying again may help.
    Temporary,
    /// Nothing was done; try again after `wait`, if the network named one.
    RateLimited {
        /// How long the network wants to be left alone.
        wait: Option<TimeDelta>,
    },
    /// Nothing was done, and nothing will be without a change.
    Permanent,
    /// Nothing was done; the access token has run out and has to be refreshed.
    TokenExpired,
    /// Nothing was done; a person has to connect the account again.
    Reconnect,
    /// The request left and its answer was lost: it may have been done.
    InDoubt,
    /// The network answered a visible request with a fault of its own: it may have been done all
    /// the same, and doing it again at once is not what the network needs.
    Unsettled,
}

impl NetworkErrorKind {
    /// The name in logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Temporary => "temporary",
            Self::RateLimited { .. } => "rate_limited",
            Self::Permanent => "permanent",
            Self::TokenExpired => "token_expired",
            Self::Reconnect => "reconnect",
            Self::InDoubt => "in_doubt",
            Self::Unsettled => "unsettled",
        }
    }

    /// The `errorCode` of a failure of this kind, where its adapter names no other.
    #[must_use]
    pub const fn failure_code(self) -> FailureCode {
        match self {
            Self::Temporary | Self::Unsettled => FailureCode::NetworkError,
            Self::RateLimited { .. } => FailureCode::RateLimited,
            Self::Permanent => FailureCode::NetworkRefused,
            Self::TokenExpired | Self::Reconnect => FailureCode::AccountNotConnected,
            Self::InDoubt => FailureCode::InDoubt,
        }
    }
}

/// A failure of a network, in our terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkError {
    /// What it means.
    pub kind: NetworkErrorKind,
    /// The `errorCode` of the target.
    pub code: FailureCode,
    /// A sentence for a person, with a remedy, and the network's own words where they help.
    /// Holds no token, no caption and no address with a signature.
    pub message: String,
}

impl NetworkError {
    /// A failure whose code follows from its kind.
    pub fn new(kind: NetworkErrorKind, message: impl Into<String>) -> Self {
        Self { kind, code: kind.failure_code(), message: message.into() }
    }

    /// The failure of a call on something that the network does not know, or not there.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(NetworkErrorKind::Permanent, message).with_code(FailureCode::NotFound)
    }

    /// A failure that only a change can end.
    pub fn permanent(message: impl Into<String>) -> Self {
        Self::new(NetworkErrorKind::Permanent, message)
    }

    /// A failure that a later try may end.
    pub fn temporary(message: impl Into<String>) -> Self {
        Self::new(NetworkErrorKind::Temporary, message)
    }

    /// The failure for a file that cannot be sent.
    pub fn unusable_media(message: impl Into<String>) -> Self {
        Self::permanent(message).with_code(FailureCode::MediaUnusable)
    }

    /// The same failure under another code.
    #[must_use]
    pub fn with_code(self, code: FailureCode) -> Self {
        Self { code, ..self }
    }

    /// True when what opens the account is not accepted.
    #[must_use]
    pub const fn refuses_credentials(&self) -> bool {
        matches!(self.kind, NetworkErrorKind::TokenExpired | NetworkErrorKind::Reconnect)
    }

    /// The failure while there is no account yet that could be connected again: `message` tells it
    /// where credentials are not accepted.
    #[must_use]
    pub fn while_connecting(self, message: &str) -> Self {
        if self.refuses_credentials() { Self::permanent(message) } else { self }
    }

    /// The failure of a call that carries no access token, and so says nothing of the account.
    #[must_use]
    pub fn without_token(self) -> Self {
        if self.refuses_credentials() { Self::temporary(self.message) } else { self }
    }

    /// The failure of a call besides publishing: what is not allowed there leaves the account
    /// connected.
    #[must_use]
    pub fn of_act(self) -> Self {
        match self.kind {
            NetworkErrorKind::Reconnect => Self::permanent(self.message),
            _ => self,
        }
    }

    /// The failure of something that follows a live post, such as its first comment: `what` begins
    /// the sentence where nothing but a change ends it.
    #[must_use]
    pub fn of_follow_up(self, what: &str) -> Self {
        match self.kind {
            NetworkErrorKind::Permanent => {
                Self { message: format!("{what}: {}", self.message), ..self }
            }
            _ => self,
        }
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for NetworkError {}
