//! Comments as exchanges of values.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::instagram::testing::{access, asks, done, error, instagram, live_post};
use crate::instagram::wire::Way;
use crate::testing::{answered, answered_text};

const COMMENTS: &str = include_str!("fixtures/comments.json");

fn read(answers: &[Answer]) -> Result<Turn<Option<Comments>>, NetworkError> {
    instagram().comments(&access(Way::Direct), &live_post("FEED"), answers)
}

fn act_on(
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> Result<Turn<Option<Comment>>, NetworkError> {
    instagram().act_on_comment(&access(Way::Direct), &live_post("FEED"), comment, act, answers)
}

#[test]
fn comments_are_read_with_their_replies() {
    insta::assert_json_snapshot!(shown(&asks(read(&[]))), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "GET https://graph.instagram.com/v26.0/18000000000000001/comments?fields=id%2Ctext%2Ctimestamp%2Cusername%2Cfrom%2Clike_count%2Chidden%2Cparent_id%2Creplies%7Bid%2Ctext%2Ctimestamp%2Cusername%2Cfrom%2Clike_count%2Chidden%7D&limit=50",
      "visible": false
    }
    "#);
    let read = done(read(&[answered_text(200, COMMENTS)])).unwrap();
    assert_eq!(read.rights, RIGHTS);
    insta::assert_json_snapshot!(read.comments, @r#"
    [
      {
        "id": "17870913679156914",
        "author": "bea",
        "text": "This is awesome!",
        "createdAt": "2026-11-20T10:05:00Z",
        "own": false,
        "hidden": false,
        "likeCount": 3
      },
      {
        "id": "17873440459141021",
        "author": "ana",
        "text": "Thank you",
        "createdAt": "2026-11-20T10:06:00Z",
        "own": true,
        "hidden": false,
        "likeCount": 0
      },
      {
        "id": "17870913679156915",
        "author": "spam",
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
        answered(200, &json!({ "data": [{ "id": id, "text": id }], "paging": paging }))
    };
    let second = asks(read(&[page("1", Some("QVF"))]));
    assert!(second.url.as_str().ends_with("&after=QVF"), "{}", second.url);
    let all = done(read(&[page("1", Some("QVF")), page("2", None)])).unwrap();
    let ids: Vec<&str> = all.comments.iter().map(|comment| comment.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"]);

    let refused = || error(100, 0, "(#100) Tried accessing nonexisting field (hidden)");
    let fewer = asks(read(&[refused()]));
    assert_eq!(
        fewer.url.as_str(),
        "https://graph.instagram.com/v26.0/18000000000000001/comments?fields=id%2Ctext%2Ctimestamp%2Cusername&limit=50"
    );
    let found = done(read(&[refused(), page("1", None)])).unwrap();
    assert_eq!(found.comments.len(), 1);
    for (name, answers, want) in [
        ("both refused", vec![refused(), refused()], NetworkErrorKind::Temporary),
        ("gone", vec![error(100, 33, "gone")], NetworkErrorKind::Permanent),
        ("not let in", vec![error(190, 0, "no")], NetworkErrorKind::Reconnect),
        ("a page", vec![answered_text(200, "<html>")], NetworkErrorKind::Temporary),
    ] {
        assert_eq!(read(&answers).unwrap_err().kind, want, "{name}");
    }
    // What was not allowed is not read, and publishing goes on.
    assert_eq!(done(read(&[error(10, 0, "no")])), None);
    let endless: Vec<Answer> = (0..PAGES_MAX).map(|_| page("1", Some("QVF"))).collect();
    assert_eq!(done(read(&endless)).unwrap().comments.len(), PAGES_MAX);
}

#[test]
fn stories_have_no_comments() {
    let (access, story) = (access(Way::Direct), live_post("STORY"));
    assert_eq!(done(instagram().comments(&access, &story, &[])), None);
    let hidden = instagram().act_on_comment(&access, &story, "1", &CommentAction::Hide, &[]);
    assert_eq!(hidden.unwrap_err().code, FailureCode::Unsupported);
}

#[test]
fn an_answer_goes_below_the_comment_or_the_one_above() {
    let act = CommentAction::Reply("Thank you".to_owned());
    let look = asks(act_on("17001", &act, &[]));
    assert!(!look.is_visible);
    assert_eq!(
        look.url.as_str(),
        "https://graph.instagram.com/v26.0/17001?fields=id%2Cusername%2Cparent_id%2Chidden%2Cmedia"
    );
    let top = answered(200, &json!({ "id": "17001", "username": "bea", "hidden": false }));
    let reply = answered(200, &json!({ "id": "17002", "username": "bea", "parent_id": "17001" }));
    let untold = error(100, 0, "(#100) Tried accessing nonexisting field (parent_id)");
    let mut requests = Vec::new();
    for answers in [vec![top.clone()], vec![reply.clone()], vec![untold, top.clone()]] {
        requests.push(shown(&asks(act_on("17001", &act, &answers))));
    }
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          "message=Thank you"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.instagram.com/v26.0/17001/replies",
        "visible": true
      },
      {
        "body": [
          "message=@bea Thank you"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.instagram.com/v26.0/17001/replies",
        "visible": true
      },
      {
        "body": [
          "message=Thank you"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.instagram.com/v26.0/17001/replies",
        "visible": true
      }
    ]
    "#);

    let made = answered(200, &json!({ "id": "17003" }));
    let comment = done(act_on("17002", &act, &[reply, made])).unwrap();
    assert_eq!((comment.id.as_str(), comment.text.as_str()), ("17003", "@bea Thank you"));
    assert!(comment.own);

    let hidden = answered(200, &json!({ "id": "17001", "hidden": true }));
    for (name, answers, want) in [
        ("hidden", vec![hidden], NetworkErrorKind::Permanent),
        ("gone", vec![error(100, 33, "gone")], NetworkErrorKind::Permanent),
        ("failed", vec![top.clone(), answered_text(500, "")], NetworkErrorKind::Unsettled),
        ("unreadable", vec![top, answered(200, &json!({}))], NetworkErrorKind::InDoubt),
    ] {
        assert_eq!(act_on("17001", &act, &answers).unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn what_no_comment_may_hold_is_refused_before() {
    for (name, text, is_fine) in [
        ("plain", "Thank you".to_owned(), true),
        ("longest", "a".repeat(300), true),
        ("too long", "a".repeat(301), false),
        ("four tags", "#a #b #c #d".to_owned(), true),
        ("five tags", "#a #b #c #d #e".to_owned(), false),
        ("a link", "see https://a.example".to_owned(), true),
        ("two links", "https://a.example https://b.example".to_owned(), false),
        ("capitals", "THANK YOU".to_owned(), false),
        ("a script without case", "ありがとう".to_owned(), true),
        ("nothing", " ".to_owned(), false),
    ] {
        let turn = act_on("17001", &CommentAction::Reply(text), &[]);
        match turn {
            Ok(turn) => assert!(is_fine && matches!(turn, Turn::Send(_)), "{name}"),
            Err(error) => {
                assert!(!is_fine, "{name}: {error}");
                assert_eq!(error.code, FailureCode::ValidationFailed, "{name}");
            }
        }
    }
}

#[test]
fn what_else_can_be_done_with_a_comment() {
    let mut requests = Vec::new();
    let post = "18000000000000001";
    let on = |media: &str| answered(200, &json!({ "id": "17001", "media": { "id": media } }));
    let refused = || error(100, 0, "(#100) Tried accessing nonexisting field (media)");
    let gone = || error(100, 33, "gone");
    for act in [CommentAction::Hide, CommentAction::Unhide, CommentAction::Delete] {
        assert!(!asks(act_on("17001", &act, &[])).is_visible, "it is looked at first");
        requests.push(shown(&asks(act_on("17001", &act, &[on(post)]))));
        let did = answered(200, &json!({ "success": true }));
        assert_eq!(done(act_on("17001", &act, &[on(post), did])), None);
        let not_done = answered(200, &json!({ "success": false }));
        assert!(act_on("17001", &act, &[on(post), not_done]).is_err());
        for answers in [vec![gone()], vec![on(post), gone()]] {
            let gone = act_on("17001", &act, &answers);
            assert_eq!(gone.is_ok(), act == CommentAction::Delete);
        }
        let not_allowed = act_on("17001", &act, &[on(post), error(10, 0, "no")]);
        assert_eq!(not_allowed.unwrap_err().kind, NetworkErrorKind::Permanent);
    }
    // A post has an id of the same form, and nothing is done with it.
    let reply = CommentAction::Reply("Thanks".to_owned());
    for act in [CommentAction::Hide, CommentAction::Unhide, CommentAction::Delete, reply] {
        for (name, id, answers) in [
            ("the post itself", post, vec![]),
            ("a comment on another post", "17001", vec![on("18000000000000002")]),
            ("another post", "17001", vec![refused(), refused()]),
        ] {
            let error = act_on(id, &act, &answers).unwrap_err();
            assert_eq!(error.message, "That is not a comment on this post.", "{name}");
            assert_eq!(error.code, FailureCode::NotFound, "{name}");
        }
        let fewer = asks(act_on("17001", &act, &[refused()]));
        assert!(fewer.url.as_str().ends_with("?fields=id%2Ctext%2Ctimestamp%2Cusername"));
    }
    insta::assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          "hide=true"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.instagram.com/v26.0/17001",
        "visible": false
      },
      {
        "body": [
          "hide=false"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.instagram.com/v26.0/17001",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://graph.instagram.com/v26.0/17001",
        "visible": false
      }
    ]
    "#);
    for act in [CommentAction::Edit("x".to_owned()), CommentAction::Like, CommentAction::Unlike] {
        assert_eq!(act_on("17001", &act, &[]).unwrap_err().code, FailureCode::Unsupported);
    }
    for id in ["", "me", "1/2", "1?fields=x"] {
        let error = act_on(id, &CommentAction::Delete, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Permanent, "{id}");
    }
}

#[test]
fn the_recorded_answer_is_whole() {
    let body: Value = serde_json::from_str(COMMENTS).unwrap();
    assert_eq!(body["data"].as_array().unwrap().len(), 2);
}
