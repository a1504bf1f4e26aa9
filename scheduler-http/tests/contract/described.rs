//! The OpenAPI document: whether it is of the API's endpoints and of the interface description,
//! and whether it keeps to itself.

use std::collections::{BTreeMap, BTreeSet};

use scheduler_http::endpoints;
use serde_json::{Value, json};

use crate::exchange::{DOCUMENT, Operation, escaped, operations, resolved, value_faults};
use crate::table::{CODES, Row, TABLE};

/// Method and path of an operation, as the table names its rows.
fn name_of(operation: &Operation) -> String {
    format!("{} {}", operation.method.to_ascii_uppercase(), operation.path)
}

fn row_of(operation: &Operation) -> &'static Row {
    let name = name_of(operation);
    TABLE.iter().find(|row| row.name() == name).unwrap_or_else(|| panic!("{name} is in no table"))
}

#[test]
fn it_has_the_operations_of_the_api_and_no_others() {
    let ours: BTreeSet<String> = operations().map(|operation| name_of(&operation)).collect();
    let endpoints = endpoints::api().filter_map(|endpoint| {
        let path = endpoint.pattern.strip_prefix("/v1")?;
        Some(format!("{} {path}", endpoint.method))
    });
    assert_eq!(ours, endpoints.collect(), "the endpoints");
    assert_eq!(ours, TABLE.iter().map(Row::name).collect(), "the interface description");
    for operation in operations() {
        let mut words = operation.id().to_owned();
        for letter in 'A'..='Z' {
            words = words.replace(letter, &format!("_{}", letter.to_ascii_lowercase()));
        }
        let endpoint = endpoints::api().find(|endpoint| endpoint.name == words).unwrap();
        assert_eq!(format!("/v1{}", operation.path), endpoint.pattern, "{words}");
        let query = operation.parameters().filter(|parameter| parameter["in"] == "query");
        let query: Vec<&str> = query.map(|parameter| parameter["name"].as_str().unwrap()).collect();
        let declared: Vec<&str> = endpoint.query.iter().map(|one| one.name).collect();
        assert_eq!(query, declared, "{words}");
    }
}

#[test]
fn it_has_the_statuses_scopes_and_bodies_of_the_interface_description() {
    for operation in operations() {
        let row = row_of(&operation);
        let mut want: BTreeSet<u16> = row.statuses().into_iter().chain([500]).collect();
        if row.scope != "-" {
            want.extend([503, 507]);
        }
        if row.path == "/platforms" {
            want.insert(304);
        }
        let responses = operation.value["responses"].as_object().unwrap();
        let ours: BTreeSet<u16> = responses.keys().map(|status| status.parse().unwrap()).collect();
        assert_eq!(ours, want, "{}", row.name());
        assert_eq!(operation.value["requestBody"].is_object(), row.reads_body, "{}", row.name());
        let security = if row.scope == "-" { json!([]) } else { json!([{"bearer": []}]) };
        assert_eq!(operation.value["security"], security, "{}", row.name());
        let scopes = match row.scope {
            "-" | "any" => Value::Null,
            either if either.contains('|') => {
                json!({"any": either.split('|').collect::<Vec<_>>()})
            }
            all => json!({"all": all.split('+').collect::<Vec<_>>()}),
        };
        assert_eq!(operation.value["x-scopes"], scopes, "{}", row.name());
    }
}

#[test]
fn it_has_every_code_under_a_status_that_the_interface_description_gives_it() {
    let known = DOCUMENT["components"]["schemas"]["ErrorCode"]["enum"].as_array().unwrap();
    let ours: BTreeSet<&str> = known.iter().filter_map(Value::as_str).collect();
    for code in CODES {
        assert!(ours.contains(code), "{code}");
    }
    let mut statuses: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for (_, status, codes) in refusals() {
        for code in codes {
            statuses.entry(code).or_default().insert(status);
        }
    }
    // The interface description, Errors; what it does not show is our decision.
    let want = [
        ("400 415", "invalid_request"),
        ("401", "unauthorized"),
        ("402", "post_limit upload_limit channel_limit api_not_on_plan ai_limit ai_not_in_plan"),
        ("402 413", "file_too_large"),
        ("403", "forbidden"),
        ("404", "not_found"),
        (
            "409",
            "targets_locked in_flight nothing_to_retry in_use account_not_connected \
             media_unusable already_started unsupported not_published video_on_youtube \
             network_error network_refused in_doubt",
        ),
        ("412", "stale"),
        ("413", "payload_too_large"),
        ("422", "validation_failed ai_declined"),
        ("429", "rate_limited"),
        ("500", "internal"),
        ("503", "ai_unavailable unavailable"),
        ("507", "storage_full"),
    ];
    let want: BTreeMap<String, BTreeSet<u16>> = want
        .into_iter()
        .flat_map(|(statuses, codes)| {
            let statuses: BTreeSet<u16> = statuses.split(' ').map(|s| s.parse().unwrap()).collect();
            codes.split_whitespace().map(move |code| (code.to_owned(), statuses.clone()))
        })
        .collect();
    assert_eq!(statuses, want);
}

