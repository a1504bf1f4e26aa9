//! Comments, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::Value;

use super::*;
use crate::conversation::{AfterConversation, Request, shown};
use crate::mastodon::testing::{ANA, access, held, lines, live_post, mastodon, refusal, status};
use crate::testing::{answered, answered_text};

const BEN: &str = "109000000000000009";
const PARTS: [&str; 2] = ["115000000000000001", "115000000000000002"];
const GONE: &str = "Record not found";

fn ok(body: &Value) -> Answer {
    answered(200, body)
}

/// A comment of somebody else on the second part.
fn of_ben() -> Value {
    status("3", BEN, "ben@other.example", Some(PARTS[1]))
}

/// An answer of our own to that.
fn of_ana() -> Value {
    let mut status = status("4", ANA, "ana", Some("3"));
    status["in_reply_to_account_id"] = BEN.into();
    status["mentions"] = json!([{ "id": BEN, "username": "ben", "acct": "ben@other.example" }]);
    status
}

/// What stands above that.
fn above() -> Answer {
    let first = status(PARTS[0], ANA, "ana", None);
    ok(&json!({ "ancestors": [first, of_ben()], "descendants": [] }))
}

fn acted(
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> (Vec<Request>, Result<Option<Comment>, NetworkError>) {
    let post = live_post(&PARTS);
    held(answers, |answers| mastodon().act_on_comment(&access(), &post, comment, act, answers))
}

#[test]
fn comments_are_those_of_others_and_our_answers() {
    let post = live_post(&PARTS);
    let answers = [answered_text(200, include_str!("fixtures/context.json"))];
    let (asked, comments) =
        held(&answers, |answers| mastodon().comments(&access(), &post, answers));
    assert_eq!(lines(&asked), ["GET v1/statuses/115000000000000001/context"]);
    let comments = comments.unwrap().unwrap();
    assert_eq!(comments.rights, RIGHTS);
    assert_json_snapshot!(comments.comments, @r#"
    [
      {
        "id": "115000000000000003",
        "author": "ben@other.example",
        "text": "@ana Well said & true",
        "createdAt": "2026-11-20T11:00:00Z",
        "own": false,
        "hidden": false,
        "likeCount": 2
      },
      {
        "id": "115000000000000004",
        "author": "ana",
        "text": "@ben Thanks",
        "createdAt": "2026-11-20T11:10:00Z",
        "own": true,
        "hidden": false,
        "likeCount": 0
      }
    ]
    "#);
    for (name, answer, want) in [
        ("scope", refusal(403, "This action is outside the authorized scopes"), Ok(true)),
        ("gone", refusal(404, GONE), Err(Kind::Permanent)),
        ("down", answered_text(502, ""), Err(Kind::Temporary)),
        ("unreadable", answered_text(200, "<html>"), Err(Kind::Temporary)),
    ] {
        let comments = held(&[answer], |answers| mastodon().comments(&access(), &post, answers)).1;
        let is_none = comments.map(|comments| comments.is_none()).map_err(|error| error.kind);
        assert_eq!(is_none, want, "{name}");
    }
}

#[test]
fn a_reply_speaks_to_the_author_and_is_seen_by_those_who_saw_the_comment() {
    let reply = CommentAction::Reply(" Thanks\r\n".to_owned());
    let mut made = of_ana();
    made["content"] = "<p>@ben Thanks</p>".into();
    let (asked, comment) = acted("3", &reply, &[ok(&of_ben()), ok(&made)]);
    assert_eq!(lines(&asked[..1]), ["GET v1/statuses/3"]);
    assert_json_snapshot!(shown(&asked[1]), @r#"
    {
      "body": {
        "in_reply_to_id": "3",
        "status": "@ben@other.example Thanks",
        "visibility": "unlisted"
      },
      "headers": {
        "authorization": "[redacted]",
        "idempotency-key": "00000000-0000-0000-0000-000000000001:reply:3:c9e18ea84eb0b939"
      },
      "request": "POST https://m.example/api/v1/statuses",
      "visible": true
    }
    "#);
    let comment = comment.unwrap().unwrap();
    assert_eq!(
        (comment.id.as_str(), comment.text.as_str(), comment.own),
        ("4", "@ben Thanks", true)
    );
}

#[test]
fn a_reply_that_fails_is_told() {
    let reply = CommentAction::Reply("x".to_owned());
    for (name, answers, want) in [
        ("the comment is gone", vec![refusal(404, GONE)], Kind::Permanent),
        ("gone or said before", vec![ok(&of_ben()), refusal(404, GONE)], Kind::Permanent),
        ("lost in the middle", vec![ok(&of_ben()), answered_text(500, "")], Kind::Unsettled),
        ("unreadable", vec![ok(&of_ben()), answered_text(200, "{}")], Kind::InDoubt),
        ("a proxy", vec![ok(&of_ben()), answered_text(404, "<html>")], Kind::Temporary),
        ("not read", vec![answered_text(500, "")], Kind::Temporary),
    ] {
        let error = acted("3", &reply, &answers).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
    let error = acted("3", &CommentAction::Reply(" ".to_owned()), &[ok(&of_ben())]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed);
}

#[test]
fn the_same_said_again_has_the_same_key() {
    let key = |text: &str| {
        let reply = CommentAction::Reply(text.to_owned());
        let asked = acted("3", &reply, &[ok(&of_ben()), answered_text(500, "")]).0;
        shown(&asked[1])["headers"]["idempotency-key"].clone()
    };
    assert_eq!(key("Thanks"), key("Thanks\n"));
    assert_ne!(key("Thanks"), key("Thanks!"));
}

#[test]
fn a_comment_of_our_own_is_changed_and_keeps_everything_else() {
    let mut own = of_ana();
    own["spoiler_text"] = "CW".into();
    own["sensitive"] = true.into();
    let edit = CommentAction::Edit("@ben Thank you".to_owned());
    let (asked, edited) = acted("4", &edit, &[ok(&own), above(), ok(&own)]);
    assert_eq!(edited, Ok(None));
    assert_eq!(
        lines(&asked),
        [
            "GET v1/statuses/4",
            "GET v1/statuses/4/context",
            r#"PUT v1/statuses/4 {"language":"en","sensitive":true,"spoiler_text":"CW","status":"@ben@other.example Thank you"}"#,
        ]
    );
}

#[test]
fn likes_and_deleting() {
    for (comment, act, shown, answers, want) in [
        ("3", CommentAction::Like, of_ben(), vec![ok(&of_ben())], "POST v1/statuses/3/favourite"),
        (
            "3",
            CommentAction::Unlike,
            of_ben(),
            vec![ok(&of_ben())],
            "POST v1/statuses/3/unfavourite",
        ),
        (
            "4",
            CommentAction::Delete,
            of_ana(),
            vec![above(), ok(&of_ana())],
            "DELETE v1/statuses/4?delete_media=true",
        ),
        (
            "4",
            CommentAction::Delete,
            of_ana(),
            vec![above(), refusal(404, GONE)],
            "DELETE v1/statuses/4?delete_media=true",
        ),
    ] {
        let answers = [vec![ok(&shown)], answers].concat();
        let (asked, done) = acted(comment, &act, &answers);
        assert_eq!(done, Ok(None), "{want}");
        assert_eq!(lines(&asked).last().map(String::as_str), Some(want));
    }
    assert_eq!(
        acted("4", &CommentAction::Delete, &[refusal(404, GONE)]).1,
        Ok(None),
        "gone already"
    );
    let error = acted("3", &CommentAction::Like, &[refusal(404, GONE)]).1.unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::NotFound));
}

#[test]
fn what_is_not_offered_or_no_comment_is_left_alone() {
    let edit = CommentAction::Edit("new".to_owned());
    let not_offered = FailureCode::Unsupported;
    let refused = FailureCode::NotFound;
    let other = status("9", ANA, "ana", Some("8"));
    let elsewhere = ok(&json!({ "ancestors": [status("8", BEN, "ben", None)] }));
    for (name, comment, act, answers, want) in [
        ("hiding", "3", &CommentAction::Hide, vec![], not_offered),
        ("showing", "3", &CommentAction::Unhide, vec![], not_offered),
        ("changing another's", "3", &edit, vec![ok(&of_ben())], not_offered),
        ("deleting another's", "3", &CommentAction::Delete, vec![ok(&of_ben())], not_offered),
        (
            "no answer",
            "7",
            &CommentAction::Delete,
            vec![ok(&status("7", ANA, "ana", None))],
            refused,
        ),
        (
            "a part of the thread",
            PARTS[1],
            &CommentAction::Delete,
            vec![ok(&status(PARTS[1], ANA, "ana", Some(PARTS[0])))],
            refused,
        ),
        ("on another post", "9", &CommentAction::Delete, vec![ok(&other), elsewhere], refused),
        ("a step up", "..", &CommentAction::Delete, vec![], refused),
        ("a hidden step up", ".\n.", &CommentAction::Delete, vec![], refused),
        ("nothing", "", &CommentAction::Like, vec![], refused),
    ] {
        let (asked, error) = acted(comment, act, &answers);
        assert_eq!((asked.len(), error.unwrap_err().code), (answers.len(), want), "{name}");
    }
}

#[test]
fn replies_are_addressed_once() {
    let whom: ShownAccount =
        serde_json::from_value(json!({ "id": "1", "acct": "ben@other.example" })).unwrap();
    let full = "@ben@other.example";
    for (name, text, want) in [
        ("without", "Thanks", format!("{full} Thanks")),
        ("short", "@ben Thanks", format!("{full} Thanks")),
        ("short alone", "@ben", full.to_owned()),
        ("at the end of a sentence", "@ben. Thanks", format!("{full}. Thanks")),
        ("full", "Thanks @ben@other.example!", format!("Thanks {full}!")),
        ("a longer name", "@benno Thanks", format!("{full} @benno Thanks")),
        ("of another server", "@ben@a.example hi", format!("{full} @ben@a.example hi")),
        ("a longer server", "@ben@other.example.com", format!("{full} @ben@other.example.com")),
    ] {
        assert_eq!(addressed(text, Some(&whom)), want, "{name}");
    }
    assert_eq!(addressed("Thanks", None), "Thanks");
}
