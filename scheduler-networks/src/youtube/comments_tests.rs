//! Comments as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode;

use super::*;
use crate::conversation::AfterConversation;
use crate::testing::{answered, answered_text};
use crate::youtube::testing::{
    CHANNEL, EVERYTHING, VIDEO, access, addresses, all_shown, held, live_post, refused, youtube,
};

const THREADS: &str = include_str!("fixtures/comment_threads.json");

fn none() -> Answer {
    answered(200, &json!({ "items": [] }))
}

fn listing(answers: &[Answer]) -> (Vec<String>, Result<Option<Comments>, NetworkError>) {
    let post = live_post(VIDEO);
    let (asked, found) =
        held(answers, |answers| youtube().comments(&access(EVERYTHING), &post, answers));
    (addresses(&asked), found)
}

fn acting(
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> (Vec<Request>, Result<Option<Comment>, NetworkError>) {
    let post = live_post(VIDEO);
    held(answers, |answers| {
        youtube().act_on_comment(&access(EVERYTHING), &post, comment, act, answers)
    })
}

#[test]
fn threads_their_replies_and_what_is_held_back() {
    let replies = answered(
        200,
        &json!({ "items": [{
            "id": "UgzTwo.x",
            "snippet": { "textDisplay": "Reply", "authorDisplayName": "@c" },
        }] }),
    );
    let held_back = answered(
        200,
        &json!({ "items": [{ "snippet": { "topLevelComment": {
            "id": "UgzHeld",
            "snippet": { "textDisplay": "Buy", "moderationStatus": "heldForReview" },
        } } }] }),
    );
    let (asked, found) = listing(&[answered_text(200, THREADS), held_back, replies]);
    assert_eq!(
        asked,
        [
            "GET https://www.googleapis.com/youtube/v3/commentThreads?part=snippet%2Creplies&videoId=aBcDeFgHiJk&order=time&maxResults=100&textFormat=plainText",
            "GET https://www.googleapis.com/youtube/v3/commentThreads?part=snippet%2Creplies&videoId=aBcDeFgHiJk&order=time&maxResults=100&textFormat=plainText&moderationStatus=heldForReview",
            "GET https://www.googleapis.com/youtube/v3/comments?part=snippet&parentId=UgzTwo&maxResults=100&textFormat=plainText",
        ]
    );
    let Comments { comments, rights } = found.unwrap().unwrap();
    assert_eq!(rights, RIGHTS);
    let told: Vec<(&str, &str, bool, bool, Option<u64>)> = comments
        .iter()
        .map(|comment| {
            let Comment { id, text, own, hidden, like_count, .. } = comment;
            (id.as_str(), text.as_str(), *own, *hidden, *like_count)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("UgzOne", "Nice & calm", false, false, Some(3)),
            ("UgzOne.Aa-_1", "Thank you", true, false, Some(0)),
            ("UgzTwo", "First", false, false, None),
            ("UgzTwo.x", "Reply", false, false, None),
            ("UgzHeld", "Buy", false, true, None),
        ]
    );
    assert_eq!(comments[0].author.as_deref(), Some("@ben"));
    assert_eq!(comments[0].created_at, "2026-11-20T10:05:00Z".parse().ok());
}

#[test]
fn what_can_be_read_decides_what_is_told() {
    let paged = answered(200, &json!({ "items": [], "nextPageToken": "P2" }));
    let (asked, found) = listing(&[paged, none(), none()]);
    assert!(asked[1].ends_with("&pageToken=P2"), "{asked:?}");
    assert_eq!(found.unwrap().unwrap().comments, []);
    let (_, off) = listing(&[refused(403, "commentsDisabled")]);
    assert_eq!(off, Ok(Some(Comments::default())), "nothing can be done with any");
    let (_, found) = listing(&[none(), refused(403, "forbidden")]);
    assert_eq!(found.unwrap().unwrap().rights, RIGHTS);
    let (_, gone) = listing(&[refused(404, "videoNotFound")]);
    assert_eq!(gone.unwrap_err().kind, Kind::Permanent);
    let alone = access("https://www.googleapis.com/auth/youtube.upload");
    let (asked, found) =
        held(&[], |answers| youtube().comments(&alone, &live_post(VIDEO), answers));
    assert_eq!((asked.len(), found), (0, Ok(None)));
    let (_, failed) = listing(&[answered_text(500, "")]);
    assert_eq!(failed.unwrap_err().kind, Kind::Temporary);
}

#[test]
fn every_act_is_a_call() {
    let made = answered(
        200,
        &json!({ "id": "UgzOne.y", "snippet": {
            "textDisplay": "Thanks", "authorDisplayName": "@ana",
            "publishedAt": "2026-11-20T10:07:00Z",
        } }),
    );
    let of = |author: &str| {
        answered(
            200,
            &json!({ "items": [{
                "id": "UgzOne",
                "snippet": { "authorChannelId": { "value": author } },
            }] }),
        )
    };
    let ok = || answered_text(204, "");
    let mut shown = Vec::new();
    for (comment, act, answers) in [
        ("UgzOne.x", CommentAction::Reply("Thanks".to_owned()), vec![made]),
        ("UgzOne.y", CommentAction::Edit("Changed".to_owned()), vec![answered(200, &json!({}))]),
        ("UgzOne", CommentAction::Hide, vec![ok()]),
        ("UgzOne", CommentAction::Unhide, vec![ok()]),
        ("UgzOne", CommentAction::Delete, vec![of(CHANNEL), ok()]),
        ("UgzOne", CommentAction::Delete, vec![of("UCben"), ok()]),
    ] {
        let (asked, done) = acting(comment, &act, &answers);
        let done = done.unwrap();
        assert_eq!(done.is_some(), matches!(act, CommentAction::Reply(_)), "{act:?}");
        if let Some(reply) = done {
            assert_eq!((reply.id.as_str(), reply.text.as_str()), ("UgzOne.y", "Thanks"));
            assert!(reply.own && !reply.hidden);
        }
        shown.extend(all_shown(&asked));
    }
    assert_json_snapshot!(shown, @r#"
    [
      {
        "body": {
          "snippet": {
            "parentId": "UgzOne",
            "textOriginal": "Thanks"
          }
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://www.googleapis.com/youtube/v3/comments?part=snippet",
        "visible": true
      },
      {
        "body": {
          "id": "UgzOne.y",
          "snippet": {
            "textOriginal": "Changed"
          }
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "PUT https://www.googleapis.com/youtube/v3/comments?part=snippet",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://www.googleapis.com/youtube/v3/comments/setModerationStatus?id=UgzOne&moderationStatus=heldForReview",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://www.googleapis.com/youtube/v3/comments/setModerationStatus?id=UgzOne&moderationStatus=published",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://www.googleapis.com/youtube/v3/comments?part=snippet&id=UgzOne",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://www.googleapis.com/youtube/v3/comments?id=UgzOne",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://www.googleapis.com/youtube/v3/comments?part=snippet&id=UgzOne",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://www.googleapis.com/youtube/v3/comments/setModerationStatus?id=UgzOne&moderationStatus=rejected",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn what_is_gone_is_deleted_and_the_rest_is_said() {
    let delete = |answers: &[Answer]| acting("UgzOne", &CommentAction::Delete, answers).1;
    assert_eq!(delete(&[none()]), Ok(None));
    assert_eq!(delete(&[refused(404, "commentNotFound")]), Ok(None));
    for act in [CommentAction::Hide, CommentAction::Edit("x".to_owned())] {
        let error = acting("UgzOne", &act, &[refused(404, "commentNotFound")]).1.unwrap_err();
        assert_eq!(error.code, FailureCode::NotFound);
    }
    for act in [CommentAction::Like, CommentAction::Unlike] {
        let error = acting("UgzOne", &act, &[]).1.unwrap_err();
        assert_eq!(error.code, FailureCode::Unsupported);
    }
    for id in ["", "a/b", "a..b", ".", "a%2Fb", "a b"] {
        let error = acting(id, &CommentAction::Hide, &[]).1.unwrap_err();
        assert_eq!(error.kind, Kind::Permanent, "{id}");
    }
    let reply = CommentAction::Reply("x".to_owned());
    for (act, answer, want) in [
        (&reply, refused(400, "commentTextTooLong"), Kind::Permanent),
        (&reply, answered_text(500, ""), Kind::Unsettled),
        (&reply, answered_text(200, ""), Kind::InDoubt),
        (&reply, refused(403, "insufficientPermissions"), Kind::Permanent),
        (&CommentAction::Hide, refused(404, "commentNotFound"), Kind::Permanent),
        (&CommentAction::Hide, answered_text(500, ""), Kind::Temporary),
    ] {
        let error = acting("UgzOne", act, &[answer]).1.unwrap_err();
        assert_eq!(error.kind, want, "{act:?}: {error}");
    }
}
