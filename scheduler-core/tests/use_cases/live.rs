//! Live targets: figures, insights, comments; and what all acts on a live target refuse.

use chrono::TimeDelta;
use scheduler_core::app::Caller;
use scheduler_core::app::{CommentInput, EditInput};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Comments, Insights, NetworkError, NetworkErrorKind, ReadingStore as _,
};
use scheduler_core::target::TargetStatus;
use serde_json::{Value, json};

use crate::after_support::{figures, live_on, world_after};
use crate::states::{post_that_is, post_with_targets};
use crate::support::{World, at, done, outcome, refused};

type Act = fn(&World, &Caller, PostId, TargetId) -> Result<(), Refusal>;

fn commenting(action: &str) -> CommentInput {
    CommentInput { action: Some(action.to_owned()), text: Some("Thanks".to_owned()) }
}

fn edit(body: Value) -> EditInput {
    serde_json::from_value(body).unwrap()
}

/// Everything that is done with a live target, and the scopes that it needs.
const ACTS: [(&str, &[Scope], Act); 6] = [
    ("metrics", &[Scope::PostsRead], |world, caller, post, target| {
        refused(done(world.scheduler.read_metrics(caller, post, target))).map(drop)
    }),
    ("insights", &[Scope::PostsRead], |world, caller, post, target| {
        refused(done(world.scheduler.insights(caller, post, target))).map(drop)
    }),
    ("comments", &[Scope::PostsRead], |world, caller, post, target| {
        refused(done(world.scheduler.comments(caller, post, target))).map(drop)
    }),
    ("comment", &[Scope::PostsPublish], |world, caller, post, target| {
        let input = commenting("reply");
        refused(done(world.scheduler.act_on_comment(caller, post, target, "c1", input, None)))
            .map(drop)
    }),
    ("edit", &[Scope::PostsWrite, Scope::PostsPublish], |world, caller, post, target| {
        let input = edit(json!({"content": "New"}));
        refused(done(world.scheduler.edit_live_post(caller, post, target, input))).map(drop)
    }),
    ("take down", &[Scope::PostsWrite, Scope::PostsPublish], |world, caller, post, target| {
        refused(done(world.scheduler.take_down(caller, post, target))).map(drop)
    }),
];

