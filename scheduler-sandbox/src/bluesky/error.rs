//! Error answers of the XRPC endpoints.
//!
//! Source: <https://atproto.com/specs/xrpc> (`{"error", "message"}`).

use http::StatusCode;
use serde_json::json;

use super::oauth::challenge;
use crate::answer::Answer;

/// A refused call: status, error name and message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct XrpcError {
    pub(super) status: StatusCode,
    pub(super) error: &'static str,
    pub(super) message: String,
}

impl XrpcError {
    /// Builds an error with status 400.
    pub(super) fn bad(error: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error, message: message.into() }
    }

    /// Builds the error for a request that breaks a rule.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::bad("InvalidRequest", message)
    }

    /// Builds an error with status 401.
    pub(super) fn unauthorized(error: &'static str, message: impl Into<String>) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, error, message: message.into() }
    }

    /// Builds the error for a body that is too large.
    pub(super) fn too_large() -> Self {
        Self {
            status: StatusCode::PAYLOAD_TOO_LARGE,
            error: "PayloadTooLarge",
            message: "request entity too large".to_owned(),
        }
    }

    /// Builds the error of the server's own trouble.
    pub(super) fn internal() -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            error: "InternalServerError",
            message: "Internal Server Error".to_owned(),
        }
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        let body = json!({"error": self.error, "message": self.message});
        let answer = Answer::json(self.status, &body);
        match self.error {
            "use_dpop_nonce" | "invalid_dpop_proof" | "invalid_token" => {
                answer.with_header("www-authenticate", &challenge(self.error))
            }
            _ => answer,
        }
    }
}
