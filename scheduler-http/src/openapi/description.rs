//! How an endpoint of the API describes itself.

use scheduler_core::error::ErrorCode;
use serde_json::Value;

use super::derived::Components;
use crate::parameter::Parameter;

/// What the document says of an endpoint, besides what the endpoint is declared with.
pub(crate) struct Description {
    /// A line.
    pub(crate) summary: &'static str,
    /// What its caller has to know, in CommonMark: paragraphs, lists and `code`.
    pub(crate) text: String,
    /// The headers that it reads, besides those of every endpoint of its kind.
    pub(crate) headers: Vec<Parameter>,
    /// The body that it reads.
    pub(crate) body: Option<RequestBody>,
    /// What it answers when it does what is asked.
    pub(crate) answers: Vec<Answer>,
    /// The schemas that its bodies refer to.
    pub(crate) components: Components,
    /// What it refuses, besides what every endpoint of its kind does.
    pub(crate) refuses: Vec<ErrorCode>,
}

/// A body of JSON.
pub(crate) struct RequestBody {
    pub(crate) schema: Value,
    pub(crate) examples: Vec<Example>,
}

/// A body as it may look.
pub(crate) struct Example {
    /// Its key in the document.
    pub(crate) name: &'static str,
    /// A line.
    pub(crate) summary: &'static str,
    pub(crate) value: Value,
}

/// One answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) description: &'static str,
    pub(crate) content: Content,
    /// Headers besides those of every answer: name, words, schema.
    pub(crate) headers: Vec<(&'static str, &'static str, Value)>,
}

/// What an answer holds.
pub(crate) enum Content {
    Nothing,
    Json {
        schema: Value,
        examples: Vec<Example>,
    },
    /// A picture of WebP.
    Picture,
}

impl Description {
    /// A description of what an endpoint is for.
    pub(crate) fn new(summary: &'static str, text: impl Into<String>) -> Self {
        Self {
            summary,
            text: text.into(),
            headers: Vec::new(),
            body: None,
            answers: Vec::new(),
            components: Components::default(),
            refuses: Vec::new(),
        }
    }

    /// Reads a header.
    pub(crate) fn header(mut self, header: Parameter) -> Self {
        self.headers.push(header);
        self
    }

    /// Reads a body of this schema, which may look like `value`.
    pub(crate) fn reads(self, schema: impl FnOnce(&mut Components) -> Value, value: Value) -> Self {
        self.reads_any(schema, vec![example("example", "Example", value)])
    }

    /// Reads a body of this schema, with several examples.
    pub(crate) fn reads_any(
        mut self,
        schema: impl FnOnce(&mut Components) -> Value,
        examples: Vec<Example>,
    ) -> Self {
        self.body = Some(RequestBody { schema: schema(&mut self.components), examples });
        self
    }

    /// Answers a body of this schema under a status of success; it may look like `value`.
    pub(crate) fn answers(
        self,
        status: u16,
        description: &'static str,
        schema: impl FnOnce(&mut Components) -> Value,
        value: Value,
    ) -> Self {
        self.answers_any(status, description, schema, vec![example("example", "Example", value)])
    }

    /// Answers a body of this schema, with several examples.
    pub(crate) fn answers_any(
        mut self,
        status: u16,
        description: &'static str,
        schema: impl FnOnce(&mut Components) -> Value,
        examples: Vec<Example>,
    ) -> Self {
        let content = Content::Json { schema: schema(&mut self.components), examples };
        self.answers_with(Answer { status, description, content, headers: Vec::new() })
    }

    /// Answers a status without a body.
    pub(crate) fn answers_nothing(self, status: u16, description: &'static str) -> Self {
        let content = Content::Nothing;
        self.answers_with(Answer { status, description, content, headers: Vec::new() })
    }

    /// Answers something else, or with headers of its own.
    pub(crate) fn answers_with(mut self, answer: Answer) -> Self {
        self.answers.push(answer);
        self
    }

    /// Answers these headers with what was described last, besides those of every answer.
    pub(crate) fn with_headers(
        mut self,
        headers: Vec<(&'static str, &'static str, Value)>,
    ) -> Self {
        if let Some(answer) = self.answers.last_mut() {
            answer.headers = headers;
        }
        self
    }

    /// Refuses with these codes as well.
    pub(crate) fn refuses(mut self, codes: &[ErrorCode]) -> Self {
        self.refuses.extend(codes);
        self
    }
}

/// A body as it may look, with a line about it.
pub(crate) const fn example(name: &'static str, summary: &'static str, value: Value) -> Example {
    Example { name, summary, value }
}
