//! Publishing to Bluesky as an exchange of values.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use insta::{allow_duplicates, assert_json_snapshot};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};

use super::*;
use crate::bluesky::Bluesky;
use crate::conversation::{Conversation, Method, Part, shown};
use crate::testing::crash::{Imitation, exhaust};
use crate::testing::{
    answered, answered_text, begun_at, bluesky_job, in_thread, with_header, with_options,
};

const PUT: &str = include_str!("fixtures/put_record.json");
const REPEAT: &str = include_str!("fixtures/put_record_repeat.json");
const GET: &str = include_str!("fixtures/get_record.json");

fn bluesky() -> Bluesky {
    Bluesky::default()
}

/// The request of the next turn.
fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
    match turn {
        Ok(Turn::Done(result)) => result,
        other => panic!("not done: {other:?}"),
    }
}

fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

fn refusal(name: &str, message: &str) -> Answer {
    answered(400, &json!({ "error": name, "message": message }))
}

/// What the server answers to a record that was put.
fn put_answer(key: &str, cid: &str) -> Answer {
    let did = &bluesky_job().account.network_id;
    answered(200, &json!({ "uri": format!("at://{did}/{POSTS}/{key}"), "cid": cid }))
}

#[test]
fn a_post_is_one_record_put_where_nothing_is() {
    let job = bluesky_job();
    let progress = bluesky().begin(&job);
    assert!(bluesky().is_visible(&progress));
    let request = asks(bluesky().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "collection": "app.bsky.feed.post",
        "record": {
          "$type": "app.bsky.feed.post",
          "createdAt": "2026-11-20T10:00:00.000Z",
          "facets": [
            {
              "features": [
                {
                  "$type": "app.bsky.richtext.facet#tag",
                  "tag": "rust"
                }
              ],
              "index": {
                "byteEnd": 11,
                "byteStart": 6
              }
            }
          ],
          "text": "Hello #rust"
        },
        "repo": "did:plc:abcdefghijklmnopqrstuvwx",
        "rkey": "3n2qdbe7m4fof",
        "swapRecord": null
      },
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://pds.example.com/xrpc/com.atproto.repo.putRecord",
      "visible": true
    }
    "#);

    for (name, body) in [("first", PUT), ("repeat", REPEAT)] {
        let step = done(bluesky().advance(&job, &progress, &[answered_text(200, body)]));
        let did = &job.account.network_id;
        let want = Remote::new(
            format!("at://{did}/app.bsky.feed.post/3mabcdefghi2k"),
            Some(format!("https://bsky.app/profile/{did}/post/3mabcdefghi2k")),
        );
        assert_eq!(step, Step::Live(want.into()), "{name}");
    }
}

