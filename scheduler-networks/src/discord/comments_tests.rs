//! Comments as exchanges of values.

use insta::{allow_duplicates, assert_json_snapshot};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use super::super::testing::{access, bot_job, discord, held, live_post, webhook_job};
use super::super::wire::TEXT;
use super::*;
use crate::conversation::AfterConversation;
use crate::testing::{answered, answered_text};
use NetworkErrorKind as Kind;

const CHANNEL: &str = "1400000000000000000";
const MESSAGE: &str = "1400000000000000001";
const THREAD: &str = "https://discord.com/api/v10/channels/1400000000000000001/messages";
const BOT: &str = "1100000000000000000";

fn refused(status: u16, code: u64) -> Answer {
    answered(status, &json!({ "message": "No.", "code": code }))
}

fn said(id: &str, kind: u8, author: &str, content: &str) -> Value {
    json!({
        "id": id,
        "type": kind,
        "channel_id": MESSAGE,
        "author": { "id": author, "username": "ana", "global_name": "Ana" },
        "content": content,
        "timestamp": "2026-11-20T10:00:00.123000+00:00",
        "reactions": [
            { "count": 2, "emoji": { "name": "❤" } },
            { "count": 5, "emoji": { "name": "👍" } },
        ],
    })
}

fn reads(post: LivePost) -> impl Fn(&[Answer]) -> TurnResult<Option<Comments>> {
    move |answers| discord().comments(&access(&bot_job(TEXT)), &post, answers)
}

#[test]
fn the_messages_of_the_thread_are_the_comments() {
    let job = bot_job(TEXT);
    let page = json!([
        said("9", 19, BOT, "mine"),
        said("8", 0, "5", "theirs"),
        said("7", 6, "5", "pinned a message"),
        said("6", 21, "5", ""),
        said(MESSAGE, 0, BOT, "the post"),
    ]);
    for post in [
        live_post(&job, CHANNEL, None),
        live_post(&job, CHANNEL, Some(MESSAGE)),
        live_post(&job, MESSAGE, Some(MESSAGE)),
    ] {
        let (asked, comments) = held(&[answered(200, &page)], reads(post));
        assert_eq!(asked[0]["request"], format!("GET {THREAD}?limit=100"));
        let comments = comments.unwrap().unwrap();
        assert_eq!(comments.rights, RIGHTS);
        allow_duplicates! {
            assert_json_snapshot!(comments.comments, @r#"
            [
              {
                "id": "9",
                "author": "Ana",
                "text": "mine",
                "createdAt": "2026-11-20T10:00:00.123Z",
                "own": true,
                "hidden": false,
                "likeCount": 2
              },
              {
                "id": "8",
                "author": "Ana",
                "text": "theirs",
                "createdAt": "2026-11-20T10:00:00.123Z",
                "own": false,
                "hidden": false,
                "likeCount": 2
              }
            ]
            "#);
        }
    }
}

#[test]
fn a_message_without_thread_has_no_comments_and_a_webhook_reads_none() {
    let job = bot_job(TEXT);
    let post = live_post(&job, CHANNEL, None);
    let none = held(&[refused(404, 10_003)], reads(post.clone())).1.unwrap().unwrap();
    assert_eq!(none, Comments { comments: Vec::new(), rights: RIGHTS });
    for (answer, kind) in [
        (refused(403, 50_001), Kind::Reconnect),
        (refused(500, 0), Kind::Temporary),
        (answered_text(200, "<html>"), Kind::Temporary),
    ] {
        assert_eq!(held(&[answer], reads(post.clone())).1.unwrap_err().kind, kind);
    }
    let webhook = webhook_job();
    let by_webhook = |_: &[Answer]| discord().comments(&access(&webhook), &post, &[]);
    assert_eq!(held(&[], by_webhook).1, Ok(None));
    let error = discord().act_on_comment(&access(&webhook), &post, "9", &CommentAction::Like, &[]);
    assert_eq!(error.unwrap_err().code, FailureCode::Unsupported);
}

/// Does something with a comment.
fn acts(
    id: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> (Vec<Value>, Result<Option<Comment>, NetworkError>) {
    let job = bot_job(TEXT);
    let (access, post) = (access(&job), live_post(&job, CHANNEL, Some(MESSAGE)));
    held(answers, |answers| discord().act_on_comment(&access, &post, id, act, answers))
}

#[test]
fn a_comment_is_answered() {
    let reply = CommentAction::Reply("Thanks".to_owned());
    let (asked, made) = acts("9", &reply, &[answered(200, &said("10", 19, BOT, "Thanks"))]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "allowed_mentions": {
            "parse": []
          },
          "content": "Thanks",
          "enforce_nonce": true,
          "message_reference": {
            "message_id": "9"
          },
          "nonce": "kpy6gzzn7wpl2hwjtbyznbs2q"
        },
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "DiscordBot (https://scheduler.example, 0.1.0)"
        },
        "request": "POST https://discord.com/api/v10/channels/1400000000000000001/messages",
        "visible": true
      }
    ]
    "#);
    let made = made.unwrap().unwrap();
    assert_eq!((made.id.as_str(), made.own), ("10", true));
    let nonce = |id: &str, text: &str| {
        let lost = [refused(500, 0)];
        let (asked, _) = acts(id, &CommentAction::Reply(text.to_owned()), &lost);
        asked[0]["body"]["nonce"].as_str().unwrap().to_owned()
    };
    assert_eq!(nonce("9", "Thanks"), nonce("9", "Thanks"), "said again after a lost answer");
    assert_ne!(nonce("9", "Thanks"), nonce("8", "Thanks"), "another comment");
    assert_ne!(nonce("9", "Thanks"), nonce("9", "Thank you"), "another text");
    for (answer, kind) in [
        (answered_text(200, ""), Kind::InDoubt),
        (refused(500, 0), Kind::Unsettled),
        (refused(400, 160_005), Kind::Permanent),
        (refused(404, 10_003), Kind::Permanent),
        (refused(403, 50_013), Kind::Permanent),
        (refused(403, 50_001), Kind::Reconnect),
    ] {
        assert_eq!(acts("9", &reply, &[answer]).1.unwrap_err().kind, kind);
    }
}

