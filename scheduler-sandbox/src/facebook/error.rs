//! Errors of the Graph API.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/guides/error-handling/>.

use http::StatusCode;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::outside::random_bytes;

/// A refused call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApiError {
    status: StatusCode,
    code: i64,
    subcode: Option<i64>,
    message: String,
    is_transient: bool,
    data: Option<Value>,
    /// How many minutes to wait, and for which Page.
    usage: Option<(String, u64)>,
}

impl ApiError {
    /// Builds an error without a subcode.
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            code,
            subcode: None,
            message: message.into(),
            is_transient: false,
            data: None,
            usage: None,
        }
    }

    /// Builds an error with a subcode.
    pub(super) fn sub(code: i64, subcode: i64, message: impl Into<String>) -> Self {
        Self { subcode: Some(subcode), ..Self::new(code, message) }
    }

    /// Adds where an upload goes on.
    pub(super) fn with_data(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// The network's own trouble.
    pub(super) fn server() -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            is_transient: true,
            ..Self::new(2, "An unexpected error has occurred. Please retry your request later.")
        }
    }

    /// Something that is not there, or not for this Page.
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
            ..Self::sub(190, 467, "Invalid OAuth access token - Cannot parse access token.")
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
            ..Self::new(200, format!("(#200) This needs the permission {scope}"))
        }
    }

    /// A parameter that is missing or wrong.
    pub(super) fn parameter(message: &str) -> Self {
        Self::new(100, format!("(#100) {message}"))
    }

    /// An upload that the network cannot go on with.
    pub(super) fn upload(subcode: i64, message: &str) -> Self {
        Self::sub(6000, subcode, message)
    }

    /// Too many calls of a Page, which are allowed again after some minutes.
    pub(super) fn too_many(page: impl Into<String>, minutes: u64) -> Self {
        let message = "(#32) Page request limit reached";
        Self { usage: Some((page.into(), minutes)), ..Self::new(32, message) }
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
            error["error_user_title"] = json!("It could not be done");
            error["error_user_msg"] = error["message"].clone();
        }
        if let Some(data) = self.data {
            error["error_data"] = data;
        }
        let answer = Answer::json(self.status, &json!({ "error": error }));
        let Some((page, minutes)) = self.usage else { return answer };
        let usage = json!({ page: [{
            "type": "pages",
            "call_count": 100,
            "total_cputime": 25,
            "total_time": 25,
            "estimated_time_to_regain_access": minutes,
        }] });
        answer.with_header("x-business-use-case-usage", &usage.to_string())
    }
}
