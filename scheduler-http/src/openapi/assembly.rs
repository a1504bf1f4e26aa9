//! Putting the document together.

use std::collections::BTreeMap;
use std::mem;

use scheduler_core::error::{ErrorBody, ErrorCode};
use scheduler_core::idempotency::IDEMPOTENCY_KEY_CHARACTERS;
use scheduler_core::key::Scope;
use scheduler_core::post::ANY_OF_MAX;
use scheduler_core::session::Role;
use serde_json::{Map, Value, json};

use super::derived::{Components, written};
use super::description::{Answer, Content, Description, Example, RequestBody};
use super::errors::{body_of, example_name, meaning_of, name_of, title_of};
use super::outline::Outline;
use super::schema::{named, said, text, uuid, with};
use super::{events, examples, options};
use crate::access::Access;
use crate::endpoint::Endpoint;
use crate::parameter::Parameter;
use crate::pattern::parameter_of;
use crate::server::observe::REQUEST_ID_MAX;

/// The version of the interface.
///
/// Source: interface description, Versioning.
pub const VERSION: &str = "2026.10.06";

/// The version of OpenAPI that the document is written in.
const OPENAPI: &str = "3.1.0";

/// The refusals that are the same wherever they occur.
const SHARED: [(u16, ErrorCode); 8] = [
    (401, ErrorCode::Unauthorized),
    (403, ErrorCode::Forbidden),
    (413, ErrorCode::PayloadTooLarge),
    (415, ErrorCode::InvalidRequest),
    (429, ErrorCode::RateLimited),
    (500, ErrorCode::Internal),
    (503, ErrorCode::Unavailable),
    (507, ErrorCode::StorageFull),
];

/// An endpoint with what it says of itself.
struct Operation {
    endpoint: &'static Endpoint,
    description: Description,
}

/// The document of these endpoints, in their order; those that say nothing of themselves are left
/// out.
pub(super) fn document(
    outline: &Outline,
    endpoints: impl Iterator<Item = &'static Endpoint>,
) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let mut error_examples: Map<String, Value> = Map::new();
    let mut components = Components::default();
    written::<ErrorBody>(&mut components);
    let operations = endpoints
        .filter_map(|endpoint| Some(Operation { endpoint, description: endpoint.description?() }));
    for mut operation in operations {
        components.extend(mem::take(&mut operation.description.components));
        for (status, code) in operation.refusals() {
            let summary = meaning_of(code);
            let value = json!({"summary": summary, "value": body_of(status, code)});
            error_examples.insert(example_name(status, code), value);
        }
        let pattern = operation.endpoint.pattern;
        let path = pattern.strip_prefix(outline.base()).unwrap_or(pattern);
        let item = paths.entry(path).or_insert_with(|| {
            let parameters: Vec<Value> = path
                .split('/')
                .filter_map(|segment| path_parameter(outline.tag_of(pattern), segment))
                .collect();
            if parameters.is_empty() { json!({}) } else { json!({"parameters": parameters}) }
        });
        item[operation.endpoint.method.as_str().to_ascii_lowercase()] =
            described(outline, &operation);
    }
    let tag = |(name, _, words): &(&str, &str, &str)| json!({"name": name, "description": words});
    let mut tags: Vec<Value> = outline.tags.iter().map(tag).collect();
    let mut webhooks = None;
    if outline.has_events {
        webhooks = Some(events::webhooks(&mut components));
        options::add_to(&mut components);
        // The list of targets is part of that of posts, and so comes after it.
        tags.swap(1, 2);
        tags.push(json!({"name": "Events", "description": "What is sent to webhooks."}));
    }
    let mut document = json!({
        "openapi": OPENAPI,
        "info": {
            "title": outline.title,
            "version": VERSION,
            "summary": outline.summary,
            "description": outline.introduction,
            "contact": {"name": "Whoever runs this server"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": outline.base(), "description": "This server."}],
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": (outline.bearer)()},
            "headers": headers(),
            "responses": shared_responses(),
            "examples": error_examples,
            "schemas": components.into_map(),
        },
    });
    if let Some(webhooks) = webhooks {
        document["webhooks"] = webhooks.into();
    }
    document
}

