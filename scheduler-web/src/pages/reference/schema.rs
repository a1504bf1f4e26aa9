//! Schemas as lists of fields.

use serde_json::Value;

use super::{fields, words};
use crate::pages::html::Html;

/// Adds all of a schema: its words, what it may be, its fields.
pub(super) fn render(html: &mut Html, schema: &Value) {
    words::render(html, words::text_of(schema, "description"));
    if schema["properties"].is_object() {
        properties(html, schema);
    } else {
        html.raw("<p><small>");
        kind(html, schema);
        html.raw("</small></p>");
        inside(html, schema);
    }
}

/// Adds what a value may be, in a line.
pub(super) fn kind(html: &mut Html, schema: &Value) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        html.raw("<a href=\"#schema-").text(name).raw("\">").text(name).raw("</a>");
        return;
    }
    let choices = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array());
    if let Some(choices) = choices.filter(|_| schema["type"].is_null()) {
        for (index, choice) in choices.iter().enumerate() {
            if index > 0 {
                html.raw(" or ");
            }
            kind(html, choice);
        }
        return;
    }
    if let Some(values) = schema["enum"].as_array() {
        for (index, value) in values.iter().enumerate() {
            html.raw(if index > 0 { ", <code>" } else { "<code>" });
            html.text(&plain(value)).raw("</code>");
        }
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        Value::String(one) => vec![one],
        _ => vec!["anything"],
    };
    html.text(&types.join(" or "));
    if let Some(format) = schema["format"].as_str() {
        html.raw(" (").text(format).raw(")");
    }
    if schema["items"].is_object() {
        html.raw(" of ");
        kind(html, &schema["items"]);
    }
    if schema["additionalProperties"].is_object() {
        html.raw(" of ");
        kind(html, &schema["additionalProperties"]);
    }
}

/// Adds bounds and default, as words.
pub(super) fn bounds(html: &mut Html, schema: &Value) {
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
            html.raw(begin).raw("<code>").text(&plain(value)).raw("</code>").raw(end);
        }
    }
}

/// A value as it is written in a line: texts without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn properties(html: &mut Html, schema: &Value) {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    html.raw("<dl>");
    for (name, field) in fields(&schema["properties"]) {
        html.raw("<dt><code>").text(name).raw("</code> <small>");
        kind(html, field);
        bounds(html, field);
        html.raw("</small>");
        if required.contains(&name) {
            html.raw(" <span class=\"need\">required</span>");
        }
        html.raw("</dt><dd>");
        words::render(html, words::text_of(field, "description"));
        inside(html, field);
        html.raw("</dd>");
    }
    html.raw("</dl>");
}

/// Adds the fields of the objects in a value that have no name of their own.
fn inside(html: &mut Html, schema: &Value) {
    if schema["properties"].is_object() {
        properties(html, schema);
    }
    for items in [&schema["items"], &schema["additionalProperties"]] {
        if items.is_object() {
            inside(html, items);
        }
    }
    let choices = ["anyOf", "oneOf"].into_iter().filter_map(|word| schema[word].as_array());
    for choice in choices.flatten().filter(|choice| choice["properties"].is_object()) {
        if !choice["type"].is_null() {
            properties(html, choice);
        }
    }
}
