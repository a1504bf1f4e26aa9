//! Error answers.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/errors>.

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
    /// Builds an error with a reason.
    pub(super) fn new(status: StatusCode, reason: &str, message: &str) -> Self {
        let name = match status.as_u16() {
            401 => "UNAUTHENTICATED",
            403 => "PERMISSION_DENIED",
            404 => "NOT_FOUND",
            409 => "ALREADY_EXISTS",
            429 => "RESOURCE_EXHAUSTED",
            500.. => "INTERNAL",
            _ => "INVALID_ARGUMENT",
        };
        let domain = match reason {
            "quotaExceeded" => "youtube.quota",
            "rateLimitExceeded" => "usageLimits",
            "authError" | "insufficientPermissions" | "backendError" => "global",
            _ => "youtube.api",
        };
        let body = json!({ "error": {
            "code": status.as_u16(),
            "message": message,
            "errors": [{ "message": message, "domain": domain, "reason": reason }],
            "status": name,
        } });
        Self { status, body }
    }

    /// Builds the error of a call that is wrong.
    pub(super) fn bad(reason: &str, message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, reason, message)
    }

    /// Builds the error of something that is not allowed.
    pub(super) fn forbidden(reason: &str, message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, reason, message)
    }

    /// Builds the error of what is not there.
    pub(super) fn not_found(reason: &str, message: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, reason, message)
    }

    /// Builds the error of a video that is not there.
    pub(super) fn no_video() -> Self {
        let message = "The video that you are trying to find cannot be found. Check the value of the request's id parameter to ensure that it is correct.";
        Self::not_found("videoNotFound", message)
    }

    /// Builds the error of a token that was not given the permission.
    pub(super) fn scope() -> Self {
        let message = "Request had insufficient authentication scopes.";
        let mut error = Self::forbidden("insufficientPermissions", message);
        error.body["error"]["details"] = json!([{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
            "domain": "googleapis.com",
            "metadata": { "service": "youtube.googleapis.com" },
        }]);
        error
    }

    /// Builds the error of a day whose units are used up.
    pub(super) fn quota() -> Self {
        let message = "The request cannot be completed because you have exceeded your <a href=\"/youtube/v3/getting-started#quota\">quota</a>.";
        Self::forbidden("quotaExceeded", message)
    }

    /// Builds the error of a day whose uploads are used up, which are counted apart.
    ///
    /// Source: <https://github.com/googleapis/google-api-python-client/issues/2753>.
    pub(super) fn uploads_of_day() -> Self {
        let message = "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service 'youtube.googleapis.com' for consumer 'project_number:1'.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rateLimitExceeded", message)
    }

    /// Builds the error of calls that come too fast.
    pub(super) fn rate() -> Self {
        let message =
            "The request cannot be completed because too many calls were made in a short time.";
        Self::forbidden("rateLimitExceeded", message)
    }

    /// Builds an error of the calls about tokens.
    pub(super) fn oauth(status: StatusCode, error: &str, description: &str) -> Self {
        Self { status, body: json!({ "error": error, "error_description": description }) }
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        Answer::json(self.status, &self.body)
    }
}