#[test]
fn what_is_not_live_has_nothing_done_to_it() {
    for (name, _, act) in ACTS {
        for status in ["draft", "scheduled", "publishing", "canceled"] {
            let (world, after) = world_after();
            world.connect(Platform::Bluesky, "me");
            let post = post_that_is(&world, status);
            let result = act(&world, &world.caller, post.id, post.targets[0].id);
            assert_eq!(outcome(&result), "not_published", "{name} {status}");
            assert_eq!(after.take_calls(), [""; 0], "{name} {status}");
            assert_eq!(world.post(post.id), post, "{name} {status}");
        }
        let (world, _) = world_after();
        world.connect(Platform::Bluesky, "me");
        world.connect(Platform::Mastodon, "me");
        let post = post_with_targets(&world, [TargetStatus::Failed, TargetStatus::Published]);
        let result = act(&world, &world.caller, post.id, post.targets[0].id);
        assert_eq!(outcome(&result), "not_published", "{name} failed");
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    for (name, _, act) in ACTS {
        let (world, _) = world_after();
        let (post, target) = live_on(&world, Platform::Mastodon);
        let (other, _) = live_on(&world, Platform::Mastodon);
        let nil = uuid::Uuid::nil();
        for (what, caller, post, target) in [
            ("post", world.caller.clone(), PostId(nil), target),
            ("target", world.caller.clone(), post.id, TargetId(nil)),
            ("target of another post", world.caller.clone(), other.id, target),
            ("another workspace", world.stranger(), post.id, target),
        ] {
            assert_eq!(outcome(&act(&world, &caller, post, target)), "not_found", "{name} {what}");
        }
    }
}

#[test]
fn scopes() {
    let all = [Scope::PostsRead, Scope::PostsWrite, Scope::PostsPublish];
    for (name, needed, act) in ACTS {
        let (world, after) = world_after();
        let (post, target) = live_on(&world, Platform::Mastodon);
        *after.figures.lock().unwrap() = Some(figures(1.0));
        for missing in needed {
            let rest: Vec<Scope> = all.into_iter().filter(|scope| scope != missing).collect();
            let result = act(&world, &world.caller_with(&rest), post.id, target);
            assert_eq!(outcome(&result), "forbidden", "{name} without {missing:?}");
        }
        let result = act(&world, &world.caller_with(needed), post.id, target);
        assert_eq!(outcome(&result), "ok", "{name}");
    }
}

#[test]
fn failures_of_the_network_have_their_codes_and_change_nothing() {
    use NetworkErrorKind as Kind;
    let limited = Kind::RateLimited { wait: Some(TimeDelta::seconds(90)) };
    for (name, _, act) in ACTS.into_iter().filter(|(name, ..)| *name != "insights") {
        for (kind, want) in [
            (Kind::Temporary, "network_error"),
            (limited, "rate_limited"),
            (Kind::Permanent, "network_refused"),
            (Kind::InDoubt, "in_doubt"),
            (Kind::Unsettled, "in_doubt"),
            (Kind::Reconnect, "account_not_connected"),
        ] {
            let (world, after) = world_after();
            let (post, target) = live_on(&world, Platform::Mastodon);
            after.take_calls();
            after.fail(NetworkError::new(kind, "No."));
            let result = act(&world, &world.caller, post.id, target);
            assert_eq!(outcome(&result), want, "{name} {kind:?}");
            let refusal = result.unwrap_err();
            let advises = refusal.message().ends_with("look before you try it again.");
            assert_eq!(advises, kind == Kind::Unsettled, "{name} {kind:?}");
            assert!(refusal.message().starts_with("No."), "{name} {kind:?}");
            let wait = refusal.retry_after_seconds();
            assert_eq!(wait.is_some(), kind == limited, "{name} {kind:?}");
            assert_eq!(world.post(post.id), post, "{name} {kind:?}");
            assert_eq!(after.take_calls().len(), 1, "{name} {kind:?}");
        }
        let (world, after) = world_after();
        let (post, target) = live_on(&world, Platform::Mastodon);
        after.take_calls();
        done(world.scheduler.disconnect_account(&world.account(Platform::Mastodon))).unwrap();
        let result = act(&world, &world.caller, post.id, target);
        assert_eq!(outcome(&result), "account_not_connected", "{name}");
        assert_eq!(after.take_calls(), [""; 0], "{name}");
    }
}

#[test]
fn figures_are_read_kept_and_answered() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Mastodon);
    let read = || refused(done(world.scheduler.read_metrics(&world.caller, post.id, target)));
    let none = read();
    assert_eq!(outcome(&none), "unsupported", "nothing was read yet, and nothing can be");
    *after.figures.lock().unwrap() = Some(figures(5.0));
    let first = read().unwrap();
    assert_eq!(
        Value::from(first.clone()),
        json!({"views": 5, "fetchedAt": "2026-11-21T12:00:00Z"})
    );
    world.clock.advance(TimeDelta::minutes(1));
    *after.figures.lock().unwrap() = Some(figures(7.0));
    let second = read().unwrap();
    *after.figures.lock().unwrap() = None;
    assert_eq!(read().unwrap(), second, "the latest, where the network has none");

    let history = |since: Option<&str>| {
        refused(done(world.scheduler.metrics_history(&world.caller, post.id, target, since)))
    };
    assert_eq!(history(None).unwrap(), [first, second.clone()]);
    assert_eq!(history(Some("2026-11-21T13:01:00+01:00")).unwrap(), std::slice::from_ref(&second));
    assert!(history(Some("2026-11-21T12:01:01Z")).unwrap().is_empty());
    for wrong in ["2026-11-21", "2026-11-21T12:00:00", "yesterday", ""] {
        assert_eq!(outcome(&history(Some(wrong))), "invalid_request since", "{wrong}");
    }
    let shown = done(world.scheduler.post_view(&world.post(post.id))).unwrap();
    assert_eq!(shown.targets[0].metrics, Some(second));
}

#[test]
fn the_history_stays_bounded_however_often_it_is_asked_for() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Mastodon);
    *after.figures.lock().unwrap() = Some(figures(1.0));
    for _ in 0..400 {
        world.clock.advance(TimeDelta::minutes(1));
        done(world.scheduler.read_metrics(&world.caller, post.id, target)).unwrap();
    }
    let kept = done(world.store.readings(target, None, u32::MAX)).unwrap();
    assert_eq!(kept.len(), 100 + 6, "the latest, and one of each of the six hours before");
    assert_eq!(kept.last().unwrap().at, world.now());
}

#[test]
fn the_history_of_any_target_can_be_asked_for() {
    let (world, _) = world_after();
    world.connect(Platform::Bluesky, "me");
    let post = post_that_is(&world, "draft");
    let target = post.targets[0].id;
    let history = |caller: &Caller, post, target| {
        refused(done(world.scheduler.metrics_history(caller, post, target, None)))
    };
    assert!(history(&world.caller, post.id, target).unwrap().is_empty());
    let nil = TargetId(uuid::Uuid::nil());
    assert_eq!(outcome(&history(&world.caller, post.id, nil)), "not_found");
    assert_eq!(outcome(&history(&world.stranger(), post.id, target)), "not_found");
    assert_eq!(outcome(&history(&world.caller_with(&[]), post.id, target)), "forbidden");
}

