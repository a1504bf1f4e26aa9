//! Error answers of the calls, and of those that give out tokens.
//!
//! Source: <https://developers.facebook.com/documentation/threads/troubleshooting>.

use http::StatusCode;
use serde_json::json;

use crate::answer::Answer;

/// A refused call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ApiError {
    status: StatusCode,
    kind: &'static str,
    code: i64,
    subcode: i64,
    message: String,
    is_transient: bool,
    /// Whether it is worded as the calls that give out tokens do.
    is_of_oauth: bool,
}

impl ApiError {
    /// Builds an error with a code of its own.
    pub(super) fn new(code: i64, subcode: i64, message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            kind: "THApiException",
            code,
            subcode,
            message: message.into(),
            is_transient: false,
            is_of_oauth: false,
        }
    }

    /// Builds the error of a parameter that cannot be accepted.
    pub(super) fn parameter(message: impl Into<String>) -> Self {
        Self::new(100, 0, message)
    }

    /// Builds the error of an object that is not there or not to be seen.
    pub(super) fn unknown(id: &str) -> Self {
        let message = format!(
            "Unsupported request. Object with ID '{id}' does not exist, cannot be loaded due to \
             missing permissions, or does not support this operation"
        );
        Self { kind: "GraphMethodException", ..Self::new(100, 33, message) }
    }

    /// Builds the error of a container or post that is not known yet, or not any more.
    pub(super) fn not_there(subcode: i64) -> Self {
        let message = "The requested resource does not exist";
        Self { kind: "OAuthException", ..Self::new(24, subcode, message) }
    }

    /// Builds the error of a token that is none or has ended.
    pub(super) fn token(message: &str, subcode: i64) -> Self {
        Self {
            status: StatusCode::UNAUTHORIZED,
            kind: "OAuthException",
            ..Self::new(190, subcode, message)
        }
    }

    /// Builds the error of a scope that the token lacks.
    pub(super) fn permission() -> Self {
        let message = "Application does not have permission for this action";
        Self { status: StatusCode::FORBIDDEN, kind: "OAuthException", ..Self::new(10, 0, message) }
    }

    /// Builds the error of a quota that is used up.
    pub(super) fn quota() -> Self {
        let message = "The account has reached its 24-hour limit";
        Self { kind: "OAuthException", ..Self::new(9, 2_207_042, message) }
    }

    /// Builds the error of too many calls.
    pub(super) fn too_many_calls() -> Self {
        Self {
            status: StatusCode::FORBIDDEN,
            kind: "OAuthException",
            is_transient: true,
            ..Self::new(4, 0, "Application request limit reached")
        }
    }

    /// Builds the error of the network's own trouble.
    pub(super) fn server() -> Self {
        let message = "An unexpected error has occurred. Please retry your request later.";
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            kind: "OAuthException",
            is_transient: true,
            ..Self::new(2, 0, message)
        }
    }

    /// Builds an error of the calls that give out tokens.
    pub(super) fn oauth(message: &str) -> Self {
        Self { is_of_oauth: true, kind: "OAuthException", ..Self::new(400, 0, message) }
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        let body = if self.is_of_oauth {
            json!({
                "error_type": self.kind,
                "code": self.code,
                "error_message": self.message,
            })
        } else {
            json!({ "error": {
                "message": self.message,
                "type": self.kind,
                "code": self.code,
                "error_subcode": self.subcode,
                "is_transient": self.is_transient,
                "fbtrace_id": "ASandboxTrace",
            } })
        };
        Answer::json(self.status, &body)
    }
}
