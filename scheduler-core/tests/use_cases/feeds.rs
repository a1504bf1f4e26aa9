//! Feeds whose items become posts.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use chrono::TimeDelta;
use scheduler_core::app::{Caller, PostOrigin};
use scheduler_core::error::{ErrorCode, FeedRefusal, Refusal, RefusalKind};
use scheduler_core::feeds::{
    FEEDS_MAX, FeedDocument, FeedInput, FeedItem, FeedState, FeedView, ITEMS_READ_MAX, KnownItems,
    Polled, REST, Turn,
};
use scheduler_core::ids::{FeedId, PersonId};
use scheduler_core::notification::Message;
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{FeedStore as _, FetchError};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::session::Person;
use scheduler_core::webhook::EventKind;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{World, done, refused};

pub(crate) fn input(rest: Value) -> FeedInput {
    let mut body = json!({
        "name": "Blog",
        "url": "https://blog.example/feed",
        "targets": [{"platform": "bluesky"}, {"platform": "mastodon"}],
    });
    body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    serde_json::from_value(body).unwrap()
}

fn add(world: &World, rest: Value) -> Result<FeedView, Refusal> {
    refused(done(world.scheduler.create_feed(&world.caller, input(rest))))
}

fn view(world: &World) -> FeedView {
    done(world.scheduler.feeds(world.caller.workspace.id)).unwrap().remove(0)
}

pub(crate) fn item(title: &str) -> FeedItem {
    FeedItem {
        id: format!("tag:{title}"),
        title: title.to_owned(),
        link: Some("https://blog.example/1".to_owned()),
        ..FeedItem::default()
    }
}

/// The feed has these items now, the first of which came last.
pub(crate) fn has(world: &World, etag: &str, items: Vec<FeedItem>) {
    let document = FeedDocument { items, etag: Some(etag.to_owned()), ..FeedDocument::default() };
    *world.source.feed.lock().unwrap() = Some(Ok(document));
}

/// Polls what is due after so many minutes.
fn poll_after(world: &World, minutes: i64) -> usize {
    world.clock.advance(TimeDelta::minutes(minutes));
    done(world.scheduler.poll_feeds()).unwrap()
}

fn posts(world: &World) -> Vec<Post> {
    world.store.posts()
}

#[test]
fn what_is_new_becomes_a_draft_once() {
    let world = World::new();
    has(&world, "1", vec![item("Old")]);
    add(&world, json!({"labels": ["blog"], "templates": {"mastodon": "{title} – {link}"}}))
        .unwrap();
    assert_eq!(poll_after(&world, 0), 0, "what was there before is no news");
    has(&world, "2", vec![item("New"), item("Old")]);
    assert_eq!(poll_after(&world, 29), 0, "not yet");
    assert_eq!(poll_after(&world, 1), 1);
    assert_eq!(poll_after(&world, 30), 0, "as it was");
    has(&world, "3", vec![item("New"), item("Old")]);
    assert_eq!(poll_after(&world, 30), 0, "nothing new in it");

    let [post] = &posts(&world)[..] else { panic!("one post") };
    assert_eq!((post.status, post.content.as_str()), (PostStatus::Draft, "New"));
    assert_eq!(post.link_url.as_deref(), Some("https://blog.example/1"));
    assert_eq!(post.annotations.labels, ["blog"]);
    let captions: Vec<Option<&Value>> =
        post.targets.iter().map(|target| target.options.get("caption")).collect();
    assert_eq!(captions, [None, Some(&json!("New – https://blog.example/1"))]);
    assert_eq!(view(&world).error, None);

    // Whoever looks at it sees what it came from, also once that is gone.
    let origin = || done(world.scheduler.origin_of_post(&world.caller, post.id)).unwrap();
    let (id, name) = (view(&world).id, Some("Blog".to_owned()));
    assert_eq!(origin(), Some(PostOrigin::Feed { id, name }));
    done(world.scheduler.remove_feed(world.caller.workspace.id, id)).unwrap();
    assert_eq!(origin(), Some(PostOrigin::Feed { id, name: None }));
}

