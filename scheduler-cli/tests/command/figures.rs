//! `scheduler metrics` and `scheduler insights`: what is asked, and how it is shown.

use serde_json::{Value, json};

use crate::scripted::Scripted;

const POST: &str = "01993b5c-2b7e-7000-8000-000000000001";

fn id(number: u8) -> String {
    format!("00000000-0000-0000-0000-0000000000{number:02}")
}

fn target(number: u8, platform: &str, status: &str, metrics: &Value) -> Value {
    json!({
        "id": id(number), "platform": platform, "accountId": id(number + 20), "status": status,
        "remoteId": "1", "remoteUrl": null, "publishedAt": null, "error": null, "errorCode": null,
        "errorPermanent": false, "attempts": 1, "nextAttemptAt": null, "canEditRemote": true,
        "canDeleteRemote": true, "options": {}, "metrics": metrics,
    })
}

fn account(number: u8, platform: &str, username: &str) -> Value {
    json!({
        "id": id(number + 20), "platform": platform, "username": username, "displayName": null,
        "avatarUrl": null, "connection": null, "canDeleteRemote": true, "needsReconnect": false,
        "paused": false, "timezone": null,
    })
}

fn bluesky() -> Value {
    json!({"likes": 1_234, "reposts": 5, "fetchedAt": "2026-11-22T01:02:03Z"})
}

fn youtube() -> Value {
    json!({"views": 1_000_000, "likes": 7, "fetchedAt": "2026-11-22T01:02:04Z"})
}

/// A server with a post that is live on Bluesky, Mastodon and YouTube, and was taken down from
/// Tumblr. Mastodon was not read yet.
fn server(answers: &[(&str, u16, Value)]) -> Scripted {
    let post = json!({
        "id": POST, "status": "done", "content": "shown", "linkUrl": null, "mediaIds": [],
        "altTexts": [], "scheduledAt": null, "approvalState": null,
        "createdAt": "2026-11-22T00:00:00Z", "updatedAt": "2026-11-22T00:00:00Z",
        "targets": [
            target(1, "bluesky", "published", &bluesky()),
            target(2, "mastodon", "published", &Value::Null),
            target(3, "youtube", "published", &youtube()),
            target(4, "tumblr", "skipped", &json!({"notes": 3})),
        ],
    });
    let accounts = json!({"data": [
        account(1, "bluesky", "ann.test"), account(2, "mastodon", "ann@a.example"),
        account(3, "youtube", "ann"), account(4, "tumblr", "ann"),
    ]});
    let path = format!("GET /posts/{POST}");
    let known = [(path.as_str(), 200, post), ("GET /oauth/accounts", 200, accounts)];
    Scripted::start(&[&known[..], answers].concat())
}

