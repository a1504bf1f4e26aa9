//! Creating a post.

use chrono::TimeDelta;
use scheduler_core::app::Settings;
use scheduler_core::idempotency::{IdempotencyKey, Replay};
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::key::Scope;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{AccountStore as _, CreateOutcome, PostStore as _, SaveOutcome};
use scheduler_core::post::PostStatus;
use serde_json::json;

use crate::support::{NOW, World, at, body, done, outcome, statuses};

#[test]
fn a_file_that_is_not_ready_is_an_issue_of_the_post_as_a_whole() {
    for status in MediaStatus::ALL {
        let world = World::new();
        let file = world.file(status);
        let fields = json!({"mediaIds": [file], "publishNow": true});
        let created = world.create_as(&world.caller, body(&["bluesky"], fields.clone()));
        if status == MediaStatus::Ready {
            assert_eq!(outcome(&created), "ok");
            continue;
        }
        assert_eq!(outcome(&created), "validation_failed", "{status:?}");
        let issues = created.unwrap_err().issues().to_vec();
        let of_post = issues.iter().find(|issue| issue.platform.is_none()).unwrap();
        let want = match status {
            MediaStatus::Failed => "File 1 cannot be used: It was given up.",
            MediaStatus::Deleted => "File 1 cannot be used: It was deleted.",
            _ => "File 1 is not ready yet.",
        };
        assert_eq!(of_post.message, want, "{status:?}");
        let check = json!({
            "content": "Hello", "mediaIds": [file], "targets": [{"platform": "bluesky"}],
        });
        let report = world.check_as(&world.caller, check).unwrap();
        assert_eq!(report.issues, issues, "{status:?}: the dry run says the same");
    }
}

#[test]
fn a_file_of_another_workspace_is_not_there() {
    let world = World::new();
    let mine = world.file(MediaStatus::Ready);
    let theirs = world.file_of(&world.stranger(), MediaKind::Image, MediaStatus::Ready);
    let fields = json!({"mediaIds": [mine, theirs], "saveAsDraft": true});
    let created = world.create_as(&world.caller, body(&["bluesky"], fields));
    assert_eq!(outcome(&created), "not_found mediaIds[1]");
}

const LATER: &str = "2026-12-01T09:00:00Z";

#[test]
fn five_ways_to_say_when() {
    let world = World::new();
    let bluesky = world.account(Platform::Bluesky);
    let tokyo = "Asia/Tokyo".parse().unwrap();
    done(world.scheduler.set_account_timezone(&bluesky, Some(tokyo))).unwrap();
    // Bluesky in Tokyo, Mastodon in the workspace's zone or UTC.
    for (name, timing, want) in [
        ("an instant", json!({"scheduledAt": LATER}), [Some(LATER), Some(LATER)]),
        (
            "an instant with an offset",
            json!({"scheduledAt": "2026-12-01T10:00:00+01:00"}),
            [Some(LATER), Some(LATER)],
        ),
        (
            "a minute ago is now",
            json!({"scheduledAt": "2026-11-21T11:59:00Z"}),
            [Some(NOW), Some(NOW)],
        ),
        (
            "a local time",
            json!({"scheduledLocal": "2026-12-01T09:00"}),
            [Some("2026-12-01T00:00:00Z"), Some(LATER)],
        ),
        (
            "the queue",
            json!({"queue": true}),
            [Some("2026-11-22T00:00:00Z"), Some("2026-11-21T13:00:00Z")],
        ),
        ("at once", json!({"publishNow": true}), [Some(NOW), Some(NOW)]),
        ("a draft", json!({"saveAsDraft": true}), [None, None]),
    ] {
        let post = world.create(body(&["bluesky", "mastodon"], timing));
        let due: Vec<_> = post.targets.iter().map(|target| target.due_at()).collect();
        assert_eq!(due, want.map(|text| text.map(at)), "{name}");
        assert_eq!(post.scheduled_at, due.iter().flatten().min().copied(), "{name}");
        let status = if post.scheduled_at.is_some() { "scheduled" } else { "draft" };
        assert_eq!(statuses(&post), format!("{status}: pending pending"), "{name}");
        let view = done(world.scheduler.post_view(&post)).unwrap();
        assert_eq!(view.targets[0].next_attempt_at, due[0], "{name}");
        assert_eq!((view.approval_state, view.targets[0].metrics.clone()), (None, None));
        assert_eq!((post.created_at, post.updated_at), (world.now(), world.now()));
    }
}