fn headers() -> Value {
    json!({
        "x-request-id": {
            "description": "Finds the request in the server's log: the id that was sent in the same header, else a new one.",
            "required": true,
            "schema": {"type": "string", "pattern": format!("^[A-Za-z0-9._:-]{{1,{REQUEST_ID_MAX}}}$")},
        },
        "X-Content-Type-Options": {
            "description": "The body is of the type that it is declared as.",
            "required": true,
            "schema": {"type": "string", "const": "nosniff"},
        },
        "Cache-Control": {
            "description": "Nobody may keep the answer: it may hold a secret, a signed link or what is yours alone.",
            "required": true,
            "schema": {"type": "string", "const": "no-store"},
        },
        "Location": {
            "description": "The address of what was made.",
            "required": true,
            "schema": {"type": "string", "format": "uri-reference"},
        },
        "RateLimit": {
            "description": "Requests that the key may still make at once, and the seconds until it has all of them again.",
            "schema": {"type": "string", "pattern": "^\"requests\";r=[0-9]+;t=[0-9]+$"},
        },
        "RateLimit-Policy": {
            "description": "Requests that the key may make at once, and the seconds in which so many come back.",
            "schema": {"type": "string", "pattern": "^\"requests\";q=[0-9]+;w=[0-9]+$"},
        },
        "Retry-After": {
            "description": "Whole seconds to wait, at least 1.",
            "required": true,
            "schema": {"type": "integer", "minimum": 1},
        },
        "WWW-Authenticate": {
            "description": "How to authenticate.",
            "required": true,
            "schema": {"type": "string", "const": "Bearer"},
        },
    })
}

/// The parameter that a segment of a path stands for.
fn path_parameter(tag: &str, segment: &str) -> Option<Value> {
    let name = parameter_of(segment)?;
    let (words, schema, example) = match (name, tag) {
        ("targetId", _) => ("The target.", uuid(), examples::TARGET),
        ("commentId", _) => (
            "The comment, as the list of comments names it, percent-encoded.",
            with(text(), json!({"minLength": 1})),
            "113456790000000000",
        ),
        (_, "Media") => ("The file.", uuid(), examples::MEDIA),
        (_, "Accounts") => ("The account, from `GET /oauth/accounts`.", uuid(), examples::ACCOUNT),
        (_, "Webhooks") => ("The webhook.", uuid(), examples::WEBHOOK),
        (_, "Sessions") => ("The session.", uuid(), examples::SESSION),
        (_, "Keys") => ("The key.", uuid(), examples::KEY),
        (_, "Deliveries") => ("The delivery.", uuid(), examples::DELIVERY),
        (_, "Account sets") => ("The set of accounts.", uuid(), examples::ACCOUNT_SET),
        (_, "Feeds") => ("The feed.", uuid(), examples::FEED),
        (_, "Notifiers") => ("Somebody who is told.", uuid(), examples::NOTIFIER),
        _ => ("The post.", uuid(), examples::POST),
    };
    Some(json!({
        "name": name,
        "in": "path",
        "required": true,
        "description": words,
        "schema": schema,
        "example": example,
    }))
}

/// The operation of the document.
fn described(outline: &Outline, operation: &Operation) -> Value {
    let Operation { endpoint, description } = operation;
    let access = endpoint.access();
    let mut described = json!({
        "operationId": camel(endpoint.name),
        "summary": description.summary,
        "description": format!("{}\n\n{}", description.text, needed(access)),
        "tags": [outline.tag_of(endpoint.pattern)],
        "security": security(access),
        "responses": responses(operation),
    });
    if let Some(scopes) = scopes(access) {
        described["x-scopes"] = scopes;
    }
    let key = endpoint.is_repeatable().then(idempotency_key);
    let query = endpoint.query.iter().map(|parameter| parameter_in("query", parameter));
    let headers = description.headers.iter().map(|header| parameter_in("header", header));
    let parameters: Vec<Value> = query.chain(key).chain(headers).collect();
    if !parameters.is_empty() {
        described["parameters"] = json!(parameters);
    }
    if let Some(RequestBody { schema, examples }) = &description.body {
        let content = json!({"schema": schema, "examples": examples_of(examples)});
        described["requestBody"] =
            json!({"required": true, "content": {"application/json": content}});
    }
    described
}

/// `create_post` as `createPost`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
}

