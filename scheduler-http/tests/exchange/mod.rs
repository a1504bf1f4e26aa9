//! Whether a request and its answer are as the OpenAPI document says.
//!
//! The clients of the test suites hand over everything that they send and get. A status that the
//! document does not have for an operation fails, and so does a body, a header or a parameter that
//! its schema does not allow. A request that was refused may be anything.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

/// The document of the API of keys, and that of the application in it: its paths are whole.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = scheduler_http::openapi::document();
    let mut application = scheduler_http::openapi::application();
    for (path, item) in application["paths"].as_object_mut().into_iter().flatten() {
        document["paths"][format!("{APPLICATION}{path}")] = item.take();
    }
    for (kind, of_kind) in application["components"].as_object_mut().into_iter().flatten() {
        for (name, value) in of_kind.as_object_mut().into_iter().flatten() {
            let known = &mut document["components"][kind][name];
            if known.is_null() {
                *known = value.take();
            }
        }
    }
    document
});

/// Where the paths of the application begin.
const APPLICATION: &str = "/app/v1";

/// A request and what was answered.
pub(crate) struct Exchange<'a> {
    pub(crate) method: &'a str,
    /// The path with its query.
    pub(crate) path: &'a str,
    /// The body as far as it is known.
    pub(crate) sent: Option<&'a [u8]>,
    /// A header of the request.
    pub(crate) sent_header: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) status: u16,
    /// A header of the answer.
    pub(crate) header: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) body: &'a [u8],
}

/// An operation of the document.
pub(crate) struct Operation {
    /// Below the server's address.
    pub(crate) path: &'static str,
    pub(crate) method: &'static str,
    pub(crate) value: &'static Value,
}

impl Operation {
    pub(crate) fn id(&self) -> &'static str {
        self.value["operationId"].as_str().unwrap_or_default()
    }

    /// The pointer to a part of it.
    fn pointer(&self, rest: &str) -> String {
        format!("/paths/{}/{}{rest}", escaped(self.path), self.method)
    }

    /// Its parameters and those of its path.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static Value> {
        let of_path = DOCUMENT["paths"][self.path]["parameters"].as_array();
        let own = self.value["parameters"].as_array();
        of_path.into_iter().chain(own).flatten()
    }
}

/// Every operation of the API of keys.
pub(crate) fn operations() -> impl Iterator<Item = Operation> {
    all_operations().filter(|operation| !operation.path.starts_with(APPLICATION))
}

/// Every operation of the application.
fn application_operations() -> impl Iterator<Item = Operation> {
    all_operations().filter(|operation| operation.path.starts_with(APPLICATION))
}

/// Every operation of the two documents.
fn all_operations() -> impl Iterator<Item = Operation> {
    let paths = DOCUMENT["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.filter(|(method, _)| *method != "parameters").map(|(method, value)| Operation {
            path: path.as_str(),
            method: method.as_str(),
            value,
        })
    })
}

/// Fails when an exchange with the API is not as described.
#[track_caller]
pub(crate) fn check(exchange: &Exchange<'_>) {
    let faults = faults(exchange);
    let Exchange { method, path, status, body, .. } = exchange;
    assert!(
        faults.is_empty(),
        "{method} {path} answered {status}, not as described:\n{}\n{}",
        faults.join("\n"),
        String::from_utf8_lossy(&body[..body.len().min(2_000)]),
    );
}