#[test]
fn what_a_network_never_offers_is_said_without_asking_it() {
    for (platform, name, want) in [
        (Platform::Telegram, "metrics", "unsupported"),
        (Platform::Telegram, "insights", "ok"),
        (Platform::Telegram, "comments", "ok"),
        (Platform::Telegram, "comment", "unsupported"),
        (Platform::Mastodon, "insights", "ok"),
        (Platform::Bluesky, "edit", "unsupported"),
        (Platform::Tiktok, "take down", "unsupported"),
    ] {
        let (world, after) = world_after();
        let (post, target) = live_on(&world, platform);
        after.take_calls();
        // Not even a connected account is needed to hear it.
        done(world.scheduler.disconnect_account(&world.account(platform))).unwrap();
        let (_, _, act) = ACTS.into_iter().find(|act| act.0 == name).unwrap();
        let result = act(&world, &world.caller, post.id, target);
        assert_eq!(outcome(&result), want, "{platform} {name}");
        assert_eq!(after.take_calls(), [""; 0], "{platform} {name}");
    }
}

#[test]
fn insights_of_a_video() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Youtube);
    let read = || {
        world.clock.advance(TimeDelta::minutes(1));
        let read = done(world.scheduler.insights(&world.caller, post.id, target)).unwrap();
        serde_json::to_value(read).unwrap()
    };
    assert_eq!(read(), json!({"supported": false}));
    let day = at("2026-11-21T00:00:00Z").date_naive();
    *after.insights.lock().unwrap() =
        Some(Insights { days: Some((day, day)), ..Insights::default() });
    let want = json!({
        "supported": true,
        "retention": [],
        "trafficSources": [],
        "days": ["2026-11-21", "2026-11-21"],
    });
    assert_eq!(read(), want);
}

#[test]
fn comments_are_read_from_the_network() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Mastodon);
    let read = || {
        world.clock.advance(TimeDelta::minutes(1));
        let read = done(world.scheduler.comments(&world.caller, post.id, target)).unwrap();
        serde_json::to_value(read).unwrap()
    };
    let found = read();
    assert_eq!(found["data"][0]["id"], "c1");
    assert_eq!(found["supported"], true);
    assert_eq!(found["can"]["reply"], true);
    let nothing =
        json!({"reply": false, "edit": false, "hide": false, "like": false, "delete": false});
    *after.comments.lock().unwrap() = Some(Comments::default());
    assert_eq!(read(), json!({"data": [], "supported": true, "can": nothing}));
    *after.comments.lock().unwrap() = None;
    assert_eq!(read(), json!({"data": [], "supported": false, "can": nothing}));
}

#[test]
fn what_is_done_with_a_comment() {
    let long = "x".repeat(501);
    for (action, text, want, call) in [
        (Some("reply"), Some("100 % 🦀/x"), "ok", r#"Reply("100 % 🦀/x") on c/1%2F🦀"#),
        (Some("edit"), Some("Better"), "ok", r#"Edit("Better") on c/1%2F🦀"#),
        (Some("hide"), None, "ok", "Hide on c/1%2F🦀"),
        (Some("unhide"), None, "ok", "Unhide on c/1%2F🦀"),
        (Some("like"), None, "ok", "Like on c/1%2F🦀"),
        (Some("unlike"), None, "ok", "Unlike on c/1%2F🦀"),
        (Some("delete"), Some("passed over"), "ok", "Delete on c/1%2F🦀"),
        (Some("reply"), None, "invalid_request text", ""),
        (Some("reply"), Some(" \n"), "invalid_request text", ""),
        (Some("reply"), Some("a\0b"), "invalid_request text", ""),
        (Some("edit"), Some(""), "invalid_request text", ""),
        (Some("reply"), Some(long.as_str()), "invalid_request text", ""),
        (Some("edit"), Some(long.as_str()), "invalid_request text", ""),
        (Some("pin"), None, "invalid_request action", ""),
        (Some("Reply"), Some("x"), "invalid_request action", ""),
        (None, Some("x"), "invalid_request action", ""),
    ] {
        let (world, after) = world_after();
        let (post, target) = live_on(&world, Platform::Mastodon);
        after.take_calls();
        let input =
            CommentInput { action: action.map(str::to_owned), text: text.map(str::to_owned) };
        let id = "c/1%2F🦀";
        let caller = &world.caller;
        let result =
            refused(done(world.scheduler.act_on_comment(caller, post.id, target, id, input, None)));
        assert_eq!(outcome(&result), want, "{action:?} {text:?}");
        let calls = after.take_calls();
        assert_eq!(calls.first().map_or("", String::as_str), call, "{action:?} {text:?}");
        let Ok(answered) = result.map(|made| made.value) else { continue };
        let answered = serde_json::to_value(answered).unwrap();
        if action == Some("reply") {
            assert_eq!((&answered["id"], &answered["text"]), (&json!("reply"), &json!(text)));
        } else {
            assert_eq!(answered, json!({"id": id, "action": action}));
        }
    }
}

#[test]
fn a_comment_that_the_network_does_not_know_is_not_found() {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Mastodon);
    after.fail(NetworkError::not_found("It is gone."));
    let input = commenting("like");
    let caller = &world.caller;
    let result =
        refused(done(world.scheduler.act_on_comment(caller, post.id, target, "c", input, None)));
    let refusal = result.unwrap_err();
    assert_eq!((refusal.code, &*refusal.message()), (ErrorCode::NotFound, "It is gone."));
}
