//! Hiding comments, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind;
use serde_json::json;

use super::*;
use crate::bluesky::testing::{access, bluesky, held, live_post, refusal, uri};
use crate::conversation::{Request, shown};
use crate::testing::{answered, answered_text};

const KEY: &str = "3mabcdefghi2k";
const RUDE: &str = "at://did:plc:cid/app.bsky.feed.post/3mcid";

fn absent() -> Answer {
    refusal("RecordNotFound", "Could not locate record")
}

fn gate(hidden: Value) -> Answer {
    let value = json!({
        "$type": "app.bsky.feed.threadgate",
        "post": uri(KEY),
        "createdAt": "2026-11-20T09:00:00.000Z",
        "allow": [{ "$type": "app.bsky.feed.threadgate#followingRule" }],
        "hiddenReplies": hidden,
        "later": 1,
    });
    answered(200, &json!({ "uri": "at://gate", "cid": "bafygate", "value": value }))
}

fn written() -> Answer {
    answered(200, &json!({ "uri": "at://gate", "cid": "bafynew" }))
}

fn turned(
    is_hidden: bool,
    answers: &[Answer],
) -> (Vec<Request>, Result<Option<Comment>, NetworkError>) {
    let (post, access) = (live_post(&[KEY]), access());
    let caller = bluesky().caller(&access).unwrap();
    held(answers, |answers| hide(&caller, &post, RUDE, is_hidden, answers))
}

#[test]
fn the_first_hidden_comment_makes_rules_by_which_everybody_may_answer() {
    let (asked, hidden) = turned(true, &[absent(), written()]);
    assert_eq!(hidden, Ok(None));
    assert!(asked[0].url.as_str().ends_with(
        "getRecord?repo=did%3Aplc%3Aabcdefghijklmnopqrstuvwx&collection=app.bsky.feed.threadgate&rkey=3mabcdefghi2k"
    ));
    assert_json_snapshot!(shown(&asked[1]), @r#"
    {
      "body": {
        "collection": "app.bsky.feed.threadgate",
        "record": {
          "$type": "app.bsky.feed.threadgate",
          "createdAt": "2026-11-20T10:00:00.000Z",
          "hiddenReplies": [
            "at://did:plc:cid/app.bsky.feed.post/3mcid"
          ],
          "post": "at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/3mabcdefghi2k"
        },
        "repo": "did:plc:abcdefghijklmnopqrstuvwx",
        "rkey": "3mabcdefghi2k",
        "swapRecord": null
      },
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://pds.example.com/xrpc/com.atproto.repo.putRecord",
      "visible": false
    }
    "#);
}

#[test]
fn rules_that_are_there_keep_everything_else() {
    for (name, is_hidden, before, after) in [
        ("hidden", true, json!(["at://other"]), json!(["at://other", RUDE])),
        ("shown again", false, json!(["at://other", RUDE]), json!(["at://other"])),
        ("hidden for the first time", true, Value::Null, json!([RUDE])),
    ] {
        let (asked, turned) = turned(is_hidden, &[gate(before), written()]);
        assert_eq!(turned, Ok(None), "{name}");
        let body = &shown(&asked[1])["body"];
        assert_eq!(body["swapRecord"], "bafygate", "{name}");
        assert_eq!(body["record"]["hiddenReplies"], after, "{name}");
        assert_eq!(body["record"]["allow"].as_array().map(Vec::len), Some(1), "{name}");
        assert_eq!(body["record"]["later"], 1, "{name}");
    }
}

#[test]
fn what_is_so_already_takes_no_call() {
    for (name, is_hidden, answer) in [
        ("hidden", true, gate(json!([RUDE]))),
        ("shown", false, gate(json!(["at://other"]))),
        ("never hidden", false, absent()),
    ] {
        let (asked, turned) = turned(is_hidden, &[answer]);
        assert_eq!((asked.len(), turned), (1, Ok(None)), "{name}");
    }
}

#[test]
fn rules_that_change_meanwhile_are_read_again_and_not_for_ever() {
    let swapped = || refusal("InvalidSwap", "Record was at bafyother");
    let answers = [absent(), swapped(), gate(json!(["at://other"])), written()];
    let (asked, hidden) = turned(true, &answers);
    assert_eq!(hidden, Ok(None));
    let body = &shown(&asked[3])["body"];
    assert_eq!(body["record"]["hiddenReplies"], json!(["at://other", RUDE]));

    let answers = [absent(), swapped(), absent(), swapped(), absent(), swapped()];
    let (asked, hidden) = turned(true, &answers);
    assert_eq!((asked.len(), hidden.unwrap_err().kind), (6, NetworkErrorKind::Temporary));
}

#[test]
fn what_fails_is_told() {
    let full: Vec<Value> = (0..300).map(|number| json!(format!("at://{number}"))).collect();
    for (name, answers, want) in [
        ("full", vec![gate(Value::Array(full))], NetworkErrorKind::Permanent),
        ("not read", vec![answered_text(500, "")], NetworkErrorKind::Temporary),
        ("not written", vec![absent(), answered_text(500, "")], NetworkErrorKind::Temporary),
        (
            "no record",
            vec![answered(200, &json!({ "uri": "at://gate", "cid": "c", "value": 5 }))],
            NetworkErrorKind::Temporary,
        ),
    ] {
        assert_eq!(turned(true, &answers).1.unwrap_err().kind, want, "{name}");
    }
}