#[test]
fn what_else_is_done_with_a_comment() {
    let heart = "reactions/%E2%9D%A4%EF%B8%8F/@me";
    for (act, want, body) in [
        (
            CommentAction::Edit("New".to_owned()),
            format!("PATCH {THREAD}/9"),
            json!({ "content": "New", "allowed_mentions": { "parse": [] } }),
        ),
        (CommentAction::Delete, format!("DELETE {THREAD}/9"), Value::Null),
        (CommentAction::Like, format!("PUT {THREAD}/9/{heart}"), Value::Null),
        (CommentAction::Unlike, format!("DELETE {THREAD}/9/{heart}"), Value::Null),
    ] {
        let (asked, done) = acts("9", &act, &[answered_text(204, "")]);
        assert_eq!(asked[0]["request"], want);
        assert_eq!(asked[0]["body"], body, "{want}");
        assert_eq!(asked[0]["visible"], false, "{want}");
        assert_eq!(done, Ok(None), "{want}");
        let gone = acts("9", &act, &[refused(404, 10_008)]).1;
        let code = gone.err().map(|error| error.code);
        let not_found = (act != CommentAction::Delete).then_some(FailureCode::NotFound);
        assert_eq!(code, not_found, "{want}");
        for code in [50_005, 50_013] {
            let error = acts("9", &act, &[refused(403, code)]).1.unwrap_err();
            assert_eq!(error.code, FailureCode::Unsupported, "{want} {code}");
            assert_eq!(error.kind, Kind::Permanent, "{want} {code}");
        }
        let failed = acts("9", &act, &[refused(500, 0)]).1;
        assert_eq!(failed.unwrap_err().kind, Kind::Temporary, "{want}");
    }
    for act in [CommentAction::Hide, CommentAction::Unhide] {
        assert_eq!(acts("9", &act, &[]).1.unwrap_err().code, FailureCode::Unsupported);
    }
    // In a forum the post is a message of the thread that it opened.
    for id in ["", "../9", "9?x", "@me", MESSAGE] {
        for act in [CommentAction::Delete, CommentAction::Edit("New".to_owned())] {
            let error = acts(id, &act, &[]).1.unwrap_err();
            assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::NotFound), "{id}");
        }
    }
}