/// Whatever else has changed of an item, its id makes it the same.
#[test]
fn an_item_whose_id_is_the_same_makes_one_post() {
    let world = World::new();
    let [first, second] = ["Blog", "Other"].map(|name| {
        let feed = add(&world, json!({"name": name, "existing": true})).unwrap();
        feed.id
    });
    let said = |number: u32| FeedItem {
        id: "tag:blog.example,2026:1".to_owned(),
        title: format!("Title {number}"),
        link: Some(format!("https://blog.example/{number}")),
        summary: format!("Summary {number}"),
        author: format!("Author {number}"),
        published_at: Some(world.now() + TimeDelta::days(i64::from(number))),
    };
    has(&world, "1", vec![said(1)]);
    assert_eq!(poll_after(&world, 0), 2, "once for each feed");
    let made = posts(&world);
    let keys = |posts: &[Post]| -> BTreeSet<String> {
        let keys = posts.iter().map(|post| post.idempotency_key.as_ref().unwrap());
        keys.map(|key| key.as_str().to_owned()).collect()
    };
    // The first half of the SHA-256 of the id; nothing else of the item.
    let hash = "2a7318eef20fed38a336b7504bed069f";
    let of = |feed: FeedId| format!("feed/{feed}/{hash}");
    assert_eq!(keys(&made), BTreeSet::from([of(first), of(second)]));

    has(&world, "2", vec![said(2)]);
    assert_eq!(poll_after(&world, 30), 0, "it is remembered");
    // Also where nobody remembers it, what its post has as its key does.
    for number in 3..6 {
        world.clock.advance(TimeDelta::minutes(30));
        let (now, lease_until) = (world.now(), world.now() + TimeDelta::minutes(5));
        let claim = || done(world.store.claim_feed(now, lease_until)).unwrap();
        let claimed: Vec<_> = std::iter::from_fn(claim).collect();
        assert_eq!(claimed.len(), 2);
        for (feed, state) in claimed {
            let forgotten = FeedState { known: KnownItems::NONE, next_at: now, ..state };
            done(world.store.record_poll(feed.id, lease_until, &forgotten, None)).unwrap();
        }
        has(&world, &number.to_string(), vec![said(number)]);
        poll_after(&world, 0);
    }
    assert_eq!(posts(&world), made, "as they were made of what it said first");

    // Another id is another item, also where all else is the same.
    has(&world, "6", vec![FeedItem { id: "tag:blog.example,2026:2".to_owned(), ..said(1) }]);
    assert_eq!(poll_after(&world, 30), 2);
    assert_eq!((posts(&world).len(), keys(&posts(&world)).len()), (4, 4));
}

#[test]
fn items_go_to_the_queue_and_what_is_refused_is_a_draft_with_the_reason() {
    let world = World::new();
    has(&world, "1", vec![]);
    add(&world, json!({"mode": "queue"})).unwrap();
    poll_after(&world, 0);
    let long = "a".repeat(301);
    has(&world, "2", vec![item("Short"), item(&long)]);
    assert_eq!(poll_after(&world, 30), 2);
    let [refused, queued] = &posts(&world)[..] else { panic!("two posts") };
    assert_eq!((queued.status, queued.targets.len()), (PostStatus::Scheduled, 2));
    assert!(queued.targets.iter().all(|target| target.slot_at().is_some()));
    assert_eq!((refused.status, refused.unfinished), (PostStatus::Draft, true));
    assert_eq!((refused.content.as_str(), refused.targets.len()), (long.as_str(), 2));
    assert!(refused.annotations.note.as_deref().unwrap().starts_with("From the feed Blog: "));

    // Its accounts are gone: the text is kept.
    for account in world.accounts() {
        done(world.scheduler.disconnect_account(&account)).unwrap();
    }
    has(&world, "3", vec![item("Later")]);
    assert_eq!(poll_after(&world, 30), 1);
    let last = posts(&world).pop().unwrap();
    assert_eq!((last.content.as_str(), last.targets.len()), ("Later", 0));
    assert_eq!((last.status, last.annotations.note.is_some()), (PostStatus::Draft, true));
}

#[test]
fn an_item_whose_link_no_post_takes_holds_up_no_other() {
    let world = World::new();
    has(&world, "1", vec![]);
    add(&world, json!({})).unwrap();
    poll_after(&world, 0);
    let wrong = FeedItem { link: Some("ftp://blog.example/1".to_owned()), ..item("Wrong") };
    has(&world, "2", vec![item("Next"), wrong]);
    assert_eq!(poll_after(&world, 30), 2);
    let [wrong, next] = &posts(&world)[..] else { panic!("two posts") };
    assert_eq!((wrong.content.as_str(), wrong.link_url.as_deref()), ("Wrong", None));
    assert_eq!(next.content, "Next");
}

