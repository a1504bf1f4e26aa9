//! Telling people what happens.

use chrono::TimeDelta;
use scheduler_core::app::NotifierInput;
use scheduler_core::error::Refusal;
use scheduler_core::ids::NotifierId;
use scheduler_core::notification::{EVENTS_IN_A_MESSAGE, NOTIFIERS_MAX, NotifierView};
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::{Value, json};

use crate::fakes::answer;
use crate::publish::fails;
use crate::support::{World, at, body, done, outcome, refused};

fn add(world: &World, input: Value) -> Result<NotifierView, Refusal> {
    let input: NotifierInput = serde_json::from_value(input).unwrap();
    refused(done(world.scheduler.create_notifier(world.caller.workspace.id, input)))
}

fn email(world: &World) -> NotifierView {
    add(world, json!({"channel": "email", "address": "ana@bakery.example"})).unwrap()
}

/// Looks for what is to be told after so many seconds.
fn look_after(world: &World, seconds: i64) -> usize {
    world.clock.advance(TimeDelta::seconds(seconds));
    done(world.scheduler.notify()).unwrap()
}

/// Posts that fail for good, a second later.
fn fail(world: &World, count: usize) {
    world.clock.advance(TimeDelta::seconds(1));
    for _ in 0..count {
        world.network.script([fails(Kind::Permanent)]);
        world.create(body(&["mastodon"], json!({"publishNow": true})));
    }
    world.work();
}

fn told(world: &World) -> Vec<(String, String)> {
    let sent = world.mail.sent.lock().unwrap();
    sent.iter().map(|(to, message)| (to.clone(), message.title.clone())).collect()
}

fn view(world: &World) -> NotifierView {
    done(world.scheduler.notifiers(world.caller.workspace.id)).unwrap().remove(0)
}

#[test]
fn many_failures_are_one_message_and_each_is_told_once() {
    let world = World::new();
    fail(&world, 1);
    email(&world);
    assert_eq!(look_after(&world, 60), 0, "what happened before is not told");
    fail(&world, 3);
    assert_eq!(look_after(&world, 9), 0, "others may be on their way");
    fail(&world, 2);
    assert_eq!(look_after(&world, 60), 1);
    let ana = || "ana@bakery.example".to_owned();
    assert_eq!(told(&world), [(ana(), "home: 5 posts have failed".to_owned())]);
    assert_eq!(view(&world).told_at, Some(world.now()));

    fail(&world, 1);
    assert_eq!(look_after(&world, 240), 0, "not before five minutes have passed");
    assert_eq!(look_after(&world, 60), 1);
    assert_eq!(told(&world)[1], (ana(), "home: a post has failed".to_owned()));
    assert_eq!(look_after(&world, 3_600), 0);
}

#[test]
fn what_happens_in_quiet_hours_is_told_at_their_end() {
    let world = World::new();
    let quiet = json!({"from": "13:00", "to": "14:30", "timezone": "Europe/Berlin"});
    let night = json!({"channel": "email", "address": "a@b.example", "quiet": quiet});
    add(&world, night).unwrap();
    world.clock.set(at("2026-11-21T12:10:00Z"));
    fail(&world, 2);
    assert_eq!(look_after(&world, 600), 0);
    world.clock.set(at("2026-11-21T13:29:59Z"));
    assert_eq!(done(world.scheduler.notify()).unwrap(), 0);
    world.clock.set(at("2026-11-21T13:30:00Z"));
    assert_eq!(done(world.scheduler.notify()).unwrap(), 1);
    assert_eq!(told(&world), [("a@b.example".to_owned(), "home: 2 posts have failed".to_owned())]);
}

#[test]
fn what_cannot_be_told_is_tried_again_and_says_why() {
    let world = World::new();
    email(&world);
    fail(&world, 1);
    world.mail.answers.lock().unwrap().extend([Err("450 later".to_owned()), Ok(())]);
    assert_eq!(look_after(&world, 60), 0);
    assert_eq!(view(&world).error.as_deref(), Some("450 later"));
    assert_eq!(look_after(&world, 20), 0);
    fail(&world, 1);
    assert_eq!(look_after(&world, 40), 1);
    assert_eq!(told(&world)[1].1, "home: 2 posts have failed", "with what came meanwhile");
    assert_eq!(view(&world).error, None);

    // What is refused for hours is left out in the end, and what comes later is told.
    world.mail.answers.lock().unwrap().extend((0..6).map(|_| Err("no".to_owned())));
    fail(&world, 1);
    for minutes in [10, 1, 3, 12, 70, 400] {
        assert_eq!(look_after(&world, minutes * 60), 0);
    }
    fail(&world, 1);
    assert_eq!(look_after(&world, 600), 1);
    assert_eq!(told(&world).last().unwrap().1, "home: a post has failed");
}