#[test]
fn times_that_are_refused() {
    let world = World::new();
    let kiritimati = "Pacific/Kiritimati".parse().unwrap();
    let account = world.account(Platform::Mastodon);
    done(world.scheduler.set_account_timezone(&account, Some(kiritimati))).unwrap();
    done(
        world
            .scheduler
            .set_account_schedule(&world.account(Platform::Telegram), "".parse().unwrap()),
    )
    .unwrap();
    for (name, networks, timing, want) in [
        ("none", vec!["bluesky"], json!({}), "invalid_request scheduledAt"),
        (
            "all false or null",
            vec!["bluesky"],
            json!({"queue": false, "scheduledAt": null}),
            "invalid_request scheduledAt",
        ),
        (
            "two",
            vec!["bluesky"],
            json!({"publishNow": true, "queue": true}),
            "invalid_request publishNow",
        ),
        (
            "long past",
            vec!["bluesky"],
            json!({"scheduledAt": "2026-11-21T11:58:59Z"}),
            "invalid_request scheduledAt",
        ),
        (
            "without an offset",
            vec!["bluesky"],
            json!({"scheduledAt": "2026-12-01T09:00:00"}),
            "invalid_request scheduledAt",
        ),
        (
            "a local time with a zone",
            vec!["bluesky"],
            json!({"scheduledLocal": "2026-12-01T09:00Z"}),
            "invalid_request scheduledLocal",
        ),
        (
            "past in one zone",
            vec!["bluesky", "mastodon"],
            json!({"scheduledLocal": "2026-11-21T13:00"}),
            "invalid_request scheduledLocal",
        ),
        (
            "a schedule without slots",
            vec!["bluesky", "telegram"],
            json!({"queue": true}),
            "invalid_request queue",
        ),
    ] {
        let created = world.create_as(&world.caller, body(&networks, timing));
        assert_eq!(outcome(&created), want, "{name}");
        if name == "past in one zone" {
            let message = created.unwrap_err().message();
            assert!(message.contains("mastodon @me in Pacific/Kiritimati"), "{message}");
        } else if name == "a schedule without slots" {
            let message = created.unwrap_err().message();
            assert!(message.contains("telegram @me"), "{message}");
        }
    }
    assert!(world.store.posts().is_empty(), "nothing is created by guess");
}

#[test]
fn the_zone_is_the_account_s_else_the_workspace_s_else_utc() {
    let berlin = "Europe/Berlin".parse().unwrap();
    let tokyo = "Asia/Tokyo".parse().unwrap();
    for (name, of_account, of_workspace, want) in [
        ("UTC", None, None, "2026-12-01T09:00:00Z"),
        ("the workspace's", None, Some(berlin), "2026-12-01T08:00:00Z"),
        ("the account's", Some(tokyo), None, "2026-12-01T00:00:00Z"),
        ("the account's first", Some(tokyo), Some(berlin), "2026-12-01T00:00:00Z"),
    ] {
        let world = World::new();
        let account = world.account(Platform::Bluesky);
        done(world.scheduler.set_account_timezone(&account, of_account)).unwrap();
        let mut caller = world.caller.clone();
        caller.workspace.timezone = of_workspace;
        for timing in [json!({"scheduledLocal": "2026-12-01T09:00"}), json!({"queue": true})] {
            let is_queue = timing.get("queue").is_some();
            let post = world.create_as(&caller, body(&["bluesky"], timing)).unwrap();
            let due_at = post.scheduled_at.unwrap();
            if is_queue {
                let zone = of_account.or(of_workspace).unwrap_or(scheduler_core::timing::Zone::UTC);
                let time = zone.local(due_at).time().to_string();
                assert!(["09:00:00", "13:00:00", "18:00:00"].contains(&time.as_str()), "{name}");
            } else {
                assert_eq!(due_at, at(want), "{name}");
            }
        }
    }
}

#[test]
fn a_local_time_in_a_gap_and_in_an_overlap() {
    let world = World::new();
    let account = world.account(Platform::Bluesky);
    done(world.scheduler.set_account_timezone(&account, Some("Europe/Berlin".parse().unwrap())))
        .unwrap();
    for (name, local, want) in [
        ("skipped: later by the gap", "2027-03-28T02:30", "2027-03-28T01:30:00Z"),
        ("twice: the earlier", "2027-10-31T02:30", "2027-10-31T00:30:00Z"),
    ] {
        let post = world.create(body(&["bluesky"], json!({"scheduledLocal": local})));
        assert_eq!(post.scheduled_at, Some(at(want)), "{name}");
    }
}

