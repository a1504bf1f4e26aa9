//! Posts that come again.

mod changed;
mod ten_years;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::engine::RunOutcome;
use scheduler_core::error::Refusal;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkErrorKind as Kind, RecurrenceStore as _};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::recurrence::{RecurrenceState, RecurrenceView};
use serde_json::{Value, json};

use crate::publish::fails;
use crate::support::{World, at, done, outcome, refused, statuses};

pub(crate) fn create(world: &World, body: Value) -> Result<RecurrenceView, Refusal> {
    let input = serde_json::from_value(body).unwrap();
    refused(done(world.scheduler.create_recurrence(&world.caller, input)))
}

pub(crate) fn change(
    world: &World,
    of: &RecurrenceView,
    body: Value,
) -> Result<RecurrenceView, Refusal> {
    let change = serde_json::from_value(body).unwrap();
    refused(done(world.scheduler.change_recurrence(&world.caller, of.id, change)))
}

fn show(world: &World, of: &RecurrenceView) -> RecurrenceView {
    refused(done(world.scheduler.recurrence(&world.caller, of.id))).unwrap()
}

pub(crate) fn plan(world: &World) -> usize {
    done(world.scheduler.plan_recurrences()).unwrap()
}

/// Every post, soonest first.
fn posts(world: &World) -> Vec<Post> {
    let mut posts = world.store.posts();
    posts.sort_by_key(|post| (post.scheduled_at, post.id));
    posts
}

fn told(posts: &[Post]) -> Vec<String> {
    let told = posts.iter().map(|post| {
        let at = post
            .scheduled_at
            .map_or_else(|| "-".to_owned(), |at| at.format("%m-%d %H:%M").to_string());
        format!("{at} {} {}", post.status.as_str(), post.content)
    });
    told.collect()
}

fn weekly(texts: &[&str]) -> Value {
    json!({
        "name": "Bread of the week",
        "rule": {"rrule": "FREQ=WEEKLY;BYDAY=MO,TH", "start": "2026-11-01T09:00"},
        "entries": [{"post": {"targets": [{"platform": "mastodon"}], "labels": ["bread"]}, "texts": texts}],
    })
}

fn pool(days: u32, texts: &[&str]) -> Value {
    let entry =
        |text: &&str| json!({"post": {"content": text, "targets": [{"platform": "mastodon"}]}});
    let entries: Vec<Value> = texts.iter().map(entry).collect();
    json!({"name": "Old favourites", "evergreen": true, "coolDownDays": days, "entries": entries})
}

#[test]
fn posts_of_a_rule_are_made_ahead_once() {
    let world = World::new();
    let made = create(&world, weekly(&["a", "b"])).unwrap();
    assert_eq!(made.upcoming.len(), 10, "what is to come is known before it is made");
    assert_eq!(plan(&world), 4);
    let want = [
        "11-23 09:00 scheduled a",
        "11-26 09:00 scheduled b",
        "11-30 09:00 scheduled a",
        "12-03 09:00 scheduled b",
    ];
    assert_eq!(told(&posts(&world)), want);
    let first = &posts(&world)[0];
    assert_eq!(first.annotations.labels, ["bread"]);
    assert_eq!(first.occurrence.as_ref().map(|of| of.recurrence_id), Some(made.id));
    for _ in 0..3 {
        world.clock.advance(TimeDelta::hours(1));
        assert_eq!(plan(&world), 0);
    }
    let shown = show(&world, &made);
    assert_eq!(shown.upcoming.iter().filter(|one| one.post_id.is_some()).count(), 4);
    assert_eq!(shown.upcoming[0].post_id, Some(first.id));
    world.clock.set(at("2026-11-23T09:00:00Z"));
    world.work();
    assert_eq!(statuses(&world.post(first.id)), "done: published");
    assert_eq!(plan(&world), 1, "another day has come near");
    assert!(show(&world, &made).entries[0].last_used_at.is_some());
}

