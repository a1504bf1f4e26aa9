//! Error answers.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>,
//! <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.

use http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::outside::random_bytes;

/// A refused call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApiError {
    status: StatusCode,
    body: Value,
}

impl ApiError {
    /// Builds an error with a code.
    pub(super) fn new(status: StatusCode, code: &str, message: &str) -> Self {
        let error = json!({ "code": code, "message": message, "log_id": log_id() });
        Self { status, body: json!({ "data": {}, "error": error }) }
    }

    /// Builds an error of a call about tokens.
    pub(super) fn oauth(status: StatusCode, error: &str, description: &str) -> Self {
        let body = json!({ "error": error, "error_description": description, "log_id": log_id() });
        Self { status, body }
    }

    /// Builds the error of a code or a refresh token that is none; it comes with status 200.
    pub(super) fn invalid_grant(description: &str) -> Self {
        Self::oauth(StatusCode::OK, "invalid_grant", description)
    }

    /// Builds the error of a field that cannot be accepted.
    pub(super) fn invalid(message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_params", message)
    }

    /// Builds the error of a token that is none or has ended.
    pub(super) fn token() -> Self {
        let message = "The access token is invalid or not found in the request.";
        Self::new(StatusCode::UNAUTHORIZED, "access_token_invalid", message)
    }

    /// Builds the error of a scope that was not allowed.
    pub(super) fn scope() -> Self {
        let message = "The user did not authorize the scope required for completing this request.";
        Self::new(StatusCode::UNAUTHORIZED, "scope_not_authorized", message)
    }

    /// Builds the error of a publish that is not there.
    pub(super) fn unknown_publish() -> Self {
        let message = "The publish_id is invalid";
        Self::new(StatusCode::BAD_REQUEST, "invalid_publish_id", message)
    }

    /// Builds the error of a limit that counts by the minute.
    pub(super) fn too_many() -> Self {
        let message = "The API rate limit was exceeded. Please try again later.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limit_exceeded", message)
    }

    /// Builds the network's own trouble.
    pub(super) fn server() -> Self {
        let message = "Something is wrong. Please try again later.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message)
    }

    /// Builds the error of what is not there.
    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "unsupported_path", "Unsupported path(Janus)")
    }

    /// The same with another status: refusals may come with 200.
    pub(super) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        Answer::json(self.status, &self.body)
    }
}

/// Builds an answer to a call that was done.
pub(super) fn ok(data: &Value) -> Answer {
    Answer::ok(&json!({
        "data": data,
        "error": { "code": "ok", "message": "", "log_id": log_id() },
    }))
}

/// Returns what tells an answer from all others.
pub(super) fn log_id() -> String {
    hex::encode(random_bytes()).to_uppercase()
}
