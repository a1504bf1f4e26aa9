//! Requests with an Idempotency-Key, other than for posts.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use chrono::TimeDelta;
use scheduler_core::app::{Caller, CommentInput, NewPlaylistInput};
use scheduler_core::error::{AppError, Refusal};
use scheduler_core::idempotency::{Fingerprint, IdempotencyKey, Made, Replay};
use scheduler_core::ids::{AccountId, PostId, TargetId};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde_json::{Value, json};

use crate::after_support::{ScriptedAfter, live_on, world_after};
use crate::support::{World, done, outcome, refused};

fn key(text: &str, body: &str) -> IdempotencyKey {
    IdempotencyKey::new(text, Some(Fingerprint::of(body.as_bytes()))).unwrap()
}

type Making<'a> = Pin<Box<dyn Future<Output = Result<Made<Value>, AppError>> + 'a>>;

/// What is made: as whom, saying what, under which key.
struct Case {
    name: &'static str,
    make: fn(&Live, &Caller, &str, Option<IdempotencyKey>) -> Making<'static>,
}

/// A live post of a network that answers as told, and what is asked of it.
struct Live {
    world: World,
    after: std::sync::Arc<ScriptedAfter>,
    account: AccountId,
    post: PostId,
    target: TargetId,
}

fn live() -> Live {
    let (world, after) = world_after();
    let (post, target) = live_on(&world, Platform::Youtube);
    let account = post.targets[0].account_id;
    after.take_calls();
    Live { post: post.id, account, target, world, after }
}

fn shown<T: serde::Serialize>(made: Made<T>) -> Made<Value> {
    Made { value: serde_json::to_value(made.value).unwrap(), replay: made.replay }
}

/// What is made at a network.
const AT_NETWORKS: [Case; 2] = [
    Case {
        name: "playlist",
        make: |live, caller, text, key| {
            let (scheduler, caller) = (live.world.scheduler.clone(), caller.clone());
            let (account, title) = (live.account, Some(text.to_owned()));
            Box::pin(async move {
                let input = NewPlaylistInput { title, privacy: None };
                let made = scheduler.create_playlist(&caller, account, input, key.as_ref()).await;
                Ok(shown(made?))
            })
        },
    },
    Case {
        name: "reply",
        make: |live, caller, text, key| {
            let (scheduler, caller) = (live.world.scheduler.clone(), caller.clone());
            let (post, target, text) = (live.post, live.target, Some(text.to_owned()));
            Box::pin(async move {
                let input = CommentInput { action: Some("reply".to_owned()), text };
                let key = key.as_ref();
                let made = scheduler.act_on_comment(&caller, post, target, "c1", input, key).await;
                Ok(shown(made?))
            })
        },
    },
];

impl Live {
    fn make(&self, case: &Case, text: &str, keyed: &str) -> Result<Made<Value>, Refusal> {
        let key = key(keyed, text);
        refused(done((case.make)(self, &self.world.caller, text, Some(key))))
    }
}

#[test]
fn what_is_made_at_a_network_is_made_once_for_each_key() {
    for case in AT_NETWORKS {
        let (live, name) = (live(), case.name);
        let first = live.make(&case, "Walks", "key number 1").unwrap();
        assert!(first.is_new(), "{name}");
        assert_eq!(live.after.take_calls().len(), 1, "{name}");
        for (text, want) in [("Walks", Replay::SameBody), ("Runs", Replay::OtherBody)] {
            let again = live.make(&case, text, "key number 1").unwrap();
            assert_eq!((&again.value, again.replay), (&first.value, Some(want)), "{name} {text}");
        }
        assert_eq!(live.after.take_calls(), [""; 0], "{name}: nothing is sent again");
        let other = live.make(&case, "Walks", "key number 2").unwrap();
        assert!(other.is_new(), "{name}: another key");
        for _ in 0..2 {
            let unkeyed = (case.make)(&live, &live.world.caller, "Walks", None);
            assert!(done(unkeyed).unwrap().is_new(), "{name}: no key");
        }
        assert_eq!(live.after.take_calls().len(), 3, "{name}");
    }
}

#[test]
fn a_key_is_kept_by_what_may_have_been_made() {
    use NetworkErrorKind as Kind;
    for case in AT_NETWORKS {
        for (kind, want, is_kept) in [
            (Kind::Temporary, "network_error", false),
            (Kind::RateLimited { wait: None }, "rate_limited", false),
            (Kind::Permanent, "network_refused", false),
            (Kind::InDoubt, "in_doubt", true),
            (Kind::Unsettled, "in_doubt", true),
        ] {
            let (live, name) = (live(), format!("{} {kind:?}", case.name));
            live.after.fail(NetworkError::new(kind, "No."));
            assert_eq!(outcome(&live.make(&case, "Walks", "key number 1")), want, "{name}");
            live.after.take_calls();
            let again = live.make(&case, "Walks", "key number 1");
            assert_eq!(outcome(&again), if is_kept { "in_doubt" } else { "ok" }, "{name}");
            assert_eq!(live.after.take_calls().len(), usize::from(!is_kept), "{name}");
            let other = live.make(&case, "Walks", "key number 2");
            assert!(other.unwrap().is_new(), "{name}: after a look, under another key");
        }
    }
}

#[test]
fn what_is_refused_before_anything_is_sent_leaves_no_key() {
    for case in AT_NETWORKS {
        let (live, name) = (live(), case.name);
        assert!(outcome(&live.make(&case, " ", "key number 1")).starts_with("invalid_request"));
        assert!(live.make(&case, "Walks", "key number 1").unwrap().is_new(), "{name}");
        let unread = live.make(&case, " ", "key number 1").unwrap();
        assert_eq!(unread.replay, Some(Replay::OtherBody), "{name}: whatever the body");
    }
}

