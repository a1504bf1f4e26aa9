//! Parameters of the query, and headers, as endpoints declare them.

use serde_json::Value;

/// A parameter of the query, or a header, that an endpoint reads.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it means, in CommonMark.
    pub(crate) description: &'static str,
    pub(crate) is_required: bool,
    /// Whether it may be sent several times, for any of the values.
    pub is_repeatable: bool,
    pub(crate) schema: fn() -> Value,
    pub(crate) example: Option<&'static str>,
}

impl Parameter {
    /// One that may be left out.
    pub(crate) const fn optional(
        name: &'static str,
        description: &'static str,
        schema: fn() -> Value,
    ) -> Self {
        Self { name, description, is_required: false, is_repeatable: false, schema, example: None }
    }

    /// One without which the request is refused.
    pub(crate) const fn required(
        name: &'static str,
        description: &'static str,
        schema: fn() -> Value,
    ) -> Self {
        Self { is_required: true, ..Self::optional(name, description, schema) }
    }

    /// The same, which may be sent several times.
    pub(crate) const fn repeatable(self) -> Self {
        Self { is_repeatable: true, ..self }
    }

    /// The same with a value that it may have.
    pub(crate) const fn for_example(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }
}
