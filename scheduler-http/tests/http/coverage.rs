//! Every endpoint without a key, with a key that does not do, and with another method; how each is
//! called is made from its declaration and from the OpenAPI document.

use http::Method;
use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_http::endpoints::{self, Access, Endpoint};
use serde_json::{Value, json};

use crate::exchange::{DOCUMENT, operations};
use crate::support::{Client, World};

/// How one endpoint is called.
pub(crate) struct Case {
    pub(crate) path: String,
    pub(crate) reads_body: bool,
}

/// The 403 of a key that has every scope but those that the endpoint needs.
fn forbidden(endpoint: &Endpoint) -> Option<String> {
    let scope = match endpoint.access() {
        Access::Keyless | Access::AnyKey | Access::Role(_) => return None,
        Access::Scope(scope) => scope.to_string(),
        // The first that is missing is named.
        Access::All(scopes) => scopes[0].to_string(),
        Access::AnyOf(scopes) => {
            scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" or ")
        }
    };
    Some(format!("This needs a key with the scope {scope}."))
}

fn case(endpoint: &Endpoint, path: String) -> Case {
    let below = endpoint.pattern.strip_prefix("/v1");
    let method = endpoint.method.as_str().to_ascii_lowercase();
    let found = operations().find(|one| Some(one.path) == below && one.method == method);
    let reads_body = found.is_some_and(|one| one.value["requestBody"].is_object());
    Case { path, reads_body }
}

/// The endpoints with their cases, a server, and the world behind it.
pub(crate) async fn rows() -> (World, Client, Vec<(&'static Endpoint, Case)>) {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let post = world.post(&account, "x", json!({"saveAsDraft": true})).await;
    let webhook =
        client.post("/v1/workspace/webhooks", &json!({"url": "https://example.com"})).await.json();
    let webhook = webhook["id"].as_str().unwrap();
    let target = post.targets[0].id.to_string();
    let media = world.ready_file().await.to_string();
    let account = account.id.to_string();
    let post = post.id.to_string();
    let rows = endpoints::api().chain(endpoints::monitoring()).map(|endpoint| {
        let owner = match endpoint.pattern {
            pattern if pattern.starts_with("/v1/media/") => media.as_str(),
            pattern if pattern.starts_with("/v1/oauth/") => account.as_str(),
            pattern if pattern.starts_with("/v1/workspace/") => webhook,
            _ => post.as_str(),
        };
        let path = endpoint.pattern.replace("{id}", owner).replace("{targetId}", &target);
        (endpoint, case(endpoint, path.replace("{commentId}", "a%2Fb")))
    });
    let rows = rows.collect();
    (world, client, rows)
}

fn is_keyless(endpoint: &Endpoint) -> bool {
    endpoint.access() == Access::Keyless
}

fn scopes_of(access: Access) -> Vec<Scope> {
    match access {
        Access::Keyless | Access::AnyKey | Access::Role(_) => Vec::new(),
        Access::Scope(scope) => vec![scope],
        Access::All(scopes) | Access::AnyOf(scopes) => scopes.to_vec(),
    }
}

#[tokio::test]
async fn without_a_key() {
    let (_world, client, rows) = rows().await;
    let unknown = format!("Bearer sk_{}", "0".repeat(43));
    for (endpoint, case) in &rows {
        for (name, client) in [
            ("no key", client.without("authorization")),
            ("another scheme", client.with("authorization", "Basic c2s6")),
            ("not a key", client.with("authorization", "Bearer nonsense")),
            ("an unknown key", client.with("authorization", &unknown)),
        ] {
            let name = format!("{} with {name}", endpoint.name);
            // Neither the body nor the query is looked at before the key.
            let path = format!("{}?what=1", case.path);
            let path = if is_keyless(endpoint) { &case.path } else { &path };
            let answer = client.send(endpoint.method.clone(), path, "{").await;
            if is_keyless(endpoint) {
                assert_eq!(answer.status, 200, "{name}");
                continue;
            }
            assert_eq!(answer.refusal(), (401, "unauthorized".into(), None), "{name}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{name}");
            assert!(answer.header("x-request-id").is_some(), "{name}");
        }
    }
}

#[tokio::test]
async fn with_every_scope_but_the_one_that_is_needed() {
    let (world, client, rows) = rows().await;
    for (endpoint, case) in &rows {
        let needed = scopes_of(endpoint.access());
        let Some(message) = forbidden(endpoint) else { continue };
        let others: Vec<Scope> = Scope::ALL
            .into_iter()
            .filter(|scope| *scope != Scope::All && !needed.contains(scope))
            .collect();
        let client = client.keyed(&world.key_with(&others).await);
        // A body that cannot be read does not hide it.
        let broken = client.with("content-type", "application/json");
        let answer = broken.send(endpoint.method.clone(), &case.path, "{broken").await;
        assert_eq!(answer.status, 403, "{}", endpoint.name);
        let want = json!({"error": {"code": "forbidden", "message": message}});
        assert_eq!(answer.json(), want, "{}", endpoint.name);
    }
}

#[tokio::test]
async fn a_key_without_any_scope_may_validate() {
    let (world, client, _) = rows().await;
    let client = client.keyed(&world.key_with(&[]).await);
    let body = json!({"content": "x", "targets": [{"platform": "bluesky"}]});
    let answer = client.post("/v1/platforms/validate", &body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn with_another_method() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in &rows {
        let mut allowed: Vec<&str> = Vec::new();
        for (other, _) in rows.iter().filter(|(other, _)| other.pattern == endpoint.pattern) {
            allowed.push(other.method.as_str());
            if other.method == Method::GET {
                allowed.push("HEAD");
            }
        }
        for method in [Method::PUT, Method::OPTIONS, Method::TRACE] {
            if allowed.contains(&method.as_str()) {
                continue;
            }
            let name = format!("{method} {}", case.path);
            // Not even a key is needed to hear it.
            let client = client.without("authorization").with("origin", "https://example.com");
            let answer = client.send(method, &case.path, "").await;
            assert_eq!(answer.refusal(), (405, "invalid_request".into(), None), "{name}");
            assert_eq!(answer.header("allow"), Some(allowed.join(", ").as_str()), "{name}");
            let cors = answer.headers.keys().find(|name| name.as_str().starts_with("access-"));
            assert_eq!(cors, None, "{name}");
        }
    }
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in rows.iter().filter(|(row, _)| row.method == Method::GET) {
        let get = client.get(&case.path).await;
        let head = client.send(Method::HEAD, &case.path, "").await;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{}", endpoint.name);
        assert_eq!(head.header("content-type"), get.header("content-type"), "{}", endpoint.name);
        // Both tell the present.
        if !matches!(endpoint.name, "readiness" | "show_metrics") {
            let length = get.body.len().to_string();
            assert_eq!(head.header("content-length"), Some(length.as_str()), "{}", endpoint.name);
        }
    }
}

#[tokio::test]
async fn unknown_and_repeated_query_parameters_are_named() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in rows.iter().filter(|(row, _)| row.pattern.starts_with("/v1")) {
        let path = format!("{}?pagesize=10", case.path);
        let answer = client.send(endpoint.method.clone(), &path, "").await;
        let want = (400, "invalid_request".into(), Some("pagesize".into()));
        assert_eq!(answer.refusal(), want, "{}", endpoint.name);
        let once = endpoint.query.iter().filter(|parameter| !parameter.is_repeatable);
        for parameter in once.map(|one| one.name) {
            let path = format!("{}?{parameter}=1&{parameter}=1", case.path);
            let answer = client.send(endpoint.method.clone(), &path, "").await;
            let want = (400, "invalid_request".into(), Some(parameter.into()));
            assert_eq!(answer.refusal(), want, "{} {parameter}", endpoint.name);
        }
    }
}

#[tokio::test]
async fn bodies_must_be_json() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in rows.iter().filter(|(_, case)| case.reads_body) {
        let method = || endpoint.method.clone();
        for (name, content_type, body, want) in [
            ("a form", Some("application/x-www-form-urlencoded"), "content=x", 415),
            ("no content type", None, "{}", 415),
            ("broken", Some("application/json"), "{\"", 400),
            ("a list", Some("application/json; charset=utf-8"), "[]", 400),
            ("nothing", Some("application/json"), "", 400),
        ] {
            let client = match content_type {
                Some(content_type) => client.with("content-type", content_type),
                None => client.clone(),
            };
            let answer = client.send(method(), &case.path, body).await;
            let want = (want, "invalid_request".into(), None);
            assert_eq!(answer.refusal(), want, "{} with {name}", endpoint.name);
        }
        let answer = client.json(method(), &case.path, &json!({"nonsense": 1})).await;
        let want = (400, "invalid_request".into(), Some("nonsense".into()));
        assert_eq!(answer.refusal(), want, "{}", endpoint.name);
    }
}

