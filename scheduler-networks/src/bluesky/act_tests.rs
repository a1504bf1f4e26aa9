//! Acts on comments, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::*;
use crate::bluesky::testing::{DID, access, bluesky, held, lines, live_post, refusal, uri};
use crate::conversation::{AfterConversation, shown};
use crate::testing::{answered, answered_text};

const KEY: &str = "3mabcdefghi2k";
const BEN: &str = "did:plc:ben~3mben";

/// A comment as readers see it.
fn viewed(root: &str, like: Option<&str>) -> Answer {
    let mut view = json!({
        "uri": "at://did:plc:ben/app.bsky.feed.post/3mben",
        "cid": "bafyben",
        "author": { "did": "did:plc:ben", "handle": "ben.example.com" },
        "record": {
            "text": "Well said",
            "createdAt": "2026-11-20T11:00:00Z",
            "reply": {
                "root": { "uri": root, "cid": "bafyroot" },
                "parent": { "uri": root, "cid": "bafyroot" },
            },
        },
        "viewer": {},
    });
    if let Some(like) = like {
        view["viewer"]["like"] = like.into();
    }
    answered(200, &json!({ "posts": [view] }))
}

fn done() -> Answer {
    answered(200, &json!({ "uri": "at://x", "cid": "y" }))
}

fn acted(
    comment: &str,
    what: &CommentAction,
    answers: &[Answer],
) -> (Vec<crate::conversation::Request>, Result<Option<Comment>, NetworkError>) {
    let post = live_post(&[KEY, "3mabcdefghj2k"]);
    held(answers, |answers| bluesky().act_on_comment(&access(), &post, comment, what, answers))
}

#[test]
fn a_comment_is_liked_once() {
    let (asked, liked) = acted(BEN, &CommentAction::Like, &[viewed(&uri(KEY), None), done()]);
    assert_eq!(liked, Ok(None));
    assert_eq!(
        lines(&asked[..1]),
        [
            "GET app.bsky.feed.getPosts?uris=at%3A%2F%2Fdid%3Aplc%3Aben%2Fapp.bsky.feed.post%2F3mben by did:web:api.bsky.app#bsky_appview"
        ]
    );
    assert_json_snapshot!(shown(&asked[1]), @r#"
    {
      "body": {
        "collection": "app.bsky.feed.like",
        "record": {
          "$type": "app.bsky.feed.like",
          "createdAt": "2026-11-20T10:00:00.000Z",
          "subject": {
            "cid": "bafyben",
            "uri": "at://did:plc:ben/app.bsky.feed.post/3mben"
          }
        },
        "repo": "did:plc:abcdefghijklmnopqrstuvwx"
      },
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://pds.example.com/xrpc/com.atproto.repo.createRecord",
      "visible": false
    }
    "#);
    let like = format!("at://{DID}/app.bsky.feed.like/3mlike");
    let (asked, liked) = acted(BEN, &CommentAction::Like, &[viewed(&uri(KEY), Some(&like))]);
    assert_eq!((asked.len(), liked), (1, Ok(None)), "it is liked already");
}

#[test]
fn a_like_is_taken_back_also_when_readers_do_not_know_of_it_yet() {
    let like = format!("at://{DID}/app.bsky.feed.like/3mlike");
    let delete = r#"POST com.atproto.repo.deleteRecord {"collection":"app.bsky.feed.like","repo":"did:plc:abcdefghijklmnopqrstuvwx","rkey":"3mlike"}"#;
    let answers = [viewed(&uri(KEY), Some(&like)), done()];
    let (asked, unliked) = acted(BEN, &CommentAction::Unlike, &answers);
    assert_eq!(unliked, Ok(None));
    assert_eq!(lines(&asked[1..]), [delete]);

    let list = "GET com.atproto.repo.listRecords?repo=did%3Aplc%3Aabcdefghijklmnopqrstuvwx&collection=app.bsky.feed.like&limit=100";
    let of = |subject: &str| json!({ "uri": like, "cid": "c", "value": { "subject": { "uri": subject } } });
    let found = answered(
        200,
        &json!({ "records": [of("at://other"), of("at://did:plc:ben/app.bsky.feed.post/3mben")] }),
    );
    let answers = [viewed(&uri(KEY), None), found, done()];
    let (asked, unliked) = acted(BEN, &CommentAction::Unlike, &answers);
    assert_eq!(unliked, Ok(None));
    assert_eq!(lines(&asked[1..]), [list, delete]);

    let none = answered(200, &json!({ "records": [of("at://other")] }));
    let (asked, unliked) = acted(BEN, &CommentAction::Unlike, &[viewed(&uri(KEY), None), none]);
    assert_eq!((asked.len(), unliked), (2, Ok(None)), "it is not liked");
}

#[test]
fn a_reply_of_our_own_is_deleted_and_nothing_else() {
    let own = format!("{DID}~3mthanks");
    let stored = |root: Value| {
        let value = json!({ "text": "Thanks", "createdAt": "x", "reply": root });
        answered(200, &json!({ "uri": uri("3mthanks"), "cid": "c", "value": value }))
    };
    let below = |root: &str| json!({ "root": { "uri": root, "cid": "r" }, "parent": { "uri": root, "cid": "r" } });
    let ours = || stored(below(&uri(KEY)));
    let (asked, deleted) = acted(&own, &CommentAction::Delete, &[ours(), done()]);
    assert_eq!(deleted, Ok(None));
    assert_eq!(
        lines(&asked),
        [
            "GET com.atproto.repo.getRecord?repo=did%3Aplc%3Aabcdefghijklmnopqrstuvwx&collection=app.bsky.feed.post&rkey=3mthanks",
            r#"POST com.atproto.repo.deleteRecord {"collection":"app.bsky.feed.post","repo":"did:plc:abcdefghijklmnopqrstuvwx","rkey":"3mthanks"}"#,
        ]
    );
    let gone = refusal("RecordNotFound", "Could not locate record");
    assert_eq!(acted(&own, &CommentAction::Delete, &[gone]).1, Ok(None));
    for (name, answer) in [
        ("of another post", stored(below(&uri("3mother")))),
        ("a post itself", stored(Value::Null)),
    ] {
        let error = acted(&own, &CommentAction::Delete, &[answer]).1.unwrap_err();
        assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::NotFound), "{name}");
    }
    let error = acted(&own, &CommentAction::Delete, &[answered_text(500, "")]).1.unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
}