#[test]
fn slots_are_taken_in_turn_and_skip_every_instant_that_is_held() {
    let world = World::new();
    let queue = || world.create(body(&["bluesky"], json!({"queue": true}))).scheduled_at.unwrap();
    world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-21T18:00:00Z"})));
    world.create(body(&["mastodon"], json!({"queue": true})));
    assert_eq!(queue(), at("2026-11-21T13:00:00Z"), "another account's slot takes none away");
    assert_eq!(queue(), at("2026-11-22T09:00:00Z"), "18:00 is held by a post at that instant");
    assert_eq!(queue(), at("2026-11-22T13:00:00Z"));
    world.clock.set(at("2026-11-21T17:59:01Z"));
    world.work();
    assert_eq!(queue(), at("2026-11-22T18:00:00Z"));
}

#[test]
fn the_store_gives_one_slot_to_one_post() {
    let world = World::new();
    let first = world.create(body(&["bluesky"], json!({"queue": true})));
    let mut second = world.create(body(&["bluesky"], json!({"queue": true})));
    second.targets[0].reschedule(first.targets[0].due_at(), first.targets[0].slot_at());
    let saved = done(world.store.save_post(&second, u64::MAX)).unwrap();
    assert_eq!(saved, SaveOutcome::SlotTaken);
    second.id = PostId(uuid::Uuid::nil());
    second.targets[0].id = TargetId(uuid::Uuid::nil());
    let created = done(world.store.create_post(&second, u64::MAX)).unwrap();
    assert_eq!(created, CreateOutcome::SlotTaken);
    world.delete(first.id).unwrap();
    let created = done(world.store.create_post(&second, u64::MAX)).unwrap();
    assert_eq!(created, CreateOutcome::Created);
}

#[test]
fn accounts() {
    let world = World::new();
    let theirs = world.connect_for(&world.stranger(), Platform::Bluesky, "theirs");
    let mine = world.account(Platform::Bluesky);
    let second = world.connect(Platform::Telegram, "second");
    let gone = world.connect(Platform::Discord, "gone");
    done(world.scheduler.disconnect_account(&gone)).unwrap();
    let unknown = uuid::Uuid::nil();
    for (name, targets, want) in [
        ("the only one", json!([{"platform": "bluesky"}]), "ok"),
        ("by id", json!([{"platform": "bluesky", "accountId": mine.id}]), "ok"),
        ("one of several by id", json!([{"platform": "telegram", "accountId": second.id}]), "ok"),
        ("none of the network", json!([{"platform": "tumblr"}]), "account_not_connected"),
        ("none any more", json!([{"platform": "discord"}]), "account_not_connected"),
        (
            "disconnected, by id",
            json!([{"platform": "discord", "accountId": gone.id}]),
            "account_not_connected",
        ),
        (
            "several",
            json!([{"platform": "bluesky"}, {"platform": "telegram"}]),
            "invalid_request targets[1].accountId",
        ),
        (
            "unknown",
            json!([{"platform": "bluesky", "accountId": unknown}]),
            "not_found targets[0].accountId",
        ),
        (
            "another workspace's",
            json!([{"platform": "bluesky", "accountId": theirs.id}]),
            "not_found targets[0].accountId",
        ),
        (
            "of another network",
            json!([{"platform": "mastodon", "accountId": mine.id}]),
            "invalid_request targets[0].accountId",
        ),
        (
            "twice",
            json!([{"platform": "bluesky"}, {"platform": "bluesky", "accountId": mine.id}]),
            "invalid_request targets[1].accountId",
        ),
        ("no target", json!([]), "invalid_request targets"),
        ("targets null", json!(null), "invalid_request targets"),
    ] {
        let body = json!({"content": "Hello", "saveAsDraft": true, "targets": targets});
        assert_eq!(outcome(&world.create_as(&world.caller, body)), want, "{name}");
    }
    let without = json!({"content": "Hello", "saveAsDraft": true});
    assert_eq!(outcome(&world.create_as(&world.caller, without)), "invalid_request targets");
}

