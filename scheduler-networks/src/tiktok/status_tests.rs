//! Waiting for the network as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::ports::PublishJob;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::testing::steps::failed as has_failed;
use crate::testing::{answered_text, begun_at};
use crate::tiktok::testing::{
    COMPLETE, POST_ID, after, announced, ok, public, recorded, refused, status, step, tiktok,
    video_job,
};

/// A video that the network works on since [`begun_at`].
fn processing(options: Value) -> (PublishJob, Value) {
    let job = video_job(options, 1_000);
    let progress = after(&job, &announced(&job), &[answered_text(201, "")]);
    (job, progress)
}

fn failed(reason: &str) -> Answer {
    ok(&json!({ "status": "FAILED", "fail_reason": reason }))
}

#[test]
fn it_is_asked_less_and_less_often_and_for_a_day() {
    let (mut job, progress) = processing(public());
    for (seconds, wait) in [
        (5, Some(10)),
        (119, Some(10)),
        (120, Some(60)),
        (32 * 60 - 1, Some(60)),
        (32 * 60, Some(600)),
        (24 * 3600 - 1, Some(600)),
        (24 * 3600, None),
    ] {
        job.now = begun_at() + TimeDelta::seconds(seconds);
        for word in ["PROCESSING_UPLOAD", "PROCESSING_DOWNLOAD", "SOMETHING_NEW"] {
            let (_, stepped) = step(&job, &progress, &[status(word)]);
            match wait {
                Some(wait) => {
                    let Ok(Step::Wait { until, .. }) = stepped else { panic!("{stepped:?}") };
                    assert_eq!(until, job.now + TimeDelta::seconds(wait), "{seconds}");
                }
                None => assert_eq!(stepped.unwrap_err().kind, Kind::Temporary, "{seconds}"),
            }
        }
    }
}

#[test]
fn a_public_post_is_live_before_its_id_is_known() {
    let (mut job, progress) = processing(public());
    let (_, stepped) = step(&job, &progress, &[status("PUBLISH_COMPLETE")]);
    let Ok(Step::Live(Live { remote: Some(remote), then: Some(then) })) = stepped else {
        panic!("{stepped:?}")
    };
    assert_eq!((remote.id.as_str(), &remote.url), ("v_pub_file~v2-1.123456789", &None));
    assert_eq!(tiktok().live_part(&then), Some(remote));
    assert!(!tiktok().is_visible(&then));
    assert_eq!(tiktok().skip(&then), None);
    let (asked, stepped) = step(&job, &then, &[status("PUBLISH_COMPLETE")]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "publish_id": "v_pub_file~v2-1.123456789"
        },
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/post/publish/status/fetch/",
        "visible": false
      }
    ]
    "#);
    let Ok(Step::Wait { progress, until }) = stepped else { panic!("{stepped:?}") };
    assert_eq!((&progress, until), (&then, job.now + TimeDelta::seconds(10)));
    let (_, stepped) = step(&job, &then, &[recorded(COMPLETE)]);
    let Ok(Step::Live(Live { remote: Some(remote), then: None })) = stepped else {
        panic!("{stepped:?}")
    };
    assert_eq!(remote.id, POST_ID);
    assert!(remote.url.is_some());

    let without = Live { remote: None, then: None };
    let unknown = step(&job, &then, &[refused(400, "invalid_publish_id")]).1;
    assert_eq!(unknown, Ok(Step::Live(without.clone())), "the post is there all the same");
    let taken_back = step(&job, &then, &[failed("spam_risk")]).1.unwrap_err();
    assert_eq!(taken_back.kind, Kind::Permanent);
    for answer in [refused(500, "internal_error"), refused(429, "rate_limit_exceeded")] {
        assert!(step(&job, &then, &[answer]).1.is_err(), "and is asked for again");
    }
    job.now += TimeDelta::hours(24);
    let none = ok(&json!({ "videos": [] }));
    let stepped = step(&job, &then, &[status("PUBLISH_COMPLETE"), none]).1;
    assert_eq!(stepped, Ok(Step::Live(without)), "no list names it either");
}

