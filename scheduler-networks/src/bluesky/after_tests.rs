//! What comes after publishing, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::bluesky::testing::{DID, access, bluesky, held, lines, live_post, refusal};
use crate::conversation::{AfterConversation, shown};
use crate::testing::{answered, answered_text};

const KEY: &str = "3mabcdefghi2k";

fn deleted() -> Answer {
    answered(200, &json!({}))
}

#[test]
fn a_thread_is_taken_down_from_its_end() {
    let post = live_post(&[KEY, "3mabcdefghj2k", "3mabcdefghk2k"]);
    let answers = [deleted(), deleted(), deleted()];
    let (asked, taken) = held(&answers, |answers| bluesky().take_down(&access(), &post, answers));
    assert_eq!(taken, Ok(()));
    assert_json_snapshot!(shown(&asked[0]), @r#"
    {
      "body": {
        "collection": "app.bsky.feed.post",
        "repo": "did:plc:abcdefghijklmnopqrstuvwx",
        "rkey": "3mabcdefghk2k"
      },
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://pds.example.com/xrpc/com.atproto.repo.deleteRecord",
      "visible": false
    }
    "#);
    let keys: Vec<_> = asked.iter().map(|request| shown(request)["body"]["rkey"].clone()).collect();
    assert_eq!(keys, ["3mabcdefghk2k", "3mabcdefghj2k", KEY]);

    let post = live_post(&[KEY]);
    for (name, answer, want) in [
        ("down", answered_text(500, ""), Kind::Temporary),
        ("token", refusal("ExpiredToken", "Token has expired"), Kind::TokenExpired),
        ("revoked", refusal("InvalidToken", "Token could not be verified"), Kind::Reconnect),
        ("limited", answered_text(429, ""), Kind::RateLimited { wait: None }),
        ("unknown", answered_text(404, "<html>"), Kind::Temporary),
    ] {
        let taken = held(&[answer], |answers| bluesky().take_down(&access(), &post, answers)).1;
        assert_eq!(taken.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_thread_of_which_no_parts_were_kept_is_taken_down_whole() {
    let mut post = live_post(&[KEY]);
    post.options = json!({ "thread": ["two"] }).as_object().cloned().unwrap();
    let answers = [deleted(), deleted()];
    let (asked, taken) = held(&answers, |answers| bluesky().take_down(&access(), &post, answers));
    assert_eq!(taken, Ok(()));
    let keys: Vec<_> = asked.iter().map(|request| shown(request)["body"]["rkey"].clone()).collect();
    assert_eq!(keys, ["3mabcdefghj2k", KEY]);
}

#[test]
fn a_post_is_not_changed() {
    let edit = RemoteEdit { content: Some("new".to_owned()), title: None };
    let error = bluesky().edit(&access(), &live_post(&[KEY]), &edit, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn figures_of_many_posts_take_one_call() {
    assert_eq!(bluesky().figures_at_once(), 25);
    let posts = [live_post(&[KEY]), live_post(&["3mgone"])];
    let answers = [answered_text(200, include_str!("fixtures/posts.json"))];
    let (asked, figures) = held(&answers, |answers| bluesky().figures(&access(), &posts, answers));
    let uri = "at%3A%2F%2Fdid%3Aplc%3Aabcdefghijklmnopqrstuvwx%2Fapp.bsky.feed.post%2F";
    assert_eq!(
        lines(&asked),
        [format!(
            "GET app.bsky.feed.getPosts?uris={uri}{KEY}&uris={uri}3mgone by did:web:api.bsky.app#bsky_appview"
        )]
    );
    assert_json_snapshot!(figures.unwrap(), @r#"
    [
      {
        "likes": 100.0,
        "comments": 7.0,
        "shares": 3.0,
        "quotes": 2.0,
        "saves": 4.0
      },
      null
    ]
    "#);
    assert_eq!(held(&[], |answers| bluesky().figures(&access(), &[], answers)).1, Ok(vec![]));
    for (name, answer, want) in [
        ("unreadable", answered_text(200, "<html>"), Kind::Temporary),
        ("no view", answered(502, &json!({ "error": "UpstreamFailure" })), Kind::Temporary),
        ("token", refusal("ExpiredToken", "Token has expired"), Kind::TokenExpired),
    ] {
        let figures = held(&[answer], |answers| bluesky().figures(&access(), &posts, answers)).1;
        assert_eq!(figures.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn the_next_part_of_a_thread_is_no_comment_on_it() {
    let options = json!({ "thread": ["two"] });
    let unkept = scheduler_core::ports::LivePost {
        options: options.as_object().cloned().unwrap(),
        ..live_post(&[KEY])
    };
    for (name, post, told, want) in [
        ("no thread", live_post(&[KEY]), 7, 7.0),
        ("a thread", live_post(&[KEY, "3mabcdefghj2k", "3mabcdefghk2k"]), 7, 6.0),
        ("of which no parts were kept", unkept, 7, 6.0),
        ("without comments", live_post(&[KEY, "3mabcdefghj2k"]), 1, 0.0),
        ("whose second part is gone", live_post(&[KEY, "3mabcdefghj2k"]), 0, 0.0),
    ] {
        let view = json!({
            "uri": post.remote.id,
            "cid": "bafy",
            "author": { "did": DID, "handle": "a.b" },
            "replyCount": told,
        });
        let answers = [answered(200, &json!({ "posts": [view] }))];
        let posts = [post];
        let figures = held(&answers, |answers| bluesky().figures(&access(), &posts, answers)).1;
        let figures = figures.unwrap().remove(0).unwrap();
        assert_eq!(figures.0.get(&Metric::Comments).copied(), Some(want), "{name}");
    }
}

#[test]
fn followers_are_counted() {
    let profile = answered(200, &json!({ "did": DID, "handle": "a.b", "followersCount": 96 }));
    let (asked, followers) = held(&[profile], |answers| bluesky().followers(&access(), answers));
    assert_eq!(followers, Ok(Some(96)));
    assert_eq!(
        lines(&asked),
        [
            "GET app.bsky.actor.getProfile?actor=did%3Aplc%3Aabcdefghijklmnopqrstuvwx by did:web:api.bsky.app#bsky_appview"
        ]
    );
    let none = answered(200, &json!({ "did": DID, "handle": "a.b" }));
    assert_eq!(held(&[none], |answers| bluesky().followers(&access(), answers)).1, Ok(None));
}

#[test]
fn names_are_looked_up() {
    let found = answered(
        200,
        &json!({ "actors": [
            { "did": "did:plc:b", "handle": "ben.test", "displayName": "Ben" },
            { "did": "did:plc:c", "handle": "benno.test", "displayName": "" },
            { "did": "did:plc:d", "handle": "benita.test" },
        ] }),
    );
    let (asked, names) = held(&[found], |answers| bluesky().mentions(&access(), " @ben", answers));
    assert_eq!(
        lines(&asked),
        [
            "GET app.bsky.actor.searchActorsTypeahead?q=ben&limit=10 by did:web:api.bsky.app#bsky_appview"
        ]
    );
    assert_json_snapshot!(names.unwrap(), @r#"
    [
      {
        "handle": "@ben.test",
        "name": "Ben"
      },
      {
        "handle": "@benno.test",
        "name": "benno.test"
      },
      {
        "handle": "@benita.test",
        "name": "benita.test"
      }
    ]
    "#);
    assert_eq!(held(&[], |answers| bluesky().mentions(&access(), " @", answers)).1, Ok(vec![]));
}

#[test]
fn an_account_that_cannot_be_read_has_to_be_connected_again() {
    let mut access = access();
    access.credentials = scheduler_core::account::Credentials::new("garbage", None);
    let error = bluesky().followers(&access, &[]).unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
}
