//! What an operation is described by.

use scheduler_core::error::ErrorCode;
use scheduler_core::idempotency::IDEMPOTENCY_KEY_CHARACTERS;
use serde_json::{Value, json};

use super::schema::{text, with};
use crate::endpoints::{Access, Endpoint};

/// One operation as it is described.
pub(super) struct Operation {
    /// Method, path, scopes and names of parameters.
    pub(super) endpoint: &'static Endpoint,
    /// A line.
    pub(super) summary: &'static str,
    /// What its caller has to know, in CommonMark: paragraphs, lists and `code`.
    pub(super) description: String,
    /// What it reads of the query.
    pub(super) query: Vec<Parameter>,
    /// The headers that it reads, besides those of every operation.
    pub(super) headers: Vec<Parameter>,
    /// The body that it reads.
    pub(super) body: Option<Body>,
    /// What it answers when it does what is asked.
    pub(super) answers: Vec<Answer>,
    /// What it refuses, besides what every operation of its kind does.
    pub(super) refuses: &'static [ErrorCode],
}

/// One parameter.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) description: String,
    pub(super) is_required: bool,
    pub(super) schema: Value,
    pub(super) example: Option<Value>,
}

/// A body of JSON.
pub(super) struct Body {
    pub(super) schema: Value,
    pub(super) examples: Vec<Example>,
}

/// A body as it may look.
pub(super) struct Example {
    /// Its key in the document.
    pub(super) name: &'static str,
    /// A line.
    pub(super) summary: &'static str,
    pub(super) value: Value,
}

/// One answer.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) description: &'static str,
    pub(super) content: Content,
    /// Headers besides those of every answer: name, words, schema.
    pub(super) headers: Vec<(&'static str, &'static str, Value)>,
}

/// What an answer holds.
pub(super) enum Content {
    Nothing,
    Json {
        schema: Value,
        examples: Vec<Example>,
    },
    /// A picture of WebP.
    Picture,
}

impl Operation {
    /// An operation of an endpoint.
    pub(super) fn new(
        endpoint: &'static Endpoint,
        summary: &'static str,
        description: impl Into<String>,
    ) -> Self {
        Self {
            endpoint,
            summary,
            description: description.into(),
            query: Vec::new(),
            headers: endpoint.is_repeatable().then(idempotency_key).into_iter().collect(),
            body: None,
            answers: Vec::new(),
            refuses: &[],
        }
    }

    pub(super) fn query(mut self, parameter: Parameter) -> Self {
        self.query.push(parameter);
        self
    }

    pub(super) fn header(mut self, parameter: Parameter) -> Self {
        self.headers.push(parameter);
        self
    }

    pub(super) fn reads(self, schema: Value, example: Value) -> Self {
        self.reads_any(
            schema,
            vec![Example { name: "example", summary: "Example", value: example }],
        )
    }

    pub(super) fn reads_any(mut self, schema: Value, examples: Vec<Example>) -> Self {
        self.body = Some(Body { schema, examples });
        self
    }

    pub(super) fn answers(
        self,
        status: u16,
        description: &'static str,
        schema: Value,
        example: Value,
    ) -> Self {
        let examples = vec![Example { name: "example", summary: "Example", value: example }];
        self.answers_any(status, description, schema, examples)
    }

    pub(super) fn answers_any(
        mut self,
        status: u16,
        description: &'static str,
        schema: Value,
        examples: Vec<Example>,
    ) -> Self {
        let content = Content::Json { schema, examples };
        let headers = if status == 200 && self.endpoint.is_repeatable() {
            replay_headers()
        } else {
            Vec::new()
        };
        self.answers.push(Answer { status, description, content, headers });
        self
    }

    pub(super) fn answers_with(mut self, answer: Answer) -> Self {
        self.answers.push(answer);
        self
    }

    pub(super) fn refuses(mut self, codes: &'static [ErrorCode]) -> Self {
        self.refuses = codes;
        self
    }

    /// Every status and code with which it may refuse, in order.
    pub(super) fn refusals(&self) -> Vec<(u16, ErrorCode)> {
        let access = self.endpoint.access;
        let mut refusals = vec![(400, ErrorCode::InvalidRequest), (500, ErrorCode::Internal)];
        if access != Access::Keyless {
            refusals.extend([
                (401, ErrorCode::Unauthorized),
                (429, ErrorCode::RateLimited),
                (503, ErrorCode::Unavailable),
                (507, ErrorCode::StorageFull),
            ]);
        }
        if !matches!(access, Access::Keyless | Access::AnyKey) {
            refusals.push((403, ErrorCode::Forbidden));
        }
        if self.body.is_some() {
            refusals.extend([(413, ErrorCode::PayloadTooLarge), (415, ErrorCode::InvalidRequest)]);
        }
        for code in self.refuses {
            refusals.extend(crate::error::statuses_of(*code).into_iter().map(|s| (s, *code)));
        }
        refusals.sort_by_key(|(status, code)| (*status, *code as u8));
        refusals.dedup();
        refusals
    }
}

impl Parameter {
    pub(super) fn optional(
        name: &'static str,
        description: impl Into<String>,
        schema: Value,
    ) -> Self {
        let description = description.into();
        Self { name, description, is_required: false, schema, example: None }
    }

    pub(super) fn required(
        name: &'static str,
        description: impl Into<String>,
        schema: Value,
    ) -> Self {
        Self { is_required: true, ..Self::optional(name, description, schema) }
    }

    pub(super) fn for_example(self, example: impl Into<Value>) -> Self {
        Self { example: Some(example.into()), ..self }
    }
}

/// The header under which a request may be sent again.
fn idempotency_key() -> Parameter {
    let (least, most) = (IDEMPOTENCY_KEY_CHARACTERS.start(), IDEMPOTENCY_KEY_CHARACTERS.end());
    let key = with(text(), json!({"minLength": least, "maxLength": most}));
    Parameter::optional(
        "Idempotency-Key",
        "Makes a repeat safe: a request with a key that was used before is answered 200 with what the first has made, whatever its body says. Unique in the workspace for this address. A refused request leaves no key behind.",
        key,
    )
    .for_example("order-4711-announcement")
}

/// What is said of an answer to a request that was sent again.
fn replay_headers() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        (
            "Idempotent-Replayed",
            "Nothing was made: this is what the first request with the same `Idempotency-Key` has made.",
            json!({"type": "string", "const": "true"}),
        ),
        (
            "Idempotent-Body",
            "The body is another one than that of the first request; nothing was made of it. The bodies are compared as JSON: neither white space nor the order of fields matters.",
            json!({"type": "string", "const": "other"}),
        ),
    ]
}

/// A body as it may look, with a line about it.
pub(super) const fn example(name: &'static str, summary: &'static str, value: Value) -> Example {
    Example { name, summary, value }
}
