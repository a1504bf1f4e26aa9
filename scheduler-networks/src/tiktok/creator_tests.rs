//! What an account is allowed, as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, Conversation};
use crate::tiktok::testing::{
    CREATOR, access, after, done, held, public, recorded, refused, step, tiktok, video_job,
};

#[test]
fn a_post_is_checked_against_what_the_account_is_allowed() {
    for (name, options, seconds, words) in [
        ("allowed", json!({ "privacy": "SELF_ONLY" }), Some(600.0), ""),
        ("length unknown", json!({ "privacy": "SELF_ONLY" }), None, ""),
        (
            "another level",
            json!({ "privacy": "FOLLOWER_OF_CREATOR" }),
            None,
            "This account allows PUBLIC_TO_EVERYONE, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY.",
        ),
        ("none", json!({}), None, "This account allows"),
        ("too long", json!({ "privacy": "SELF_ONLY" }), Some(600.5), "up to 600 seconds"),
    ] {
        let mut job = video_job(options, 1_000);
        job.files[0].facts.duration_seconds = seconds;
        let (_, stepped) = step(&job, &tiktok().begin(&job), &[recorded(CREATOR)]);
        match words {
            "" => assert!(matches!(stepped, Ok(Step::Next(_))), "{name}: {stepped:?}"),
            words => {
                let error = stepped.unwrap_err();
                assert_eq!(
                    (error.kind, error.code),
                    (Kind::Permanent, FailureCode::ValidationFailed)
                );
                assert!(error.message.contains(words), "{name}: {error}");
            }
        }
    }
}

#[test]
fn a_refusal_ends_the_publish_before_anything_is_announced() {
    let job = video_job(public(), 1_000);
    let begun = tiktok().begin(&job);
    for (status, code, is_for_good) in [
        (200, "spam_risk_too_many_posts", false),
        (200, "reached_active_user_cap", false),
        (200, "spam_risk_user_banned_from_posting", true),
        (403, "spam_risk_too_many_posts", false),
    ] {
        let error = step(&job, &begun, &[refused(status, code)]).1.unwrap_err();
        assert_eq!(error.kind == Kind::Permanent, is_for_good, "{code}");
        assert_eq!(matches!(error.kind, Kind::RateLimited { .. }), !is_for_good, "{code}");
    }
    let next = after(&job, &begun, &[recorded(CREATOR)]);
    assert_eq!(
        next["creator"],
        json!({
            "username": "ana",
            "commentsDisabled": false,
            "duetsDisabled": false,
            "stitchesDisabled": true,
        })
    );
}

#[test]
fn what_is_told_of_a_creator() {
    let access = access(None);
    let (asked, creator) = held(&[recorded(CREATOR)], |answers| tiktok().creator(&access, answers));
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/post/publish/creator_info/query/",
        "visible": false
      }
    ]
    "#);
    let want = Creator {
        privacy_levels: vec![
            "PUBLIC_TO_EVERYONE".to_owned(),
            "MUTUAL_FOLLOW_FRIENDS".to_owned(),
            "SELF_ONLY".to_owned(),
        ],
        comment_disabled: false,
        duet_disabled: false,
        stitch_disabled: true,
        max_video_duration_seconds: 600,
        nickname: Some("Ana".to_owned()),
        username: Some("ana".to_owned()),
        avatar_url: Some("https://lf16-tt4d.tiktokcdn.com/obj/avatar".to_owned()),
    };
    assert_eq!(creator, Ok(want));
    for (answer, want) in [
        (refused(200, "reached_active_user_cap"), "number of posting users"),
        (refused(403, "spam_risk_user_banned_from_posting"), "barred"),
        (refused(401, "scope_not_authorized"), "Connect it again"),
    ] {
        let error = tiktok().creator(&access, &[answer]).unwrap_err();
        assert!(error.message.contains(want), "{error}");
    }
}

#[test]
fn limits_of_an_account_that_may_publish() {
    let limits = done(tiktok().limits(&access(None), &[recorded(CREATOR)])).unwrap();
    assert_eq!(limits.privacy_levels.as_ref().map(Vec::len), Some(3));
    assert_eq!(limits.comments_disabled, Some(false));
    assert_eq!(limits.max_video_duration_seconds, Some(600.0));
    let drafts_only: &[&str] = &["video.upload"];
    assert_eq!(done(tiktok().limits(&access(Some(drafts_only)), &[])), None);
    let refusal = [refused(401, "scope_not_authorized")];
    assert_eq!(done(tiktok().limits(&access(None), &refusal)), None);
    let error = tiktok().limits(&access(None), &[refused(500, "internal_error")]).unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
    let unread: Value = json!({ "privacy_level_options": "x" });
    let answer = crate::tiktok::testing::ok(&unread);
    assert_eq!(tiktok().limits(&access(None), &[answer]).unwrap_err().kind, Kind::Temporary);
}
