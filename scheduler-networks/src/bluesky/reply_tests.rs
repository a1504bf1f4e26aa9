//! Answering comments, as an exchange of values.

use chrono::TimeDelta;
use insta::assert_json_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::bluesky::testing::{DID, access, bluesky, held, live_post, refusal, uri};
use crate::bluesky::views::PostView;
use crate::conversation::{Request, shown};
use crate::testing::{answered, answered_text};

const KEY: &str = "3mabcdefghi2k";

fn comment() -> PostView {
    serde_json::from_value(json!({
        "uri": "at://did:plc:ben/app.bsky.feed.post/3mben",
        "cid": "bafyben",
        "author": { "did": "did:plc:ben", "handle": "ben.example.com" },
        "record": {
            "text": "Well said",
            "createdAt": "2026-11-20T11:00:00Z",
            "reply": {
                "root": { "uri": uri(KEY), "cid": "bafyroot" },
                "parent": { "uri": "at://part", "cid": "bafypart" },
            },
        },
    }))
    .unwrap()
}

fn said(
    text: &str,
    minutes: i64,
    answers: &[Answer],
) -> (Vec<Request>, Result<Option<Comment>, NetworkError>) {
    let (post, mut access) = (live_post(&[KEY]), access());
    access.now += TimeDelta::minutes(minutes);
    let caller = bluesky().caller(&access).unwrap();
    held(answers, |answers| reply(&caller, &post, comment(), text, answers))
}

fn made(key: &str) -> Answer {
    answered(200, &json!({ "uri": uri(key), "cid": "bafymade" }))
}

#[test]
fn a_reply_names_the_root_and_the_comment() {
    let bob = answered(200, &json!({ "did": "did:plc:bob" }));
    let (asked, made) = said("Thanks,\r\n@bob.test #rust", 5, &[bob, made("3mmade")]);
    assert!(asked[0].url.as_str().ends_with("resolveHandle?handle=bob.test"), "{}", asked[0].url);
    assert_json_snapshot!(shown(&asked[1]), @r#"
    {
      "body": {
        "collection": "app.bsky.feed.post",
        "record": {
          "$type": "app.bsky.feed.post",
          "createdAt": "2026-11-20T10:05:00.000Z",
          "facets": [
            {
              "features": [
                {
                  "$type": "app.bsky.richtext.facet#mention",
                  "did": "did:plc:bob"
                }
              ],
              "index": {
                "byteEnd": 17,
                "byteStart": 8
              }
            },
            {
              "features": [
                {
                  "$type": "app.bsky.richtext.facet#tag",
                  "tag": "rust"
                }
              ],
              "index": {
                "byteEnd": 23,
                "byteStart": 18
              }
            }
          ],
          "reply": {
            "parent": {
              "cid": "bafyben",
              "uri": "at://did:plc:ben/app.bsky.feed.post/3mben"
            },
            "root": {
              "cid": "bafyroot",
              "uri": "at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/3mabcdefghi2k"
            }
          },
          "text": "Thanks,\n@bob.test #rust"
        },
        "repo": "did:plc:abcdefghijklmnopqrstuvwx",
        "rkey": "3n2qcmn7qh4aw",
        "swapRecord": null
      },
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://pds.example.com/xrpc/com.atproto.repo.putRecord",
      "visible": true
    }
    "#);
    assert_json_snapshot!(made.unwrap(), @r#"
    {
      "id": "did:plc:abcdefghijklmnopqrstuvwx~3mmade",
      "author": "ana.example.com",
      "text": "Thanks,\n@bob.test #rust",
      "createdAt": "2026-11-20T10:05:00Z",
      "own": true,
      "hidden": false,
      "likeCount": 0
    }
    "#);
}

#[test]
fn whoever_says_the_same_again_makes_nothing_new() {
    let key = |asked: &[Request]| shown(asked.last().unwrap())["body"]["rkey"].clone();
    let first = said("Thanks", 0, &[answered_text(502, "")]).0;
    let again = said("Thanks", 90, &[answered_text(502, "")]).0;
    assert_eq!(key(&first), key(&again));
    assert_ne!(key(&first), key(&said("Thanks!", 0, &[answered_text(502, "")]).0));

    let swapped = || refusal("InvalidSwap", "Record was at bafymade");
    let record = shown(&first[0])["body"]["record"].clone();
    let stored = |value: Value| {
        answered(200, &json!({ "uri": uri("3mmade"), "cid": "bafymade", "value": value }))
    };
    let (asked, found) = said("Thanks", 90, &[swapped(), stored(record.clone())]);
    assert!(!asked[1].is_visible);
    let found = found.unwrap().unwrap();
    assert_eq!(found.id, format!("{DID}~3mmade"));
    assert_eq!(found.created_at, Some(access().now), "when it was said first");

    let mut other = record;
    other["text"] = "another".into();
    let error = said("Thanks", 90, &[swapped(), stored(other)]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_mention_that_cannot_be_looked_up_stays_plain_text() {
    let (asked, made) = said("Thanks, @bob.test", 0, &[answered_text(502, ""), made("3mmade")]);
    assert!(made.is_ok(), "{made:?}");
    assert_eq!(shown(&asked[1])["body"]["record"]["facets"], Value::Null);
}

#[test]
fn what_fails_is_told() {
    use NetworkErrorKind as Kind;
    let too_long = refusal("InvalidRequest", "grapheme too big (maximum 300, got 301)");
    for (name, text, answers, want) in [
        ("no text", " \n", vec![], Kind::Permanent),
        ("too long", "x", vec![too_long], Kind::Permanent),
        ("lost in the middle", "x", vec![answered_text(500, "")], Kind::Unsettled),
        ("unreadable", "x", vec![answered_text(200, "<html>")], Kind::InDoubt),
        ("no address", "x", vec![answered(200, &json!({ "uri": "x", "cid": "y" }))], Kind::InDoubt),
        ("token", "x", vec![refusal("ExpiredToken", "Token has expired")], Kind::TokenExpired),
        (
            "the handle's limit",
            "@bob.test",
            vec![answered_text(429, "")],
            Kind::RateLimited { wait: None },
        ),
    ] {
        assert_eq!(said(text, 0, &answers).1.unwrap_err().kind, want, "{name}");
    }
}