fn cells(shown: &str) -> Vec<Vec<&str>> {
    shown.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn what_is_stored_of_every_live_target() {
    let server = server(&[]);
    let ran = server.run(&["metrics", POST]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let rows = cells(&ran.stdout);
    assert_eq!(rows[0], ["NETWORK", "ACCOUNT", "VIEWS", "LIKES", "REPOSTS", "FETCHED"]);
    assert_eq!(
        rows[1],
        ["bluesky", "@ann.test", "1,234", "5", "Sun", "2026-11-22", "01:02", "UTC"]
    );
    assert_eq!(rows[2], ["mastodon", "@ann@a.example", "not", "yet"]);
    assert_eq!(rows[3], ["youtube", "@ann", "1,000,000", "7", "Sun", "2026-11-22", "01:02", "UTC"]);
    assert_eq!(rows.len(), 4, "what was taken down is not live: {ran:?}");

    let entry = |number: u8, platform: &str, metrics: Value| json!({"targetId": id(number), "platform": platform, "accountId": id(number + 20), "metrics": metrics});
    let all = json!({"data": [
        entry(1, "bluesky", bluesky()), entry(2, "mastodon", Value::Null),
        entry(3, "youtube", youtube()),
    ]});
    assert_eq!(server.run(&["metrics", POST, "--json"]).json(), all);
    let one = server.run(&["metrics", POST, "--target", "youtube", "--json"]);
    assert_eq!(one.json(), youtube());
    let none = server.run(&["metrics", POST, "--target", &id(2), "--json"]);
    assert_eq!((none.code, none.json()), (Some(0), Value::Null));
}

#[test]
fn figures_are_read_now_and_a_network_that_fails_hides_no_other() {
    let path = |number: u8| format!("POST /posts/{POST}/targets/{}/metrics", id(number));
    let fresh = json!({"likes": 2_000, "fetchedAt": "2026-11-22T02:00:00Z"});
    let down = json!({"error": {"code": "network_error", "message": "Mastodon has answered 503."}});
    let server = server(&[
        (&path(1), 200, fresh.clone()),
        (&path(2), 409, down),
        (&path(3), 200, youtube()),
    ]);
    let ran = server.run(&["metrics", POST, "--live"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let rows = cells(&ran.stdout);
    assert_eq!(rows[1], ["bluesky", "@ann.test", "2,000", "Sun", "2026-11-22", "02:00", "UTC"]);
    assert_eq!(rows[2], ["mastodon", "@ann@a.example", "not", "yet"]);
    assert_eq!(ran.stderr, "error: mastodon:@ann@a.example: Mastodon has answered 503.\n");
    let document = server.run(&["metrics", POST, "--live", "--json"]).json();
    assert_eq!(document["data"][0]["metrics"], fresh);
    assert_eq!(document["data"][1]["error"]["code"], "network_error");
    assert_eq!(document["data"][0]["error"], Value::Null);

    let one = server.run(&["metrics", POST, "--live", "--target", "bluesky", "--json"]);
    assert_eq!((one.code, one.json()), (Some(0), fresh));
    let one = server.run(&["metrics", POST, "--live", "--target", "mastodon:@ann"]);
    assert_eq!(one.code, Some(1), "{one:?}");
    assert!(one.stderr.ends_with("next: try again in a moment\n"), "{one:?}");
}

#[test]
fn a_history_is_one_target_s() {
    let path = format!("GET /posts/{POST}/targets/{}/metrics/history", id(1));
    let history = json!({"data": [bluesky(), {"likes": 9, "fetchedAt": "2026-11-22T03:00:00Z"}]});
    let server = server(&[(&path, 200, history.clone())]);
    let vague = server.run(&["metrics", POST, "--history"]);
    assert_eq!(vague.code, Some(2), "{vague:?}");
    let live = "bluesky:@ann.test, mastodon:@ann@a.example, youtube:@ann\n";
    assert!(vague.stderr.contains(live), "{vague:?}");
    let ran = server.run(&["metrics", POST, "--history", "--target", "bluesky"]);
    let rows = cells(&ran.stdout);
    assert_eq!(rows[0], ["LIKES", "REPOSTS", "FETCHED"]);
    assert_eq!(rows[1], ["1,234", "5", "Sun", "2026-11-22", "01:02", "UTC"]);
    assert_eq!(rows[2], ["9", "Sun", "2026-11-22", "03:00", "UTC"]);
    let since = ["--since", "2026-11-22T00:00:00+01:00", "--json"];
    let ran =
        server.run(&[&["metrics", POST, "--history", "--target", "bluesky"], &since[..]].concat());
    assert_eq!(ran.json(), history);
    let line = server.last().line;
    assert!(line.ends_with("/metrics/history?since=2026-11-22T00%3A00%3A00%2B01%3A00"), "{line}");
}

#[test]
fn a_refresh_is_queued_or_waits() {
    let line = "POST /posts/metrics/refresh";
    let ran =
        Scripted::start(&[(line, 200, json!({"queued": 1_234}))]).run(&["metrics", "refresh"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("1,234 readings are queued"), "{ran:?}");
    let soon = json!({"error": {"code": "rate_limited", "message": "Once in 10 minutes."}});
    let ran = Scripted::start(&[(line, 429, soon)]).run(&["metrics", "refresh"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.starts_with("error: Once in 10 minutes. Try again in 7 s.\n"), "{ran:?}");
}

#[test]
fn insights_are_shown_where_there_are_any() {
    let path = |number: u8| format!("GET /posts/{POST}/targets/{}/insights", id(number));
    let point = |elapsed: f64| json!({"elapsedRatio": elapsed, "watchRatio": 0.5, "relativePerformance": null});
    let insights = json!({
        "supported": true, "retention": [point(0.5), point(1.0)],
        "trafficSources": [{"source": "YT_SEARCH", "views": 1_200, "watchTimeMinutes": 30.5}],
    });
    let server =
        server(&[(&path(3), 200, insights.clone()), (&path(1), 200, json!({"supported": false}))]);
    let ran = server.run(&["insights", POST, "youtube"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let rows = cells(&ran.stdout);
    assert_eq!(rows[1], ["50", "%", "50", "%"], "{ran:?}");
    assert_eq!(rows.last().unwrap(), &["YT_SEARCH", "1,200", "30.5"]);
    assert_eq!(server.run(&["insights", POST, "youtube", "--json"]).json(), insights);
    let ran = server.run(&["insights", POST, "bluesky"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("reports nothing beyond the figures"), "{ran:?}");
}

#[test]
fn names_that_fit_no_target_are_wrong_usage() {
    let server = server(&[]);
    for (name, said) in [
        (
            "discord",
            "the post has no discord target; it goes to bluesky, mastodon, youtube, tumblr",
        ),
        ("mastodon:@eve", "no mastodon account is called @eve"),
        ("all", "name one: its id, its network, or NETWORK:@HANDLE"),
    ] {
        let ran = server.run(&["insights", POST, name]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(ran.stderr.contains(said), "{name}: {ran:?}");
    }
}
