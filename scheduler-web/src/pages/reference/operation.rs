//! One operation on the page.

use serde_json::Value;

use super::{fields, schema, words};
use crate::pages::html::Html;

/// Adds an operation; an event has no path.
pub(super) fn render(
    html: &mut Html,
    document: &Value,
    path: Option<&str>,
    method: &str,
    operation: &Value,
) {
    let id = words::text_of(operation, "operationId");
    html.raw("<section class=\"part\" id=\"").text(id).raw("\"><h3>");
    html.raw("<span class=\"method ").text(method).raw("\">");
    html.text(&method.to_ascii_uppercase()).raw("</span> <code>");
    match path {
        Some(path) => html.raw("/v1").text(path),
        None => html.raw("your address"),
    };
    html.raw("</code></h3><p><strong><a href=\"#").text(id).raw("\">");
    html.text(words::text_of(operation, "summary")).raw("</a></strong></p>");
    words::render(html, words::text_of(operation, "description"));
    let of_path = path.map(|path| &document["paths"][path]["parameters"]);
    let parameters = || {
        let own = operation["parameters"].as_array();
        of_path.and_then(Value::as_array).into_iter().chain(own).flatten()
    };
    if parameters().next().is_some() {
        html.raw("<h4>Parameters</h4><dl>");
        for parameter in parameters() {
            self::parameter(html, parameter);
        }
        html.raw("</dl>");
    }
    let body = &operation["requestBody"]["content"]["application/json"];
    if body.is_object() {
        html.raw("<h4>Body</h4><p>");
        schema::kind(html, &body["schema"]);
        html.raw("</p>");
        examples(html, document, body);
    }
    if let Some(path) = path {
        html.raw("<details><summary>With curl</summary><pre>");
        html.text(&curl(path, method, parameters(), operation)).raw("</pre></details>");
    }
    html.raw("<h4>Answers</h4>");
    for (status, response) in fields(&operation["responses"]) {
        answer(html, document, status, response);
    }
    html.raw("</section>");
}

fn parameter(html: &mut Html, parameter: &Value) {
    html.raw("<dt><code>").text(words::text_of(parameter, "name")).raw("</code> <small>");
    html.text(words::text_of(parameter, "in")).raw(" · ");
    schema::kind(html, &parameter["schema"]);
    schema::bounds(html, &parameter["schema"]);
    html.raw("</small>");
    if parameter["required"] == true {
        html.raw(" <span class=\"need\">required</span>");
    }
    html.raw("</dt><dd>");
    words::render(html, words::text_of(parameter, "description"));
    html.raw("</dd>");
}

/// What a reference of the document leads to; the value itself when it is none.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

fn answer(html: &mut Html, document: &Value, status: &str, response: &Value) {
    let response = resolved(document, response);
    let description = words::text_of(response, "description");
    let (title, rest) = description.split_once("\n\n").unwrap_or((description, ""));
    html.raw("<details><summary><strong>").text(status).raw("</strong> ");
    html.text(title).raw("</summary>");
    words::render(html, rest);
    let headers: Vec<&str> = fields(&response["headers"]).map(|(name, _)| name).collect();
    if !headers.is_empty() {
        html.raw("<p><small>Headers:");
        for name in headers {
            html.raw(" <code>").text(name).raw("</code>");
        }
        html.raw("</small></p>");
    }
    for (media_type, content) in fields(&response["content"]) {
        html.raw("<p><small>").text(media_type);
        if content["schema"].is_object() && response["x-error-codes"].is_null() {
            html.raw(": ");
            schema::kind(html, &content["schema"]);
        }
        html.raw("</small></p>");
        examples(html, document, content);
    }
    html.raw("</details>");
}

/// Adds the examples of a body; only the first is open.
fn examples(html: &mut Html, document: &Value, content: &Value) {
    for (index, (_, example)) in fields(&content["examples"]).enumerate() {
        let example = resolved(document, example);
        html.raw(if index == 0 { "<details open>" } else { "<details>" });
        html.raw("<summary><small>").text(words::text_of(example, "summary"));
        html.raw("</small></summary><pre>");
        html.text(&format!("{:#}", example["value"])).raw("</pre></details>");
    }
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
        let (name, value) =
            (words::text_of(parameter, "name"), words::text_of(parameter, "example"));
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