#[test]
fn what_is_not_offered_takes_no_call() {
    let unsupported = FailureCode::Unsupported;
    let refused = FailureCode::NotFound;
    let edit = CommentAction::Edit("new".to_owned());
    let part = format!("{DID}~3mabcdefghj2k");
    let root = format!("{DID}~{KEY}");
    for (name, comment, act, want) in [
        ("editing", BEN, &edit, unsupported),
        ("deleting another's", BEN, &CommentAction::Delete, unsupported),
        ("no id", "3mben", &CommentAction::Like, refused),
        ("a part of the thread", &part, &CommentAction::Delete, refused),
        ("the post itself", &root, &CommentAction::Like, refused),
    ] {
        let (asked, error) = acted(comment, act, &[]);
        assert_eq!((asked.len(), error.unwrap_err().code), (0, want), "{name}");
    }
}

#[test]
fn what_is_no_comment_on_the_post_is_left_alone() {
    let reply = CommentAction::Reply("x".to_owned());
    for act in [
        &reply,
        &CommentAction::Hide,
        &CommentAction::Unhide,
        &CommentAction::Like,
        &CommentAction::Unlike,
    ] {
        for (name, answer, want) in [
            ("of another post", viewed(&uri("3mother"), None), Kind::Permanent),
            ("gone", answered(200, &json!({ "posts": [] })), Kind::Permanent),
            ("no view", answered_text(502, ""), Kind::Temporary),
        ] {
            let (asked, error) = acted(BEN, act, &[answer]);
            let error = error.unwrap_err();
            assert_eq!((asked.len(), error.kind), (1, want), "{act:?} {name}");
            let is_unknown = error.code == FailureCode::NotFound;
            assert_eq!(is_unknown, want == Kind::Permanent, "{act:?} {name}");
        }
    }
}