/// What is not as described.
pub(crate) fn faults(exchange: &Exchange<'_>) -> Vec<String> {
    let (path, query) = exchange.path.split_once('?').unwrap_or((exchange.path, ""));
    let of_application = path.starts_with(APPLICATION).then_some(path);
    let below = path.strip_prefix("/v1").filter(|path| *path != "/openapi.json");
    let Some(path) = below.or(of_application) else { return Vec::new() };
    // HEAD is a GET without a body in the answer.
    let is_head = exchange.method == "HEAD";
    let method = if is_head { "get".to_owned() } else { exchange.method.to_ascii_lowercase() };
    let described: Vec<Operation> =
        if below.is_some() { operations().collect() } else { application_operations().collect() };
    let found = described.iter().find(|one| one.method == method && matches(one.path, path));
    let Some(operation) = found else { return unknown(exchange, path, &described, is_head) };
    let mut faults = Vec::new();
    let at = operation.pointer(&format!("/responses/{}", exchange.status));
    let (at, response) = resolved(&at);
    let Some(response) = response else {
        return vec![format!("{} has no status {}", operation.id(), exchange.status)];
    };
    headers(&at, response, exchange, &mut faults);
    content(&at, response, exchange, is_head, &mut faults);
    // A repeat under an Idempotency-Key is answered whatever it says.
    let is_repeat = (exchange.header)("idempotent-replayed").is_some();
    let takes_key = operation.parameters().any(|one| one["name"] == "Idempotency-Key");
    let creates = operation.value["responses"]["201"].is_object();
    if is_repeat && !takes_key {
        faults.push("it answers a repeat, and declares no Idempotency-Key".to_owned());
    }
    if takes_key && creates && (exchange.status == 200) != is_repeat {
        faults.push("200 is for repeats, which Idempotent-Replayed tells".to_owned());
    }
    if (200..300).contains(&exchange.status) && !is_repeat {
        request(operation, query, exchange, &mut faults);
    }
    faults
}

/// A path that is none of the API, or a method that it does not take.
fn unknown(
    exchange: &Exchange<'_>,
    path: &str,
    described: &[Operation],
    is_head: bool,
) -> Vec<String> {
    let exists = described.iter().any(|one| matches(one.path, path));
    let want = if exists { 405 } else { 404 };
    let mut faults = Vec::new();
    if exchange.status != want {
        faults.push(format!("the document has no such operation; want {want}"));
    }
    if exists && (exchange.header)("allow").is_none() {
        faults.push("the header Allow is missing".to_owned());
    }
    if !is_head {
        json_of("/components/schemas/Error", exchange.body, &mut faults);
    }
    faults
}

fn headers(at: &str, response: &Value, exchange: &Exchange<'_>, faults: &mut Vec<String>) {
    for (name, _) in response["headers"].as_object().into_iter().flatten() {
        let (at, header) = resolved(&format!("{at}/headers/{}", escaped(name)));
        let Some(value) = (exchange.header)(name) else {
            if header.is_some_and(|header| header["required"] == true) {
                faults.push(format!("the header {name} is missing"));
            }
            continue;
        };
        text_of(&format!("{at}/schema"), name, &value, faults);
    }
}

fn content(
    at: &str,
    response: &Value,
    exchange: &Exchange<'_>,
    is_head: bool,
    faults: &mut Vec<String>,
) {
    let described = response["content"].as_object().and_then(|content| content.iter().next());
    let Some((media_type, content)) = described else {
        if !exchange.body.is_empty() {
            faults.push("the answer has a body".to_owned());
        }
        return;
    };
    if (exchange.header)("content-type").as_deref() != Some(media_type) {
        faults.push(format!("the answer is not {media_type}"));
    }
    if is_head || !content["schema"].is_object() {
        return;
    }
    let at = format!("{at}/content/{}/schema", escaped(media_type));
    json_of(&at, exchange.body, faults);
    if let Some(codes) = response["x-error-codes"].as_array() {
        let body: Value = serde_json::from_slice(exchange.body).unwrap_or_default();
        let code = &body["error"]["code"];
        if !codes.contains(code) {
            faults.push(format!("{code} is no code of this status"));
        }
    }
}

