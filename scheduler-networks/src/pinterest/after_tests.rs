//! Taking down, followers and boards as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::pinterest::testing::{access, fault, held, live_post, ok, pinterest};
use crate::testing::{answered, answered_text};

#[test]
fn a_pin_is_taken_down_once() {
    let take_down = |answer: Answer| {
        held(&[answer], |answers| pinterest().take_down(&access(), &live_post(), answers))
    };
    let (asked, done) = take_down(answered_text(204, ""));
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://api.pinterest.com/v5/pins/813744226420795884",
        "visible": false
      }
    ]
    "#);
    assert_eq!(done, Ok(()));
    assert_eq!(take_down(fault(404, 50, "Pin not found.")).1, Ok(()), "gone is gone");
    for (name, answer, want) in [
        ("a page", answered_text(404, "<html>"), Kind::Temporary),
        ("of others", fault(403, 7, "Not permitted"), Kind::Permanent),
        ("failed", answered_text(500, ""), Kind::Temporary),
        ("expired", fault(401, 2, "Authentication failed."), Kind::TokenExpired),
    ] {
        assert_eq!(take_down(answer).1.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn followers_are_counted() {
    let followers =
        |answer: Answer| held(&[answer], |answers| pinterest().followers(&access(), answers)).1;
    assert_eq!(followers(ok(include_str!("fixtures/user_account.json"))), Ok(Some(10)));
    assert_eq!(followers(answered(200, &json!({ "id": "1" }))), Ok(None));
    assert_eq!(followers(fault(403, 3, "Missing")), Ok(None));
    for status in [200, 403] {
        let page = answered_text(status, "<html>");
        assert_eq!(followers(page).unwrap_err().kind, Kind::Temporary, "{status}");
    }
}

#[test]
fn boards_are_listed_page_after_page() {
    let pages = [
        answered(200, &json!({ "items": [{ "id": "1", "name": "One" }], "bookmark": "b&1" })),
        ok(include_str!("fixtures/boards.json")),
    ];
    let (asked, boards) = held(&pages, |answers| pinterest().boards(&access(), answers));
    let addresses: Vec<&str> =
        asked.iter().map(|request| request["request"].as_str().unwrap()).collect();
    assert_eq!(
        addresses,
        [
            "GET https://api.pinterest.com/v5/boards?page_size=250",
            "GET https://api.pinterest.com/v5/boards?page_size=250&bookmark=b%261",
        ]
    );
    let boards: Vec<(String, String)> =
        boards.unwrap().into_iter().map(|board| (board.id, board.name)).collect();
    let want = [("1", "One"), ("549755885175", "Summer Recipes"), ("549755885176", "Ideas")];
    assert_eq!(boards, want.map(|(id, name)| (id.to_owned(), name.to_owned())));
    let (_, refused) =
        held(&[fault(403, 3, "Missing")], |answers| pinterest().boards(&access(), answers));
    assert_eq!(refused.unwrap_err().kind, Kind::Reconnect);
}

#[test]
fn what_is_not_offered_says_so() {
    let edit = RemoteEdit { content: Some("x".to_owned()), title: None };
    let error = pinterest().edit(&access(), &live_post(), &edit, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    let Ok(Turn::Done(None)) = pinterest().comments(&access(), &live_post(), &[]) else {
        panic!("there are no comments");
    };
    let Ok(Turn::Done(names)) = pinterest().mentions(&access(), "ana", &[]) else { panic!() };
    assert_eq!(names, []);
}