/// Which key an operation needs, as a sentence.
fn needed(access: Access) -> String {
    let names = |scopes: &[Scope], between: &str| {
        scopes.iter().map(|scope| format!("`{scope}`")).collect::<Vec<_>>().join(between)
    };
    match access {
        Access::Keyless => "Needs no key.".to_owned(),
        Access::AnyKey => "Needs a key, whatever its scopes.".to_owned(),
        Access::Role(Role::Reader) => "Needs a session, whatever its role.".to_owned(),
        Access::Role(least) => format!("Needs a session of the role `{least}`, or one above it."),
        Access::Scope(scope) => format!("Needs a key with the scope {}.", names(&[scope], "")),
        Access::All(scopes) => format!("Needs a key with the scopes {}.", names(scopes, " and ")),
        Access::AnyOf(scopes) => {
            format!("Needs a key with the scope {}.", names(scopes, " or "))
        }
    }
}

fn security(access: Access) -> Value {
    if access == Access::Keyless { json!([]) } else { json!([{"bearer": []}]) }
}

/// The scopes that a key needs, all of them or any, for programs that read the document.
///
/// They stand beside `security`, since tools know scopes of OAuth alone.
fn scopes(access: Access) -> Option<Value> {
    let names = |scopes: &[Scope]| scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>();
    match access {
        Access::Keyless | Access::AnyKey | Access::Role(_) => None,
        Access::Scope(scope) => Some(json!({"all": names(&[scope])})),
        Access::All(scopes) => Some(json!({"all": names(scopes)})),
        Access::AnyOf(scopes) => Some(json!({"any": names(scopes)})),
    }
}

fn parameter_in(place: &str, parameter: &Parameter) -> Value {
    let mut described = json!({
        "name": parameter.name,
        "in": place,
        "required": parameter.is_required,
        "description": parameter.description,
        "schema": (parameter.schema)(),
    });
    if parameter.is_repeatable {
        described["schema"] =
            json!({"type": "array", "items": described["schema"].take(), "maxItems": ANY_OF_MAX});
    }
    if let Some(example) = parameter.example {
        described["example"] =
            if parameter.is_repeatable { json!([example]) } else { json!(example) };
    }
    described
}

/// The header under which a request may be sent again.
fn idempotency_key() -> Value {
    let (least, most) = (IDEMPOTENCY_KEY_CHARACTERS.start(), IDEMPOTENCY_KEY_CHARACTERS.end());
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "Makes a repeat safe: a request with a key that was used before is answered 200 with what the first has made, whatever its body says. Unique in the workspace for this address. A refused request leaves no key behind.",
        "schema": with(text(), json!({"minLength": least, "maxLength": most})),
        "example": "order-4711-announcement",
    })
}

