//! Short links, as those follow them who have no session, and what a workspace wants of its links.

use std::sync::atomic::Ordering;

use http::Method;
use scheduler_core::links::{LinkRules, ShortLinks};
use scheduler_core::platform::Platform;
use scheduler_core::post::PageInput;
use scheduler_core::session::Role;
use serde_json::json;

use crate::application::member;
use crate::support::World;

const DESTINATION: &str = "https://example.com/K%C3%A4se?a=1#b";

/// A world with a short link, and the code of it.
async fn shortening() -> (World, String) {
    let mut world = World::new().await;
    let short = ShortLinks::new("https://go.example", [7; 32]);
    world.scheduler = world.scheduler.clone().with_short_links(short);
    let rules = LinkRules { shorten: true, ..LinkRules::default() };
    world.workspace = world.scheduler.set_link_rules(&world.workspace, rules).await.unwrap();
    let account = world.connect(Platform::Bluesky, "ana").await;
    let post = world
        .post(&account, "See https://example.com/Käse?a=1#b", json!({"saveAsDraft": true}))
        .await;
    let code = post.short_links().remove(0).code;
    (world, code)
}

async fn clicks(world: &World) -> u64 {
    let page = PageInput::default();
    let page = world.scheduler.list_short_links(&world.caller().await, &page, None).await.unwrap();
    page.data.iter().map(|link| link.clicks).sum()
}

#[tokio::test]
async fn a_short_link_leads_to_what_is_stored_and_nowhere_else() {
    let (world, code) = shortening().await;
    let client = world.serve().await.without("authorization");
    for (name, method, path, agent, status, counted) in [
        ("followed", Method::GET, format!("/l/{code}"), "Firefox", 302, 1),
        ("with a query", Method::GET, format!("/l/{code}?fbclid=1"), "Firefox", 302, 1),
        ("looked at", Method::GET, format!("/l/{code}"), "facebookexternalhit/1.1", 302, 0),
        ("asked about", Method::HEAD, format!("/l/{code}"), "Firefox", 302, 0),
        ("sent to", Method::POST, format!("/l/{code}"), "Firefox", 405, 0),
        ("put to", Method::PUT, format!("/l/{code}"), "Firefox", 405, 0),
        ("another case", Method::GET, format!("/l/{}", code.to_lowercase()), "Firefox", 404, 0),
        ("longer", Method::GET, format!("/l/{code}a"), "Firefox", 404, 0),
        ("an address", Method::GET, "/l/https:%2F%2Fevil.example".to_owned(), "Firefox", 404, 0),
        ("another host", Method::GET, "/l/%2F%2Fevil.example".to_owned(), "Firefox", 404, 0),
        ("nothing", Method::GET, "/l/".to_owned(), "Firefox", 404, 0),
    ] {
        let before = clicks(&world).await;
        let answer = client.with("user-agent", agent).send(method, &path, "").await;
        assert_eq!(answer.status, status, "{name}");
        assert_eq!(answer.header("location"), (status == 302).then_some(DESTINATION), "{name}");
        assert!(!answer.headers.contains_key("set-cookie"), "{name}");
        assert_eq!(clicks(&world).await - before, counted, "{name}");
    }
    let answer = client.get(&format!("/l/{code}")).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    let page = client.get("/l/unknown").await;
    assert!(page.text().contains("There is no short link of this address."), "{}", page.text());
    assert!(page.headers.contains_key("content-security-policy"));
}

#[tokio::test]
async fn a_click_that_cannot_be_stored_keeps_nobody_from_getting_there() {
    let (world, code) = shortening().await;
    let client = world.serve().await.without("authorization");
    world.store.counts_no_clicks.store(true, Ordering::SeqCst);
    let answer = client.get(&format!("/l/{code}")).await;
    assert_eq!((answer.status.as_u16(), clicks(&world).await), (302, 0));
}

#[tokio::test]
async fn owners_say_what_becomes_of_links() {
    let (world, code) = shortening().await;
    let client = world.serve().await;
    let owner = member(&world, &client, Role::Owner, false).await;
    let reader = member(&world, &client, Role::Reader, false).await;
    let listed = reader.get("/app/v1/links").await.json();
    assert_eq!(listed["data"][0]["url"], format!("https://go.example/l/{code}"));
    assert_eq!(listed["data"][0]["destination"], "https://example.com/Käse?a=1#b");
    assert_eq!(listed["nextCursor"], json!(null));
    assert_eq!(reader.get("/app/v1/links?post=x").await.refusal().2.as_deref(), Some("post"));
    assert_eq!(reader.get("/app/v1/links?before=x").await.refusal().2.as_deref(), Some("before"));
    assert_eq!(reader.get("/app/v1/links?limit=201").await.refusal().2.as_deref(), Some("limit"));

    let rules = json!({"tag": true, "shorten": false, "utm": {"source": "{network}"}});
    let put =
        async |body: &serde_json::Value| owner.json(Method::PUT, "/app/v1/links/rules", body).await;
    assert_eq!(put(&rules).await.json(), rules);
    assert_eq!(reader.get("/app/v1/links/rules").await.json(), rules);
    for (name, body, field) in [
        ("a field that there is not", json!({"utm": {"source": "{x}"}}), "utm.source"),
        ("no parameter", json!({"tag": true}), "utm"),
        ("no host", json!({"except": ["a/b"]}), "except[0]"),
    ] {
        assert_eq!(put(&body).await.refusal().2.as_deref(), Some(field), "{name}");
    }
    assert_eq!(reader.get("/app/v1/links/rules").await.json(), rules, "as before");
}