#[test]
fn the_local_time_of_each_account_holds_over_clock_changes() {
    let world = World::new();
    let account = world.account(Platform::Mastodon);
    let zone = "Europe/Berlin".parse().unwrap();
    done(world.scheduler.set_account_timezone(&account, Some(zone))).unwrap();
    world.clock.set(at("2027-03-20T12:00:00Z"));
    let rule = |zone: Value| json!({"rrule": "FREQ=DAILY;BYHOUR=2;BYMINUTE=30;COUNT=16", "start": "2027-03-20T00:00", "zone": zone});
    let body = |zone: Value| json!({"name": "Night", "rule": rule(zone), "entries": weekly(&["a"])["entries"]});
    create(&world, body(Value::Null)).unwrap();
    plan(&world);
    let found: Vec<String> = posts(&world)
        .iter()
        .map(|post| post.scheduled_at.unwrap().format("%d %H:%M").to_string())
        .collect();
    // On the 28th clocks go from 2:00 to 3:00.
    assert_eq!(found[6..9], ["27 01:30", "28 01:30", "29 00:30"]);
    create(&world, body(json!("Asia/Tokyo"))).unwrap();
    plan(&world);
    let tokyo = posts(&world)
        .iter()
        .filter(|post| post.scheduled_at.unwrap().format("%H:%M").to_string() == "17:30")
        .count();
    assert_eq!(tokyo, 14, "the zone of the rule, where it has one");
}

#[test]
fn what_a_person_does_to_a_post_stays() {
    let world = World::new();
    let made = create(&world, weekly(&["a", "b"])).unwrap();
    plan(&world);
    let [changed, canceled, removed, left] = posts(&world).try_into().unwrap();
    world.patch(changed.id, json!({"content": "by hand"})).unwrap();
    world.delete(canceled.id).unwrap();
    world.delete(removed.id).unwrap();
    world.delete(removed.id).unwrap();
    let entries = json!([{"id": made.entries[0].id, "post": {"targets": [{"platform": "mastodon"}], "note": "new"}, "texts": ["c", "b"]}]);
    change(&world, &made, json!({"entries": entries})).unwrap();
    assert_eq!(plan(&world), 0);
    assert!(!world.is_stored(removed.id), "and is not made again");
    assert_eq!(world.post(changed.id).content, "by hand");
    assert_eq!(world.post(canceled.id).status, PostStatus::Canceled);
    let left = world.post(left.id);
    assert_eq!(
        (left.content.as_str(), left.annotations.note.as_deref()),
        ("b", Some("new")),
        "changed alike"
    );
    assert!(left.annotations.labels.is_empty(), "what is not said any more is gone");

    // Pausing takes back what is as it was made; resuming makes that again, and nothing else.
    change(&world, &made, json!({"state": "paused"})).unwrap();
    plan(&world);
    assert!(!world.is_stored(left.id));
    assert_eq!(world.post(changed.id).status, PostStatus::Scheduled);
    change(&world, &made, json!({"state": "active"})).unwrap();
    assert_eq!(plan(&world), 1);
    assert_eq!(
        told(&posts(&world)),
        ["11-23 09:00 scheduled by hand", "11-26 09:00 canceled b", "12-03 09:00 scheduled c"]
    );
}

#[test]
fn another_rule_moves_what_waits() {
    let world = World::new();
    let made = create(&world, weekly(&["a"])).unwrap();
    plan(&world);
    let before = posts(&world);
    let rule = json!({"rrule": "FREQ=WEEKLY;BYDAY=TH,SA", "start": "2026-11-01T09:00"});
    change(&world, &made, json!({"rule": rule})).unwrap();
    plan(&world);
    let want = [
        "11-26 09:00 scheduled a",
        "11-28 09:00 scheduled a",
        "12-03 09:00 scheduled a",
        "12-05 09:00 scheduled a",
    ];
    assert_eq!(told(&posts(&world)), want);
    assert!(world.is_stored(before[1].id), "what both rules want is the same post");
    // And back: what was taken back is made again.
    change(&world, &made, json!({"rule": weekly(&[])["rule"]})).unwrap();
    plan(&world);
    assert_eq!(told(&posts(&world)), told(&before));
}

