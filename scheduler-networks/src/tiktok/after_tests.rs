//! Figures and followers as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{CommentAction, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::conversation::AfterConversation;
use crate::testing::answered_text;
use crate::tiktok::testing::{
    POST_ID, access, done, held, live_post, ok, recorded, refused, tiktok,
};

const QUERIED: &str = include_str!("fixtures/video_query.json");

#[test]
fn figures_of_posts_that_everybody_can_see() {
    let access = access(None);
    let posts =
        [live_post("v_pub_file~v2-1.1"), live_post(POST_ID), live_post("7512345678901234568")];
    let (asked, figures) =
        held(&[recorded(QUERIED)], |answers| tiktok().figures(&access, &posts, answers));
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "filters": {
            "video_ids": [
              "7512345678901234567",
              "7512345678901234568"
            ]
          }
        },
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/video/query/?fields=id,create_time,share_url,duration,title,video_description,like_count,comment_count,share_count,view_count",
        "visible": false
      }
    ]
    "#);
    let told = [
        (Metric::Views, 240.0),
        (Metric::Likes, 31.0),
        (Metric::Comments, 4.0),
        (Metric::Shares, 3.0),
    ];
    assert_eq!(figures, Ok(vec![None, Some(Figures(told.into())), None]));
    let some = ok(&json!({ "videos": [{ "id": POST_ID, "view_count": 1 }] }));
    let figures = done(tiktok().figures(&access, &posts[1..2], &[some]));
    assert_eq!(figures, [Some(Figures([(Metric::Views, 1.0)].into()))]);
    assert_eq!(tiktok().figures_at_once(), 20);
}

#[test]
fn where_there_are_no_figures() {
    let all = access(None);
    let draft = [live_post("v_inbox_file~v2-1.1")];
    assert_eq!(done(tiktok().figures(&all, &draft, &[])), [None], "nothing is asked");
    let post = [live_post(POST_ID)];
    let few = access(Some(&["video.publish"]));
    assert_eq!(done(tiktok().figures(&few, &post, &[])), [None]);
    assert_eq!(
        done(tiktok().figures(&all, &post, &[refused(401, "scope_not_authorized")])),
        [None]
    );
    for (answer, want) in [
        (refused(500, "internal_error"), Kind::Temporary),
        (refused(401, "access_token_invalid"), Kind::TokenExpired),
        (answered_text(200, "<html>"), Kind::Temporary),
    ] {
        assert_eq!(tiktok().figures(&all, &post, &[answer]).unwrap_err().kind, want);
    }
}

#[test]
fn followers_are_counted_where_that_was_allowed() {
    let all = access(None);
    let answer = ok(&json!({ "user": { "open_id": "x", "follower_count": 96 } }));
    let (asked, followers) = held(&[answer], |answers| tiktok().followers(&all, answers));
    assert_eq!(
        asked[0]["request"],
        "GET https://open.tiktokapis.com/v2/user/info/?fields=open_id,follower_count,following_count,likes_count,video_count"
    );
    assert_eq!(followers, Ok(Some(96)));
    let few = access(Some(&["video.publish"]));
    assert_eq!(done(tiktok().followers(&few, &[])), None);
    assert_eq!(done(tiktok().followers(&all, &[refused(401, "scope_permission_missed")])), None);
    let error = tiktok().followers(&all, &[refused(429, "rate_limit_exceeded")]).unwrap_err();
    assert!(matches!(error.kind, Kind::RateLimited { .. }));
}

#[test]
fn what_the_network_does_not_offer() {
    let (access, post) = (access(None), live_post(POST_ID));
    let edit = RemoteEdit { content: Some("x".to_owned()), title: None };
    let errors = [
        tiktok().edit(&access, &post, &edit, &[]).unwrap_err(),
        tiktok().take_down(&access, &post, &[]).unwrap_err(),
        tiktok().act_on_comment(&access, &post, "1", &CommentAction::Like, &[]).unwrap_err(),
        tiktok().boards(&access, &[]).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.code, FailureCode::Unsupported, "{error}");
    }
    assert_eq!(done(tiktok().comments(&access, &post, &[])), None);
    assert_eq!(done(tiktok().insights(&access, &post, &[])), None);
    assert_eq!(done(tiktok().mentions(&access, "ana", &[])), []);
}
