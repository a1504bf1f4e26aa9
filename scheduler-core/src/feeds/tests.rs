use serde_json::{Value, json};
use uuid::Uuid;

use super::*;

fn at(minutes: i64) -> DateTime<Utc> {
    let noon: DateTime<Utc> = "2026-12-01T12:00:00Z".parse().unwrap();
    noon + TimeDelta::minutes(minutes)
}

fn feed(change: impl FnOnce(&mut FeedInput)) -> Feed {
    let targets = vec![Platform::Bluesky.into(), Platform::Youtube.into()];
    let mut input = FeedInput::new("Blog", "https://bakery.example/feed", targets);
    change(&mut input);
    let (id, workspace_id) = (FeedId(Uuid::from_u128(1)), WorkspaceId(Uuid::from_u128(2)));
    Feed { id, workspace_id, input, written_by: None, created_at: at(0) }
}

fn item(id: &str, published: Option<i64>) -> FeedItem {
    let (id, title) = (id.to_owned(), format!("Title of {id}"));
    FeedItem { id, title, published_at: published.map(at), ..FeedItem::default() }
}

fn document(items: Vec<FeedItem>) -> FeedDocument {
    let (etag, last_modified) = (Some("\"1\"".to_owned()), Some("then".to_owned()));
    FeedDocument { items, etag, last_modified, ..FeedDocument::default() }
}

fn ids(turn: &Turn) -> Vec<&str> {
    turn.items.iter().map(|item| item.id.as_str()).collect()
}

/// The state after a poll of which so many items became posts.
fn polled(feed: &Feed, state: &FeedState, read: &FeedDocument, posted: usize) -> FeedState {
    let (turn, document) = (Turn::of(feed, state, read), read.clone());
    state.clone().after(
        feed,
        Polled::Read { document, turn, settled: posted, posted, error: None },
        at(30),
    )
}

#[test]
fn what_was_there_before_becomes_no_post() {
    let read = document(vec![item("new", Some(1)), item("old", Some(-1)), item("undated", None)]);
    let (plain, all) = (feed(|_| {}), feed(|input| input.existing = true));
    let first = FeedState::new(at(0));
    assert_eq!(ids(&Turn::of(&plain, &first, &read)), ["new"]);
    assert_eq!(ids(&Turn::of(&all, &first, &read)), ["undated", "old", "new"]);

    let second = polled(&plain, &first, &read, 1);
    assert!(Turn::of(&plain, &second, &read).items.is_empty());
    let later = document([vec![item("next", Some(-9))], read.items].concat());
    assert_eq!(ids(&Turn::of(&plain, &second, &later)), ["next"], "whatever its date");
}

#[test]
fn a_poll_makes_a_bounded_number_of_posts_the_oldest_first() {
    let feed = feed(|input| input.existing = true);
    let items: Vec<FeedItem> =
        (0..25).rev().map(|number| item(&format!("{number:02}"), None)).collect();
    // Named twice, it is one item.
    let read = document([items.clone(), items[..3].to_vec()].concat());
    let mut state = FeedState::new(at(0));
    for (round, want) in [(1, 0..10), (2, 10..20), (3, 20..25)] {
        let turn = Turn::of(&feed, &state, &read);
        let want: Vec<String> = want.map(|number| format!("{number:02}")).collect();
        assert_eq!(ids(&turn), want, "{round}");
        state = polled(&feed, &state, &read, turn.items.len());
        assert_eq!(state.etag.is_some(), round == 3, "asked again while more waits");
    }
    assert!(Turn::of(&feed, &state, &read).items.is_empty());
}

