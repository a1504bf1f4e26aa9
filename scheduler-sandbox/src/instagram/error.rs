//! Errors of the Graph API.
//!
//! Source: `reference/error-codes` of
//! <https://developers.facebook.com/documentation/instagram-platform/>.

use http::StatusCode;
use serde_json::json;

use crate::answer::Answer;
use crate::outside::random_bytes;

/// A refused call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ApiError {
    status: StatusCode,
    pub(super) code: i64,
    pub(super) subcode: Option<i64>,
    message: String,
    is_transient: bool,
}

impl ApiError {
    /// Builds an error without a subcode.
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        let status = StatusCode::BAD_REQUEST;
        Self { status, code, subcode: None, message: message.into(), is_transient: false }
    }

    /// Builds an error with a subcode.
    pub(super) fn sub(code: i64, subcode: i64, message: impl Into<String>) -> Self {
        Self { subcode: Some(subcode), ..Self::new(code, message) }
    }

    /// The network's own trouble.
    pub(super) fn server() -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            is_transient: true,
            ..Self::new(2, "An unexpected error has occurred. Please retry your request later.")
        }
    }

    /// Something that is not there, or not for this account.
    pub(super) fn missing(id: &str) -> Self {
        Self::sub(
            100,
            33,
            format!(
                "Unsupported request. Object with ID '{id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation."
            ),
        )
    }

    /// A token that is none.
    pub(super) fn token() -> Self {
        Self {
            status: StatusCode::UNAUTHORIZED,
            ..Self::new(190, "Invalid OAuth access token - Cannot parse access token.")
        }
    }

    /// A token that has run out.
    pub(super) fn expired() -> Self {
        Self {
            status: StatusCode::UNAUTHORIZED,
            ..Self::sub(190, 463, "Error validating access token: Session has expired.")
        }
    }

    /// A permission that was not given.
    pub(super) fn permission(scope: &str) -> Self {
        Self {
            status: StatusCode::FORBIDDEN,
            ..Self::new(10, format!("(#10) Application does not have permission {scope}"))
        }
    }

    /// A parameter that is missing or wrong.
    pub(super) fn parameter(message: &str) -> Self {
        Self::new(100, format!("(#100) {message}"))
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        let mut error = json!({
            "message": self.message,
            "type": "OAuthException",
            "code": self.code,
            "is_transient": self.is_transient,
            "fbtrace_id": format!("A{}", hex::encode(&random_bytes()[..10])),
        });
        if let Some(subcode) = self.subcode {
            error["error_subcode"] = json!(subcode);
            error["error_user_msg"] = error["message"].clone();
        }
        Answer::json(self.status, &json!({ "error": error }))
    }
}
