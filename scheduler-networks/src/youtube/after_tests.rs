//! What is done with a live video, as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;

use super::*;
use crate::conversation::AfterConversation;
use crate::testing::{answered, answered_text};
use crate::youtube::testing::{
    EVERYTHING, VIDEO, access, all_shown, held, live_post, refused, youtube,
};

fn before() -> Answer {
    answered(
        200,
        &json!({ "items": [{ "id": VIDEO, "snippet": {
            "publishedAt": "2026-11-20T10:00:00Z",
            "channelId": "UC1",
            "title": "Old",
            "description": "Old text",
            "tags": ["harbour"],
            "categoryId": "27",
            "defaultLanguage": "en",
            "localized": { "title": "Old" },
        } }] }),
    )
}

#[test]
fn an_edit_sends_back_what_it_does_not_change() {
    let mut post = live_post(VIDEO);
    post.link_url = Some("https://a.example/b".to_owned());
    post.options.insert("description".to_owned(), json!("stood there"));
    let edit = RemoteEdit { content: Some("New text".to_owned()), title: Some(" New ".to_owned()) };
    let answers = [before(), answered(200, &json!({}))];
    let (asked, done) =
        held(&answers, |answers| youtube().edit(&access(EVERYTHING), &post, &edit, answers));
    assert_eq!(done, Ok(()));
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://www.googleapis.com/youtube/v3/videos?part=snippet&id=aBcDeFgHiJk",
        "visible": false
      },
      {
        "body": {
          "id": "aBcDeFgHiJk",
          "snippet": {
            "categoryId": "27",
            "defaultLanguage": "en",
            "description": "New text\nhttps://a.example/b",
            "tags": [
              "harbour"
            ],
            "title": "New"
          }
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "PUT https://www.googleapis.com/youtube/v3/videos?part=snippet",
        "visible": false
      }
    ]
    "#);
    let title = RemoteEdit { content: None, title: Some("Only".to_owned()) };
    let (asked, _) =
        held(&answers, |answers| youtube().edit(&access(EVERYTHING), &post, &title, answers));
    let shown = all_shown(&asked);
    assert_eq!(shown[1]["body"]["snippet"]["description"], "Old text");
    assert_eq!(shown[1]["body"]["snippet"]["title"], "Only");
    for (name, answers, want) in [
        ("gone", vec![answered(200, &json!({ "items": [] }))], Kind::Permanent),
        ("refused", vec![before(), refused(400, "invalidTitle")], Kind::Permanent),
        ("scope", vec![refused(403, "insufficientPermissions")], Kind::Permanent),
        ("expired", vec![refused(401, "authError")], Kind::TokenExpired),
        ("failed", vec![before(), answered_text(500, "")], Kind::Temporary),
    ] {
        let (_, done) =
            held(&answers, |answers| youtube().edit(&access(EVERYTHING), &post, &title, answers));
        assert_eq!(done.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_video_is_taken_down_and_one_that_is_gone_is_no_error() {
    let post = live_post(VIDEO);
    let take_down = |answer: Answer| {
        held(&[answer], |answers| youtube().take_down(&access(EVERYTHING), &post, answers))
    };
    let (asked, done) = take_down(answered_text(204, ""));
    assert_eq!(done, Ok(()));
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "DELETE https://www.googleapis.com/youtube/v3/videos?id=aBcDeFgHiJk",
        "visible": false
      }
    ]
    "#);
    assert_eq!(take_down(refused(404, "videoNotFound")).1, Ok(()));
    for (answer, want) in [
        (answered_text(404, "<html>"), Kind::Temporary),
        (refused(403, "forbidden"), Kind::Permanent),
        (refused(401, "authError"), Kind::TokenExpired),
    ] {
        assert_eq!(take_down(answer).1.unwrap_err().kind, want);
    }
}

#[test]
fn figures_of_many_videos_come_in_their_order() {
    let posts = [live_post("b"), live_post("gone"), live_post("a")];
    let answer = answered(
        200,
        &json!({ "items": [
            { "id": "a", "statistics": { "viewCount": "240", "likeCount": "12", "commentCount": "3" } },
            { "id": "b", "statistics": { "viewCount": "7" } },
        ] }),
    );
    let (asked, found) =
        held(&[answer], |answers| youtube().figures(&access(EVERYTHING), &posts, answers));
    assert_eq!(
        asked[0].url.as_str(),
        "https://www.googleapis.com/youtube/v3/videos?part=statistics&id=b%2Cgone%2Ca"
    );
    let of = |pairs: &[(Metric, f64)]| Some(Figures(pairs.iter().copied().collect()));
    let all = [(Metric::Views, 240.0), (Metric::Likes, 12.0), (Metric::Comments, 3.0)];
    assert_eq!(found, Ok(vec![of(&[(Metric::Views, 7.0)]), None, of(&all)]));
    assert_eq!(youtube().figures_at_once(), 50);
    let (_, failed) = held(&[refused(403, "quotaExceeded")], |answers| {
        youtube().figures(&access(EVERYTHING), &posts, answers)
    });
    assert!(matches!(failed.unwrap_err().kind, Kind::RateLimited { wait: Some(_) }));
}

#[test]
fn subscribers_are_counted_unless_the_channel_hides_them() {
    for (name, statistics, want) in [
        ("shown", json!({ "subscriberCount": "512", "hiddenSubscriberCount": false }), Some(512)),
        ("hidden", json!({ "subscriberCount": "0", "hiddenSubscriberCount": true }), None),
        ("not told", json!({}), None),
    ] {
        let answer = answered(200, &json!({ "items": [{ "statistics": statistics }] }));
        let (asked, found) =
            held(&[answer], |answers| youtube().followers(&access(EVERYTHING), answers));
        assert_eq!(found, Ok(want), "{name}");
        assert_eq!(
            asked[0].url.as_str(),
            "https://www.googleapis.com/youtube/v3/channels?part=statistics&mine=true"
        );
    }
}