#[test]
fn a_paused_account_is_refused_and_not_counted_among_those_to_choose_from() {
    let world = World::new();
    world.clock.advance(TimeDelta::seconds(1));
    let second = world.connect(Platform::Telegram, "second");
    let free = world.caller_on(Plan::Free);
    let draft = |target| json!({"content": "Hello", "saveAsDraft": true, "targets": [target]});
    let unnamed = world.create_as(&free, draft(json!({"platform": "telegram"})));
    assert_eq!(outcome(&unnamed), "ok", "the other one is the only one that is not paused");
    let named = draft(json!({"platform": "telegram", "accountId": second.id}));
    let refusal = world.create_as(&free, named).unwrap_err();
    assert_eq!(outcome::<()>(&Err(refusal.clone())), "channel_limit");
    assert_eq!((refusal.limit(), refusal.upgrade_to().map(Plan::as_str)), (Some(3), Some("pro")));
}

#[test]
fn an_account_to_be_connected_again_takes_all_but_what_goes_out_at_once() {
    for (timing, want) in [
        (json!({"scheduledAt": LATER}), "ok"),
        (json!({"scheduledLocal": "2026-12-01T09:00"}), "ok"),
        (json!({"queue": true}), "ok"),
        (json!({"saveAsDraft": true}), "ok"),
        (json!({"publishNow": true}), "account_not_connected"),
    ] {
        let world = World::new();
        let account = world.account(Platform::Bluesky);
        done(world.store.mark_needs_reconnect(account.id, 1, None)).unwrap();
        let created = world.create_as(&world.caller, body(&["bluesky"], timing.clone()));
        assert_eq!(outcome(&created), want, "{timing}");
    }
}

#[test]
fn scopes() {
    let (draft, time) = (json!({"saveAsDraft": true}), json!({"scheduledAt": LATER}));
    for (scope, timing, want) in [
        (Scope::PostsWrite, &draft, "ok"),
        (Scope::PostsWrite, &time, "forbidden"),
        (Scope::PostsPublish, &draft, "forbidden"),
        (Scope::PostsPublish, &time, "ok"),
        (Scope::PostsRead, &draft, "forbidden"),
        (Scope::MediaWrite, &time, "forbidden"),
        (Scope::All, &draft, "ok"),
        (Scope::All, &time, "ok"),
    ] {
        let world = World::new();
        let caller = world.caller_with(&[scope]);
        let created = world.create_as(&caller, body(&["bluesky"], timing.clone()));
        assert_eq!(outcome(&created), want, "{scope} {timing}");
    }
    let world = World::new();
    let refusal =
        world.create_as(&world.caller_with(&[Scope::PostsWrite]), body(&["bluesky"], time));
    assert!(refusal.unwrap_err().message().contains("posts:publish"), "the scope is named");
}

#[test]
fn the_first_check_that_fails_is_told() {
    // Every step cures the fault that the one before was refused for.
    let world = World::new();
    world.connect(Platform::Telegram, "second");
    let write = world.caller_with(&[Scope::PostsWrite]);
    let all = &world.caller;
    let file = world.file(MediaStatus::Processing);
    let long = "x".repeat(301);
    let missing = uuid::Uuid::nil();
    let tumblr = json!([{"platform": "tumblr"}]);
    let bluesky = json!([{"platform": "bluesky"}]);
    let far = "é".repeat(64_001);
    for (caller, body, want) in [
        (&world.caller_with(&[]), json!({"content": far}), "forbidden"),
        (&write, json!({"content": far}), "invalid_request content"),
        (&write, json!({"content": long}), "invalid_request scheduledAt"),
        (&write, json!({"content": long, "queue": true}), "forbidden"),
        (all, json!({"content": long, "queue": true}), "invalid_request targets"),
        (
            all,
            json!({"content": long, "queue": true, "targets": tumblr, "mediaIds": [missing]}),
            "account_not_connected",
        ),
        (
            all,
            json!({"content": long, "queue": true, "targets": bluesky, "mediaIds": [missing]}),
            "not_found mediaIds[0]",
        ),
        (
            all,
            json!({"content": long, "queue": true, "targets": bluesky, "mediaIds": [file]}),
            "validation_failed",
        ),
        (all, json!({"content": "Hello", "queue": true, "targets": bluesky}), "ok"),
    ] {
        assert_eq!(outcome(&world.create_as(caller, body.clone())), want);
    }
}

