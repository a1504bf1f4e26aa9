//! The one way from here to the product.

use async_trait::async_trait;
use http::{Method, StatusCode};
use scheduler_core::audit::ToolCall;
use scheduler_core::error::AppError;
use scheduler_core::key::{Confirmation, Scopes};
use serde_json::Value;

/// The API, as one caller reaches it.
#[async_trait]
pub(crate) trait Api: Send + Sync {
    /// Sends a call with what the caller has shown, and returns what was answered: a refusal is an
    /// answer as well.
    ///
    /// # Errors
    /// When there is no answer.
    async fn call(&self, call: Call) -> Result<Answer, Unanswered>;

    /// What the caller may do.
    fn scopes(&self) -> Scopes;

    /// For which calls the person has to confirm.
    fn confirmation(&self) -> Confirmation;

    /// Counts a call after which something goes out.
    ///
    /// # Errors
    /// `rate_limited` when the caller has made as many in this hour as it may.
    async fn count_live_call(&self) -> Result<(), AppError>;

    /// Notes a call of a tool, who made it and what came of it.
    fn note(&self, tool: &str, call: ToolCall);

    /// A text that tells the caller from others, and shows no secret.
    fn caller(&self) -> String;
}

/// A request to the API.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    /// The method.
    pub(crate) method: Method,
    /// The path, such as `/v1/posts`; each segment is encoded.
    pub(crate) path: String,
    /// The names and values of the query.
    pub(crate) query: Vec<(&'static str, String)>,
    /// The body.
    pub(crate) body: Option<Value>,
    /// The `Idempotency-Key`, where the endpoint keeps one.
    pub(crate) idempotency_key: Option<String>,
    /// The revision of a post that it is meant for: `If-Match`.
    pub(crate) revision: Option<i64>,
}

impl Call {
    /// A call without a query and a body.
    #[must_use]
    pub(crate) fn new(method: Method, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            query: Vec::new(),
            body: None,
            idempotency_key: None,
            revision: None,
        }
    }

    /// The same with a body.
    #[must_use]
    pub(crate) fn with_body(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }

    /// The same with a parameter of the query, where it has a value.
    #[must_use]
    pub(crate) fn query(mut self, name: &'static str, value: Option<String>) -> Self {
        self.query.extend(value.map(|value| (name, value)));
        self
    }

    /// The same, under a key by which it is known when it comes again.
    #[must_use]
    pub(crate) fn under_key(self, key: &str) -> Self {
        Self { idempotency_key: Some(key.to_owned()), ..self }
    }

    /// The same, for a post that is still at this revision.
    #[must_use]
    pub(crate) fn at_revision(self, revision: i64) -> Self {
        Self { revision: Some(revision), ..self }
    }

    /// The path with its query.
    #[must_use]
    pub(crate) fn address(&self) -> String {
        match serde_urlencoded::to_string(&self.query) {
            Ok(query) if !query.is_empty() => format!("{}?{query}", self.path),
            _ => self.path.clone(),
        }
    }
}

/// What was answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: StatusCode,
    /// The JSON; `Null` for an empty body.
    pub(crate) body: Value,
}

/// There was no answer, and why, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unanswered(pub(crate) String);
