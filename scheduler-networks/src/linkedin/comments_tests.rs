//! Comments as exchanges of values.

use insta::assert_json_snapshot;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation;
use crate::linkedin::testing::{
    EVERYTHING, MEMBER, PAGE, SELF_SERVE, SHARE, access, addresses, all_shown, created, denied,
    gone, held, linkedin, live_post, refused as refusal,
};
use crate::testing::{answered, answered_text};

const COMMENTS: &str = include_str!("fixtures/comments.json");
const ID: &str = "activity~6631349431612559360~6636062862760562688";

fn read(scope: &str, answers: &[Answer]) -> (Vec<String>, Result<Option<Comments>, NetworkError>) {
    let (access, post) = (access(MEMBER, scope), live_post(SHARE));
    let (asked, done) = held(answers, |answers| linkedin().comments(&access, &post, answers));
    (addresses(&asked), done)
}

fn list(elements: &[Value]) -> Answer {
    answered(200, &json!({ "elements": elements }))
}

#[test]
fn comments_with_their_answers_and_the_names_of_pages() {
    let reply = json!({
        "id": "7", "actor": "urn:li:person:x", "message": { "text": "Answer" },
        "commentUrn": "urn:li:comment:(urn:li:activity:6631349431612559360,7)",
    });
    let names = answered(200, &json!({ "results": { "2414183": { "localizedName": "Acme" } } }));
    let answers = [answered_text(200, COMMENTS), list(&[reply]), names];
    let (asked, done) = read(EVERYTHING, &answers);
    assert_eq!(
        asked,
        [
            "GET https://api.linkedin.com/rest/socialActions/urn%3Ali%3Ashare%3A7141138937766391808/comments?start=0&count=100",
            "GET https://api.linkedin.com/rest/socialActions/urn%3Ali%3Acomment%3A%28urn%3Ali%3Aactivity%3A6631349431612559360%2C6636062862760562688%29/comments?start=0&count=100",
            "GET https://api.linkedin.com/rest/organizations?ids=List(2414183)",
        ]
    );
    let Comments { comments, rights } = done.unwrap().unwrap();
    assert_json_snapshot!(comments, @r#"
    [
      {
        "id": "activity~6631349431612559360~6636062862760562688",
        "author": "Ana",
        "text": "First",
        "createdAt": "2020-02-20T01:04:38.569Z",
        "own": true,
        "hidden": false,
        "likeCount": 2
      },
      {
        "id": "activity~6631349431612559360~7",
        "author": null,
        "text": "Answer",
        "createdAt": null,
        "own": false,
        "hidden": false,
        "likeCount": null
      },
      {
        "id": "activity~6631349431612559360~6636062862760562689",
        "author": "Acme",
        "text": "Second",
        "createdAt": "2020-02-20T01:04:38.570Z",
        "own": false,
        "hidden": false,
        "likeCount": 4
      },
      {
        "id": "ugcPost~6631349431612559361~6636062862760562690",
        "author": null,
        "text": "",
        "createdAt": null,
        "own": false,
        "hidden": false,
        "likeCount": null
      }
    ]
    "#);
    assert!(rights.reply && rights.edit && rights.like && rights.delete && !rights.hide);
}

#[test]
fn long_lists_are_followed_and_have_an_end() {
    let comment =
        |number: usize| json!({ "id": number.to_string(), "object": "urn:li:activity:1" });
    let page = || list(&(0..100).map(comment).collect::<Vec<_>>());
    let (asked, done) = read(EVERYTHING, &[page(), list(&[comment(1)])]);
    assert!(asked[1].ends_with("?start=100&count=100"), "{}", asked[1]);
    assert_eq!(done.unwrap().unwrap().comments.len(), 101);
    let (asked, _) = read(EVERYTHING, &[page(), page(), page(), page(), page()]);
    assert_eq!(asked.len(), PAGES_MAX);
}

#[test]
fn without_the_permission_there_are_none() {
    assert_eq!(read(SELF_SERVE, &[]), (vec![], Ok(None)));
    assert_eq!(read(EVERYTHING, &[denied()]).1, Ok(None));
    let down = read(EVERYTHING, &[answered_text(500, "")]).1.unwrap_err();
    assert_eq!(down.kind, NetworkErrorKind::Temporary);
}

fn acted(
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> (Vec<Request>, Result<Option<Comment>, NetworkError>) {
    let (access, post) = (access(PAGE, EVERYTHING), live_post(SHARE));
    held(answers, |answers| linkedin().act_on_comment(&access, &post, comment, act, answers))
}

#[test]
fn every_act_is_one_call() {
    let mut asked = Vec::new();
    for (act, answer) in [
        (CommentAction::Reply("Thanks".to_owned()), created("9")),
        (CommentAction::Edit("Better".to_owned()), answered(200, &json!({}))),
        (CommentAction::Like, answered_text(201, "")),
        (CommentAction::Unlike, answered_text(204, "")),
        (CommentAction::Delete, answered_text(204, "")),
    ] {
        let (requests, done) = acted(ID, &act, &[answer]);
        assert_eq!(done.unwrap().is_some(), matches!(act, CommentAction::Reply(_)), "{act:?}");
        let mut shown = all_shown(&requests);
        let headers = shown[0]["headers"].as_object_mut().unwrap();
        headers.retain(|name, _| name == "x-restli-method");
        asked.extend(shown);
    }
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "actor": "urn:li:organization:5515715",
          "message": {
            "text": "Thanks"
          },
          "object": "urn:li:activity:6631349431612559360",
          "parentComment": "urn:li:comment:(urn:li:activity:6631349431612559360,6636062862760562688)"
        },
        "headers": {},
        "request": "POST https://api.linkedin.com/rest/socialActions/urn%3Ali%3Acomment%3A%28urn%3Ali%3Aactivity%3A6631349431612559360%2C6636062862760562688%29/comments",
        "visible": true
      },
      {
        "body": {
          "patch": {
            "message": {
              "$set": {
                "text": "Better"
              }
            }
          }
        },
        "headers": {
          "x-restli-method": "PARTIAL_UPDATE"
        },
        "request": "POST https://api.linkedin.com/rest/socialActions/urn%3Ali%3Ashare%3A7141138937766391808/comments/6636062862760562688?actor=urn%3Ali%3Aorganization%3A5515715",
        "visible": false
      },
      {
        "body": {
          "reactionType": "LIKE",
          "root": "urn:li:comment:(urn:li:activity:6631349431612559360,6636062862760562688)"
        },
        "headers": {},
        "request": "POST https://api.linkedin.com/rest/reactions?actor=urn%3Ali%3Aorganization%3A5515715",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "x-restli-method": "DELETE"
        },
        "request": "DELETE https://api.linkedin.com/rest/reactions/(actor:urn%3Ali%3Aorganization%3A5515715,entity:urn%3Ali%3Acomment%3A%28urn%3Ali%3Aactivity%3A6631349431612559360%2C6636062862760562688%29)",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "x-restli-method": "DELETE"
        },
        "request": "DELETE https://api.linkedin.com/rest/socialActions/urn%3Ali%3Ashare%3A7141138937766391808/comments/6636062862760562688?actor=urn%3Ali%3Aorganization%3A5515715",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn an_answer_is_named_by_body_or_header() {
    let body = answered(
        201,
        &json!({ "id": "9", "commentUrn": "urn:li:comment:(urn:li:activity:1,9)", "actor": PAGE,
            "message": { "text": "changed by the network" } }),
    );
    let act = CommentAction::Reply("Thanks".to_owned());
    for (name, answer, want) in [
        ("body", body, "activity~1~9"),
        ("header", created("9"), "activity~6631349431612559360~9"),
        ("a whole name", created("urn:li:comment:(urn:li:activity:2,9)"), "activity~2~9"),
    ] {
        let made = acted(ID, &act, &[answer]).1.unwrap().unwrap();
        assert_eq!(
            (made.id.as_str(), made.text.as_str(), made.own),
            (want, "Thanks", true),
            "{name}"
        );
    }
    for answer in [answered_text(201, ""), created("x y")] {
        let error = acted(ID, &act, &[answer]).1.unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt);
    }
}