#[test]
fn every_issue_is_listed_and_a_warning_stops_nothing() {
    let world = World::new();
    let long = json!({"content": "x".repeat(501), "publishNow": true});
    let refusal = world.create_as(&world.caller, body(&["bluesky", "mastodon"], long)).unwrap_err();
    let rules: Vec<&str> = refusal.issues().iter().map(|issue| &*issue.rule).collect();
    assert_eq!(rules, ["bluesky.text.too_long", "mastodon.text.too_long"]);
    let warned = json!({
        "content": "Hello",
        "publishNow": true,
        "targets": [{"platform": "bluesky", "options": {"unheardOf": 1}}],
    });
    let post = world.create(warned);
    assert_eq!(post.targets[0].options["unheardOf"], 1, "kept as it is");
}

#[test]
fn a_post_on_the_plan_s_last_place() {
    let mut settings = Settings::default();
    settings.plans.studio.posts_a_month = 2;
    let world = World::with(settings);
    world.connect(Platform::Bluesky, "me");
    let create = |timing| world.create_as(&world.caller, body(&["bluesky"], timing));
    let now = || json!({"publishNow": true});
    assert_eq!(outcome(&create(now())), "ok");
    assert_eq!(outcome(&create(json!({"saveAsDraft": true}))), "ok", "a draft does not count");
    let second = create(now()).unwrap();
    let third = create(now());
    assert_eq!(outcome(&third), "post_limit");
    assert_eq!(third.unwrap_err().limit(), Some(2));
    assert_eq!(outcome(&create(json!({"scheduledAt": LATER}))), "ok", "another month");
    world.delete(second.id).unwrap();
    assert_eq!(outcome(&create(now())), "ok", "cancelled before it went out: the place is free");
    world.work();
    let ended = world.store.posts().into_iter().find(|post| post.status == PostStatus::Done);
    world.delete(ended.unwrap().id).unwrap();
    assert_eq!(outcome(&create(now())), "post_limit", "a removed record gives nothing back");
}

#[test]
fn idempotency_keys() {
    let world = World::new();
    let create = |text: &str, key: &str| {
        let fields = json!({"content": text, "publishNow": true});
        world.create_keyed(&world.caller, body(&["bluesky"], fields), Some(key))
    };
    for (length, want) in [
        (7, "invalid_request Idempotency-Key"),
        (8, "ok"),
        (200, "ok"),
        (201, "invalid_request Idempotency-Key"),
    ] {
        assert_eq!(outcome(&create("Hello", &"é".repeat(length))), want, "{length}");
    }
    let refused = create(&"x".repeat(301), "the key 1");
    assert_eq!(outcome(&refused), "validation_failed");
    let first = create("Hello", "the key 1").unwrap();
    assert!(first.is_new(), "a refused request leaves no key behind");
    world.work();
    let again = create(&"x".repeat(301), "the key 1").unwrap();
    assert_eq!(again.replay, Some(Replay::OtherBody));
    assert_eq!(again.value, world.post(first.value.id), "as it is now, whatever the body");
    assert_eq!(again.value.status, PostStatus::Done);
    let same = create("Hello", "the key 1").unwrap();
    assert_eq!((same.value.id, same.replay), (first.value.id, Some(Replay::SameBody)));
    assert_eq!(world.network.jobs.lock().unwrap().len(), 3, "and nothing goes out twice");
    let other = world.stranger();
    world.connect_for(&other, Platform::Bluesky, "theirs");
    let theirs = body(&["bluesky"], json!({"saveAsDraft": true}));
    let elsewhere = world.create_keyed(&other, theirs, Some("the key 1")).unwrap();
    assert!(elsewhere.is_new(), "a key is the workspace's own");
    let unread = IdempotencyKey::new("the key 1", None).unwrap();
    let found = done(world.scheduler.earlier_post(&world.caller, Some(&unread))).unwrap();
    let found = found.map(|found| (found.value.id, found.replay));
    assert_eq!(found, Some((first.value.id, Some(Replay::UnknownBody))));
    for (name, key) in
        [("no key", None), ("an unused one", IdempotencyKey::new("unused 12", None).ok())]
    {
        let found = done(world.scheduler.earlier_post(&world.caller, key.as_ref())).unwrap();
        assert_eq!(found, None, "{name}");
    }
}

#[test]
fn a_created_post_wakes_the_engine() {
    let world = World::new();
    let before = world.wake.count();
    world.create(body(&["bluesky"], json!({"publishNow": true})));
    assert_eq!(world.wake.count(), before + 1);
}