#[test]
fn what_did_not_become_a_post_comes_again() {
    let feed = feed(|_| {});
    let read = document(vec![item("b", Some(2)), item("a", Some(1))]);
    let state = FeedState::new(at(0));
    let turn = Turn::of(&feed, &state, &read);
    let error = Some("no".to_owned());
    let halfway = Polled::Read { document: read.clone(), turn, settled: 1, posted: 1, error };
    let state = state.after(&feed, halfway, at(30));
    assert_eq!((state.etag.as_deref(), state.error.as_deref()), (None, Some("no")));
    assert_eq!((state.failures, state.next_at), (0, at(60)), "what makes posts does not fail");
    let turn = Turn::of(&feed, &state, &read);
    assert_eq!(ids(&turn), ["b"]);
    let error = Some("no".to_owned());
    let nothing = Polled::Read { document: read, turn, settled: 0, posted: 0, error };
    assert_eq!(state.after(&feed, nothing, at(60)).failures, 1);
}

#[test]
fn failures_are_told_and_waited_for() {
    let feed = feed(|_| {});
    let mut state = FeedState { etag: Some("kept".to_owned()), ..FeedState::new(at(0)) };
    for (failures, minutes) in [(1, 30), (2, 60), (3, 120), (4, 240), (5, 480), (6, 960), (7, 1440)]
    {
        state = state.after(&feed, Polled::Failed("It is away.".to_owned()), at(0));
        assert_eq!((state.failures, state.next_at), (failures, at(minutes)), "{failures}");
    }
    assert_eq!(state.error.as_deref(), Some("It is away."));
    let well = state.after(&feed, Polled::NotModified, at(5));
    assert_eq!((well.failures, well.error, well.next_at), (0, None, at(35)));
    assert_eq!((well.etag.as_deref(), well.read_at), (Some("kept"), Some(at(5))));

    let weekly = super::tests::feed(|input| input.every_minutes = EVERY_MINUTES[1]);
    let state = FeedState::new(at(0)).after(&weekly, Polled::Failed(String::new()), at(0));
    assert_eq!(state.next_at, at(i64::from(EVERY_MINUTES[1])), "never sooner than it is polled");
}

#[test]
fn posts_of_items() {
    let item = FeedItem {
        link: Some("https://bakery.example/1".to_owned()),
        author: "Ana".to_owned(),
        ..item("1", None)
    };
    let feed = feed(|input| {
        input.templates.insert(Platform::Youtube, "{title} by {author}".to_owned());
        input.labels = vec!["blog".to_owned()];
    });
    let body = |mode| serde_json::to_value(feed.input.post_of(&item, mode)).unwrap();
    let mut want: Value = json!({
        "content": "Title of 1",
        "linkUrl": "https://bakery.example/1",
        "labels": ["blog"],
        "targets": [
            {"platform": "bluesky"},
            {"platform": "youtube", "options": {"caption": "Title of 1 by Ana"}},
        ],
        "queue": true,
    });
    assert_eq!(body(FeedMode::Queue), want);
    let draft = want.as_object_mut().unwrap();
    draft.remove("queue");
    draft.insert("saveAsDraft".to_owned(), json!(true));
    draft.insert("allowIssues".to_owned(), json!(true));
    assert_eq!(body(FeedMode::Drafts), want);
}

#[test]
fn what_a_feed_may_be() {
    let long = "a".repeat(NAME_MAX_CHARACTERS + 1);
    for (field, change) in [
        ("name", (|input| input.name = " ".to_owned()) as fn(&mut FeedInput)),
        ("targets", |input| input.targets.clear()),
        ("everyMinutes", |input| input.every_minutes = 14),
        ("everyMinutes", |input| input.every_minutes = 10_081),
        ("template", |input| input.template = Some("{titel}".to_owned())),
        ("templates.bluesky", |input| {
            input.templates.insert(Platform::Bluesky, "{".to_owned());
        }),
        ("labels[0]", |input| input.labels = vec![String::new()]),
    ] {
        let refused = feed(change).input.check().unwrap_err();
        assert_eq!(refused.field.as_deref(), Some(field));
    }
    assert!(feed(|input| input.name = long).input.check().is_err());
    assert_eq!(feed(|_| {}).input.check(), Ok(()));
}