#[test]
fn a_feed_that_fails_says_why_and_is_asked_less_often() {
    let world = World::new();
    has(&world, "1", vec![]);
    let id = add(&world, json!({})).unwrap().id;
    poll_after(&world, 0);
    let away = FetchError::Temporary("blog.example does not answer.".to_owned());
    *world.source.feed.lock().unwrap() = Some(Err(away));
    assert_eq!(poll_after(&world, 30), 0);
    assert_eq!(poll_after(&world, 30), 0);
    let failing = view(&world);
    assert_eq!(
        (failing.failures, failing.error.as_deref()),
        (2, Some("blog.example does not answer."))
    );
    assert_eq!(failing.next_at, Some(world.now() + TimeDelta::minutes(60)));
    has(&world, "2", vec![item("New")]);
    assert_eq!(poll_after(&world, 30), 0, "later");
    done(world.scheduler.hurry_feed(world.caller.workspace.id, id)).unwrap();
    assert_eq!(poll_after(&world, 0), 1);
    assert_eq!((view(&world).failures, view(&world).error), (0, None));
}

#[test]
fn a_person_hurries_a_feed_once_a_minute_and_not_while_it_is_polled() {
    let world = World::new();
    has(&world, "1", vec![]);
    let id = add(&world, json!({})).unwrap().id;
    let workspace = world.caller.workspace.id;
    let hurry = || refused(done(world.scheduler.hurry_feed(workspace, id)));
    assert!(hurry().is_ok(), "nothing was polled yet");
    poll_after(&world, 0);
    let early = hurry().unwrap_err();
    assert_eq!(
        (early.code, early.retry_after_seconds().map(NonZeroU32::get)),
        (ErrorCode::RateLimited, Some(60))
    );
    let from = (world.now() + REST).format("%H:%M:%S UTC").to_string();
    assert!(early.message().contains(&format!("again from {from} on")), "{}", early.message());
    world.clock.advance(REST - TimeDelta::seconds(1));
    assert_eq!(hurry().unwrap_err().retry_after_seconds().map(NonZeroU32::get), Some(1));
    // Nor is it polled sooner when it is changed.
    let sooner = input(json!({"everyMinutes": 15}));
    let changed = done(world.scheduler.change_feed(&world.caller, id, sooner)).unwrap();
    assert_eq!(changed.next_at, Some(world.now() + TimeDelta::seconds(1)));
    assert_eq!(done(world.scheduler.poll_feeds()).unwrap(), 0);
    world.clock.advance(TimeDelta::seconds(1));
    has(&world, "2", vec![item("New")]);
    assert_eq!(hurry().unwrap().next_at, Some(world.now()));

    // Somebody polls it, and takes his time.
    let lease_until = world.now() + TimeDelta::minutes(5);
    assert!(done(world.store.claim_feed(world.now(), lease_until)).unwrap().is_some());
    world.clock.advance(TimeDelta::minutes(2));
    let busy = hurry().unwrap_err();
    assert_eq!(
        (busy.code, busy.retry_after_seconds().map(NonZeroU32::get)),
        (ErrorCode::RateLimited, Some(180))
    );
    let until = RefusalKind::Feed(FeedRefusal::Rests { until: lease_until, now: world.now() });
    assert_eq!(busy.kind, until);
    assert_eq!(poll_after(&world, 0), 0, "nobody else polls it");
    // He has died: it goes on once his time is over.
    assert_eq!(poll_after(&world, 3), 1);
}

#[test]
fn people_are_told_once_of_a_feed_that_keeps_failing() {
    let world = World::new();
    has(&world, "1", vec![]);
    let id = add(&world, json!({})).unwrap().id;
    poll_after(&world, 0);
    let told = || {
        let events = world.store.events();
        events.into_iter().filter(|event| event.kind == EventKind::FeedFailing).collect::<Vec<_>>()
    };
    let fails = |times: usize| {
        let away = FetchError::Temporary("blog.example does not answer.".to_owned());
        *world.source.feed.lock().unwrap() = Some(Err(away));
        for _ in 0..times {
            poll_after(&world, 24 * 60);
        }
        told().len()
    };
    assert_eq!([fails(2), fails(1), fails(9)], [0, 1, 1]);
    let body: Value = serde_json::from_str(&told()[0].body).unwrap();
    assert_eq!(body["data"]["feedId"], json!(id));
    assert_eq!(body["data"]["error"], "blog.example does not answer.");
    let message = Message::of("Bakery", None, &told(), false);
    assert_eq!(message.title, "Bakery: a feed keeps failing");
    assert!(
        message.lines[0]
            .starts_with("feed \"Blog\": blog.example does not answer. Polled again at ")
    );
    has(&world, "2", vec![]);
    poll_after(&world, 24 * 60);
    assert_eq!(view(&world).failures, 0);
    assert_eq!([fails(2), fails(1)], [1, 2], "again, once it has worked");
}