#[test]
fn a_link_becomes_a_card() {
    let mut job = bluesky_job();
    job.link_url = Some("https://blog.example.com/a?b=c".to_owned());
    let request = asks(bluesky().advance(&job, &bluesky().begin(&job), &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    assert_json_snapshot!(body["record"]["embed"], @r#"
    {
      "$type": "app.bsky.embed.external",
      "external": {
        "description": "",
        "title": "blog.example.com",
        "uri": "https://blog.example.com/a?b=c"
      }
    }
    "#);
}

#[test]
fn mentions_are_resolved_in_a_hidden_step_and_stored() {
    let mut job = bluesky_job();
    job.content =
        "✨ @Bob.example.com and @nobody.example.com, https://a.example/x #日本".to_owned();
    let progress = bluesky().begin(&job);
    assert!(!bluesky().is_visible(&progress));
    let first = asks(bluesky().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&first), @r#"
    {
      "body": null,
      "headers": {},
      "request": "GET https://pds.example.com/xrpc/com.atproto.identity.resolveHandle?handle=bob.example.com",
      "visible": false
    }
    "#);
    let bob = answered(200, &json!({ "did": "did:plc:bob" }));
    let second = asks(bluesky().advance(&job, &progress, std::slice::from_ref(&bob)));
    assert!(second.url.as_str().ends_with("?handle=nobody.example.com"), "{}", second.url);

    for nobody in [
        refusal("HandleNotFound", "Unable to resolve handle"),
        refusal("InvalidRequest", "handle must be a valid handle"),
    ] {
        let answers = [bob.clone(), nobody];
        let progress = next(done(bluesky().advance(&job, &progress, &answers)));
        assert!(bluesky().is_visible(&progress));
        let request = asks(bluesky().advance(&job, &progress, &[]));
        let Body::Json(body) = request.body else { panic!("no JSON") };
        allow_duplicates! { assert_json_snapshot!(body["record"]["facets"], @r#"
        [
          {
            "features": [
              {
                "$type": "app.bsky.richtext.facet#mention",
                "did": "did:plc:bob"
              }
            ],
            "index": {
              "byteEnd": 20,
              "byteStart": 4
            }
          },
          {
            "features": [
              {
                "$type": "app.bsky.richtext.facet#link",
                "uri": "https://a.example/x"
              }
            ],
            "index": {
              "byteEnd": 65,
              "byteStart": 46
            }
          },
          {
            "features": [
              {
                "$type": "app.bsky.richtext.facet#tag",
                "tag": "日本"
              }
            ],
            "index": {
              "byteEnd": 73,
              "byteStart": 66
            }
          }
        ]
        "#) };
    }
}

/// Whatever is wrong with the server that should know a handle, the post goes out.
#[test]
fn a_mention_that_cannot_be_looked_up_keeps_nothing_from_going_out() {
    let mut job = bluesky_job();
    job.content = "@bob.example.com and @away.example.com".to_owned();
    let mentioned = |progress: &Value| {
        let request = asks(bluesky().advance(&job, progress, &[]));
        let Body::Json(body) = request.body else { panic!("no JSON") };
        let facets = body["record"]["facets"].as_array().cloned().unwrap_or_default();
        facets.iter().map(|facet| facet["features"][0]["did"].clone()).collect::<Vec<Value>>()
    };
    let waits = |step: Step| match step {
        Step::Wait { progress, until } => (progress, (until - job.now).num_seconds()),
        other => panic!("does not wait: {other:?}"),
    };
    let bob = || answered(200, &json!({ "did": "did:plc:bob" }));
    for (name, away) in [
        ("a proxy", answered_text(502, "")),
        (
            "an older server",
            answered(500, &json!({ "error": "InternalServerError", "message": "Error" })),
        ),
        ("unreadable", answered_text(200, "<html>")),
    ] {
        let begun = bluesky().begin(&job);
        let answers = [bob(), away.clone()];
        let (once, seconds) = waits(done(bluesky().advance(&job, &begun, &answers)));
        assert_eq!(seconds, 5, "{name}");
        let request = asks(bluesky().advance(&job, &once, &[]));
        assert!(request.url.as_str().ends_with("?handle=away.example.com"), "{name}, one is left");
        let (twice, _) = waits(done(bluesky().advance(&job, &once, std::slice::from_ref(&away))));
        let settled = next(done(bluesky().advance(&job, &twice, &[away])));
        assert_eq!(mentioned(&settled), [json!("did:plc:bob")], "{name}");
        let found = answered(200, &json!({ "did": "did:plc:away" }));
        let settled = next(done(bluesky().advance(&job, &twice, &[found])));
        assert_eq!(mentioned(&settled), [json!("did:plc:bob"), json!("did:plc:away")], "{name}");
    }
    for (name, answer, want) in [
        (
            "limited",
            answered(429, &json!({ "error": "RateLimitExceeded", "message": "" })),
            NetworkErrorKind::RateLimited { wait: None },
        ),
        ("expired", refusal("ExpiredToken", "expired"), NetworkErrorKind::TokenExpired),
    ] {
        let error = bluesky().advance(&job, &bluesky().begin(&job), &[bob(), answer]).unwrap_err();
        assert_eq!(error.kind, want, "{name}");
    }
}

/// Source: <https://atproto.com/specs/handle>; PDS 0.4.217 answers 500 to these.
#[test]
fn what_cannot_be_a_handle_is_not_looked_up() {
    let long = format!("@{}.test", "a".repeat(64));
    for text in ["@-x.test", "@jane-.com", "@a..com", "@support.-x.com", &long] {
        let mut job = bluesky_job();
        job.content = text.to_owned();
        assert!(bluesky().is_visible(&bluesky().begin(&job)), "{text}");
    }
    let longest = format!("@{}.test", "a".repeat(63));
    for text in ["@jane-doe.com", "@a.b.test", &longest] {
        let mut job = bluesky_job();
        job.content = text.to_owned();
        assert!(!bluesky().is_visible(&bluesky().begin(&job)), "{text}");
    }
}

#[test]
fn many_mentions_take_several_steps() {
    let mut job = bluesky_job();
    job.content = (0..20).map(|number| format!("@user{number}.test ")).collect();
    let mut progress = bluesky().begin(&job);
    let mut steps = Vec::new();
    while !bluesky().is_visible(&progress) {
        let mut answers = Vec::new();
        progress = loop {
            match bluesky().advance(&job, &progress, &answers).unwrap() {
                Turn::Send(_) => answers.push(answered(200, &json!({ "did": "did:plc:x" }))),
                Turn::Done(step) => break next(step),
            }
        };
        steps.push(answers.len());
    }
    assert_eq!(steps, [16, 4]);
}

#[test]
fn a_thread_hangs_together_and_goes_on_at_the_part_that_failed() {
    let job = in_thread(bluesky_job(), &["two", "three"]);
    let progress = bluesky().begin(&job);
    assert_eq!(bluesky().part(&progress), Some(Part { number: 1, of: 3 }));
    assert_eq!(bluesky().live_part(&progress), None);

    let progress = next(done(bluesky().advance(&job, &progress, &[put_answer("1", "cid1")])));
    let did = &job.account.network_id;
    let first = Remote::new(
        format!("at://{did}/{POSTS}/1"),
        Some(format!("https://bsky.app/profile/{did}/post/1")),
    );
    assert_eq!(bluesky().live_part(&progress), Some(first.clone()));
    let progress = next(done(bluesky().advance(&job, &progress, &[put_answer("2", "cid2")])));
    assert_eq!(bluesky().part(&progress), Some(Part { number: 3, of: 3 }));
    let live = bluesky().live_part(&progress).unwrap();
    assert_eq!(live.record["parts"].as_array().map(Vec::len), Some(2));

    let error = bluesky().advance(&job, &progress, &[refusal("InvalidRequest", "no")]).unwrap_err();
    assert_eq!(
        (error.kind, error.code),
        (NetworkErrorKind::Permanent, FailureCode::ValidationFailed)
    );
    let request = asks(bluesky().advance(&job, &progress, &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    assert_json_snapshot!(body["record"], @r#"
    {
      "$type": "app.bsky.feed.post",
      "createdAt": "2026-11-20T10:00:00.002Z",
      "reply": {
        "parent": {
          "cid": "cid2",
          "uri": "at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/2"
        },
        "root": {
          "cid": "cid1",
          "uri": "at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/1"
        }
      },
      "text": "three"
    }
    "#);
    let step = done(bluesky().advance(&job, &progress, &[put_answer("3", "cid3")]));
    let parts: Vec<String> = ["1", "2", "3"].map(|key| format!("at://{did}/{POSTS}/{key}")).into();
    let whole = Remote { record: json!({ "parts": parts }), ..first.clone() };
    assert_eq!(step, Step::Live(whole.into()));

    // What an earlier release has begun does not know where its first parts are.
    let mut earlier = progress;
    earlier.as_object_mut().unwrap().remove("parts");
    let step = done(bluesky().advance(&job, &earlier, &[put_answer("3", "cid3")]));
    assert_eq!(step, Step::Live(first.into()));
}

#[test]
fn a_repeat_is_the_same_record_whatever_has_changed_meanwhile() {
    let job = in_thread(bluesky_job(), &["two"]);
    let progress = bluesky().begin(&job);
    let before = asks(bluesky().advance(&job, &progress, &[]));
    let mut later = with_options(job, json!({ "caption": "changed", "thread": [] }));
    later.now += TimeDelta::hours(30);
    later.content = "changed".to_owned();
    later.link_url = Some("https://a.example/".to_owned());
    let after = asks(bluesky().advance(&later, &progress, &[]));
    assert_eq!(before.body, after.body);
}

#[test]
fn a_key_that_is_taken_is_adopted_when_it_is_ours_and_left_alone_otherwise() {
    let job = bluesky_job();
    let progress = bluesky().begin(&job);
    let swap = refusal("InvalidSwap", "Record was at bafyrei");
    let look = asks(bluesky().advance(&job, &progress, std::slice::from_ref(&swap)));
    assert!(!look.is_visible);
    assert_eq!(look.url, asks(bluesky().locate(&job, &progress, &[])).url);

    let ours: Value = serde_json::from_str(GET).unwrap();
    let mut other_time = ours.clone();
    other_time["value"]["createdAt"] = "2026-11-20T10:00:00.001Z".into();
    let mut other_text = ours.clone();
    other_text["value"]["text"] = "another".into();
    let mut neither = other_time.clone();
    neither["value"]["text"] = "another".into();
    for (name, answer, want) in [
        ("ours", answered(200, &ours), Ok(())),
        // Nobody else can know the key: somebody has edited it.
        ("of another time", answered(200, &other_time), Ok(())),
        ("of another text", answered(200, &other_text), Ok(())),
        ("of neither", answered(200, &neither), Err(NetworkErrorKind::InDoubt)),
        (
            "gone again",
            refusal("RecordNotFound", "Could not locate record"),
            Err(NetworkErrorKind::Temporary),
        ),
        ("the look failed", answered_text(503, ""), Err(NetworkErrorKind::Temporary)),
        ("unreadable", answered_text(200, "<html>"), Err(NetworkErrorKind::Temporary)),
    ] {
        let answers = [swap.clone(), answer];
        let turn = bluesky().advance(&job, &progress, &answers);
        match want {
            Ok(()) => assert!(matches!(done(turn), Step::Live(_)), "{name}"),
            Err(kind) => assert_eq!(turn.unwrap_err().kind, kind, "{name}"),
        }
    }
    let located = done(bluesky().locate(&job, &progress, &[answered(200, &neither)]));
    assert_eq!(located, Located::Unknown);
}

#[test]
fn a_lost_answer_is_found_by_the_key() {
    let job = in_thread(bluesky_job(), &["two"]);
    let progress = bluesky().begin(&job);
    let request = asks(bluesky().locate(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": null,
      "headers": {},
      "request": "GET https://pds.example.com/xrpc/com.atproto.repo.getRecord?repo=did%3Aplc%3Aabcdefghijklmnopqrstuvwx&collection=app.bsky.feed.post&rkey=3n2qdbe7m4fof",
      "visible": false
    }
    "#);

    let Located::Continue(after) =
        done(bluesky().locate(&job, &progress, &[answered_text(200, GET)]))
    else {
        panic!("not to be continued")
    };
    assert_eq!(bluesky().part(&after), Some(Part { number: 2, of: 2 }));
    assert!(bluesky().live_part(&after).is_some());

    let absent = refusal("RecordNotFound", "Could not locate record: at://a/b/c");
    let located = done(bluesky().locate(&job, &progress, &[absent]));
    assert_eq!(located, Located::Absent(progress.clone()));
    let failed = bluesky().locate(&job, &progress, &[answered_text(500, "")]).unwrap_err();
    assert_eq!(failed.kind, NetworkErrorKind::Temporary);
}

#[test]
fn an_answer_that_cannot_be_read_is_never_a_success() {
    let job = bluesky_job();
    let progress = bluesky().begin(&job);
    for body in ["", "<html>", "{}", r#"{"uri":1,"cid":2}"#] {
        let error = bluesky().advance(&job, &progress, &[answered_text(200, body)]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{body}");
    }
}

#[test]
fn progress_that_cannot_be_read_sends_nothing() {
    let job = bluesky_job();
    let good = bluesky().begin(&job);
    let mut later = good.clone();
    later["blobs"] = json!([]);
    let mut empty = good.clone();
    empty["posts"] = json!([]);
    let mut half = good;
    half["root"] = json!({ "uri": "at://x", "cid": "y" });
    for progress in [Value::Null, json!({ "stage": "later" }), later, empty, half] {
        assert!(bluesky().is_visible(&progress), "{progress}");
        assert_eq!(bluesky().live_part(&progress), None);
        assert_eq!(bluesky().part(&progress), None);
        let error = bluesky().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{progress}");
        assert_eq!(done(bluesky().locate(&job, &progress, &[])), Located::Unknown);
    }
}

#[test]
fn an_account_that_cannot_be_read_has_to_be_connected_again() {
    let mut job = bluesky_job();
    let progress = bluesky().begin(&job);
    job.credentials = scheduler_core::account::Credentials::new("garbage", None);
    let error = bluesky().advance(&job, &progress, &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Reconnect);
    let mut job = bluesky_job();
    job.account.server_url = None;
    let error = bluesky().advance(&job, &progress, &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Reconnect);
}

#[test]
fn a_rate_limit_names_its_wait() {
    let job = bluesky_job();
    let reset = (begun_at() + TimeDelta::seconds(42)).timestamp().to_string();
    let body = json!({ "error": "RateLimitExceeded", "message": "Rate Limit Exceeded" });
    let answer = with_header(answered(429, &body), "ratelimit-reset", &reset);
    let error = bluesky().advance(&job, &bluesky().begin(&job), &[answer]).unwrap_err();
    let wait = Some(TimeDelta::seconds(42));
    assert_eq!(error.kind, NetworkErrorKind::RateLimited { wait });
}

/// A repository with the rules of `putRecord` as they were measured.
#[derive(Clone, Default)]
struct Repository(BTreeMap<String, Value>);

impl Imitation for Repository {
    fn answer(&mut self, request: &Request, _: DateTime<Utc>) -> Answer {
        let call = request.url.path().rsplit('/').next().unwrap_or_default().to_owned();
        match (call.as_str(), &request.body, request.method) {
            ("com.atproto.identity.resolveHandle", Body::Empty, Method::Get) => {
                answered(200, &json!({ "did": "did:plc:bob" }))
            }
            ("com.atproto.repo.putRecord", Body::Json(input), Method::Post) => {
                let key = input["rkey"].as_str().unwrap();
                let record = &input["record"];
                // The rules of a post stand under its key in collections of their own.
                let place = match input["collection"].as_str() {
                    Some(POSTS) => key.to_owned(),
                    other => format!("{key} {}", other.unwrap()),
                };
                let stored = self.0.entry(place).or_insert_with(|| record.clone());
                if stored == record {
                    put_answer(key, &format!("cid-{key}"))
                } else {
                    refusal("InvalidSwap", "Record was at cid")
                }
            }
            ("com.atproto.repo.getRecord", Body::Empty, Method::Get) => {
                let query: BTreeMap<_, _> = request.url.query_pairs().collect();
                match self.0.get(&*query["rkey"]) {
                    None => refusal("RecordNotFound", "Could not locate record"),
                    Some(value) => {
                        let key = &query["rkey"];
                        let put: Value = put_answer(key, &format!("cid-{key}")).json().unwrap();
                        answered(
                            200,
                            &json!({ "uri": put["uri"], "cid": put["cid"], "value": value }),
                        )
                    }
                }
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let texts = self.0.values().filter_map(|record| record["text"].as_str());
        texts.map(str::to_owned).collect()
    }
}

#[test]
fn whatever_breaks_where_every_part_is_there_once() {
    let mut job = in_thread(bluesky_job(), &["two @bob.test", "three", "four"]);
    job.content = "one".to_owned();
    let texts = ["one", "two @bob.test", "three", "four"];
    exhaust(&bluesky(), &Repository::default(), &job, TimeDelta::minutes(1), &texts);
}

#[path = "options_tests.rs"]
mod options;
