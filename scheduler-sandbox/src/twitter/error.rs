//! Error answers: problems, and the form of the calls about tokens.
//!
//! Source: <https://docs.x.com/x-api/fundamentals/response-codes-and-errors>.

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
    /// Builds a problem; `kind` is the last part of the address of its type, empty for none.
    pub(super) fn problem(status: StatusCode, kind: &str, title: &str, detail: &str) -> Self {
        let body = json!({
            "title": title,
            "detail": detail,
            "type": kind_of(kind),
            "status": status.as_u16(),
        });
        Self { status, body }
    }

    /// Builds the error of a parameter that cannot be used.
    pub(super) fn invalid(parameter: &str, value: &Value, message: &str) -> Self {
        let body = json!({
            "errors": [{ "parameters": { parameter: [value] }, "message": message }],
            "title": "Invalid Request",
            "detail": "One or more parameters to your request was invalid.",
            "type": kind_of("invalid-request"),
        });
        Self { status: StatusCode::BAD_REQUEST, body }
    }

    /// Builds the error of a token that does not open anything.
    pub(super) fn unauthorized() -> Self {
        Self::problem(StatusCode::UNAUTHORIZED, "", "Unauthorized", "Unauthorized")
    }

    /// Builds the error of what is refused with words alone.
    pub(super) fn forbidden(detail: &str) -> Self {
        Self::problem(StatusCode::FORBIDDEN, "", "Forbidden", detail)
    }

    /// Builds the error of an application that cannot pay.
    ///
    /// Source: <https://docs.x.com/x-api/getting-started/pricing>.
    pub(super) fn credits() -> Self {
        let mut error = Self::problem(
            StatusCode::PAYMENT_REQUIRED,
            "credits",
            "CreditsDepleted",
            "Your enrolled account does not have any credits to fulfill this request.",
        );
        error.body["account_id"] = Value::from(1_234_567_890);
        error
    }

    /// Builds the error of too many calls.
    pub(super) fn too_many() -> Self {
        let title = "Too Many Requests";
        Self::problem(StatusCode::TOO_MANY_REQUESTS, "", title, title)
    }

    /// Builds the error of a post that is not there.
    pub(super) fn not_found(id: &str) -> Self {
        let detail = format!("Could not find tweet with id: [{id}].");
        Self::problem(StatusCode::NOT_FOUND, "resource-not-found", "Not Found Error", &detail)
    }

    /// Builds the error of an address that is no call.
    pub(super) fn no_such_call() -> Self {
        Self::problem(StatusCode::NOT_FOUND, "", "Not Found", "Not Found")
    }

    /// Builds an error of a call about tokens.
    pub(super) fn oauth(status: StatusCode, error: &str, description: &str) -> Self {
        Self { status, body: json!({ "error": error, "error_description": description }) }
    }

    /// Turns the error into its answer.
    pub(super) fn into_answer(self) -> Answer {
        Answer::json(self.status, &self.body)
    }
}

/// Returns the address of a type of problems.
pub(super) fn kind_of(kind: &str) -> String {
    match kind {
        "" => "about:blank".to_owned(),
        kind => format!("https://api.x.com/2/problems/{kind}"),
    }
}
