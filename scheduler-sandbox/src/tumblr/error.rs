//! Answers as the network wraps them, and error answers.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Response Format" and "Errors and Error
//! Subcodes"; bodies as in <https://github.com/tumblr/tumblr.js/issues/73>.

use http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;

/// Wraps what a call answers.
pub(super) fn enveloped(status: StatusCode, response: &Value) -> Answer {
    let msg = status.canonical_reason().unwrap_or_default();
    Answer::json(
        status,
        &json!({ "meta": { "status": status.as_u16(), "msg": msg }, "response": response }),
    )
}

/// Wraps what a call answers that went well.
pub(super) fn ok(response: &Value) -> Answer {
    enveloped(StatusCode::OK, response)
}

/// A refused call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApiError {
    status: StatusCode,
    body: Value,
}

impl ApiError {
    /// Builds an error with a code; 0 where there is none of its own.
    pub(super) fn new(status: StatusCode, code: u32, detail: &str) -> Self {
        let title = status.canonical_reason().unwrap_or_default();
        let body = json!({
            "meta": { "status": status.as_u16(), "msg": title },
            "response": [],
            "errors": [{ "title": title, "code": code, "detail": detail }],
        });
        Self { status, body }
    }

    /// Builds an error of the call about tokens.
    pub(super) fn oauth(error: &str, description: &str) -> Self {
        let body = json!({ "error": error, "error_description": description });
        Self { status: StatusCode::UNAUTHORIZED, body }
    }

    /// Builds the error of a post that is not made as it should be.
    pub(super) fn invalid(detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 8001, detail)
    }

    /// Builds the error of a file that cannot be used.
    pub(super) fn unusable(detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 8005, detail)
    }

    /// Builds the error of a call that lacks something.
    pub(super) fn bad_request(detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 0, detail)
    }

    /// Builds the error of a token that is not good.
    pub(super) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, 1016, "Unable to authorize")
    }

    /// Builds the error of what may not be done.
    pub(super) fn forbidden(code: u32, detail: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, detail)
    }

    /// Builds the error of what is not there.
    pub(super) fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            0,
            "The URI requested is invalid or the resource requested does not exist.",
        )
    }

    /// Builds the error of the network's own trouble.
    pub(super) fn server(code: u32) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, code, "Something has gone very wrong.")
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        Answer::json(self.status, &self.body)
    }
}
