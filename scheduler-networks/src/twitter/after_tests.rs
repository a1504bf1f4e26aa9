//! What comes after publishing, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation;
use crate::testing::{answered, answered_text};
use crate::twitter::testing::{
    access, addresses, all_shown, done, held, live_post, problem, twitter,
};

const POSTS: &str = include_str!("fixtures/posts.json");
const ME: &str = include_str!("fixtures/me.json");

fn is_deleted(deleted: bool) -> Answer {
    answered(200, &json!({ "data": { "deleted": deleted } }))
}

#[test]
fn a_thread_is_taken_down_from_its_end() {
    let post = live_post(&["7", "8", "9"]);
    let gone = problem(404, "resource-not-found", "Not Found Error", "Could not find");
    let answers = [is_deleted(true), gone, is_deleted(true)];
    let (asked, taken) = held(&answers, |answers| twitter().take_down(&access(), &post, answers));
    assert_eq!(taken, Ok(()));
    let base = "DELETE https://api.x.com/2/tweets/";
    assert_eq!(addresses(&asked), ["9", "8", "7"].map(|id| format!("{base}{id}")));

    let post = live_post(&["7"]);
    for (name, answer, want) in [
        ("not done", is_deleted(false), Kind::Temporary),
        ("down", answered_text(500, ""), Kind::Temporary),
        ("a page", answered_text(404, "<html>"), Kind::Temporary),
        ("token", problem(401, "", "Unauthorized", "Unauthorized"), Kind::TokenExpired),
        (
            "not ours",
            problem(403, "", "Forbidden", "You are not permitted to perform this action."),
            Kind::Permanent,
        ),
    ] {
        let taken = held(&[answer], |answers| twitter().take_down(&access(), &post, answers)).1;
        assert_eq!(taken.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn figures_of_many_posts_come_in_one_call() {
    let posts = ["1445880548472328192", "1", "1445880548472328193"].map(|id| live_post(&[id]));
    let answers = [answered_text(200, POSTS)];
    let (asked, figures) = held(&answers, |answers| twitter().figures(&access(), &posts, answers));
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://api.x.com/2/tweets?ids=1445880548472328192%2C1%2C1445880548472328193&post.fields=public_metrics",
        "visible": false
      }
    ]
    "#);
    assert_json_snapshot!(figures.unwrap(), @r#"
    [
      {
        "impressions": 17.0,
        "likes": 1.0,
        "comments": 0.0,
        "shares": 0.0,
        "quotes": 0.0,
        "saves": 0.0
      },
      null,
      {
        "impressions": 1200.0,
        "likes": 50.0,
        "comments": 4.0,
        "shares": 3.0,
        "quotes": 2.0,
        "saves": 1.0
      }
    ]
    "#);
    assert_eq!(twitter().figures_at_once(), 100);
    assert_eq!(done(twitter().figures(&access(), &[], &[])), []);
}

#[test]
fn the_next_part_of_a_thread_is_no_comment_on_it() {
    for (name, parts, told, want) in [
        ("no thread", vec!["7"], 4, 4.0),
        ("a thread", vec!["7", "8", "9"], 4, 3.0),
        ("without comments", vec!["7", "8"], 1, 0.0),
        ("whose second part is gone", vec!["7", "8"], 0, 0.0),
    ] {
        let metrics = json!({ "reply_count": told, "like_count": 2 });
        let answer = json!({ "data": [{ "id": "7", "public_metrics": metrics }] });
        let posts = [live_post(&parts)];
        let answers = [answered(200, &answer)];
        let figures = held(&answers, |answers| twitter().figures(&access(), &posts, answers)).1;
        let figures = figures.unwrap().remove(0).unwrap();
        assert_eq!(figures.0.get(&Metric::Comments).copied(), Some(want), "{name}");
        assert_eq!(figures.0.get(&Metric::Likes).copied(), Some(2.0), "{name}");
    }
}

/// An application that may write and not read publishes as before.
#[test]
fn what_may_not_be_read_leaves_the_account_connected() {
    let posts = [live_post(&["7"])];
    let denied = || problem(403, "client-forbidden", "Client Forbidden", "client-not-enrolled");
    let figures = held(&[denied()], |answers| twitter().figures(&access(), &posts, answers)).1;
    assert_eq!(figures.unwrap_err().kind, Kind::Permanent);
    let followers = held(&[denied()], |answers| twitter().followers(&access(), answers)).1;
    assert_eq!(followers.unwrap_err().kind, Kind::Permanent);
}

#[test]
fn the_older_name_of_the_fields_is_tried_once() {
    let posts = [live_post(&["1445880548472328193"])];
    let wrong = || problem(400, "invalid-request", "Invalid Request", "post.fields is unknown");
    let bare = || answered(200, &json!({ "data": [{ "id": "1445880548472328193", "text": "x" }] }));
    for (name, first) in [("refused", wrong()), ("passed over", bare())] {
        let answers = [first, answered_text(200, POSTS)];
        let (asked, figures) =
            held(&answers, |answers| twitter().figures(&access(), &posts, answers));
        assert!(addresses(&asked)[1].ends_with("&tweet.fields=public_metrics"), "{name}");
        assert!(figures.unwrap()[0].is_some(), "{name}");
    }
    for (name, answers, want) in [
        ("refused twice", [wrong(), wrong()], Err(Kind::Permanent)),
        ("passed over twice", [bare(), bare()], Ok(vec![None])),
    ] {
        let (_, figures) = held(&answers, |answers| twitter().figures(&access(), &posts, answers));
        assert_eq!(figures.map_err(|error| error.kind), want, "{name}");
    }
    for (name, answer, want) in [
        ("credits", problem(402, "credits", "CreditsDepleted", "None."), Kind::Permanent),
        ("down", answered_text(503, ""), Kind::Temporary),
        ("unreadable", answered_text(200, "<html>"), Kind::Temporary),
    ] {
        let (_, figures) = held(&[answer], |answers| twitter().figures(&access(), &posts, answers));
        assert_eq!(figures.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn posts_that_are_all_gone_have_no_figures() {
    let posts = [live_post(&["1"])];
    let none = answered(200, &json!({ "errors": [{ "title": "Not Found Error" }] }));
    let (_, figures) = held(&[none], |answers| twitter().figures(&access(), &posts, answers));
    assert_eq!(figures, Ok(vec![None]));
}

#[test]
fn followers_are_counted() {
    let answers = [answered_text(200, ME)];
    let (asked, followers) = held(&answers, |answers| twitter().followers(&access(), answers));
    assert_eq!(followers, Ok(Some(96)));
    assert_eq!(addresses(&asked), ["GET https://api.x.com/2/users/me?user.fields=public_metrics"]);
    let bare = answered(200, &json!({ "data": { "id": "1", "username": "ana" } }));
    let (_, followers) = held(&[bare], |answers| twitter().followers(&access(), answers));
    assert_eq!(followers, Ok(None));
}

#[test]
fn what_x_does_not_offer() {
    let post = live_post(&["7"]);
    let edit = RemoteEdit { content: Some("new".to_owned()), title: None };
    let error = twitter().edit(&access(), &post, &edit, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    assert_eq!(done(twitter().comments(&access(), &post, &[])), None);
    assert_eq!(done(twitter().mentions(&access(), "ana", &[])), []);
}