#[test]
fn only_what_they_asked_for_in_their_workspace_is_told() {
    let world = World::new();
    let stranger = world.stranger();
    let input = json!({"channel": "email", "address": "b@c.example", "events": ["post.failed"]});
    let elsewhere = serde_json::from_value(input).unwrap();
    done(world.scheduler.create_notifier(stranger.workspace.id, elsewhere)).unwrap();
    let input = json!({"channel": "email", "address": "a@b.example", "events": ["post.published"]});
    add(&world, input).unwrap();
    fail(&world, 1);
    assert_eq!(look_after(&world, 60), 0);
    world.create(body(&["bluesky"], json!({"publishNow": true})));
    world.work();
    assert_eq!(look_after(&world, 60), 1);
    assert_eq!(told(&world), [("a@b.example".to_owned(), "home: a post is live".to_owned())]);
}

#[test]
fn more_than_a_message_holds_is_told_by_the_next() {
    let world = World::new();
    let input = json!({"channel": "email", "address": "a@b.example", "events": ["media.failed"]});
    add(&world, input).unwrap();
    let count = EVENTS_IN_A_MESSAGE as usize + 1;
    world.clock.advance(TimeDelta::seconds(1));
    for _ in 0..count {
        world.fetched([Err(scheduler_core::ports::FetchError::Refused("It is gone.".to_owned()))]);
    }
    world.work();
    assert_eq!(look_after(&world, 60), 1);
    assert_eq!(told(&world)[0].1, "home: 200 files cannot be used");
    assert_eq!(look_after(&world, 300), 1);
    assert_eq!(told(&world)[1].1, "home: a file cannot be used");
}

#[test]
fn each_channel_is_reached_in_its_way() {
    let world = World::new();
    for (channel, address) in [
        ("slack", "https://hooks.example/services/T0"),
        ("discord", "https://discord.example/api/webhooks/1"),
        ("ntfy", "https://ntfy.example/bakery"),
    ] {
        let id = add(&world, json!({"channel": channel, "address": address})).unwrap().id;
        world.receiver.answers.lock().unwrap().extend([answer(200), answer(404)]);
        let test = || done(world.scheduler.test_notifier(&world.caller.workspace, id)).unwrap();
        assert_eq!(
            (test().sent, test().error.unwrap().as_str()),
            (true, "It answered 404: answer 404")
        );
        let sent = world.receiver.received.lock().unwrap().pop().unwrap();
        assert!(sent.body.contains("home: a test") && sent.headers.is_empty(), "{}", sent.body);
    }
    let id = email(&world).id;
    assert!(done(world.scheduler.test_notifier(&world.caller.workspace, id)).unwrap().sent);
    assert_eq!(told(&world), [("ana@bakery.example".to_owned(), "home: a test".to_owned())]);
    let nobody = NotifierId(uuid::Uuid::nil());
    let tested = done(world.scheduler.test_notifier(&world.caller.workspace, nobody));
    assert_eq!(outcome(&refused(tested)), "not_found");
}

#[test]
fn what_is_added_is_checked() {
    let world = World::new();
    let long = format!("https://a.example/{}", "a".repeat(3_000));
    let same = json!({"from": "07:00", "to": "07:00", "timezone": "UTC"});
    for (name, input, want) in [
        ("a mailbox", json!({"channel": "email", "address": " ana@b.example "}), "ok"),
        ("no mailbox", json!({"channel": "email", "address": "ana"}), "invalid_request address"),
        (
            "not public",
            json!({"channel": "slack", "address": "http://a.example"}),
            "invalid_request address",
        ),
        (
            "no topic",
            json!({"channel": "ntfy", "address": "https://ntfy.example/"}),
            "invalid_request address",
        ),
        ("too long", json!({"channel": "slack", "address": long}), "invalid_request address"),
        (
            "no event",
            json!({"channel": "email", "address": "ana@b.example", "events": []}),
            "invalid_request events",
        ),
        (
            "an event for programs",
            json!({"channel": "email", "address": "ana@b.example", "events": ["post.scheduled"]}),
            "invalid_request events",
        ),
        (
            "no quiet hour",
            json!({"channel": "email", "address": "ana@b.example", "quiet": same}),
            "invalid_request quiet.to",
        ),
    ] {
        assert_eq!(outcome(&add(&world, input)), want, "{name}");
    }
    for _ in 1..NOTIFIERS_MAX {
        email(&world);
    }
    let one_more = add(&world, json!({"channel": "email", "address": "ana@b.example"}));
    assert_eq!(outcome(&one_more), "invalid_request channel");
    let (workspace, id) = (world.caller.workspace.id, view(&world).id);
    let elsewhere = world.stranger().workspace.id;
    let remove = |workspace| refused(done(world.scheduler.remove_notifier(workspace, id)));
    assert_eq!(outcome(&remove(elsewhere)), "not_found");
    assert_eq!(outcome(&remove(workspace)), "ok");
    assert_eq!(outcome(&remove(workspace)), "not_found");
}