/// A schema, or the one that it refers to.
fn followed(schema: &'static Value) -> &'static Value {
    let name = schema["$ref"].as_str().and_then(|at| at.strip_prefix("#/components/schemas/"));
    name.map_or(schema, |name| followed(&DOCUMENT["components"]["schemas"][name]))
}

fn properties(schema: &'static Value) -> Vec<&'static str> {
    schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

#[tokio::test]
async fn the_schema_of_a_body_has_the_fields_that_are_read() {
    let (_world, client, rows) = rows().await;
    for (endpoint, case) in rows.iter().filter(|(_, case)| case.reads_body) {
        let operation = operations().find(|one| {
            let is_method = one.method == endpoint.method.as_str().to_ascii_lowercase();
            is_method && Some(one.path) == endpoint.pattern.strip_prefix("/v1")
        });
        let content = &operation.unwrap().value["requestBody"]["content"];
        let body = followed(&content["application/json"]["schema"]);
        let mut objects = vec![(json!({"nonsense": 1}), body)];
        for name in properties(body) {
            let items = followed(&followed(&body["properties"][name])["items"]);
            if items["properties"].is_object() {
                objects.push((json!({name: [{"nonsense": 1}]}), items));
            }
        }
        for (sent, schema) in objects {
            let answer = client.json(endpoint.method.clone(), &case.path, &sent).await;
            let body = answer.json();
            let message = body["error"]["message"].as_str().unwrap();
            let mut known: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
            known.sort_unstable();
            assert_eq!(known, properties(schema), "{} {sent}: {message}", endpoint.name);
        }
    }
}
