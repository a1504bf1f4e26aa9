//! One operation on the page.

use serde_json::Value;

use super::schema::{self, Fields};
use super::words::{Line, Words};
use super::{fields, text_of};

/// An operation, or an event.
pub(super) struct Operation<'a> {
    pub(super) id: &'a str,
    pub(super) method: String,
    /// The class of the badge of its method.
    pub(super) class: &'static str,
    /// Below `/v1`; an event goes to an address of the receiver's.
    pub(super) path: Option<&'a str>,
    pub(super) summary: &'a str,
    pub(super) words: Words<'a>,
    pub(super) parameters: Fields<'a>,
    pub(super) body: Option<Content<'a>>,
    pub(super) curl: Option<String>,
    pub(super) answers: Vec<Answer<'a>>,
}

/// A body.
pub(super) struct Content<'a> {
    pub(super) media_type: &'a str,
    pub(super) kind: Option<Line<'a>>,
    pub(super) examples: Vec<Example<'a>>,
}

pub(super) struct Example<'a> {
    pub(super) summary: &'a str,
    pub(super) value: String,
}

pub(super) struct Answer<'a> {
    pub(super) status: &'a str,
    pub(super) title: &'a str,
    pub(super) words: Words<'a>,
    pub(super) headers: Vec<&'a str>,
    pub(super) contents: Vec<Content<'a>>,
}

const JSON: &str = "application/json";

impl<'a> Operation<'a> {
    pub(super) fn of(
        document: &'a Value,
        path: Option<&'a str>,
        method: &'a str,
        operation: &'a Value,
    ) -> Self {
        let of_path = path.map(|path| &document["paths"][path]["parameters"]);
        let parameters = || {
            let own = operation["parameters"].as_array();
            of_path.and_then(Value::as_array).into_iter().chain(own).flatten()
        };
        let body = &operation["requestBody"]["content"][JSON];
        Self {
            id: text_of(operation, "operationId"),
            method: method.to_ascii_uppercase(),
            class: match method {
                "get" => "acc",
                "patch" => "warn",
                "delete" => "bad",
                _ => "ok",
            },
            path,
            summary: text_of(operation, "summary"),
            words: Words::of(operation),
            parameters: Fields(parameters().map(schema::parameter).collect()),
            body: body.is_object().then(|| content(document, JSON, body, true)),
            curl: path.map(|path| curl(path, method, parameters(), operation)),
            answers: fields(&operation["responses"])
                .map(|(status, response)| answer(document, status, response))
                .collect(),
        }
    }
}

/// What a reference of the document leads to; the value itself when it is none.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

fn answer<'a>(document: &'a Value, status: &'a str, response: &'a Value) -> Answer<'a> {
    let response = resolved(document, response);
    let description = text_of(response, "description");
    let (title, rest) = description.split_once("\n\n").unwrap_or((description, ""));
    let has_kinds = response["x-error-codes"].is_null();
    let contents = fields(&response["content"])
        .map(|(media_type, body)| content(document, media_type, body, has_kinds));
    Answer {
        status,
        title,
        words: Words::read(rest),
        headers: fields(&response["headers"]).map(|(name, _)| name).collect(),
        contents: contents.collect(),
    }
}

fn content<'a>(
    document: &'a Value,
    media_type: &'a str,
    body: &'a Value,
    has_kind: bool,
) -> Content<'a> {
    let has_kind = has_kind && body["schema"].is_object();
    let examples = fields(&body["examples"]).map(|(_, example)| {
        let example = resolved(document, example);
        let value = format!("{:#}", example["value"]);
        Example { summary: text_of(example, "summary"), value }
    });
    let kind = has_kind.then(|| schema::kind(&body["schema"]));
    Content { media_type, kind, examples: examples.collect() }
}

/// The command that sends the operation's first example.
fn curl<'a>(
    path: &str,
    method: &str,
    parameters: impl Iterator<Item = &'a Value>,
    operation: &Value,
) -> String {
    let mut path = path.to_owned();
    for parameter in parameters.filter(|parameter| parameter["required"] == true) {
        let (name, value) = (text_of(parameter, "name"), text_of(parameter, "example"));
        if parameter["in"] == "path" {
            path = path.replace(&format!("{{{name}}}"), value);
        } else if parameter["in"] == "query" {
            let sign = if path.contains('?') { '&' } else { '?' };
            path.push_str(&format!("{sign}{name}={value}"));
        }
    }
    let mut command = "curl".to_owned();
    if method != "get" {
        command.push_str(&format!(" -X {}", method.to_ascii_uppercase()));
    }
    command.push_str(&format!(" \"$SCHEDULER_URL/v1{path}\""));
    if operation["security"].as_array().is_some_and(|security| !security.is_empty()) {
        command.push_str(" \\\n  -H \"Authorization: Bearer $SCHEDULER_API_KEY\"");
    }
    if operation["responses"]["200"]["content"]["image/webp"].is_object() {
        command.push_str(" \\\n  -o preview.webp");
    }
    let body = &operation["requestBody"]["content"]["application/json"];
    if let Some((_, example)) = fields(&body["examples"]).next() {
        let example = format!("{:#}", example["value"]).replace('\'', r"'\''");
        command.push_str(" \\\n  -H 'Content-Type: application/json'");
        command.push_str(&format!(" \\\n  -d '{example}'"));
    }
    command
}
