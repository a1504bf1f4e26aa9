//! Comments as exchanges of values.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::facebook::testing::{access, asks, done, error, facebook, live_post, ok};
use crate::testing::{answered, answered_text};

fn read(answers: &[Answer]) -> Result<Turn<Option<Comments>>, NetworkError> {
    facebook().comments(&access(), &live_post(), answers)
}

fn act_on(
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> Result<Turn<Option<Comment>>, NetworkError> {
    facebook().act_on_comment(&access(), &live_post(), comment, act, answers)
}

#[test]
fn a_page_that_may_not_moderate_stays_connected() {
    for (name, code, want) in [
        ("permission", 200, NetworkErrorKind::Permanent),
        ("another permission", 10, NetworkErrorKind::Permanent),
        ("token", 190, NetworkErrorKind::Reconnect),
    ] {
        let refused = || error(code, 0, "No.");
        let failed = read(&[refused()]).unwrap_err();
        assert_eq!(failed.kind, want, "{name}: {failed}");
        for act in [CommentAction::Hide, CommentAction::Like, CommentAction::Delete] {
            let failed = act_on("2001_9", &act, &[refused()]).unwrap_err();
            assert_eq!(failed.kind, want, "{name}: {failed}");
        }
        let reply = CommentAction::Reply("Thanks".to_owned());
        let failed = act_on("2001_9", &reply, &[ok(&json!({ "id": "2001_9" })), refused()]);
        assert_eq!(failed.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn comments_are_read_with_their_replies() {
    insta::assert_json_snapshot!(shown(&asks(read(&[]))), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "GET https://graph.facebook.com/v26.0/1001_2001/comments?filter=stream&order=reverse_chronological&fields=id%2Cfrom%7Bid%2Cname%7D%2Cmessage%2Ccreated_time%2Cis_hidden%2Clike_count%2Cuser_likes%2Ccan_hide%2Ccan_remove%2Ccan_comment%2Cparent%7Bid%7D&limit=50",
      "visible": false
    }
    "#);
    let body = include_str!("fixtures/comments.json");
    let found = done(read(&[answered_text(200, body)])).unwrap();
    assert_eq!(found.rights, RIGHTS);
    insta::assert_json_snapshot!(found.comments, @r#"
    [
      {
        "id": "2001_11",
        "author": "Ana's Page",
        "text": "Thank you",
        "createdAt": "2026-11-20T10:06:00Z",
        "own": true,
        "hidden": false,
        "likeCount": 0
      },
      {
        "id": "2001_10",
        "author": "Bea",
        "text": "This is awesome!",
        "createdAt": "2026-11-20T10:05:00Z",
        "own": false,
        "hidden": false,
        "likeCount": 3
      },
      {
        "id": "2001_9",
        "author": null,
        "text": "Buy followers here",
        "createdAt": "2026-11-20T10:04:00Z",
        "own": false,
        "hidden": true,
        "likeCount": 0
      }
    ]
    "#);
}

#[test]
fn long_lists_are_followed_and_refused_fields_left_out() {
    let page = |id: &str, after: Option<&str>| {
        let next = after.map(|after| format!("https://x.example/?access_token=t&after={after}"));
        let paging = json!({ "cursors": { "after": after }, "next": next });
        answered(200, &json!({ "data": [{ "id": id, "message": id }], "paging": paging }))
    };
    let second = asks(read(&[page("1", Some("QVF"))]));
    assert!(second.url.as_str().ends_with("&after=QVF"), "{}", second.url);
    let all = done(read(&[page("1", Some("QVF")), page("2", None)])).unwrap();
    let ids: Vec<&str> = all.comments.iter().map(|comment| comment.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);

    let refused = || error(100, 0, "(#100) Tried accessing nonexisting field (can_hide)");
    let fewer = asks(read(&[refused()]));
    assert!(!fewer.url.as_str().contains("can_hide"), "{}", fewer.url);
    let found = done(read(&[refused(), page("1", None)])).unwrap();
    assert_eq!(found.comments.len(), 1);
    for (name, answers, want) in [
        ("both refused", vec![refused(), refused()], NetworkErrorKind::Permanent),
        ("gone", vec![error(100, 33, "gone")], NetworkErrorKind::Permanent),
        ("not allowed", vec![error(10, 0, "no")], NetworkErrorKind::Permanent),
        ("a page", vec![answered_text(200, "<html>")], NetworkErrorKind::Temporary),
    ] {
        assert_eq!(read(&answers).unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn every_act_is_one_call_on_a_comment() {
    let acts = [
        CommentAction::Edit("Better".to_owned()),
        CommentAction::Hide,
        CommentAction::Unhide,
        CommentAction::Like,
        CommentAction::Unlike,
        CommentAction::Delete,
    ];
    // Posts can be changed and deleted by the same calls.
    let looked = |act: &CommentAction, then: Vec<Answer>| {
        let is_looked_at = matches!(act, CommentAction::Edit(_) | CommentAction::Delete);
        let look = ok(&json!({ "id": "2001_10", "can_remove": true }));
        let answers: Vec<Answer> = is_looked_at.then_some(look).into_iter().chain(then).collect();
        act_on("2001_10", act, &answers)
    };
    let requests: Vec<Value> = acts.iter().map(|act| shown(&asks(looked(act, vec![])))).collect();
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          "message=Better"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/2001_10",
        "visible": false
      },
      {
        "body": [
          "is_hidden=true"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/2001_10",
        "visible": false
      },
      {
        "body": [
          "is_hidden=false"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/2001_10",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/2001_10/likes",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://graph.facebook.com/v26.0/2001_10/likes",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://graph.facebook.com/v26.0/2001_10",
        "visible": false
      }
    ]
    "#);
    for act in &acts {
        assert_eq!(done(looked(act, vec![ok(&json!({ "success": true }))])), None);
        let failed = looked(act, vec![ok(&json!({ "success": false }))]).unwrap_err();
        assert_eq!(failed.kind, NetworkErrorKind::Temporary, "{act:?}");
        let gone = || error(100, 33, "gone");
        for gone in [looked(act, vec![gone()]), act_on("2001_10", act, &[gone()])] {
            assert_eq!(gone.is_ok(), *act == CommentAction::Delete, "{act:?}");
        }
    }
    for act in [CommentAction::Edit("Better".to_owned()), CommentAction::Delete] {
        let look = asks(act_on("1001_2001", &act, &[]));
        assert_eq!(
            shown(&look)["request"],
            "GET https://graph.facebook.com/v26.0/1001_2001?fields=id%2Ccan_remove"
        );
        let refused = error(100, 0, "(#100) Tried accessing nonexisting field (can_remove)");
        let post = act_on("1001_2001", &act, &[refused]).unwrap_err();
        assert_eq!(post.message, "That is not a comment.", "{act:?}");
        assert_eq!(post.code, FailureCode::NotFound, "{act:?}");
        let gone = act_on("1001_2001", &act, &[error(100, 33, "does not exist")]);
        let code = gone.err().map(|error| error.code);
        let want = (act != CommentAction::Delete).then_some(FailureCode::NotFound);
        assert_eq!(code, want, "{act:?}");
    }
    for id in ["", "../feed", "1?x"] {
        let error = act_on(id, &CommentAction::Hide, &[]).unwrap_err();
        assert_eq!(error.code, FailureCode::NotFound, "{id}");
    }
}

#[test]
fn a_reply_to_a_reply_goes_to_the_comment_above() {
    let thanks = CommentAction::Reply("Thank you".to_owned());
    let about = ok(&json!({ "id": "2001_11", "parent": { "id": "2001_10" } }));
    let first = asks(act_on("2001_11", &thanks, &[]));
    let second = asks(act_on("2001_11", &thanks, std::slice::from_ref(&about)));
    insta::assert_json_snapshot!([shown(&first), shown(&second)], @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/2001_11?fields=id%2Cparent%7Bid%7D",
        "visible": false
      },
      {
        "body": [
          "message=Thank you"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/2001_10/comments",
        "visible": true
      }
    ]
    "#);
    let made = ok(&json!({ "id": "2001_12" }));
    let made = done(act_on("2001_11", &thanks, &[about.clone(), made])).unwrap();
    assert_eq!((made.id.as_str(), made.own), ("2001_12", true));
    assert_eq!(made.author.as_deref(), Some("Ana's Page"));

    let untold = error(100, 0, "(#100) nonexisting field (parent)");
    let request = asks(act_on("2001_10", &thanks, &[untold]));
    assert!(request.url.as_str().ends_with("/2001_10/comments"), "{}", request.url);
    for (name, answers, want) in [
        ("gone", vec![error(100, 33, "gone")], NetworkErrorKind::Permanent),
        ("down", vec![about.clone(), answered_text(500, "")], NetworkErrorKind::Unsettled),
        ("a page", vec![about, answered_text(200, "<html>")], NetworkErrorKind::InDoubt),
    ] {
        assert_eq!(act_on("2001_11", &thanks, &answers).unwrap_err().kind, want, "{name}");
    }
    for text in [" ".to_owned(), "a".repeat(8_001)] {
        let refused = act_on("2001_10", &CommentAction::Reply(text), &[]).unwrap_err();
        assert_eq!(refused.code, FailureCode::ValidationFailed);
    }
}
