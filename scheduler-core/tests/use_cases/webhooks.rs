//! Webhook subscriptions.

use scheduler_core::app::{Caller, WebhookInput};
use scheduler_core::error::Refusal;
use scheduler_core::ids::WebhookId;
use scheduler_core::key::Scope;
use scheduler_core::plan::Plan;
use scheduler_core::webhook::{EventKind, URL_MAX_BYTES, WEBHOOKS_MAX, WebhookView};
use serde_json::{Value, json};

use crate::support::{World, done, outcome, refused};

pub(crate) fn create(world: &World, caller: &Caller, body: Value) -> Result<WebhookView, Refusal> {
    let input: WebhookInput = serde_json::from_value(body).unwrap();
    refused(done(world.scheduler.create_webhook(caller, input, None))).map(|made| made.value)
}

fn list(world: &World, caller: &Caller) -> Result<Vec<WebhookView>, Refusal> {
    refused(done(world.scheduler.webhooks(caller)))
}

#[test]
fn what_is_created() {
    let both = vec![EventKind::Published, EventKind::Failed];
    for (name, events, want) in [
        ("left out: both", json!(null), Ok(both.clone())),
        ("one", json!(["post.failed"]), Ok(vec![EventKind::Failed])),
        (
            "both, in the order that was given",
            json!(["post.failed", "post.published"]),
            Ok(vec![EventKind::Failed, EventKind::Published]),
        ),
        ("repeated", json!(["post.failed", "post.failed"]), Ok(vec![EventKind::Failed])),
        ("none", json!([]), Err("invalid_request events")),
    ] {
        let world = World::empty();
        let body = json!({"url": "https://example.com/hook", "events": events});
        let created = create(&world, &world.caller, body);
        match want {
            Ok(want) => assert_eq!(created.unwrap().events, want, "{name}"),
            Err(want) => assert_eq!(outcome(&created), want, "{name}"),
        }
    }
    let world = World::empty();
    for (name, body, want) in [
        ("no address", json!({}), "invalid_request url"),
        ("http", json!({"url": "http://example.com"}), "invalid_request url"),
    ] {
        assert_eq!(outcome(&create(&world, &world.caller, body)), want, "{name}");
    }
}

#[test]
fn an_address_is_bounded() {
    let world = World::empty();
    let start = "https://example.com/";
    for (name, length, want) in [
        ("the longest", URL_MAX_BYTES, "ok"),
        ("a byte too much", URL_MAX_BYTES + 1, "invalid_request url"),
        ("a mebibyte", 1 << 20, "invalid_request url"),
    ] {
        let url = format!("{start}{}", "a".repeat(length - start.len()));
        let created = create(&world, &world.caller, json!({"url": url}));
        assert_eq!(outcome(&created), want, "{name}");
        if let Err(refusal) = created {
            assert!(refusal.message().contains("the limit is 2048"), "{}", refusal.message());
        }
    }
}

#[test]
fn a_workspace_has_so_many() {
    let world = World::empty();
    let body = json!({"url": "https://example.com/hook"});
    let first = create(&world, &world.caller, body.clone()).unwrap();
    for _ in 1..WEBHOOKS_MAX {
        create(&world, &world.caller, body.clone()).unwrap();
    }
    let refused = create(&world, &world.caller, body.clone());
    assert_eq!(outcome(&refused), "invalid_request url");
    assert!(refused.unwrap_err().message().contains("has 50 webhooks, which is the limit"));
    assert_eq!(list(&world, &world.caller).unwrap().len(), 50);
    assert_eq!(
        outcome(&create(&world, &world.stranger(), body.clone())),
        "ok",
        "theirs count apart"
    );
    remove(&world, &world.caller, first.id).unwrap();
    assert_eq!(outcome(&create(&world, &world.caller, body)), "ok");
}

#[test]
fn the_secret_is_shown_once() {
    let world = World::empty();
    let body = json!({"url": "https://example.com/hook"});
    let first = create(&world, &world.caller, body.clone()).unwrap();
    let second = create(&world, &world.caller, body).unwrap();
    let secret = first.secret.clone().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    assert_ne!(first.secret, second.secret);
    let listed = list(&world, &world.caller).unwrap();
    assert_eq!(listed.iter().map(|webhook| webhook.id).collect::<Vec<_>>(), [first.id, second.id]);
    assert!(listed.iter().all(|webhook| webhook.secret.is_none()));
}

#[test]
fn the_plan_decides_on_new_ones_only() {
    let world = World::empty();
    let body = json!({"url": "https://example.com/hook"});
    let webhook = create(&world, &world.caller, body.clone()).unwrap();
    for (plan, want) in [(Plan::Free, "api_not_on_plan"), (Plan::Pro, "ok"), (Plan::Studio, "ok")] {
        assert_eq!(outcome(&create(&world, &world.caller_on(plan), body.clone())), want, "{plan}");
    }
    let free = world.caller_on(Plan::Free);
    let refusal = create(&world, &free, body).unwrap_err();
    assert_eq!(refusal.upgrade_to().map(Plan::as_str), Some("pro"));
    assert_eq!(list(&world, &free).unwrap().len(), 3);
    assert_eq!(outcome(&remove(&world, &free, webhook.id)), "ok");
}

fn remove(world: &World, caller: &Caller, id: WebhookId) -> Result<(), Refusal> {
    refused(done(world.scheduler.remove_webhook(caller, id)))
}

#[test]
fn scopes_and_workspaces() {
    let world = World::empty();
    let body = json!({"url": "https://example.com/hook"});
    for scope in Scope::ALL {
        let caller = world.caller_with(&[scope]);
        let is = |needed| if [needed, Scope::All].contains(&scope) { "ok" } else { "forbidden" };
        let write = is(Scope::WebhooksWrite);
        assert_eq!(outcome(&create(&world, &caller, body.clone())), write, "{scope}");
        assert_eq!(outcome(&list(&world, &caller)), is(Scope::WebhooksRead), "{scope}");
        let webhook = create(&world, &world.caller, body.clone()).unwrap();
        let tested = refused(done(world.scheduler.test_webhook(&caller, webhook.id)));
        assert_eq!(outcome(&tested), write, "{scope}");
        assert_eq!(outcome(&remove(&world, &caller, webhook.id)), write, "{scope}");
    }
    let webhook = create(&world, &world.caller, body).unwrap();
    let stranger = world.stranger();
    assert!(list(&world, &stranger).unwrap().is_empty());
    let tested = refused(done(world.scheduler.test_webhook(&stranger, webhook.id)));
    assert_eq!(outcome(&tested), "not_found");
    assert_eq!(outcome(&remove(&world, &stranger, webhook.id)), "not_found");
    assert_eq!(outcome(&remove(&world, &world.caller, webhook.id)), "ok");
    assert_eq!(outcome(&remove(&world, &world.caller, webhook.id)), "not_found");
}