#[test]
fn one_that_ends_is_kept_until_it_is_removed() {
    let world = World::new();
    let made = create(&world, weekly(&["a"])).unwrap();
    plan(&world);
    let first = posts(&world).remove(0);
    world.patch(first.id, json!({"note": "by hand"})).unwrap();
    let remove = || refused(done(world.scheduler.remove_recurrence(&world.caller, made.id)));
    remove().unwrap();
    assert_eq!(show(&world, &made).state, RecurrenceState::Ended);
    assert_eq!(outcome(&remove()), "in_use", "its posts are not taken back yet");
    plan(&world);
    assert_eq!(posts(&world).len(), 1);
    assert_eq!(outcome(&remove()), "in_use", "one is still to go out");
    assert_eq!(
        outcome(&change(&world, &made, json!({"state": "active"}))),
        "invalid_request state"
    );
    world.delete(first.id).unwrap();
    remove().unwrap();
    assert_eq!(outcome(&remove()), "not_found");
}

#[test]
fn free_slots_are_filled_and_people_go_first() {
    let world = World::new();
    let mine = world
        .create(json!({"content": "mine", "queue": true, "targets": [{"platform": "mastodon"}]}));
    create(&world, pool(2, &["a", "b", "c", "d"])).unwrap();
    assert_eq!(plan(&world), 2, "a slot of 24 hours is taken");
    let want = ["11-21 13:00 scheduled mine", "11-21 18:00 scheduled a", "11-22 09:00 scheduled b"];
    assert_eq!(told(&posts(&world)), want);
    // A slot of the pool that somebody has given back is not filled again.
    world.delete(mine.id).unwrap();
    world.delete(posts(&world)[1].id).unwrap();
    world.clock.advance(TimeDelta::minutes(61));
    assert_eq!(plan(&world), 1);
    let queued = world
        .create(json!({"content": "next", "queue": true, "targets": [{"platform": "mastodon"}]}));
    assert_eq!(queued.scheduled_at, Some(at("2026-11-21T18:00:00Z")), "it is free for people");
}

#[test]
fn a_pool_leaves_slots_free_while_it_cools_down() {
    let world = World::new();
    create(&world, pool(2, &["a", "b"])).unwrap();
    for _ in 0..(24 * 6) {
        plan(&world);
        world.work_after(TimeDelta::hours(1));
    }
    let live: Vec<String> = posts(&world)
        .iter()
        .filter(|post| post.status == PostStatus::Done)
        .map(|post| format!("{} {}", post.scheduled_at.unwrap().format("%d %H"), post.content))
        .collect();
    assert_eq!(
        live,
        ["21 13", "21 18", "23 09", "23 13", "25 09", "25 13", "27 09"]
            .iter()
            .zip(["a", "b"].iter().cycle())
            .map(|(at, text)| format!("{at} {text}"))
            .collect::<Vec<_>>()
    );
}

