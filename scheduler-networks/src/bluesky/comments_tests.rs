//! Reading comments, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;

use super::*;
use crate::bluesky::testing::{access, bluesky, held, lines, live_post, refusal};
use crate::conversation::AfterConversation;
use crate::testing::{answered, answered_text};

const KEYS: [&str; 2] = ["3mabcdefghi2k", "3mabcdefghj2k"];

#[test]
fn comments_are_those_below_every_part() {
    let post = live_post(&KEYS);
    let answers = [answered_text(200, include_str!("fixtures/post_thread.json"))];
    let (asked, comments) = held(&answers, |answers| bluesky().comments(&access(), &post, answers));
    assert_eq!(
        lines(&asked),
        [
            "GET app.bsky.feed.getPostThread?uri=at%3A%2F%2Fdid%3Aplc%3Aabcdefghijklmnopqrstuvwx%2Fapp.bsky.feed.post%2F3mabcdefghi2k&depth=7&parentHeight=0 by did:web:api.bsky.app#bsky_appview"
        ]
    );
    let comments = comments.unwrap().unwrap();
    assert_eq!(comments.rights, RIGHTS);
    assert_json_snapshot!(comments.comments, @r#"
    [
      {
        "id": "did:plc:ben~3mben",
        "author": "ben.example.com",
        "text": "Well said",
        "createdAt": "2026-11-20T10:00:00Z",
        "own": false,
        "hidden": false,
        "likeCount": 5
      },
      {
        "id": "did:plc:abcdefghijklmnopqrstuvwx~3mthanks",
        "author": "ana.example.com",
        "text": "Thanks",
        "createdAt": null,
        "own": true,
        "hidden": false,
        "likeCount": 0
      },
      {
        "id": "did:plc:cid~3mcid",
        "author": "cid.example.com",
        "text": "rude",
        "createdAt": "2026-11-20T12:00:00Z",
        "own": false,
        "hidden": true,
        "likeCount": 0
      }
    ]
    "#);
}

#[test]
fn what_cannot_be_read() {
    let post = live_post(&KEYS);
    let none = Comments { comments: Vec::new(), rights: RIGHTS };
    let bare = serde_json::json!({ "thread": { "uri": "at://x", "notFound": true } });
    for (name, answer, want) in [
        ("too new", refusal("NotFound", "Post not found"), Ok(Some(none.clone()))),
        ("no answers", answered(200, &bare), Ok(Some(none))),
        ("unreadable", answered_text(200, "{}"), Err(Kind::Temporary)),
        ("no view", answered_text(502, ""), Err(Kind::Temporary)),
        ("token", refusal("InvalidToken", "Token could not be verified"), Err(Kind::Reconnect)),
    ] {
        let comments = held(&[answer], |answers| bluesky().comments(&access(), &post, answers)).1;
        assert_eq!(comments.map_err(|error| error.kind), want, "{name}");
    }
}
