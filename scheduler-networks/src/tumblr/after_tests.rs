//! What can be done with a live post and its blog.

use insta::assert_json_snapshot;
use scheduler_core::ports::{CommentAction, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation;
use crate::testing::answered_text;
use crate::tumblr::progress::provisional;
use crate::tumblr::testing::{access, addresses, fault, gone, held, live_post, ok, posts, tumblr};

#[test]
fn a_post_is_taken_down() {
    let post = live_post("12");
    let down = |answer: Answer| held(&[answer], |a| tumblr().take_down(&access(), &post, a));
    let (asked, result) = down(ok(&json!([])));
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          "id=12"
        ],
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "POST https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/post/delete",
        "visible": false
      }
    ]
    "#);
    assert_eq!(result, Ok(()));
    assert_eq!(down(gone()).1, Ok(()), "one that is gone is no error");
    for (name, answer, want) in [
        ("a page", answered_text(404, "<html>"), Kind::Temporary),
        ("not allowed", fault(403, 0, "x"), Kind::Permanent),
        ("failed", fault(500, 0, "x"), Kind::Temporary),
        ("expired", fault(401, 1016, "x"), Kind::TokenExpired),
    ] {
        assert_eq!(down(answer).1.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_post_whose_id_has_changed_is_looked_for_before_it_is_taken_down() {
    let post = LivePost { remote: provisional("41"), ..live_post("41") };
    for (listed, want) in [
        (json!([{ "id": 42, "genesis_post_id": "41" }]), "id=42"),
        (json!([{ "id": 7, "genesis_post_id": "6" }]), "id=41"),
    ] {
        let answers = [posts(listed.as_array().unwrap()), ok(&json!([]))];
        let (asked, result) = held(&answers, |a| tumblr().take_down(&access(), &post, a));
        assert_eq!((asked.len(), result), (2, Ok(())));
        assert_eq!(asked[1]["body"], json!([want]));
    }
}

#[test]
fn a_post_whose_new_id_is_not_known_is_gone_only_where_it_would_be_listed() {
    let post = LivePost { remote: provisional("41"), ..live_post("41") };
    let listed = |count: i64, oldest: i64| {
        let at = |number: i64| post.published_at.timestamp() + oldest + count - 1 - number;
        let listed: Vec<_> = (0..count)
            .map(|number| json!({ "id": 50 + number, "timestamp": at(number) }))
            .collect();
        posts(&listed)
    };
    for (name, listed, want) in [
        ("no other post", vec![listed(0, 0)], Ok(())),
        ("all posts of the blog", vec![listed(19, 5)], Ok(())),
        ("back to those before", vec![listed(20, -601)], Ok(())),
        ("on the second page", vec![listed(20, -600), listed(1, -601)], Ok(())),
        ("a second with many", vec![listed(20, -600), listed(20, -600)], Err(Kind::Permanent)),
    ] {
        let down = |answer: Answer| {
            let answers = [&listed[..], &[answer]].concat();
            held(&answers, |a| tumblr().take_down(&access(), &post, a)).1
        };
        assert_eq!(down(gone()).map_err(|error| error.kind), want, "{name}");
        assert_eq!(down(ok(&json!([]))), Ok(()), "{name}: still under its first id");
    }
}

#[test]
fn followers_are_those_of_the_blog() {
    let info = || answered_text(200, include_str!("fixtures/user_info.json"));
    let (asked, count) = held(&[info()], |a| tumblr().followers(&access(), a));
    assert_eq!(addresses(&asked), ["GET https://api.tumblr.com/v2/user/info"]);
    assert_eq!(count, Ok(Some(33_004_929)));
    let mut another = access();
    another.account.network_id = "t:another".to_owned();
    assert_eq!(held(&[info()], |a| tumblr().followers(&another, a)).1, Ok(None));
    let failed = held(&[fault(500, 0, "x")], |a| tumblr().followers(&access(), a)).1;
    assert_eq!(failed.unwrap_err().kind, Kind::Temporary);
}

#[test]
fn a_name_is_looked_up_whole() {
    let look = |query: &str, answers: &[Answer]| {
        held(answers, |answers| tumblr().mentions(&access(), query, answers))
    };
    let info = answered_text(200, include_str!("fixtures/blog_info.json"));
    let (asked, found) = look(" @staff", &[info]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "GET https://api.tumblr.com/v2/blog/staff/info",
        "visible": false
      }
    ]
    "#);
    let want = Mention { handle: "@staff".to_owned(), name: "Tumblr Staff".to_owned() };
    assert_eq!(found, Ok(vec![want]));
    let untitled = ok(&json!({ "blog": { "name": "a", "title": " " } }));
    assert_eq!(look("a", &[untitled]).1.unwrap()[0].name, "a");
    assert_eq!(look("nobody", &[gone()]).1, Ok(vec![]));
    for query in ["", " @ ", "..", "../user/info", "a b", "é"] {
        let (asked, found) = look(query, &[]);
        assert_eq!((asked.len(), found), (0, Ok(vec![])), "{query}");
    }
    assert_eq!(look("a", &[fault(429, 0, "x")]).1.unwrap_err().code, FailureCode::RateLimited);
}

#[test]
fn nothing_else_is_offered() {
    let post = live_post("12");
    let edit = RemoteEdit { content: Some("x".to_owned()), title: None };
    let error = tumblr().edit(&access(), &post, &edit, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    let act = CommentAction::Reply("x".to_owned());
    let error = tumblr().act_on_comment(&access(), &post, "reply:a:1", &act, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    let insights = tumblr().insights(&access(), &post, &[]);
    assert!(matches!(insights, Ok(Turn::Done(None))));
}