#[test]
fn an_id_that_the_status_never_names_is_found_among_the_accounts_posts() {
    let text = "Harbour walk #sea";
    let listed = |videos: &[(&str, i64, &str)]| {
        let videos = videos.iter().map(|(id, seconds, text)| {
            let at = begun_at().timestamp() + seconds;
            json!({ "id": id, "create_time": at, "video_description": text })
        });
        ok(&json!({ "videos": videos.collect::<Vec<_>>() }))
    };
    let minute_of = |minutes: i64| begun_at() + TimeDelta::minutes(minutes);
    // The network has worked on it for 20 minutes when it says that it is live.
    let live_after = |mut job: PublishJob, progress: &Value| {
        job.now = minute_of(20);
        let (_, stepped) = step(&job, progress, &[status("PUBLISH_COMPLETE")]);
        let Ok(Step::Live(Live { then: Some(then), .. })) = stepped else { panic!("{stepped:?}") };
        (job, then)
    };
    let (job, progress) = processing(public());
    let (mut job, then) = live_after(job, &progress);
    job.now = minute_of(79);
    let (asked, _) = step(&job, &then, &[status("PUBLISH_COMPLETE")]);
    assert_eq!(asked.len(), 1, "within the hour the status alone is asked for");
    job.now = minute_of(80);
    for (name, videos, want) in [
        ("at the begin", vec![("1", 9_000, "Another"), (POST_ID, -59, text)], Some(POST_ID)),
        ("when it was live", vec![(POST_ID, 20 * 60, text)], Some(POST_ID)),
        ("before it began", vec![("1", -61, text)], None),
        ("after it was live", vec![("1", 20 * 60 + 61, text)], None),
        ("two of them", vec![("1", 60, text), ("2", 90, text)], None),
        ("another", vec![("1", 60, "Something else")], None),
        ("none", vec![], None),
    ] {
        let answers = [status("PUBLISH_COMPLETE"), listed(&videos)];
        let (asked, stepped) = step(&job, &then, &answers);
        assert_eq!(asked.len(), 2, "{name}");
        match want {
            Some(id) => {
                let Ok(Step::Live(Live { remote: Some(remote), then: None })) = stepped else {
                    panic!("{name}: {stepped:?}")
                };
                assert_eq!(remote.id, id, "{name}");
                assert_eq!(remote.record["publishId"], "v_pub_file~v2-1.123456789", "{name}");
                assert!(remote.url.unwrap().ends_with(&format!("/@ana/video/{id}")), "{name}");
            }
            None => assert!(matches!(stepped, Ok(Step::Wait { .. })), "{name}: {stepped:?}"),
        }
    }
    for answer in [refused(401, "scope_not_authorized"), refused(500, "internal_error")] {
        let stepped = step(&job, &then, &[status("PUBLISH_COMPLETE"), answer]).1;
        assert!(matches!(stepped, Ok(Step::Wait { .. })), "it is asked again: {stepped:?}");
    }

    let (silent, mut progress) = processing(public());
    progress["post"]["text"] = json!("");
    let (mut silent, then) = live_after(silent, &progress);
    silent.now = minute_of(80);
    let answers = [status("PUBLISH_COMPLETE"), listed(&[("1", 60, "")])];
    let stepped = step(&silent, &then, &answers).1;
    assert!(matches!(stepped, Ok(Step::Wait { .. })), "nothing tells it from others: {stepped:?}");
}

#[test]
fn a_post_for_few_has_no_page_and_no_id() {
    for privacy in ["SELF_ONLY", "MUTUAL_FOLLOW_FRIENDS"] {
        let (job, progress) = processing(json!({ "privacy": privacy }));
        let (_, stepped) = step(&job, &progress, &[status("PUBLISH_COMPLETE")]);
        let Ok(Step::Live(Live { remote: Some(remote), then: None })) = stepped else {
            panic!("{stepped:?}")
        };
        assert_eq!((remote.id.as_str(), remote.url), ("v_pub_file~v2-1.123456789", None));
        let (_, stepped) = step(&job, &progress, &[recorded(COMPLETE)]);
        let Ok(Step::Live(Live { remote: Some(remote), .. })) = stepped else {
            panic!("{stepped:?}")
        };
        assert_eq!((remote.id.as_str(), remote.url), (POST_ID, None));
    }
}

#[test]
fn a_failed_publish_is_told_and_the_next_attempt_begins_another() {
    for (reason, kind, code) in [
        ("duration_check_failed", Kind::Permanent, FailureCode::ValidationFailed),
        ("internal", Kind::Temporary, FailureCode::NetworkError),
        ("auth_removed", Kind::Reconnect, FailureCode::AccountNotConnected),
    ] {
        let (job, progress) = processing(public());
        let (anew, error) = has_failed(step(&job, &progress, &[failed(reason)]).1);
        assert_eq!((error.kind, error.code), (kind, code), "{reason}");
        assert_eq!(anew["stage"]["is"], "creator", "{reason}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_again() {
    let (job, progress) = processing(public());
    for answer in [answered_text(200, "<html>"), ok(&json!({})), refused(500, "internal_error")] {
        assert_eq!(step(&job, &progress, &[answer]).1.unwrap_err().kind, Kind::Temporary);
    }
    let expired = step(&job, &progress, &[refused(401, "access_token_invalid")]).1.unwrap_err();
    assert_eq!(expired.kind, Kind::TokenExpired);
}
