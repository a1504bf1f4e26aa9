//! Why a tool has not done what it was asked, as the API says it.

use scheduler_core::error::{AppError, ErrorBody, Refusal};
use serde_json::{Value, json};

use crate::api::{Answer, Unanswered};

/// Why a tool has not done what it was asked: `{"error": {"code", "message", …}}`, as the API
/// answers it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure(Value);

impl Failure {
    /// With a code and a sentence that says what to do.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self(json!({"error": {"code": code, "message": message.into()}}))
    }

    /// An argument that is missing or wrong.
    pub(crate) fn argument(name: &str, message: impl Into<String>) -> Self {
        let mut failure = Self::new("invalid_request", message);
        failure.0["error"]["field"] = json!(name);
        failure
    }

    /// What was to be done differs from what was shown.
    pub(crate) fn stale_plan() -> Self {
        let message = "What would go out is not what was shown under this planId: the post, its files or its time have changed since. Nothing was done. Call check_post again, show the person what it says, and use the new planId.";
        Self::new("stale_plan", message)
    }

    /// The same, with what the post is now.
    pub(crate) fn with_post(mut self, post: Value) -> Self {
        self.0["error"]["post"] = post;
        self
    }

    /// The refusal of an answer.
    pub(crate) fn of(answer: &Answer) -> Self {
        if answer.body.get("error").is_some_and(Value::is_object) {
            return Self(tidy(answer.body.clone()));
        }
        Self::new("internal", format!("The server has answered {}.", answer.status))
    }

    /// The code.
    pub(crate) fn code(&self) -> &str {
        self.0["error"]["code"].as_str().unwrap_or_default()
    }

    /// The document.
    pub(crate) fn into_value(self) -> Value {
        self.0
    }
}

/// Fields of the API that tools have under another name.
const OTHERWISE_NAMED: [(&str, &str); 2] =
    [("Idempotency-Key", "idempotencyKey"), ("sourceUrl", "url")];

/// The same, with the field as the tools call it.
fn tidy(mut body: Value) -> Value {
    if let Some(field) = body.pointer_mut("/error/field")
        && let Some((_, name)) = OTHERWISE_NAMED.iter().find(|(of_api, _)| *field == *of_api)
    {
        *field = json!(name);
    }
    body
}

impl From<Unanswered> for Failure {
    fn from(error: Unanswered) -> Self {
        Self::new("unavailable", error.0)
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Refused(refusal) => Self::from(refusal),
            error => Self::new("unavailable", error.to_string()),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match serde_json::to_value(ErrorBody::from(refusal)) {
            Ok(body) => Self(tidy(body)),
            Err(error) => Self::new("internal", error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::StatusCode;
    use scheduler_core::error::ErrorCode;

    #[test]
    fn what_the_api_refuses_is_passed_on_whole() {
        let body = json!({"error": {
            "code": "validation_failed", "message": "A network would refuse it.",
            "issues": [{"rule": "text.length", "message": "Too long.", "target": 0}],
        }});
        let answer = Answer { status: StatusCode::UNPROCESSABLE_ENTITY, body: body.clone() };
        assert_eq!(Failure::of(&answer).into_value(), body);
        let none = Answer { status: StatusCode::BAD_GATEWAY, body: Value::Null };
        assert_eq!(Failure::of(&none).code(), "internal");
    }

    #[test]
    fn a_field_has_the_name_that_tools_give_it() {
        for (of_api, want) in
            [("Idempotency-Key", "idempotencyKey"), ("sourceUrl", "url"), ("content", "content")]
        {
            let refusal = Refusal::new(ErrorCode::InvalidRequest, "wrong");
            let mut body = serde_json::to_value(ErrorBody::from(refusal)).unwrap();
            body["error"]["field"] = json!(of_api);
            let answer = Answer { status: StatusCode::BAD_REQUEST, body };
            assert_eq!(Failure::of(&answer).into_value()["error"]["field"], want);
            let own = Failure::from(Refusal::invalid(of_api, "wrong"));
            assert_eq!(own.into_value()["error"]["field"], want);
        }
        let none = Failure::from(Refusal::new(ErrorCode::Forbidden, "no"));
        assert!(none.into_value()["error"].get("field").is_none());
    }
}
