//! Webhook subscriptions.

use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use scheduler_core::app::{ApprovalAnswer, ApprovalInput, Caller, OpenedApproval, WebhookInput};
use scheduler_core::error::Refusal;
use scheduler_core::ids::WebhookId;
use scheduler_core::key::Scope;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{FetchError, NetworkErrorKind};
use scheduler_core::post::Verdict;
use scheduler_core::webhook::{EventKind, URL_MAX_BYTES, WEBHOOKS_MAX, WebhookView};
use serde_json::{Value, json};

use crate::publish::fails;
use crate::support::{World, body, done, outcome, refused};

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

#[test]
fn a_webhook_without_names_gets_the_events_of_the_contract_alone() {
    let world = World::new();
    let add = |events| {
        let input = WebhookInput { url: Some("https://a.example/events".to_owned()), events };
        refused(done(world.scheduler.create_webhook(&world.caller, input, None)))
    };
    assert_eq!(add(None).unwrap().value.events, EventKind::UNNAMED);
    let all = EventKind::ALL.to_vec();
    assert_eq!(add(Some(all.clone())).unwrap().value.events, all);
    assert_eq!(outcome(&add(Some(Vec::new()))), "invalid_request events");
}

#[test]
fn what_is_given_a_time_is_told_where_somebody_asks() {
    let world = World::new();
    let told = || -> Vec<Value> {
        let events = world.store.events();
        let bodies = events.iter().map(|event| serde_json::from_str::<Value>(&event.body).unwrap());
        bodies.map(|body| body["data"].clone()).collect()
    };
    let at = |day: u32| json!({"scheduledAt": format!("2026-12-{day:02}T09:00:00Z")});
    world.create(body(&["bluesky"], at(1)));
    assert!(told().is_empty(), "nobody asks");

    let events = Some(vec![EventKind::Scheduled]);
    let input = WebhookInput { url: Some("https://a.example/events".to_owned()), events };
    refused(done(world.scheduler.create_webhook(&world.caller, input, None))).unwrap();
    let id = world.create(body(&["bluesky", "mastodon"], at(2))).id;
    let want =
        |day: u32| json!({"postId": id, "scheduledAt": format!("2026-12-{day:02}T09:00:00Z")});
    assert_eq!(told(), [want(2)], "once for a post, however many accounts it goes to");
    world.patch(id, json!({"content": "Other"})).unwrap();
    world.patch(id, at(2)).unwrap();
    assert_eq!(told().len(), 1, "its time is the same");
    world.patch(id, at(3)).unwrap();
    assert_eq!(told()[1], want(3));
    world.patch(id, json!({"saveAsDraft": true})).unwrap();
    assert_eq!(told().len(), 2, "it has no time now");
    world.patch(id, at(3)).unwrap();
    assert_eq!(told()[2], want(3), "again");
    for fields in [json!({"saveAsDraft": true}), json!({"publishNow": true})] {
        world.create(body(&["bluesky"], fields));
    }
    world.patch(id, json!({"publishNow": true})).unwrap();
    assert_eq!(told().len(), 3, "neither drafts nor what goes out at once");
    world.create(body(&["bluesky"], json!({"queue": true})));
    assert_eq!(told().len(), 4);
}

#[test]
fn credentials_that_only_a_person_renews_are_told_of_once_before_they_end() {
    for (name, days, renews_nothing, want) in [
        ("within a week", 8, true, 1),
        ("at once", 5, true, 1),
        ("far off", 40, true, 0),
        ("they renew themselves", 8, false, 0),
    ] {
        let world = World::empty();
        let ends = world.now() + TimeDelta::days(days);
        *world.network.expires_at.lock().unwrap() = Some(ends);
        world.network.renews_nothing.store(renews_nothing, Ordering::Relaxed);
        world.connect(Platform::Bluesky, "me");
        for _ in 0..4 {
            world.clock.advance(TimeDelta::days(1));
            world.take_readings();
        }
        let events = world.store.events();
        let told: Vec<Value> =
            events.iter().map(|event| serde_json::from_str(&event.body).unwrap()).collect();
        assert_eq!(told.len(), want, "{name}: {told:?}");
        for body in told {
            assert_eq!(body["event"], "account.token_expiring");
            let account = world.account(Platform::Bluesky);
            let want = json!({
                "accountId": account.id, "platform": "bluesky", "handle": "me", "expiresAt": ends,
            });
            assert_eq!(body["data"], want);
        }
    }
}

#[test]
fn what_happens_to_files_accounts_and_approvals_is_told_once() {
    let world = World::new();
    let told = || {
        let events = world.store.events().into_iter();
        events
            .map(|event| {
                let body: Value = serde_json::from_str(&event.body).unwrap();
                (event.kind, body["data"].clone())
            })
            .collect::<Vec<_>>()
    };
    let ready = world.ready();
    assert_eq!(told(), [(EventKind::MediaReady, json!({"mediaId": ready, "kind": "image"}))]);
    let never = world.fetched([Err(FetchError::Refused("It answered 404.".to_owned()))]);
    world.work_to_the_end();
    let failed = json!({"mediaId": never, "kind": "video", "error": "It answered 404."});
    assert_eq!(told()[1], (EventKind::MediaFailed, failed));
    world.work_to_the_end();
    assert_eq!(told().len(), 2, "erasing its bytes is no news");

    let post = world.create(body(&["bluesky"], json!({"scheduledAt": "2027-02-01T13:00:00Z"})));
    let input = ApprovalInput { post_ids: vec![post.id], ..ApprovalInput::default() };
    let new = done(world.scheduler.create_approval(world.caller.workspace.id, &input));
    let pass = new.unwrap().pass;
    let say = |verdict, note: Option<&str>| {
        let opened = done(world.scheduler.open_approval(&pass)).unwrap();
        let OpenedApproval::Page(page) = opened else { panic!("{opened:?}") };
        let note = note.map(str::to_owned);
        let [post] = &*page.posts else { panic!("{page:?}") };
        let answer = ApprovalAnswer { post_id: post.id, seen: post.seen.clone(), verdict, note };
        done(world.scheduler.decide_approval(&pass, &answer)).unwrap()
    };
    say(Verdict::Changes, Some("Shorter."));
    say(Verdict::Changes, Some("Shorter."));
    let decided = json!({
        "postId": post.id,
        "scheduledAt": "2027-02-01T13:00:00Z",
        "decision": "changes",
        "note": "Shorter.",
    });
    assert_eq!(told()[2..], [(EventKind::ApprovalDecided, decided)], "the same again is no news");

    let revoked = || fails(NetworkErrorKind::Reconnect);
    world.network.script([revoked(), revoked()]);
    let now = json!({"publishNow": true});
    for _ in 0..2 {
        world.create(body(&["bluesky"], now.clone()));
    }
    world.work();
    let lost: Vec<Value> = told()
        .into_iter()
        .filter(|(kind, _)| *kind == EventKind::NeedsReconnect)
        .map(|(_, data)| data)
        .collect();
    let [lost] = &lost[..] else { panic!("{lost:?}") };
    assert_eq!(lost["platform"], "bluesky");
    assert!(!lost["reason"].as_str().unwrap().is_empty(), "{lost}");
}
