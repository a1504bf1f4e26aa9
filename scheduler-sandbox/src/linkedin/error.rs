//! Error answers.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>.

use http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;

/// A refused call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApiError {
    status: StatusCode,
    body: Value,
}

impl ApiError {
    /// Builds an error with a code of its own.
    pub(super) fn new(status: StatusCode, code: &str, message: &str) -> Self {
        let body = json!({ "status": status.as_u16(), "code": code, "message": message });
        Self { status, body }
    }

    /// Builds an error with the number of a service.
    pub(super) fn numbered(status: StatusCode, number: u32, code: &str, message: &str) -> Self {
        let mut error = Self::new(status, code, message);
        error.body["serviceErrorCode"] = Value::from(number);
        error
    }

    /// Builds an error of an input.
    pub(super) fn input(status: StatusCode, code: &str, description: &str, message: &str) -> Self {
        let body = json!({
            "errorDetailType": "com.linkedin.common.error.BadRequest",
            "message": message,
            "errorDetails": {
                "inputErrors": [{ "description": description, "input": {}, "code": code }],
            },
            "status": status.as_u16(),
        });
        Self { status, body }
    }

    /// Builds an error of a call about tokens.
    pub(super) fn oauth(status: StatusCode, error: &str, description: &str) -> Self {
        Self { status, body: json!({ "error": error, "error_description": description }) }
    }

    /// Builds the error of a value that cannot be used.
    pub(super) fn invalid(field: &str, why: &str) -> Self {
        let message = format!("{field}: {why}");
        Self::input(StatusCode::BAD_REQUEST, "INVALID_VALUE_FOR_FIELD", why, &message)
    }

    /// Builds the error of a field that is not there.
    pub(super) fn missing(field: &str) -> Self {
        let why = format!("Field {field} is required");
        Self::input(StatusCode::BAD_REQUEST, "MISSING_FIELD", &why, &why)
    }

    /// Builds the error of what is not there.
    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "RESOURCE_NOT_FOUND", "Could not find entity")
    }

    /// Builds the error of what a token may not do.
    pub(super) fn access_denied(what: &str) -> Self {
        let message = format!("Not enough permissions to access: {what}");
        Self::numbered(StatusCode::FORBIDDEN, 100, "ACCESS_DENIED", &message)
    }

    /// Builds the error of a daily limit.
    pub(super) fn too_many() -> Self {
        let message = "Resource level throttle limit for calls to this resource is reached";
        Self::numbered(StatusCode::TOO_MANY_REQUESTS, 101, "TOO_MANY_REQUESTS", message)
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        Answer::json(self.status, &self.body).with_header("x-li-fabric", "sandbox")
    }
}
