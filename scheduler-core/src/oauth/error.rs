//! What a client is told when something cannot be done.

use serde::Serialize;

/// The code of an error of OAuth.
///
/// Sources: RFC 6749, sections 4.1.2.1 and 5.2; RFC 8707, section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OAuthError {
    /// A parameter is missing, doubled, or of another form.
    InvalidRequest,
    /// The code or the token is not valid.
    InvalidGrant,
    /// More is asked than was granted.
    InvalidScope,
    /// Another server is meant.
    InvalidTarget,
    /// Something else than a code or a refresh token is to be exchanged.
    UnsupportedGrantType,
    /// Something else than a code is wanted.
    UnsupportedResponseType,
    /// The person said no.
    AccessDenied,
}

impl OAuthError {
    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::AccessDenied => "access_denied",
        }
    }
}

/// An error, and what the developer of the client does about it.
///
/// Source: RFC 6749, section 5.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{description}")]
pub struct OAuthRefusal {
    /// The code.
    pub error: OAuthError,
    /// What was wrong and what is allowed, in ASCII without quotation marks and backslashes.
    #[serde(rename = "error_description")]
    pub description: &'static str,
}

impl OAuthRefusal {
    pub(super) const fn new(error: OAuthError, description: &'static str) -> Self {
        Self { error, description }
    }
}