/// What is said of an answer to a request that was sent again.
fn replay_headers() -> [(&'static str, &'static str, Value); 2] {
    [
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

impl Operation {
    /// Every status and code with which it may refuse, in order.
    fn refusals(&self) -> Vec<(u16, ErrorCode)> {
        let access = self.endpoint.access();
        let mut refusals = vec![(400, ErrorCode::InvalidRequest), (500, ErrorCode::Internal)];
        if access != Access::Keyless {
            refusals.extend([
                (401, ErrorCode::Unauthorized),
                (429, ErrorCode::RateLimited),
                (503, ErrorCode::Unavailable),
                (507, ErrorCode::StorageFull),
            ]);
        }
        if !matches!(access, Access::Keyless | Access::AnyKey | Access::Role(Role::Reader)) {
            refusals.push((403, ErrorCode::Forbidden));
        }
        if self.description.body.is_some() {
            refusals.extend([(413, ErrorCode::PayloadTooLarge), (415, ErrorCode::InvalidRequest)]);
        }
        for code in &self.description.refuses {
            refusals.extend(crate::error::statuses_of(*code).into_iter().map(|s| (s, *code)));
        }
        refusals.sort_by_key(|(status, code)| (*status, *code as u8));
        refusals.dedup();
        refusals
    }
}

fn examples_of(examples: &[Example]) -> Map<String, Value> {
    let examples = examples.iter().map(|example| {
        (example.name.to_owned(), json!({"summary": example.summary, "value": example.value}))
    });
    examples.collect()
}

/// Every answer of an operation, by status.
fn responses(operation: &Operation) -> Map<String, Value> {
    let mut responses = Map::new();
    for answer in &operation.description.answers {
        responses.insert(answer.status.to_string(), response(answer, operation.endpoint));
    }
    let mut refusals: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for (status, code) in operation.refusals() {
        refusals.entry(status).or_default().push(code);
    }
    for (status, codes) in refusals {
        let shared = |code: &ErrorCode| SHARED.contains(&(status, *code));
        let response = match codes.as_slice() {
            [code] if shared(code) => {
                json!({"$ref": format!("#/components/responses/{}", shared_name(status, *code))})
            }
            codes => refusal(status, codes),
        };
        responses.insert(status.to_string(), response);
    }
    responses
}

/// The headers of every answer, and whether nobody may keep it.
fn usual_headers(is_kept_by_nobody: bool) -> Map<String, Value> {
    let cached = is_kept_by_nobody.then_some("Cache-Control");
    ["x-request-id", "X-Content-Type-Options"]
        .into_iter()
        .chain(cached)
        .map(|name| (name.to_owned(), json!({"$ref": format!("#/components/headers/{name}")})))
        .collect()
}

/// What a key may still ask for stands on every answer to one.
fn rate_headers() -> impl Iterator<Item = (String, Value)> {
    let names = ["RateLimit", "RateLimit-Policy"];
    names
        .into_iter()
        .map(|name| (name.to_owned(), json!({"$ref": format!("#/components/headers/{name}")})))
}

fn response(answer: &Answer, endpoint: &Endpoint) -> Value {
    let is_picture = matches!(answer.content, Content::Picture);
    let mut headers = usual_headers(endpoint.access() != Access::Keyless && !is_picture);
    if answer.status == 201 {
        headers.insert("Location".to_owned(), json!({"$ref": "#/components/headers/Location"}));
    }
    if endpoint.access() != Access::Keyless {
        headers.extend(rate_headers());
    }
    let is_replay = endpoint.is_repeatable() && answer.status == 200;
    let replay = is_replay.then(replay_headers).into_iter().flatten();
    for (name, words, schema) in replay.chain(answer.headers.iter().cloned()) {
        headers.insert(name.to_owned(), json!({"description": words, "schema": schema}));
    }
    let mut response = json!({"description": answer.description, "headers": headers});
    match &answer.content {
        Content::Nothing => {}
        Content::Json { schema, examples } => {
            let content = json!({"schema": schema, "examples": examples_of(examples)});
            response["content"] = json!({"application/json": content});
        }
        Content::Picture => response["content"] = json!({"image/webp": {}}),
    }
    response
}

/// The answer that refuses with one of these codes.
fn refusal(status: u16, codes: &[ErrorCode]) -> Value {
    let mut headers = usual_headers(true);
    if status == 401 {
        headers.insert(
            "WWW-Authenticate".to_owned(),
            json!({"$ref": "#/components/headers/WWW-Authenticate"}),
        );
    }
    if status != 401 {
        headers.extend(rate_headers());
    }
    if status == 429 || codes == [ErrorCode::Unavailable] {
        headers
            .insert("Retry-After".to_owned(), json!({"$ref": "#/components/headers/Retry-After"}));
    } else if codes.contains(&ErrorCode::Unavailable) {
        let words = "With `unavailable`: whole seconds to wait, at least 1.";
        let schema = json!({"type": "integer", "minimum": 1});
        headers.insert("Retry-After".to_owned(), json!({"description": words, "schema": schema}));
    }
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| {
            let name = example_name(status, *code);
            (name.clone(), json!({"$ref": format!("#/components/examples/{name}")}))
        })
        .collect();
    let meanings: Vec<String> = match codes {
        [ErrorCode::InvalidRequest] if status == 415 => {
            vec!["The body is not declared as JSON.".to_owned()]
        }
        codes => codes
            .iter()
            .map(|code| format!("- `{}`: {}", name_of(*code), meaning_of(*code)))
            .collect(),
    };
    said(
        json!({
            "headers": headers,
            "content": {"application/json": {"schema": named("Error"), "examples": examples}},
            "x-error-codes": codes,
        }),
        &format!("{}\n\n{}", title_of(status), meanings.join("\n")),
    )
}

fn shared_name(status: u16, code: ErrorCode) -> String {
    match (status, code) {
        (415, _) => "UnsupportedMediaType".to_owned(),
        (_, code) => {
            let name = camel(&name_of(code));
            name[..1].to_ascii_uppercase() + &name[1..]
        }
    }
}

fn shared_responses() -> Map<String, Value> {
    SHARED
        .into_iter()
        .map(|(status, code)| (shared_name(status, code), refusal(status, &[code])))
        .collect()
}
