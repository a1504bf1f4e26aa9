//! Comments and figures.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::AfterConversation;
use crate::testing::answered_text;
use crate::tumblr::testing::{access, addresses, fault, gone, held, live_post, ok, tumblr};

fn notes() -> Answer {
    answered_text(200, include_str!("fixtures/notes.json"))
}

#[test]
fn replies_and_reblogs_with_words_are_comments() {
    let last = ok(&json!({
        "notes": [{ "type": "reply", "timestamp": 5, "blog_name": "cid", "reply_text": "First" }],
        "total_notes": 10,
    }));
    let (asked, read) =
        held(&[notes(), last], |a| tumblr().comments(&access(), &live_post("1"), a));
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/notes?id=1&mode=conversation",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/notes?id=1&mode=conversation&before_timestamp=1795168801000000",
        "visible": false
      }
    ]
    "#);
    let read = read.unwrap().unwrap();
    assert_eq!(read.rights, CommentRights::default());
    assert_json_snapshot!(read.comments, @r#"
    [
      {
        "id": "reply:ben:1795172400",
        "author": "ben",
        "text": "A fine post",
        "createdAt": "2026-11-20T11:00:00Z",
        "own": false,
        "hidden": false,
        "likeCount": null
      },
      {
        "id": "reblog:ana:1795172300",
        "author": "ana",
        "text": "One more thing",
        "createdAt": "2026-11-20T10:58:20Z",
        "own": true,
        "hidden": false,
        "likeCount": null
      },
      {
        "id": "reply:cid:5",
        "author": "cid",
        "text": "First",
        "createdAt": "1970-01-01T00:00:05Z",
        "own": false,
        "hidden": false,
        "likeCount": null
      }
    ]
    "#);
}

#[test]
fn pages_of_notes_come_to_an_end() {
    let page = |next: u32| {
        ok(&json!({
            "notes": [{ "type": "reply", "timestamp": next, "blog_name": "a", "reply_text": "x" }],
            "_links": { "next": { "query_params": { "before_timestamp": next } } },
        }))
    };
    let read = |answers: &[Answer]| {
        let post = live_post("1");
        let (asked, read) = held(answers, |a| tumblr().comments(&access(), &post, a));
        (asked.len(), read.unwrap().unwrap().comments.len())
    };
    assert_eq!(read(&[page(9), page(8), page(7), page(6), page(5)]), (4, 4));
    assert_eq!(read(&[page(9), page(9), page(9)]), (2, 2));
}

#[test]
fn figures_are_totals_and_what_is_left_of_them() {
    let posts = [live_post("1"), live_post("2"), live_post("3"), live_post("4")];
    let total = |notes: u64, likes: u64, reblogs: u64| {
        ok(&json!({ "total_notes": notes, "total_likes": likes, "total_reblogs": reblogs }))
    };
    let answers = [notes(), gone(), total(2, 2, 1), ok(&json!({ "total_notes": 7 }))];
    let (asked, read) = held(&answers, |a| tumblr().figures(&access(), &posts, a));
    assert_json_snapshot!(addresses(&asked), @r#"
    [
      "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/notes?id=1&mode=conversation",
      "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/notes?id=2&mode=conversation",
      "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/notes?id=3&mode=conversation",
      "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/notes?id=4&mode=conversation"
    ]
    "#);
    let read: Vec<Value> =
        read.unwrap().iter().map(|figures| serde_json::to_value(figures).unwrap()).collect();
    assert_eq!(
        read,
        [
            json!({ "notes": 10.0, "likes": 6.0, "shares": 3.0, "comments": 1.0 }),
            Value::Null,
            json!({ "notes": 2.0, "likes": 2.0, "shares": 1.0, "comments": 0.0 }),
            json!({ "notes": 7.0 }),
        ]
    );
    assert_eq!(tumblr().figures_at_once(), FIGURES_AT_ONCE);
}

#[test]
fn notes_that_cannot_be_read() {
    let post = live_post("1");
    for (name, answer, want) in [
        ("not allowed", fault(403, 0, "x"), Kind::Permanent),
        ("failed", fault(500, 0, "x"), Kind::Temporary),
        ("expired", fault(401, 1016, "x"), Kind::TokenExpired),
        ("a page", answered_text(200, "<html>"), Kind::Temporary),
    ] {
        let answers = [answer];
        let comments = held(&answers, |a| tumblr().comments(&access(), &post, a)).1;
        assert_eq!(comments.unwrap_err().kind, want, "{name}");
        let posts = std::slice::from_ref(&post);
        let figures = held(&answers, |a| tumblr().figures(&access(), posts, a)).1;
        assert_eq!(figures.unwrap_err().kind, want, "{name}");
    }
}