#[test]
fn what_moves_a_post_breaks_no_cool_down() {
    let world = World::new();
    let made = create(&world, pool(3, &["a"])).unwrap();
    plan(&world);
    let first = posts(&world).remove(0);
    // It fails for good, and a person retries it when the next is due.
    world.network.script([fails(Kind::Permanent)]);
    world.clock.set(at("2026-11-21T13:00:00Z"));
    world.work();
    assert_eq!(statuses(&world.post(first.id)), "done: failed");
    world.clock.set(at("2026-11-23T20:00:00Z"));
    assert_eq!(plan(&world), 1);
    let second = posts(&world).remove(1);
    assert_eq!(second.scheduled_at, Some(at("2026-11-24T09:00:00Z")), "what was begun counts");
    world.patch(second.id, json!({"publishNow": true})).unwrap();
    assert!(world.work().contains(&RunOutcome::PublishCoolsDown));
    let waiting = world.post(second.id);
    assert_eq!(statuses(&waiting), "scheduled: pending");
    assert_eq!(waiting.targets[0].due_at(), Some(at("2026-11-24T00:00:00Z")));
    world.clock.set(at("2026-11-24T00:00:00Z"));
    world.work();
    assert_eq!(statuses(&world.post(second.id)), "done: published");
    world.retry(first.id).unwrap();
    world.work();
    assert_eq!(statuses(&world.post(first.id)), "publishing: pending");
    assert_eq!(world.post(first.id).targets[0].due_at(), Some(at("2026-11-27T00:00:00Z")));
    // Not even when the record of the last one is gone.
    world.delete(second.id).unwrap();
    world.clock.set(at("2026-11-26T23:59:00Z"));
    let uses = done(world.store.entry_uses(made.id)).unwrap();
    assert_eq!(uses.len(), 1);
    world.work();
    assert_eq!(statuses(&world.post(first.id)), "publishing: pending");
    world.work_after(TimeDelta::minutes(1));
    assert_eq!(statuses(&world.post(first.id)), "done: published");
}

#[test]
fn what_cannot_go_out_is_a_draft_and_people_are_told() {
    let world = World::new();
    let file = world.file(scheduler_core::media::MediaStatus::Ready);
    let mut body = weekly(&["a"]);
    body["entries"][0]["post"]["mediaIds"] = json!([file]);
    let made = create(&world, body).unwrap();
    done(world.scheduler.delete_media(&world.caller, file)).unwrap();
    plan(&world);
    let posts = posts(&world);
    assert_eq!(posts.len(), 4);
    assert!(posts.iter().all(|post| post.status == PostStatus::Draft));
    let events = world.store.events().len();
    assert_eq!(events, 4, "one for each");
    let problem = show(&world, &made).problem.unwrap();
    assert!(posts.iter().any(|post| Some(post.id) == problem.post_id));
    world.clock.advance(TimeDelta::hours(1));
    plan(&world);
    assert_eq!(world.store.events().len(), events, "once");
    // With another file they go out.
    let entries = json!([{"id": made.entries[0].id, "post": {"content": "b", "targets": [{"platform": "mastodon"}]}}]);
    change(&world, &made, json!({"entries": entries})).unwrap();
    plan(&world);
    let posts = self::posts(&world);
    assert!(
        posts.iter().all(|post| post.status == PostStatus::Scheduled && post.media_ids.is_empty()),
        "{posts:?}"
    );
    assert_eq!(show(&world, &made).problem, None);
}

#[test]
fn nothing_is_made_up_for_what_has_passed() {
    let world = World::new();
    create(&world, weekly(&["a"])).unwrap();
    plan(&world);
    // Nobody looks for seven weeks.
    world.clock.set(at("2027-01-08T12:00:00Z"));
    plan(&world);
    world.work();
    let posts = posts(&world);
    let late: Vec<_> = posts.iter().filter(|post| post.status == PostStatus::Done).collect();
    assert_eq!(late.len(), 4, "what was made goes out late, as every post does");
    let next = posts
        .iter()
        .filter_map(|post| post.scheduled_at)
        .find(|at| *at > self::at("2026-12-04T00:00:00Z"));
    assert_eq!(next, Some(at("2027-01-11T09:00:00Z")));
}

