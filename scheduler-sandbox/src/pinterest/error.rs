//! Error answers.
//!
//! Source: <https://github.com/pinterest/api-description>, `v5/openapi.json`, the examples of its
//! errors.

use http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;

/// A refused call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApiError {
    status: StatusCode,
    body: Value,
    /// Seconds until a limit begins anew.
    resets_in: Option<i64>,
}

impl ApiError {
    /// Builds an error.
    pub(super) fn new(status: StatusCode, code: i64, message: &str) -> Self {
        Self { status, body: json!({ "code": code, "message": message }), resets_in: None }
    }

    /// Builds the error of a value that cannot be used.
    pub(super) fn invalid(why: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, 1, &format!("Invalid request: {why}"))
    }

    /// Builds the error of a token that is not there, wrong or over.
    pub(super) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, 2, "Authentication failed.")
    }

    /// Builds the error of permissions that were not given.
    pub(super) fn missing_scopes(scopes: &[&str]) -> Self {
        let message = format!(
            "Your application consumer type is not supported, please contact support. Missing: {scopes:?}"
        );
        Self::new(StatusCode::FORBIDDEN, 3, &message)
    }

    /// Builds the error of an application that may only try things out.
    pub(super) fn trial() -> Self {
        let message = "Apps with Trial access may not create Pins in production. You can request an upgrade to Standard access, or use API Sandbox (https://api-sandbox.pinterest.com) instead.";
        Self::new(StatusCode::FORBIDDEN, 29, message)
    }

    /// Builds the error of what belongs to somebody else.
    pub(super) fn not_permitted() -> Self {
        let message = "You are not permitted to access that resource.";
        Self::new(StatusCode::FORBIDDEN, 7, message)
    }

    /// Builds the error of a board that is not there.
    pub(super) fn no_board() -> Self {
        Self::new(StatusCode::NOT_FOUND, 40, "Board not found.")
    }

    /// Builds the error of a section that a board has not.
    pub(super) fn no_section() -> Self {
        Self::new(StatusCode::NOT_FOUND, 0, "Board section not found.")
    }

    /// Builds the error of a Pin that is not there.
    pub(super) fn no_pin() -> Self {
        Self::new(StatusCode::NOT_FOUND, 50, "Pin not found.")
    }

    /// Builds the error of a call that is not there.
    pub(super) fn no_call() -> Self {
        Self::new(StatusCode::NOT_FOUND, 0, "Not found")
    }

    /// Builds the error of a limit that begins anew after so many seconds.
    pub(super) fn too_many(resets_in: i64) -> Self {
        let message = "This request exceeded a rate limit. If this happens too often, contact Pinterest for a higher limit.";
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, 8, message);
        Self { resets_in: Some(resets_in), ..error }
    }

    /// Builds the error of what looks like spam.
    pub(super) fn spam() -> Self {
        let message = "Sorry, this request could not be completed.";
        let mut error = Self::new(StatusCode::TOO_MANY_REQUESTS, 8, message);
        error.body["message_detail"] =
            "We blocked this because it looks like spam. Try again later.".into();
        error
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        let answer = Answer::json(self.status, &self.body);
        match self.resets_in {
            Some(seconds) => answer.with_header("x-ratelimit-reset", &seconds.to_string()),
            None => answer,
        }
    }
}