#[test]
fn a_poll_that_has_made_posts_has_not_failed() {
    let world = World::new();
    has(&world, "1", vec![]);
    add(&world, json!({})).unwrap();
    let (feed, state) = done(world.store.feeds(world.caller.workspace.id)).unwrap().remove(0);
    let document = FeedDocument { items: vec![item("New"), item("Old")], ..Default::default() };
    let state = FeedState { read_at: Some(world.now()), failures: 2, ..state };
    for (posted, failures, tells) in [(1, 0, false), (0, 3, true)] {
        let polled = Polled::Read {
            turn: Turn::of(&feed, &state, &document),
            document: document.clone(),
            settled: posted,
            posted,
            error: Some("The pages are slow.".to_owned()),
        };
        let after = state.clone().after(&feed, polled, world.now());
        assert_eq!((after.failures, after.keeps_failing()), (failures, tells), "{posted} posts");
        assert_eq!(after.error.as_deref(), Some("The pages are slow."), "{posted} posts");
    }
}

#[test]
fn what_stood_far_down_at_first_is_no_news_when_the_rest_goes() {
    let world = World::new();
    let old: Vec<FeedItem> = (0..ITEMS_READ_MAX + 5).map(|it| item(&it.to_string())).collect();
    let reads = |etag: &str, all: &[FeedItem]| {
        let (items, beyond) = all.split_at(all.len().min(ITEMS_READ_MAX));
        let document = FeedDocument {
            items: items.to_vec(),
            beyond: beyond.iter().map(FeedItem::hash).collect(),
            etag: Some(etag.to_owned()),
            ..FeedDocument::default()
        };
        *world.source.feed.lock().unwrap() = Some(Ok(document));
    };
    reads("1", &old);
    add(&world, json!({})).unwrap();
    assert_eq!(poll_after(&world, 0), 0);
    reads("2", &old[100..]);
    assert_eq!(poll_after(&world, 30), 0, "all of it stood there at first");
    reads("3", &[&[item("New")], &old[500..]].concat());
    assert_eq!(poll_after(&world, 30), 1);
}