#[test]
fn what_is_refused() {
    let world = World::new();
    let base = weekly(&["a"]);
    let with = |fields: Value| {
        let mut body = base.clone();
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        body
    };
    let entry = |fields: Value| {
        let mut post = json!({"content": "a", "targets": [{"platform": "mastodon"}]});
        post.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        with(json!({"entries": [{"post": post}]}))
    };
    let rule = |rrule: &str| with(json!({"rule": {"rrule": rrule, "start": "2026-11-01T09:00"}}));
    for (name, body, want) in [
        ("as it is", with(json!({})), "ok"),
        ("no name", with(json!({"name": " "})), "invalid_request name"),
        (
            "rule and pool",
            with(json!({"evergreen": true, "coolDownDays": 1})),
            "invalid_request rule",
        ),
        ("neither", with(json!({"rule": null})), "invalid_request rule"),
        (
            "a pool that never cools",
            with(json!({"rule": null, "evergreen": true, "coolDownDays": 0})),
            "invalid_request coolDownDays",
        ),
        (
            "too long a cool-down",
            with(json!({"coolDownDays": 3651})),
            "invalid_request coolDownDays",
        ),
        ("no rule of RFC 5545", rule("every monday"), "invalid_request rule.rrule"),
        ("no entry", with(json!({"entries": []})), "invalid_request entries"),
        ("a time", entry(json!({"queue": true})), "invalid_request entries[0].post.queue"),
        ("no target", entry(json!({"targets": []})), "invalid_request entries[0].post.targets"),
        (
            "too long for the network",
            entry(json!({"content": "a".repeat(501)})),
            "validation_failed entries[0].post",
        ),
        (
            "an account of nobody",
            entry(json!({"targets": [{"platform": "tumblr"}]})),
            "account_not_connected entries[0].post",
        ),
        (
            "an unknown entry",
            with(
                json!({"entries": [{"id": "01890a5d-ac96-774b-bcce-b302099a8057", "post": {"content": "a", "targets": [{"platform": "mastodon"}]}}]}),
            ),
            "invalid_request entries[0].id",
        ),
        (
            "a text too long for the network",
            weekly(&["a", &"a".repeat(501)]),
            "validation_failed entries[0].texts[1]",
        ),
        (
            "a start of long ago",
            with(json!({"rule": {"rrule": "FREQ=DAILY", "start": "0001-01-01T09:00"}})),
            "invalid_request rule.start",
        ),
        ("a text twice", weekly(&["a", "a "]), "invalid_request entries[0].texts[1]"),
    ] {
        assert_eq!(outcome(&create(&world, body)), want, "{name}");
    }
    let reader = world.caller_with(&[scheduler_core::key::Scope::PostsWrite]);
    let input = serde_json::from_value(base.clone()).unwrap();
    let refused = refused(done(world.scheduler.create_recurrence(&reader, input)));
    assert_eq!(
        outcome(&refused),
        "forbidden",
        "what goes out by itself needs the right to publish"
    );
}

#[test]
fn a_network_that_refuses_repeats_is_named() {
    let world = World::new();
    world.connect(Platform::Twitter, "me");
    let on_x = |texts: &[&str]| {
        let mut body = weekly(texts);
        body["entries"][0]["post"]["targets"] = json!([{"platform": "twitter"}]);
        create(&world, body).unwrap().warnings
    };
    let warned = on_x(&["a"]);
    assert_eq!(
        warned.iter().map(|warning| warning.platform).collect::<Vec<_>>(),
        [Platform::Twitter]
    );
    assert_eq!(on_x(&["a", "b"]), []);
    assert_eq!(create(&world, weekly(&["a"])).unwrap().warnings, []);
}

#[test]
fn a_preview_stores_nothing() {
    let world = World::new();
    let input = serde_json::from_value(pool(1, &["a", "b"])).unwrap();
    let writer = world.caller_with(&[scheduler_core::key::Scope::PostsWrite]);
    let preview = refused(done(world.scheduler.preview_recurrence(&writer, input))).unwrap();
    let instants: Vec<DateTime<Utc>> = preview.upcoming.iter().take(3).map(|one| one.at).collect();
    assert_eq!(
        instants,
        [at("2026-11-21T13:00:00Z"), at("2026-11-21T18:00:00Z"), at("2026-11-22T09:00:00Z")]
    );
    assert_eq!(plan(&world), 0);
    assert!(world.store.posts().is_empty());
    assert!(done(world.scheduler.recurrences(&world.caller)).unwrap().is_empty());
}
