//! Creating and retrying many posts by one request.

use scheduler_core::app::{BatchReport, RetryReport};
use scheduler_core::error::Refusal;
use scheduler_core::key::Scope;
use scheduler_core::ports::NetworkError;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use crate::support::{World, body, done, outcome, refused, statuses};

fn batch(world: &World, posts: &[(&str, Value)], check_only: bool) -> Result<BatchReport, Refusal> {
    batch_as(world, &world.caller, posts, check_only)
}

fn batch_as(
    world: &World,
    caller: &scheduler_core::app::Caller,
    posts: &[(&str, Value)],
    check_only: bool,
) -> Result<BatchReport, Refusal> {
    let posts: Vec<Value> =
        posts.iter().map(|(key, post)| json!({"key": key, "post": post})).collect();
    let input = serde_json::from_value(json!({"posts": posts, "checkOnly": check_only})).unwrap();
    refused(done(world.scheduler.create_posts(caller, input)))
}

fn told(report: &BatchReport) -> Vec<(u16, String)> {
    let field = |result: &scheduler_core::app::BatchResult| {
        let error = result.error.as_ref();
        error.and_then(|error| error.field.clone()).unwrap_or_default()
    };
    report.results.iter().map(|result| (result.status, field(result))).collect()
}

#[test]
fn each_post_is_as_if_it_was_sent_alone() {
    let world = World::new();
    let draft = || body(&["bluesky"], json!({"saveAsDraft": true}));
    let mut long = draft();
    long["content"] = "a".repeat(301).into();
    let mut typo = draft();
    typo["targets"][0]["plattform"] = "bluesky".into();
    let posts = [
        ("first-key", draft()),
        ("too-long-text", long),
        ("a-typo-in-it", typo),
        ("short", draft()),
        ("first-key", draft()),
        ("a-nul-\0", draft()),
    ];
    let report = batch(&world, &posts, false).unwrap();
    let want = [
        (201, ""),
        (422, ""),
        (400, "targets[0].plattform"),
        (400, "key"),
        (200, ""),
        (400, "key"),
    ];
    assert_eq!(told(&report), want.map(|(status, field)| (status, field.to_owned())));
    let [first, .., last, _] = &report.results[..] else { panic!("{report:?}") };
    assert_eq!(first.post.as_ref().unwrap().id, last.post.as_ref().unwrap().id);
    assert_eq!(world.store.posts().len(), 1);
    let again = batch(&world, &posts, false).unwrap();
    assert_eq!(told(&again)[0], (200, String::new()));
    assert_eq!(world.store.posts().len(), 1, "nothing twice");
}

#[test]
fn a_check_stores_nothing_and_says_the_warnings() {
    let world = World::new();
    let mut odd = body(&["bluesky"], json!({"queue": true}));
    odd["targets"][0]["options"] = json!({"foo": 1});
    let mut none = body(&["bluesky"], json!({"scheduledLocal": "2020-01-01T09:00"}));
    none["content"] = "late".into();
    let report = batch(&world, &[("first-key", odd), ("second-key", none)], true).unwrap();
    assert_eq!(told(&report), [(200, String::new()), (400, "scheduledLocal".to_owned())]);
    let issues = report.results[0].issues.as_ref().unwrap();
    assert_eq!(issues[0].rule, "bluesky.options.unknown_key");
    assert!(world.store.posts().is_empty());
}

#[test]
fn what_is_refused_whole() {
    let world = World::new();
    let draft = || body(&["bluesky"], json!({"saveAsDraft": true}));
    let now = body(&["bluesky"], json!({"publishNow": true}));
    let write = world.caller_with(&[Scope::PostsWrite]);
    let posts = [("first-key", draft()), ("second-key", now)];
    assert_eq!(outcome(&batch_as(&world, &write, &posts, false)), "forbidden");
    assert!(world.store.posts().is_empty(), "not even the draft");
    assert_eq!(outcome(&batch(&world, &[], false)), "invalid_request posts");
    let many: Vec<_> = (0..501).map(|_| ("some-key-1", draft())).collect();
    assert_eq!(outcome(&batch(&world, &many, false)), "invalid_request posts");
}

/// A post on Bluesky and Mastodon of which the first target fails so.
fn failed(world: &World, code: FailureCode, label: &str) -> scheduler_core::post::Post {
    world.network.script([Err(NetworkError::permanent("no").with_code(code))]);
    let mut fields = body(&["bluesky", "mastodon"], json!({"publishNow": true}));
    fields["labels"] = json!([label]);
    let post = world.create(fields);
    world.work();
    world.post(post.id)
}

fn retry(world: &World, input: Value) -> Result<(u64, u64), Refusal> {
    let input = serde_json::from_value(input).unwrap();
    let report: Result<RetryReport, Refusal> =
        refused(done(world.scheduler.retry_posts(&world.caller, &input)));
    report.map(|report| (report.retried, report.skipped))
}

const REFUSED: FailureCode = FailureCode::NetworkRefused;
const LOST: FailureCode = FailureCode::InDoubt;

#[test]
fn what_is_retried_of_many() {
    for (name, input, want, after) in [
        ("a label", json!({"label": "spring"}), (1, 0), "done publishing done"),
        ("a network", json!({"platform": "bluesky"}), (2, 0), "publishing publishing done"),
        ("another network", json!({"platform": "mastodon"}), (0, 0), "done done done"),
        ("since", json!({"since": "2026-11-21T12:00:00Z"}), (2, 0), "publishing publishing done"),
        ("since later", json!({"since": "2027-11-21T12:00:00Z"}), (0, 0), "done done done"),
    ] {
        let world = World::new();
        let posts = [
            failed(&world, REFUSED, "Winter"),
            failed(&world, REFUSED, "Spring"),
            failed(&world, LOST, "Spring"),
        ];
        assert_eq!(retry(&world, input), Ok(want), "{name}");
        let statuses = posts.map(|post| world.post(post.id).status.as_str());
        assert_eq!(statuses.join(" "), after, "{name}");
    }
}

#[test]
fn what_is_in_doubt_is_retried_once_its_post_is_named() {
    let world = World::new();
    let post = failed(&world, LOST, "Spring");
    assert_eq!(statuses(&post), "done: failed published");
    let ids = json!({"ids": [post.id]});
    assert_eq!(retry(&world, ids.clone()), Ok((1, 0)));
    assert_eq!(statuses(&world.post(post.id)), "publishing: pending published");
    assert_eq!(retry(&world, ids), Ok((0, 0)), "nothing has failed any more");
}

#[test]
fn a_request_says_which_posts() {
    let world = World::new();
    let unknown = "00000000-0000-0000-0000-000000000001";
    for (input, want) in [
        (json!({}), "invalid_request ids"),
        (json!({"ids": []}), "invalid_request ids"),
        (json!({"ids": [unknown]}), "not_found ids[0]"),
        (json!({"label": ""}), "invalid_request label"),
    ] {
        assert_eq!(outcome(&retry(&world, input.clone())), want, "{input}");
    }
}
