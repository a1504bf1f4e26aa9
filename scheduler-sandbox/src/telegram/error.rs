//! Error answers: a number, which is the HTTP status too, and a description.
//!
//! Source: <https://core.telegram.org/bots/api#making-requests>, `HttpConnection.cpp` of the
//! server.

use http::StatusCode;
use serde_json::json;

use crate::answer::Answer;

/// A refused call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ApiError {
    code: u16,
    description: String,
    retry_after: Option<u64>,
    migrate_to_chat_id: Option<i64>,
}

impl ApiError {
    /// Builds an error.
    pub(super) fn new(code: u16, description: impl Into<String>) -> Self {
        let description = description.into();
        Self { code, description, retry_after: None, migrate_to_chat_id: None }
    }

    /// Builds an error 400.
    pub(super) fn bad(what: &str) -> Self {
        Self::new(400, format!("Bad Request: {what}"))
    }

    /// Builds an error 403.
    pub(super) fn forbidden(what: &str) -> Self {
        Self::new(403, format!("Forbidden: {what}"))
    }

    /// Builds the error of a path that is none, such as one with a token of a wrong form.
    pub(super) fn not_found() -> Self {
        Self::new(404, "Not Found")
    }

    /// Builds the error of a token that is not known, or not any more.
    pub(super) fn unauthorized() -> Self {
        Self::new(401, "Unauthorized")
    }

    /// Builds the error of a request that is larger than the server takes.
    pub(super) fn too_large() -> Self {
        Self::new(413, "Request Entity Too Large")
    }

    /// Builds the error of too many calls, which may be repeated after so many seconds.
    pub(super) fn flood(seconds: u64) -> Self {
        let description = format!("Too Many Requests: retry after {seconds}");
        Self { retry_after: Some(seconds), ..Self::new(429, description) }
    }

    /// Builds the error of a group that has become a supergroup.
    pub(super) fn moved(chat: i64) -> Self {
        let error = Self::bad("group chat was upgraded to a supergroup chat");
        Self { migrate_to_chat_id: Some(chat), ..error }
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        let mut body =
            json!({"ok": false, "error_code": self.code, "description": self.description});
        if let Some(seconds) = self.retry_after {
            body["parameters"]["retry_after"] = seconds.into();
        }
        if let Some(chat) = self.migrate_to_chat_id {
            body["parameters"]["migrate_to_chat_id"] = chat.into();
        }
        let status = StatusCode::from_u16(self.code).unwrap_or(StatusCode::BAD_REQUEST);
        let answer = Answer::json(status, &body);
        match self.retry_after {
            Some(seconds) => answer.with_header("retry-after", &seconds.to_string()),
            None => answer,
        }
    }
}