#[test]
fn what_an_act_is_refused_with() {
    let conflict =
        || answered(409, &json!({ "status": 409, "code": "CONFLICT", "message": "there" }));
    let long = || refusal(400, "FIELD_LENGTH_TOO_LONG", "too long");
    let down = || answered_text(500, "");
    let text = || "x".to_owned();
    for (name, act, answer, want) in [
        ("liked before", CommentAction::Like, conflict(), None),
        ("liked before, otherwise", CommentAction::Like, refusal(422, "X", "there"), None),
        ("not liked", CommentAction::Unlike, gone(), None),
        ("deleted before", CommentAction::Delete, gone(), None),
        (
            "edited after all",
            CommentAction::Edit(text()),
            gone(),
            Some(NetworkErrorKind::Permanent),
        ),
        ("too long", CommentAction::Edit(text()), long(), Some(NetworkErrorKind::Permanent)),
        ("denied", CommentAction::Delete, denied(), Some(NetworkErrorKind::Permanent)),
        ("failed", CommentAction::Reply(text()), down(), Some(NetworkErrorKind::Unsettled)),
        ("failed, unseen", CommentAction::Like, down(), Some(NetworkErrorKind::Temporary)),
    ] {
        let done = acted(ID, &act, &[answer]).1;
        assert_eq!(done.err().map(|error| error.kind), want, "{name}");
    }
    let error = acted(ID, &CommentAction::Edit(text()), &[gone()]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::NotFound);
    for act in [CommentAction::Hide, CommentAction::Unhide] {
        assert_eq!(acted(ID, &act, &[]).1.unwrap_err().code, FailureCode::Unsupported);
    }
    for id in ["", "1", "activity~1", "activity~1~2~3", "activity~x~2", "../a~1~2", "a~1~2/3"] {
        let error = acted(id, &CommentAction::Like, &[]).1.unwrap_err();
        assert_eq!(error.code, FailureCode::NotFound, "{id}");
    }
}
