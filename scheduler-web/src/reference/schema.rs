//! Schemas as lists of fields.

use std::borrow::Cow;

use askama::Template;
use serde_json::Value;

use super::words::{Line, Piece, Words};
use super::{fields, text_of};

/// A schema that has a name.
pub(super) struct Schema<'a> {
    pub(super) name: &'a str,
    pub(super) words: Words<'a>,
    /// What it may be, of one that is no object.
    pub(super) kind: Option<Line<'a>>,
    pub(super) parts: Vec<Fields<'a>>,
}

/// The fields of an object, or the parameters of an operation.
#[derive(Template, Clone, Debug, Default)]
#[template(path = "reference/fields.html")]
pub(super) struct Fields<'a>(pub(super) Vec<Field<'a>>);

#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    /// What its value may be, and within which bounds.
    pub(super) kind: Line<'a>,
    pub(super) is_required: bool,
    pub(super) words: Words<'a>,
    /// The fields of the objects in it that have no name of their own.
    pub(super) parts: Vec<Fields<'a>>,
}

impl<'a> Schema<'a> {
    pub(super) fn of(name: &'a str, schema: &'a Value) -> Self {
        let is_object = schema["properties"].is_object();
        Self {
            name,
            words: Words::of(schema),
            kind: (!is_object).then(|| kind(schema)),
            parts: if is_object { vec![properties(schema)] } else { inside(schema) },
        }
    }
}

/// What a value may be, in a line.
pub(super) fn kind(schema: &Value) -> Line<'_> {
    let mut line = Line::default();
    add_kind(&mut line, schema);
    line
}

/// The same with bounds and default.
pub(super) fn bounded(schema: &Value) -> Line<'_> {
    let mut line = kind(schema);
    for (keyword, begin, end) in [
        ("minimum", " · from ", ""),
        ("maximum", " · up to ", ""),
        ("minLength", " · at least ", " characters"),
        ("maxLength", " · at most ", " characters"),
        ("minItems", " · at least ", " items"),
        ("maxItems", " · at most ", " items"),
        ("pattern", " · matches ", ""),
        ("default", " · default ", ""),
    ] {
        let value = &schema[keyword];
        if !value.is_null() {
            line.text(begin);
            line.code(plain(value));
            line.text(end);
        }
    }
    line
}

fn add_kind<'a>(line: &mut Line<'a>, schema: &'a Value) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        line.pieces.push(Piece::Schema(name));
        return;
    }
    let choices = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array());
    if let Some(choices) = choices.filter(|_| schema["type"].is_null()) {
        for (index, choice) in choices.iter().enumerate() {
            if index > 0 {
                line.text(" or ");
            }
            add_kind(line, choice);
        }
        return;
    }
    if let Some(values) = schema["enum"].as_array() {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                line.text(", ");
            }
            line.code(plain(value));
        }
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        Value::String(one) => vec![one],
        _ => vec!["anything"],
    };
    line.text(types.join(" or "));
    if let Some(format) = schema["format"].as_str() {
        line.text(format!(" ({format})"));
    }
    for items in [&schema["items"], &schema["additionalProperties"]] {
        if items.is_object() {
            line.text(" of ");
            add_kind(line, items);
        }
    }
}

/// A value as it is written in a line: texts without quotes.
fn plain(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| Cow::Owned(value.to_string()), Cow::Borrowed)
}

fn properties(schema: &Value) -> Fields<'_> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = fields(&schema["properties"]).map(|(name, field)| Field {
        name,
        kind: bounded(field),
        is_required: required.contains(&name),
        words: Words::of(field),
        parts: inside(field),
    });
    Fields(fields.collect())
}

/// The fields of the objects in a value that have no name of their own.
fn inside(schema: &Value) -> Vec<Fields<'_>> {
    let mut parts = Vec::new();
    if schema["properties"].is_object() {
        parts.push(properties(schema));
    }
    for items in [&schema["items"], &schema["additionalProperties"]] {
        if items.is_object() {
            parts.extend(inside(items));
        }
    }
    let choices = ["anyOf", "oneOf"].into_iter().filter_map(|word| schema[word].as_array());
    let objects = choices
        .flatten()
        .filter(|choice| choice["properties"].is_object() && !choice["type"].is_null());
    parts.extend(objects.map(properties));
    parts
}

/// A parameter of an operation.
pub(super) fn parameter(parameter: &Value) -> Field<'_> {
    let mut kind = Line::default();
    kind.text(text_of(parameter, "in"));
    kind.text(" · ");
    kind.pieces.extend(bounded(&parameter["schema"]).pieces);
    Field {
        name: text_of(parameter, "name"),
        kind,
        is_required: parameter["required"] == true,
        words: Words::of(parameter),
        parts: Vec::new(),
    }
}
