//! The description of the API, as a document and as a page.

use std::collections::BTreeSet;

use http::Method;

use crate::support::{Answer, Client, World};

async fn client() -> Client {
    World::new().await.serve().await.without("authorization")
}

/// Everything between two signs, in order.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

async fn is_served_once(client: &Client, path: &str, media_type: &str) -> Answer {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{path}");
    assert_eq!(answer.header("content-type"), Some(media_type), "{path}");
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"), "{path}");
    let etag = answer.header("etag").unwrap();
    let again = client.with("if-none-match", etag).get(path).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
    let head = client.send(Method::HEAD, path, "").await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{path}");
    let post = client.send(Method::POST, path, "").await;
    assert_eq!((post.status.as_u16(), post.header("allow")), (405, Some("GET, HEAD")), "{path}");
    answer
}

#[tokio::test]
async fn the_document_is_served_without_a_key() {
    let client = client().await;
    let answer = is_served_once(&client, "/v1/openapi.json", "application/json").await;
    let query = client.get("/v1/openapi.json?x=1").await;
    assert_eq!(query.refusal(), (400, "invalid_request".to_owned(), Some("x".to_owned())));
    let document = answer.json();
    assert_eq!(document, scheduler_http::openapi::document());
    assert_eq!(document["info"]["version"], "2026.10.06");
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
}

#[tokio::test]
async fn the_page_has_all_of_the_document_and_nothing_from_elsewhere() {
    let client = client().await;
    let answer = is_served_once(&client, "/docs", "text/html; charset=utf-8").await;
    let page = answer.text();
    let document = scheduler_http::openapi::document();
    let ids = between(&page, " id=\"", "\"");
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "an id stands twice");
    for (path, item) in document["paths"].as_object().unwrap() {
        for (_, operation) in
            item.as_object().unwrap().iter().filter(|(key, _)| *key != "parameters")
        {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.contains(&id), "{id}");
            assert!(page.contains(&format!("/v1{path}")), "{path}");
        }
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(ids.contains(&format!("schema-{name}").as_str()), "{name}");
    }
    let (_, body) = page.split_once("<body>").unwrap();
    let links = between(body, " href=\"", "\"");
    assert!(links.len() > 100);
    for link in links {
        let leads =
            link.strip_prefix('#').map_or(link == "/v1/openapi.json", |to| ids.contains(&to));
        assert!(leads, "{link} leads nowhere");
    }
    for foreign in ["<script", "<img", "<style", "@import", "url(", " src=", " style=", " onclick"]
    {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let policy = answer.header("content-security-policy").unwrap();
    for want in [
        "default-src 'none'",
        "style-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    ] {
        assert!(policy.contains(want), "{want} is not in {policy}");
    }
    for (name, want) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(answer.header(name), Some(want), "{name}");
    }
}

#[tokio::test]
async fn every_element_of_the_page_is_closed() {
    let page = client().await.get("/docs").await.text();
    let mut open: Vec<&str> = Vec::new();
    for tag in between(&page, "<", ">") {
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        if matches!(name, "!doctype" | "meta" | "link") {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes another element");
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[tokio::test]
async fn the_page_shows_bounds_defaults_errors_and_commands() {
    let page = client().await.get("/docs").await.text();
    for want in [
        "up to <code>500</code>",
        "default <code>200</code>",
        "curl -X POST &#34;$SCHEDULER_URL/v1/posts&#34;",
        "Authorization: Bearer $SCHEDULER_API_KEY",
        "mentions?q=ann",
        "targets_locked",
        "Retry-After",
        "PUBLIC_TO_EVERYONE",
    ] {
        assert!(page.contains(want), "{want}");
    }
}
