//! Error answers of the REST and OAuth endpoints.
//!
//! Source: <https://docs.joinmastodon.org/entities/Error/>,
//! `app/controllers/concerns/api/error_handling.rb` of the server.

use http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;

/// A refused call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ApiError {
    pub(super) status: StatusCode,
    error: String,
    description: Option<&'static str>,
}

impl ApiError {
    /// Builds an error.
    pub(super) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into(), description: None }
    }

    /// Builds an error of the OAuth endpoints.
    pub(super) fn oauth(
        status: StatusCode,
        error: &'static str,
        description: &'static str,
    ) -> Self {
        Self { status, error: error.to_owned(), description: Some(description) }
    }

    /// Builds the error of what is not there or not to be seen.
    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "Record not found")
    }

    /// Builds an error of what cannot be accepted, in the words given.
    pub(super) fn unprocessable(error: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, error)
    }

    /// Builds the error of values that break rules.
    pub(super) fn validation(what: &str) -> Self {
        Self::unprocessable(format!("Validation failed: {what}"))
    }

    /// Builds the error of a token that is none.
    pub(super) fn invalid_token() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "The access token is invalid")
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        let mut body = json!({"error": self.error});
        if let Some(description) = self.description {
            body["error_description"] = Value::from(description);
        }
        Answer::json(self.status, &body)
    }
}
