//! Taking down, followers and names as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{NetworkErrorKind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation;
use crate::linkedin::testing::{
    EVERYTHING, MEMBER, PAGE, SELF_SERVE, SHARE, access, addresses, all_shown, denied, gone, held,
    linkedin, live_post,
};
use crate::testing::{answered, answered_text};

#[test]
fn a_post_is_taken_down_and_one_that_is_gone_is_no_error() {
    let (access, post) = (access(MEMBER, SELF_SERVE), live_post(SHARE));
    let take_down =
        |answer: Answer| held(&[answer], |answers| linkedin().take_down(&access, &post, answers));
    let (asked, done) = take_down(answered_text(204, ""));
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "linkedin-version": "202607",
          "x-restli-method": "DELETE",
          "x-restli-protocol-version": "2.0.0"
        },
        "request": "DELETE https://api.linkedin.com/rest/posts/urn%3Ali%3Ashare%3A7141138937766391808",
        "visible": false
      }
    ]
    "#);
    assert_eq!(done, Ok(()));
    assert_eq!(take_down(gone()).1, Ok(()));
    for (name, answer, want) in [
        ("denied", denied(), NetworkErrorKind::Permanent),
        ("down", answered_text(500, ""), NetworkErrorKind::Temporary),
        ("a proxy's page", answered_text(404, "<html>"), NetworkErrorKind::Temporary),
    ] {
        assert_eq!(take_down(answer).1.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_post_cannot_be_changed() {
    let edit = RemoteEdit { content: Some("x".to_owned()), title: None };
    let error =
        linkedin().edit(&access(MEMBER, EVERYTHING), &live_post(SHARE), &edit, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
}

#[test]
fn followers_of_pages_and_members() {
    let of = |author: &str, scope: &str, answers: &[Answer]| {
        let access = access(author, scope);
        let (asked, done) = held(answers, |answers| linkedin().followers(&access, answers));
        (addresses(&asked), done.map_err(|error| error.kind))
    };
    let page = answered(200, &json!({ "firstDegreeSize": 512 }));
    assert_eq!(
        of(PAGE, EVERYTHING, &[page]),
        (
            vec!["GET https://api.linkedin.com/rest/networkSizes/urn%3Ali%3Aorganization%3A5515715?edgeType=COMPANY_FOLLOWED_BY_MEMBER".to_owned()],
            Ok(Some(512))
        )
    );
    let member = answered(200, &json!({ "elements": [{ "memberFollowersCount": 96 }] }));
    assert_eq!(
        of(MEMBER, EVERYTHING, &[member]),
        (
            vec!["GET https://api.linkedin.com/rest/memberFollowersCount?q=me".to_owned()],
            Ok(Some(96))
        )
    );
    for author in [PAGE, MEMBER] {
        assert_eq!(of(author, SELF_SERVE, &[]), (vec![], Ok(None)));
        assert_eq!(of(author, EVERYTHING, &[denied()]).1, Ok(None));
        let down = of(author, EVERYTHING, &[answered_text(503, "")]).1;
        assert_eq!(down, Err(NetworkErrorKind::Temporary));
    }
}

#[test]
fn pages_are_found_by_their_whole_name() {
    let of = |scope: &str, query: &str, answers: &[Answer]| {
        let access = access(MEMBER, scope);
        let (asked, done) = held(answers, |answers| linkedin().mentions(&access, query, answers));
        (addresses(&asked), done.unwrap())
    };
    let found = answered(
        200,
        &json!({ "elements": [{ "id": 1, "localizedName": "Dev Test", "vanityName": "devtestco" }] }),
    );
    let (asked, mentions) = of(EVERYTHING, "@dev test", &[found]);
    assert_eq!(
        asked,
        ["GET https://api.linkedin.com/rest/organizations?q=vanityName&vanityName=dev%20test"]
    );
    assert_eq!(mentions, [Mention { handle: "devtestco".to_owned(), name: "Dev Test".to_owned() }]);
    assert_eq!(of(SELF_SERVE, "dev", &[]), (vec![], vec![]));
    assert_eq!(of(EVERYTHING, " ", &[]), (vec![], vec![]));
    assert_eq!(of(EVERYTHING, "dev", &[denied()]).1, []);
}
