//! What comes after publishing, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, shown};
use crate::mastodon::testing::{ANA, access, held, lines, live_post, mastodon, refusal, status};
use crate::testing::{answered, answered_text};

const GONE: &str = "Record not found";

fn ok(body: &Value) -> Answer {
    answered(200, body)
}

fn to(content: &str) -> RemoteEdit {
    RemoteEdit { content: Some(content.to_owned()), title: None }
}

#[test]
fn an_edit_sends_again_whatever_stays() {
    let mut live = status("11", ANA, "ana", None);
    live["spoiler_text"] = "CW".into();
    live["sensitive"] = true.into();
    live["media_attachments"] = json!([
        { "id": "5", "description": "A crab", "meta": { "focus": { "x": -0.5, "y": 0.25 } } },
        { "id": "6", "description": null, "meta": {} },
    ]);
    let mut post = live_post(&["11", "12"]);
    post.link_url = Some("https://a.example/x".to_owned());
    post.file_count = 2;
    post.options = json!({ "caption": "old" }).as_object().cloned().unwrap();
    let answers = [ok(&live), ok(&live)];
    let new = to("new\r\ntext ");
    let (asked, edited) =
        held(&answers, |answers| mastodon().edit(&access(), &post, &new, answers));
    assert_eq!(edited, Ok(()));
    let asked: Vec<Value> = asked.iter().map(shown).collect();
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://m.example/api/v1/statuses/11",
        "visible": false
      },
      {
        "body": {
          "language": "en",
          "media_attributes": [
            {
              "description": "A crab",
              "focus": "-0.5,0.25",
              "id": "5"
            },
            {
              "id": "6"
            }
          ],
          "media_ids": [
            "5",
            "6"
          ],
          "sensitive": true,
          "spoiler_text": "CW",
          "status": "new\ntext \nhttps://a.example/x"
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "PUT https://m.example/api/v1/statuses/11",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn an_edit_of_a_bare_text_takes_nothing_else_along() {
    let mut live = status("11", ANA, "ana", None);
    live["language"] = Value::Null;
    let (asked, _) = held(&[ok(&live), ok(&live)], |answers| {
        mastodon().edit(&access(), &live_post(&["11"]), &to("new"), answers)
    });
    assert_eq!(
        lines(&asked)[1],
        r#"PUT v1/statuses/11 {"sensitive":false,"spoiler_text":"","status":"new"}"#
    );
    let title = RemoteEdit { content: None, title: Some("new".to_owned()) };
    let error = mastodon().edit(&access(), &live_post(&["11"]), &title, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn an_edit_leaves_open_to_whom_it_was_who_may_quote() {
    let live = || ok(&status("11", ANA, "ana", None));
    let mut post = live_post(&["11"]);
    post.options = json!({ "quotePolicy": "nobody" }).as_object().cloned().unwrap();
    let (asked, _) =
        held(&[live(), live()], |answers| mastodon().edit(&access(), &post, &to("new"), answers));
    assert_eq!(shown(&asked[1])["body"]["quote_approval_policy"], "nobody");
}

/// Source: `app/services/update_status_service.rb` of the server, `update_poll!`.
#[test]
fn a_post_with_a_poll_is_left_as_it_is() {
    let mut live = status("11", ANA, "ana", None);
    live["poll"] = json!({ "id": "7", "options": [{ "title": "Tea" }, { "title": "Coffee" }] });
    let (asked, edited) = held(&[ok(&live)], |answers| {
        mastodon().edit(&access(), &live_post(&["11"]), &to("new"), answers)
    });
    assert_eq!((asked.len(), edited.unwrap_err().code), (1, FailureCode::Unsupported));
}

#[test]
fn an_edit_that_fails_is_told() {
    let live = || ok(&status("11", ANA, "ana", None));
    let too_long = refusal(422, "Validation failed: Text character limit of 500 exceeded");
    for (name, answers, want) in [
        ("gone", vec![refusal(404, GONE)], (Kind::Permanent, FailureCode::NetworkRefused)),
        ("not read", vec![answered_text(200, "{}")], (Kind::Temporary, FailureCode::NetworkError)),
        ("too long", vec![live(), too_long], (Kind::Permanent, FailureCode::ValidationFailed)),
        (
            "down",
            vec![live(), answered_text(502, "")],
            (Kind::Temporary, FailureCode::NetworkError),
        ),
        (
            "token",
            vec![live(), refusal(401, "The access token was revoked")],
            (Kind::Reconnect, FailureCode::AccountNotConnected),
        ),
    ] {
        let (_, edited) = held(&answers, |answers| {
            mastodon().edit(&access(), &live_post(&["11"]), &to("new"), answers)
        });
        let error = edited.unwrap_err();
        assert_eq!((error.kind, error.code), want, "{name}");
    }
}

#[test]
fn a_thread_is_taken_down_from_its_end() {
    let post = live_post(&["11", "12", "13"]);
    let answers = [ok(&json!({})), refusal(404, GONE), ok(&json!({}))];
    let (asked, taken) = held(&answers, |answers| mastodon().take_down(&access(), &post, answers));
    assert_eq!(taken, Ok(()));
    assert_eq!(
        lines(&asked),
        [
            "DELETE v1/statuses/13?delete_media=true",
            "DELETE v1/statuses/12?delete_media=true",
            "DELETE v1/statuses/11?delete_media=true",
        ]
    );
    let post = live_post(&["11"]);
    for (name, answer, want) in [
        ("limited", answered_text(429, ""), Kind::RateLimited { wait: None }),
        ("a proxy", answered_text(403, "<html>"), Kind::Temporary),
        ("not offered", answered_text(404, "<html>"), Kind::Permanent),
        ("scope", refusal(403, "This action is outside the authorized scopes"), Kind::Permanent),
        ("token", refusal(401, "The access token was revoked"), Kind::Reconnect),
    ] {
        let taken = held(&[answer], |answers| mastodon().take_down(&access(), &post, answers)).1;
        assert_eq!(taken.unwrap_err().kind, want, "{name}");
    }
}

fn counted(id: &str, likes: u64) -> Value {
    let mut status = status(id, ANA, "ana", None);
    status["favourites_count"] = likes.into();
    status["reblogs_count"] = 3.into();
    status["replies_count"] = 7.into();
    status["quotes_count"] = 1.into();
    status
}

/// snac has no call that deletes.
#[test]
fn what_a_server_does_not_offer_is_called_so() {
    for status in [404, 405] {
        let page = answered_text(status, "<h1>Not Found</h1>");
        let taken =
            held(&[page], |answers| mastodon().take_down(&access(), &live_post(&["11"]), answers));
        let error = taken.1.unwrap_err();
        assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::Unsupported));
        let want = format!("The server of this account does not offer this: status {status}.");
        assert_eq!(error.message, want);
    }
}

#[test]
fn the_next_part_of_a_thread_is_no_comment_on_it() {
    for (name, parts, told, want) in [
        ("no thread", vec!["11"], 7, 7.0),
        ("a thread", vec!["11", "12", "13"], 7, 6.0),
        ("without comments", vec!["11", "12"], 1, 0.0),
        ("whose second part is gone", vec!["11", "12"], 0, 0.0),
    ] {
        let mut shown = counted("11", 2);
        shown["replies_count"] = told.into();
        let one = [live_post(&parts)];
        let two = [live_post(&parts), live_post(&["20"])];
        let alone = held(&[ok(&shown)], |answers| mastodon().figures(&access(), &one, answers));
        let list = [ok(&json!([shown]))];
        let listed = held(&list, |answers| mastodon().figures(&access(), &two, answers));
        for figures in [alone.1.unwrap(), listed.1.unwrap()] {
            let comments = figures[0].as_ref().unwrap().0.get(&Metric::Comments).copied();
            assert_eq!(comments, Some(want), "{name}");
        }
    }
}

#[test]
fn figures_of_many_posts_take_one_call_where_the_server_can() {
    assert_eq!(mastodon().figures_at_once(), 20);
    let posts = [live_post(&["11"]), live_post(&["12"]), live_post(&["13"])];
    let list = "GET v1/statuses?id%5B%5D=11&id%5B%5D=12&id%5B%5D=13";
    let answers = [ok(&json!([counted("13", 2), counted("11", 1)]))];
    let (asked, figures) = held(&answers, |answers| mastodon().figures(&access(), &posts, answers));
    assert_eq!(lines(&asked), [list]);
    assert_json_snapshot!(figures.unwrap(), @r#"
    [
      {
        "likes": 1.0,
        "comments": 7.0,
        "shares": 3.0,
        "quotes": 1.0
      },
      null,
      {
        "likes": 2.0,
        "comments": 7.0,
        "shares": 3.0,
        "quotes": 1.0
      }
    ]
    "#);

    let mut older = counted("13", 2);
    older.as_object_mut().unwrap().remove("quotes_count");
    let answers =
        [refusal(404, "Not Found"), ok(&counted("11", 1)), refusal(404, GONE), ok(&older)];
    let (asked, figures) = held(&answers, |answers| mastodon().figures(&access(), &posts, answers));
    assert_eq!(
        lines(&asked),
        [list, "GET v1/statuses/11", "GET v1/statuses/12", "GET v1/statuses/13"]
    );
    let counts: Vec<_> =
        figures.unwrap().into_iter().map(|one| one.map(|one| one.0.len())).collect();
    assert_eq!(counts, [Some(4), None, Some(3)]);
}

#[test]
fn figures_of_one_post() {
    let posts = [live_post(&["11"])];
    for (name, answer, want) in [
        ("there", ok(&counted("11", 1)), Ok(true)),
        ("gone", refusal(404, GONE), Ok(false)),
        ("scope", refusal(403, "This action is outside the authorized scopes"), Ok(false)),
        ("a proxy", answered_text(404, "<html>"), Err(Kind::Temporary)),
        ("token", refusal(401, "The access token is invalid"), Err(Kind::Reconnect)),
        ("unreadable", answered_text(200, "[]"), Err(Kind::Temporary)),
    ] {
        let (asked, figures) =
            held(&[answer], |answers| mastodon().figures(&access(), &posts, answers));
        assert_eq!(lines(&asked), ["GET v1/statuses/11"], "{name}");
        let figures = figures.map(|all| all[0].is_some()).map_err(|error| error.kind);
        assert_eq!(figures, want, "{name}");
    }
}

#[test]
fn followers_are_counted() {
    let me = |rest: Value| {
        let mut me = json!({ "id": ANA, "acct": "ana" });
        me.as_object_mut().unwrap().extend(rest.as_object().cloned().unwrap());
        ok(&me)
    };
    for (name, answer, want) in [
        ("counted", me(json!({ "followers_count": 96 })), Ok(Some(96))),
        ("not told", me(json!({})), Ok(None)),
        ("scope", refusal(403, "This action is outside the authorized scopes"), Ok(None)),
        ("down", answered_text(502, ""), Err(Kind::Temporary)),
    ] {
        let (asked, followers) =
            held(&[answer], |answers| mastodon().followers(&access(), answers));
        assert_eq!(lines(&asked), ["GET v1/accounts/verify_credentials"], "{name}");
        assert_eq!(followers.map_err(|error| error.kind), want, "{name}");
    }
}

#[test]
fn limits_are_those_of_the_server() {
    let described = || answered_text(200, include_str!("fixtures/instance_v2.json"));
    let older = || answered_text(200, include_str!("fixtures/instance_v1.json"));
    let none = || refusal(404, "Not Found");
    for (name, answers, want) in [
        ("the newer way", vec![described()], Ok(Some(Some(5000)))),
        ("the older way", vec![none(), older()], Ok(Some(Some(4096)))),
        ("neither", vec![none(), none()], Ok(None)),
        ("down", vec![answered_text(502, "")], Err(Kind::Temporary)),
    ] {
        let (asked, limits) = held(&answers, |answers| mastodon().limits(&access(), answers));
        let limits = limits.map(|limits| limits.map(|limits| limits.text_limit));
        assert_eq!(limits.map_err(|error| error.kind), want, "{name}");
        let calls = ["GET v2/instance", "GET v1/instance"];
        assert_eq!(lines(&asked), calls[..answers.len()], "{name}");
    }
}

#[test]
fn names_are_looked_up_with_their_servers() {
    let found = ok(&json!([
        { "id": "1", "acct": "ben", "username": "ben", "display_name": "Ben" },
        { "id": "2", "acct": "benno@other.example", "username": "benno", "display_name": "" },
        { "id": "3", "acct": "benita@other.example" },
    ]));
    let (asked, names) = held(&[found], |answers| mastodon().mentions(&access(), " @ben", answers));
    assert_eq!(lines(&asked), ["GET v1/accounts/search?q=ben&limit=10&resolve=false"]);
    let names: Vec<(String, String)> =
        names.unwrap().into_iter().map(|mention| (mention.handle, mention.name)).collect();
    let pair = |handle: &str, name: &str| (handle.to_owned(), name.to_owned());
    assert_eq!(
        names,
        [
            pair("@ben@m.example", "Ben"),
            pair("@benno@other.example", "benno"),
            pair("@benita@other.example", "benita@other.example"),
        ]
    );
    assert_eq!(held(&[], |answers| mastodon().mentions(&access(), "@ ", answers)).1, Ok(vec![]));
    let scope = refusal(403, "This action is outside the authorized scopes");
    assert_eq!(
        held(&[scope], |answers| mastodon().mentions(&access(), "b", answers)).1,
        Ok(vec![])
    );
}