/// Every operation, status and codes of its refusals.
fn refusals() -> Vec<(String, u16, Vec<String>)> {
    let mut refusals = Vec::new();
    for operation in operations() {
        let base = format!("/paths/{}/{}/responses", escaped(operation.path), operation.method);
        for status in operation.value["responses"].as_object().unwrap().keys() {
            let (at, response) = resolved(&format!("{base}/{status}"));
            let Some(codes) = response.unwrap()["x-error-codes"].as_array() else { continue };
            let codes: Vec<String> =
                codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
            assert!(!codes.is_empty(), "{at}");
            refusals.push((name_of(&operation), status.parse().unwrap(), codes));
        }
    }
    refusals
}

/// Calls with each object of the document and where it stands.
fn walk(value: &'static Value, at: &str, seen: &mut impl FnMut(&str, &'static Value)) {
    seen(at, value);
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                walk(value, &format!("{at}/{}", escaped(name)), seen);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                walk(value, &format!("{at}/{index}"), seen);
            }
        }
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_used() {
    let mut used = BTreeSet::new();
    walk(&DOCUMENT, "", &mut |at, value| {
        if let Some(to) = value["$ref"].as_str() {
            assert!(DOCUMENT.pointer(&to[1..]).is_some(), "{at} leads to {to}");
            used.insert(to.to_owned());
        }
    });
    for kind in ["schemas", "responses", "headers", "examples"] {
        for name in DOCUMENT["components"][kind].as_object().unwrap().keys() {
            let name = format!("#/components/{kind}/{name}");
            assert!(used.contains(&name), "{name} is used nowhere");
        }
    }
    let ids: Vec<&str> = operations().map(|operation| operation.id()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
}

#[test]
fn every_example_is_what_its_schema_says() {
    let mut looked_at = 0;
    let mut faults = Vec::new();
    walk(&DOCUMENT, "", &mut |at, value| {
        // The parameters, and the bodies, each beside its schema.
        if let (Some(example), true) = (value.get("example"), value["schema"].is_object()) {
            looked_at += 1;
            for fault in value_faults(&format!("{at}/schema"), example) {
                faults.push(format!("{at}: {fault}"));
            }
        }
        let examples = value["examples"].as_object().filter(|_| value["schema"].is_object());
        for name in examples.into_iter().flat_map(|examples| examples.keys()) {
            let (_, example) = resolved(&format!("{at}/examples/{}", escaped(name)));
            looked_at += 1;
            for fault in value_faults(&format!("{at}/schema"), &example.unwrap()["value"]) {
                faults.push(format!("{at}, {name}: {fault}"));
            }
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(looked_at > 250, "{looked_at}");
    for operation in operations() {
        let bodies =
            operation.value["responses"].as_object().unwrap().keys().filter_map(|status| {
                let base =
                    format!("/paths/{}/{}/responses", escaped(operation.path), operation.method);
                resolved(&format!("{base}/{status}")).1.unwrap()["content"].get("application/json")
            });
        let request = operation.value["requestBody"]["content"].get("application/json");
        for body in bodies.chain(request) {
            let has_example = body["examples"].as_object().is_some_and(|all| !all.is_empty());
            assert!(has_example, "{} has a body without an example", operation.id());
        }
    }
}

#[test]
fn every_option_of_a_network_is_explained_and_none_is_missing() {
    for platform in scheduler_core::platform::Platform::ALL {
        let name = platform.as_str();
        let name = name[..1].to_uppercase() + &name[1..];
        let schema = &DOCUMENT["components"]["schemas"][format!("{name}Options")];
        let properties = schema["properties"].as_object().unwrap();
        let known: BTreeSet<&str> =
            platform.sheet().options.iter().map(|option| option.key).collect();
        assert_eq!(properties.keys().map(String::as_str).collect::<BTreeSet<_>>(), known, "{name}");
        for (key, property) in properties {
            let words = property["description"].as_str().unwrap();
            assert!(!words.starts_with(&format!("{key}.")), "{name}.{key} has no words of its own");
        }
    }
}

#[test]
fn every_schema_says_no_to_something() {
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().unwrap() {
        let at = format!("/components/schemas/{name}");
        assert!(!value_faults(&at, &json!(["nonsense", 1])).is_empty(), "{name}: {schema}");
    }
}

#[test]
fn what_is_not_as_described_is_found() {
    let draft = r#"{"content":"x","saveAsDraft":true,"targets":[{"platform":"bluesky"}]}"#;
    let post = DOCUMENT["paths"]["/posts"]["post"]["responses"]["201"]["content"]
        ["application/json"]["examples"]["example"]["value"]
        .clone();
    let mut more = post.clone();
    more["colour"] = json!("red");
    let mut less = post.clone();
    less.as_object_mut().unwrap().remove("status");
    let error = |code: &str| json!({"error": {"code": code, "message": "No."}});
    let json_type = Some("application/json");
    for (name, path, sent, status, body, media_type, want) in [
        ("good", "/v1/posts", draft, 201, post.to_string(), json_type, ""),
        (
            "a status too many",
            "/v1/posts",
            draft,
            202,
            post.to_string(),
            json_type,
            "no status 202",
        ),
        ("a field too many", "/v1/posts", draft, 201, more.to_string(), json_type, "colour"),
        ("a field missing", "/v1/posts", draft, 201, less.to_string(), json_type, "status"),
        ("no JSON", "/v1/posts", draft, 201, "<p>".to_owned(), json_type, "not JSON"),
        (
            "another type",
            "/v1/posts",
            draft,
            201,
            post.to_string(),
            Some("text/html"),
            "not application/json",
        ),
        (
            "a request",
            "/v1/posts",
            r#"{"queue":true}"#,
            201,
            post.to_string(),
            json_type,
            "targets",
        ),
        (
            "a parameter",
            "/v1/posts?x=1",
            draft,
            201,
            post.to_string(),
            json_type,
            "x is no parameter",
        ),
        (
            "a refused request",
            "/v1/posts",
            "{",
            400,
            error("invalid_request").to_string(),
            json_type,
            "",
        ),
        (
            "a code of another status",
            "/v1/posts",
            "{",
            400,
            error("in_use").to_string(),
            json_type,
            "in_use",
        ),
        ("a repeat", "/v1/posts", "{", 200, post.to_string(), json_type, ""),
        (
            "an untold repeat",
            "/v1/posts",
            draft,
            200,
            post.to_string(),
            json_type,
            "200 is for repeats",
        ),
        (
            "a repeat of what takes no key",
            "/v1/platforms/validate",
            draft,
            200,
            r#"{"ok":true,"issues":[]}"#.to_owned(),
            json_type,
            "declares no Idempotency-Key",
        ),
        ("no path", "/v1/nothing", "", 404, error("not_found").to_string(), json_type, ""),
        ("a path that is answered", "/v1/nothing", "", 200, "{}".to_owned(), json_type, "want 404"),
        (
            "no method",
            "/v1/platforms",
            "",
            405,
            error("invalid_request").to_string(),
            json_type,
            "",
        ),
        ("outside", "/healthz", "", 299, String::new(), None, ""),
    ] {
        let faults = crate::exchange::faults(&crate::exchange::Exchange {
            method: "POST",
            path,
            sent: Some(sent.as_bytes()),
            sent_header: &|_| None,
            status,
            header: &|header| match header {
                "content-type" => media_type.map(str::to_owned),
                "x-request-id" => Some("a".to_owned()),
                "X-Content-Type-Options" => Some("nosniff".to_owned()),
                "Cache-Control" => Some("no-store".to_owned()),
                "Location" => (status == 201).then(|| "/v1/posts/1".to_owned()),
                "allow" => Some("GET, HEAD".to_owned()),
                "idempotent-replayed" => name.starts_with("a repeat").then(|| "true".to_owned()),
                _ => None,
            },
            body: body.as_bytes(),
        });
        assert_eq!(faults.is_empty(), want.is_empty(), "{name}: {faults:?}");
        assert!(faults.join("\n").contains(want), "{name}: {faults:?}");
    }
    let bare = crate::exchange::faults(&crate::exchange::Exchange {
        method: "GET",
        path: "/v1/oauth/audience?days=731",
        sent: None,
        sent_header: &|_| None,
        status: 200,
        header: &|name| (name == "content-type").then(|| "application/json".to_owned()),
        body: br#"{"data":[]}"#,
    });
    let (parameter, headers) = bare.split_last().unwrap();
    for name in ["x-request-id", "X-Content-Type-Options", "Cache-Control"] {
        assert!(headers.iter().any(|fault| fault.contains(name)), "{name}: {headers:?}");
    }
    assert!(headers.len() == 3 && parameter.contains("days"), "{bare:?}");
}