#[test]
fn a_feed_is_paused_changed_and_removed() {
    let world = World::new();
    has(&world, "1", vec![]);
    let id = add(&world, json!({})).unwrap().id;
    poll_after(&world, 0);
    let change = |rest| refused(done(world.scheduler.change_feed(&world.caller, id, input(rest))));
    let moved = change(json!({"url": "https://other.example/feed"})).unwrap_err();
    assert_eq!(moved.field.as_deref(), Some("url"), "all of another feed would be new");
    assert_eq!(change(json!({"paused": true})).unwrap().next_at, None);
    has(&world, "2", vec![item("New")]);
    assert_eq!(poll_after(&world, 600), 0);
    let hurried = refused(done(world.scheduler.hurry_feed(world.caller.workspace.id, id)));
    assert_eq!(hurried.unwrap_err().field.as_deref(), Some("paused"));
    assert_eq!(change(json!({"template": "Read: {title}"})).unwrap().next_at, Some(world.now()));
    assert_eq!(poll_after(&world, 0), 1);
    assert_eq!(posts(&world)[0].content, "Read: New");
    done(world.scheduler.remove_feed(world.caller.workspace.id, id)).unwrap();
    has(&world, "3", vec![item("Late")]);
    assert_eq!(poll_after(&world, 600), 0);
    let again = refused(done(world.scheduler.remove_feed(world.caller.workspace.id, id)));
    assert_eq!(again.unwrap_err().code, ErrorCode::NotFound);
    let elsewhere = world.stranger();
    let unknown = done(world.scheduler.change_feed(&elsewhere, FeedId(id.0), input(json!({}))));
    assert_eq!(refused(unknown).unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn whoever_pauses_a_feed_or_polls_it_more_often_has_not_written_it() {
    let world = World::new();
    has(&world, "1", vec![]);
    let of = |id: u128, name: &str| {
        let person = Person { id: PersonId(Uuid::from_u128(id)), name: name.parse().unwrap() };
        Caller { person: Some(person), ..world.caller.clone() }
    };
    let (ana, ben) = (of(1, "Ana"), of(2, "Ben"));
    let id = done(world.scheduler.create_feed(&ana, input(json!({})))).unwrap().id;
    let change = |caller: &Caller, rest| {
        refused(done(world.scheduler.change_feed(caller, id, input(rest)))).unwrap();
        let stored = done(world.store.feeds(world.caller.workspace.id)).unwrap().remove(0).0;
        stored.written_by.unwrap().name.to_string()
    };
    for (rest, author) in [
        (json!({"paused": true}), "Ana"),
        (json!({"everyMinutes": 60}), "Ana"),
        (json!({"everyMinutes": 15, "paused": true}), "Ana"),
        (json!({"everyMinutes": 15, "mode": "queue"}), "Ben"),
    ] {
        assert_eq!(change(&ben, rest.clone()), author, "{rest}");
    }
    assert_eq!(change(&world.caller, json!({"template": "{link}"})), "Ben", "nobody is named");
}

#[test]
fn a_feed_whose_account_is_gone_can_be_paused() {
    let world = World::new();
    has(&world, "1", vec![]);
    let id = add(&world, json!({})).unwrap().id;
    for account in world.accounts() {
        done(world.scheduler.disconnect_account(&account)).unwrap();
    }
    let change = |rest| refused(done(world.scheduler.change_feed(&world.caller, id, input(rest))));
    let renamed = change(json!({"paused": true, "name": "Other"})).unwrap_err();
    assert_eq!(renamed.code, ErrorCode::AccountNotConnected, "more than that is looked at");
    assert_eq!(change(json!({"paused": true})).unwrap().next_at, None);
    assert!(change(json!({})).is_err(), "it cannot go on");
    assert!(view(&world).feed.paused);
}

#[test]
fn a_refusal_names_the_day_when_it_is_not_today() {
    let world = World::new();
    has(&world, "1", vec![]);
    let id = add(&world, json!({})).unwrap().id;
    let midnight = world.now().date_naive().succ_opt().unwrap().and_hms_opt(0, 0, 0).unwrap();
    world.clock.advance(midnight.and_utc() - world.now() - TimeDelta::seconds(30));
    poll_after(&world, 0);
    let hurried = refused(done(world.scheduler.hurry_feed(world.caller.workspace.id, id)));
    let message = hurried.unwrap_err().message().to_owned();
    let want = format!(
        "The feed is being polled, or was within the last minute. It can be asked for again from {} 00:00:30 UTC on, at the latest.",
        midnight.date()
    );
    assert_eq!(message, want);
}

#[test]
fn what_is_no_feed_is_refused() {
    let world = World::new();
    for (field, rest) in [
        ("url", json!({"url": "http://blog.example/feed"})),
        ("name", json!({"name": ""})),
        ("template", json!({"template": "{titel}"})),
        ("everyMinutes", json!({"everyMinutes": 1})),
        ("targets", json!({"targets": []})),
    ] {
        let refused = add(&world, rest).unwrap_err();
        assert_eq!(refused.field.as_deref(), Some(field));
    }
    let none = add(&world, json!({"targets": [{"platform": "tumblr"}]})).unwrap_err();
    assert_eq!(none.code, ErrorCode::AccountNotConnected);
    for _ in 0..FEEDS_MAX {
        add(&world, json!({})).unwrap();
    }
    assert_eq!(add(&world, json!({})).unwrap_err().field.as_deref(), Some("url"), "too many");
}

#[test]
fn a_trial_tells_what_would_be_made_and_makes_nothing() {
    let world = World::new();
    has(&world, "1", vec![item("Short"), item(&"a".repeat(301))]);
    let trial = done(world.scheduler.try_feed(&world.caller, &input(json!({"mode": "queue"}))));
    let trial = trial.unwrap();
    assert_eq!(trial.count, 2);
    let verdicts: Vec<bool> = trial.items.iter().map(|item| item.report.ok).collect();
    assert_eq!(verdicts, [true, false]);
    assert_eq!(trial.items[1].report.issues[0].rule, "bluesky.text.too_long");
    assert!(posts(&world).is_empty());
    let away = FetchError::Refused("blog.example answered with no feed.".to_owned());
    *world.source.feed.lock().unwrap() = Some(Err(away));
    let unread = done(world.scheduler.try_feed(&world.caller, &input(json!({}))));
    assert_eq!(refused(unread).unwrap_err().field.as_deref(), Some("url"));
}

#[test]
fn a_plan_that_is_used_up_leaves_drafts() {
    let world = World::new();
    has(&world, "1", vec![]);
    add(&world, json!({"mode": "queue"})).unwrap();
    poll_after(&world, 0);
    done(world.scheduler.set_plan(&world.caller.workspace, Plan::Free)).unwrap();
    for round in 0..8 {
        let items = (0..10).map(|number| item(&format!("{round} {number}"))).collect();
        has(&world, &format!("of {round}"), items);
        assert_eq!(poll_after(&world, 30), 10);
    }
    let drafts = posts(&world).into_iter().filter(|post| post.status == PostStatus::Draft);
    assert!(drafts.count() >= 10, "the plan has 30 posts a month");
    assert!(world.accounts().iter().any(|account| account.platform == Platform::Bluesky));
}
