//! Looking for a post whose call was lost, as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::ports::PublishJob;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::testing::begun_at;
use crate::testing::files::with_file;
use crate::tiktok::testing::{
    COMPLETE, CREATOR, POST_ID, after, announced, done, held, ok, photo_job, public, recorded,
    refused, scoped_job, tiktok, video_job,
};

fn located(job: &PublishJob, progress: &Value, answers: &[Answer]) -> Located {
    done(tiktok().locate(job, progress, answers))
}

/// Photos that were about to be named.
fn named(job: &PublishJob) -> Value {
    after(job, &tiktok().begin(job), &[recorded(CREATOR)])
}

fn listed(videos: &[(&str, i64, &str)]) -> Answer {
    let videos = videos.iter().map(|(id, seconds, text)| {
        let at = begun_at().timestamp() + seconds;
        json!({ "id": id, "create_time": at, "video_description": text })
    });
    ok(&json!({ "videos": videos.collect::<Vec<_>>(), "cursor": 1, "has_more": false }))
}

#[test]
fn the_name_of_a_video_tells_all() {
    let job = video_job(public(), 1_000);
    let progress = announced(&job);
    let of = |status: Value| located(&job, &progress, &[ok(&status)]);
    let stage = |progress: &Value| progress["stage"]["is"].as_str().unwrap().to_owned();
    let complete = located(&job, &progress, &[recorded(COMPLETE)]);
    let Located::Live(Live { remote: Some(remote), then: None }) = complete else {
        panic!("{complete:?}")
    };
    assert_eq!(remote.id, POST_ID);
    for status in [
        json!({ "status": "PROCESSING_UPLOAD", "uploaded_bytes": 1_000 }),
        json!({ "status": "PROCESSING_UPLOAD", "uploaded_bytes": 1_001 }),
        // Asked again, it tells why.
        json!({ "status": "FAILED", "fail_reason": "internal" }),
    ] {
        match of(status) {
            Located::Continue(progress) => assert_eq!(stage(&progress), "processing"),
            other => panic!("{other:?}"),
        }
    }
    for status in [
        json!({ "status": "PROCESSING_UPLOAD", "uploaded_bytes": 999 }),
        json!({ "status": "PROCESSING_UPLOAD" }),
    ] {
        match of(status) {
            Located::Repeat(progress) => assert!(tiktok().is_visible(&progress)),
            other => panic!("{other:?}"),
        }
    }
    let error = tiktok().locate(&job, &progress, &[refused(500, "internal_error")]).unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
}

#[test]
fn what_nobody_sees_goes_on() {
    let job = video_job(public(), 50_000_123);
    let begun = tiktok().begin(&job);
    for progress in [begun, announced(&job)] {
        assert_eq!(located(&job, &progress, &[]), Located::Absent(progress));
    }
}

#[test]
fn photos_are_found_among_the_accounts_posts() {
    let job = photo_job(public(), 1);
    let progress = named(&job);
    let text = "Harbour walk #sea";
    let other = [("1", 10, "Another"), ("2", -61, text)];
    let (asked, found) = held(&[listed(&[other[0], other[1], (POST_ID, -59, text)])], |answers| {
        tiktok().locate(&job, &progress, answers)
    });
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "max_count": 20
        },
        "headers": {
          "authorization": "[redacted]",
          "content-type": "application/json; charset=UTF-8"
        },
        "request": "POST https://open.tiktokapis.com/v2/video/list/?fields=id,create_time,video_description",
        "visible": false
      }
    ]
    "#);
    let Ok(Located::Live(Live { remote: Some(remote), then: None })) = found else {
        panic!("{found:?}")
    };
    assert_eq!(remote.id, POST_ID);
    assert_eq!(
        remote.url.as_deref(),
        Some("https://www.tiktok.com/@ana/photo/7512345678901234567")
    );
    let twice = [listed(&[("1", 1, text), ("2", 2, text)])];
    let which = located(&job, &progress, &twice);
    assert!(matches!(which, Located::Wait { .. }), "nobody can tell which: {which:?}");
    let far = [listed(&[("1", -300, text)])];
    let which = located(&job, &progress, &far);
    assert!(matches!(which, Located::Wait { .. }), "minutes before: {which:?}");
    let cleaned =
        located(&job, &progress, &[listed(&[(POST_ID, 3, "Harbour walk sea"), other[0]])]);
    assert!(matches!(cleaned, Located::Live(_)), "{cleaned:?}");
    let cut = "a".repeat(400);
    let mut long = photo_job(public(), 1);
    long.content.clone_from(&cut);
    let found = located(&long, &named(&long), &[listed(&[(POST_ID, 0, &cut[..150])])]);
    assert!(matches!(found, Located::Live(_)), "{found:?}");
}

#[test]
fn photos_are_looked_for_half_an_hour_and_never_named_again() {
    let mut job = photo_job(public(), 1);
    let mut progress = named(&job);
    let mut waits = Vec::new();
    loop {
        match located(&job, &progress, &[listed(&[])]) {
            Located::Wait { progress: next, until } => {
                waits.push((until - begun_at()).num_seconds());
                let early = located(&job, &next, &[]);
                assert!(matches!(early, Located::Wait { .. }), "{early:?}");
                (progress, job.now) = (next, until);
            }
            Located::Unknown => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(waits, [30, 120, 600, 1_800]);
    let error = tiktok().locate(&job, &progress, &[refused(500, "internal_error")]).unwrap_err();
    assert_eq!(error.kind, Kind::Temporary, "the look failed, not the call");
}

#[test]
fn what_no_list_shows_is_in_doubt() {
    let jobs = [
        photo_job(json!({ "privacy": "SELF_ONLY" }), 1),
        with_file(scoped_job(public(), Some(&["video.publish"])), "image/jpeg", ""),
    ];
    for job in jobs {
        assert_eq!(located(&job, &named(&job), &[]), Located::Unknown);
    }
    let draft = photo_job(json!({ "asDraft": true }), 1);
    assert_eq!(located(&draft, &tiktok().begin(&draft), &[]), Located::Unknown);
    let job = photo_job(public(), 1);
    let refusal = [refused(401, "scope_not_authorized")];
    assert_eq!(located(&job, &named(&job), &refusal), Located::Unknown);
}