fn poll<T>(future: &mut Pin<Box<dyn Future<Output = T> + '_>>) -> Option<T> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

#[test]
fn a_repeat_waits_for_the_first() {
    for case in AT_NETWORKS {
        let (live, name) = (live(), case.name);
        let held = live.after.hold();
        let start = |text| {
            let key = key("key number 1", text);
            (case.make)(&live, &live.world.caller, text, Some(key))
        };
        let (mut first, mut second) = (start("Walks"), start("Runs"));
        assert!(poll(&mut first).is_none(), "{name}");
        assert!(poll(&mut second).is_none(), "{name}");
        drop(held);
        let first = poll(&mut first).unwrap().unwrap();
        live.world.clock.advance(TimeDelta::seconds(1));
        let second = poll(&mut second).unwrap().unwrap();
        assert_eq!((second.value, second.replay), (first.value, Some(Replay::OtherBody)), "{name}");
        assert_eq!(live.after.take_calls().len(), 1, "{name}");
    }
}

#[test]
fn a_first_request_that_was_cut_off_is_never_sent_again() {
    for case in AT_NETWORKS {
        let (live, name) = (live(), case.name);
        let held = live.after.hold();
        let start = || {
            let key = key("key number 1", "Walks");
            (case.make)(&live, &live.world.caller, "Walks", Some(key))
        };
        let mut first = start();
        assert!(poll(&mut first).is_none(), "{name}");
        // The process is killed while the network is asked.
        drop(first);
        drop(held);
        let mut repeat = start();
        let mut looks = 0;
        let told = loop {
            if let Some(told) = poll(&mut repeat) {
                break refused(told);
            }
            looks += 1;
            live.world.clock.advance(TimeDelta::milliseconds(200));
        };
        assert_eq!((outcome(&told).as_str(), looks), ("in_flight", 50), "{name}: 10 s");
        live.world.clock.advance(TimeDelta::minutes(5));
        let told = live.make(&case, "Walks", "key number 1").unwrap_err();
        assert_eq!(outcome(&Err::<(), _>(told.clone())), "in_doubt", "{name}");
        assert!(told.message().ends_with("send it with another key."), "{name}: {told}");
        assert_eq!(live.after.take_calls().len(), 1, "{name}");
    }
}

#[test]
fn only_a_reply_keeps_a_key() {
    let live = live();
    let act = |action: &str, comment: &str| {
        let input = CommentInput { action: Some(action.to_owned()), text: Some("Hi".to_owned()) };
        let (caller, key) = (&live.world.caller, key("key number 1", action));
        let acted = live.world.scheduler.act_on_comment(
            caller,
            live.post,
            live.target,
            comment,
            input,
            Some(&key),
        );
        done(acted).unwrap().replay
    };
    for (action, comment, want) in [
        ("like", "c1", None),
        ("edit", "c1", None),
        ("reply", "c1", None),
        ("reply", "c1", Some(Replay::SameBody)),
        ("like", "c1", Some(Replay::OtherBody)),
        ("reply", "c2", None),
    ] {
        assert_eq!(act(action, comment), want, "{action} {comment}");
    }
}

#[test]
fn files_are_declared_once_for_each_key() {
    let world = World::new();
    let declare = |caller: &Caller, bytes: u64, keyed: &str| {
        let body = json!({"kind": "image", "sizeBytes": bytes});
        let key = key(keyed, &body.to_string());
        let input = serde_json::from_value(body).unwrap();
        refused(done(world.scheduler.declare_media(caller, input, Some(&key)))).unwrap()
    };
    let first = declare(&world.caller, 1_000, "key number 1");
    assert!(first.is_new());
    for (bytes, want) in [(1_000, Replay::SameBody), (2_000, Replay::OtherBody)] {
        let again = declare(&world.caller, bytes, "key number 1");
        assert_eq!((again.value.media.id, again.replay), (first.value.media.id, Some(want)));
    }
    world.erase(first.value.media.id).unwrap();
    let again = declare(&world.caller, 1_000, "key number 1");
    assert_eq!(again.value.media.status.as_str(), "deleted", "as it is now");
    assert!(declare(&world.caller, 1_000, "key number 2").is_new());
    assert!(declare(&world.stranger(), 1_000, "key number 1").is_new());
}

#[test]
fn webhooks_are_created_once_for_each_key_and_show_their_secret_once() {
    let world = World::empty();
    let create = |caller: &Caller, url: &str| {
        let body = json!({"url": url});
        let key = key("key number 1", &body.to_string());
        let input = serde_json::from_value(body).unwrap();
        refused(done(world.scheduler.create_webhook(caller, input, Some(&key)))).unwrap()
    };
    let first = create(&world.caller, "https://example.com/a");
    assert!(first.is_new() && first.value.secret.is_some());
    for (url, want) in
        [("https://example.com/a", Replay::SameBody), ("https://example.com/b", Replay::OtherBody)]
    {
        let again = create(&world.caller, url);
        assert_eq!((again.value.id, again.replay), (first.value.id, Some(want)), "{url}");
        assert_eq!((again.value.url, again.value.secret), (first.value.url.clone(), None));
    }
    assert!(create(&world.stranger(), "https://example.com/a").is_new());
    done(world.scheduler.remove_webhook(&world.caller, first.value.id)).unwrap();
    let second = create(&world.caller, "https://example.com/a");
    assert!(second.is_new() && second.value.id != first.value.id, "the key went with it");
}