fn request(operation: &Operation, query: &str, exchange: &Exchange<'_>, faults: &mut Vec<String>) {
    if let (Some(sent), true) = (exchange.sent, operation.value["requestBody"].is_object()) {
        let at = operation.pointer("/requestBody/content/application~1json/schema");
        json_of(&at, sent, faults);
    }
    let pairs: Vec<(String, String)> =
        url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let parameters = operation.value["parameters"].as_array();
    for (index, parameter) in parameters.into_iter().flatten().enumerate() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let value = match parameter["in"].as_str() {
            Some("query") if parameter["schema"]["type"] == "array" => {
                let of_name = pairs.iter().filter(|(one, _)| one == name);
                let values: Vec<&str> = of_name.map(|(_, value)| value.as_str()).collect();
                let at = operation.pointer(&format!("/parameters/{index}/schema"));
                faults.extend(value_faults(&at, &json!(values)));
                None
            }
            Some("query") => pairs.iter().find(|(one, _)| one == name).map(|(_, v)| v.clone()),
            Some("header") => (exchange.sent_header)(name),
            _ => None,
        };
        let at = operation.pointer(&format!("/parameters/{index}/schema"));
        match value {
            Some(value) => text_of(&at, name, &value, faults),
            None if parameter["required"] == true => faults.push(format!("{name} is missing")),
            None => {}
        }
    }
    for (name, _) in pairs {
        let known = operation.parameters().any(|one| one["in"] == "query" && one["name"] == *name);
        if !known {
            faults.push(format!("{name} is no parameter of the document"));
        }
    }
}

/// Checks a body.
fn json_of(at: &str, body: &[u8], faults: &mut Vec<String>) {
    match serde_json::from_slice(body) {
        Ok(body) => faults.extend(value_faults(at, &body)),
        Err(error) => faults.push(format!("not JSON: {error}")),
    }
}

/// Checks a parameter or a header, which come as texts.
fn text_of(at: &str, name: &str, text: &str, faults: &mut Vec<String>) {
    let mut found = value_faults(at, &json!(text));
    if let (false, Ok(number)) = (found.is_empty(), text.parse::<i64>()) {
        found = value_faults(at, &json!(number));
    }
    if let (false, Ok(flag)) = (found.is_empty(), text.parse::<bool>()) {
        found = value_faults(at, &json!(flag));
    }
    faults.extend(found.into_iter().map(|fault| format!("{name}{fault}")));
}

/// What the schema at a pointer of the document does not allow in a value.
pub(crate) fn value_faults(at: &str, value: &Value) -> Vec<String> {
    let validator = validator(at);
    let errors = validator.iter_errors(value);
    errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The validator of the schema at a pointer of the document.
fn validator(at: &str) -> Arc<Validator> {
    static MADE: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(validator) = made.get(at) {
        return Arc::clone(validator);
    }
    let schema = DOCUMENT.pointer(at).unwrap_or_else(|| panic!("no schema at {at}"));
    let whole = json!({
        "$ref": "#/wanted",
        "wanted": schema,
        "components": {"schemas": DOCUMENT["components"]["schemas"]},
    });
    let validator = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .offline()
        .build(&whole)
        .unwrap_or_else(|error| panic!("{at}: {error}"));
    let validator = Arc::new(validator);
    made.insert(at.to_owned(), Arc::clone(&validator));
    validator
}

/// What stands at a pointer, and where that is once references are followed.
pub(crate) fn resolved(at: &str) -> (String, Option<&'static Value>) {
    let found = DOCUMENT.pointer(at);
    let target = found.and_then(|value| value["$ref"].as_str()).and_then(|to| to.strip_prefix('#'));
    match target {
        Some(to) => (to.to_owned(), DOCUMENT.pointer(to)),
        None => (at.to_owned(), found),
    }
}

/// True when a path has the form of a pattern, whose ids are uuids.
fn matches(pattern: &str, path: &str) -> bool {
    let mut segments = path.split('/');
    let fits = pattern.split('/').all(|want| {
        segments.next().is_some_and(|is| match want {
            "{commentId}" | "{name}" => !is.is_empty(),
            want if want.starts_with('{') => uuid::Uuid::parse_str(is).is_ok(),
            want => want == is,
        })
    });
    fits && segments.next().is_none()
}

/// A name as a segment of a pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
