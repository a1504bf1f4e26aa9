//! Publishing as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::Live;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::testing::steps::failed;
use crate::testing::{answered_text, with_header};
use crate::youtube::testing::{
    SESSION, VIDEO, after_last, all_shown, asks, before_last, done, has, held, next, opened,
    refused, whole, youtube, youtube_job,
};
use NetworkErrorKind as Kind;

fn opened_job() -> (PublishJob, Value) {
    let job = youtube_job(json!({ "tags": ["harbour"] }));
    let progress = next(done(youtube().advance(&job, &youtube().begin(&job), &[opened()])));
    (job, progress)
}

#[test]
fn the_last_piece_takes_as_long_as_its_bytes_need_whatever_the_size_of_the_video() {
    let mut job = youtube_job(json!({}));
    let (begun, last) = (youtube().begin(&job), before_last(&job));
    job.files[0].facts.size_bytes = Some(256 * 1024 * 1024 * 1024);
    for (name, progress, seconds) in [("opening", begun, 30), ("the last piece", last, 30 + 64)] {
        assert_eq!(
            youtube().call_timeout(&job, &progress).of_request().as_secs(),
            seconds,
            "{name}"
        );
    }
}

#[test]
fn a_session_is_opened_and_stored() {
    let job = youtube_job(json!({ "tags": ["harbour"] }));
    let begun = youtube().begin(&job);
    assert!(!youtube().is_visible(&begun));
    let request = asks(youtube().advance(&job, &begun, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "snippet": {
          "categoryId": "22",
          "description": "Harbour walk\nAt dusk",
          "tags": [
            "harbour"
          ],
          "title": "Harbour walk"
        },
        "status": {
          "privacyStatus": "public",
          "selfDeclaredMadeForKids": false
        }
      },
      "headers": {
        "authorization": "[redacted]",
        "slug": "00000000-0000-0000-0000-000000000001.mp4",
        "x-upload-content-length": "8389608",
        "x-upload-content-type": "video/mp4"
      },
      "request": "POST https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet%2Cstatus&notifySubscribers=true",
      "visible": false
    }
    "#);
    let (_, progress) = opened_job();
    assert_eq!(progress["sending"]["session"], SESSION);
    for (name, answer) in [
        ("no address", answered_text(200, "")),
        ("no address at all", with_header(answered_text(200, ""), "location", "nowhere")),
    ] {
        let error = youtube().advance(&job, &begun, &[answer]).unwrap_err();
        assert_eq!(error.kind, Kind::Temporary, "{name}");
    }
}

#[test]
fn the_session_is_asked_and_then_gets_the_next_piece() {
    let (job, progress) = opened_job();
    assert!(!youtube().is_visible(&progress));
    let (asked, step) =
        held(&[has(0), has(PIECE_BYTES)], |answers| youtube().advance(&job, &progress, answers));
    assert_json_snapshot!(all_shown(&asked), @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "content-length": "0",
          "content-range": "bytes */8389608"
        },
        "request": "PUT https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=xyz",
        "visible": false
      },
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 0..8388608",
        "headers": {
          "authorization": "[redacted]",
          "content-range": "bytes 0-8388607/8389608"
        },
        "request": "PUT https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=xyz",
        "visible": false
      }
    ]
    "#);
    let sent = next(step.unwrap());
    assert_eq!(sent["sending"]["offset"], PIECE_BYTES);

    let marked = next(done(youtube().advance(&job, &sent, &[])));
    assert!(youtube().is_visible(&marked), "before the last piece");
    let (asked, step) =
        held(&[has(PIECE_BYTES), whole()], |answers| youtube().advance(&job, &marked, answers));
    assert_json_snapshot!(all_shown(&asked[1..]), @r#"
    [
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 8388608..8389608",
        "headers": {
          "authorization": "[redacted]",
          "content-range": "bytes 8388608-8389607/8389608"
        },
        "request": "PUT https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=xyz",
        "visible": true
      }
    ]
    "#);
    let Step::Live(Live { remote: Some(remote), then: Some(then) }) = step.unwrap() else {
        panic!("not live")
    };
    assert_eq!(remote.id, VIDEO);
    let page = "https://www.youtube.com/watch?v=aBcDeFgHiJk";
    assert_eq!(remote.url.as_deref(), Some(page));
    assert_eq!(youtube().live_part(&then), Some(remote));
}

#[test]
fn a_holder_that_takes_over_goes_on_where_the_session_stands() {
    let (job, progress) = opened_job();
    for stands in [262_144, PIECE_BYTES, PIECE_BYTES + 999] {
        let step = done(youtube().advance(&job, &progress, &[has(stands)]));
        let went_on = next(step);
        assert_eq!(went_on["sending"]["offset"], stands);
    }
    // Bytes that it had are lost again.
    let last = before_last(&job);
    let back = next(done(youtube().advance(&job, &last, &[has(0)])));
    assert_eq!(back["sending"]["offset"], 0);
    let step = done(youtube().advance(&job, &last, &[whole()]));
    assert!(matches!(step, Step::Live(_)), "{step:?}");
    let step = done(youtube().advance(&job, &last, &[has(PIECE_BYTES + 1_000)]));
    assert!(matches!(step, Step::Wait { .. }), "{step:?}");
}

#[test]
fn bytes_that_do_not_fit_are_sent_from_where_the_session_stands() {
    let (job, progress) = opened_job();
    let misplaced = || answered_text(416, "");
    let answers = [has(0), misplaced(), has(524_288)];
    let (asked, step) = held(&answers, |answers| youtube().advance(&job, &progress, answers));
    assert_eq!(asked.len(), 3);
    assert_eq!(next(step.unwrap())["sending"]["offset"], 524_288);
    for (name, answers) in [
        ("no way on", vec![has(0), misplaced(), has(0)]),
        ("nothing taken", vec![has(0), has(0)]),
        ("more than there is", vec![has(PIECE_BYTES + 1_001)]),
        ("nonsense", vec![with_header(answered_text(308, ""), "range", "soon")]),
    ] {
        let (_, step) = held(&answers, |answers| youtube().advance(&job, &progress, answers));
        assert_eq!(step.unwrap_err().kind, Kind::Temporary, "{name}");
    }
}

#[test]
fn a_session_that_ends_early_is_followed_by_another_a_few_times() {
    let (job, mut progress) = opened_job();
    for status in [404, 410, 404, 410] {
        let gone = answered_text(status, "");
        let begun = next(done(youtube().advance(&job, &progress, &[has(0), gone])));
        assert!(begun["opening"].is_object(), "{begun}");
        progress = next(done(youtube().advance(&job, &begun, &[opened()])));
    }
    let begun = next(done(youtube().advance(&job, &progress, &[answered_text(410, "")])));
    let (anew, error) = failed(Ok(done(youtube().advance(&job, &begun, &[]))));
    assert_eq!(error.kind, Kind::Temporary);
    // The next attempt is not bound to a session that is gone.
    let opened = next(done(youtube().advance(&job, &anew, &[opened()])));
    assert!(opened["sending"].is_object(), "{opened}");
}

#[test]
fn once_the_last_piece_may_have_gone_out_nothing_is_begun_anew() {
    let job = youtube_job(json!({}));
    let last = before_last(&job);
    for (name, answers, want) in [
        ("ended at the question", vec![answered_text(404, "")], Kind::InDoubt),
        ("ended at the piece", vec![has(PIECE_BYTES), answered_text(410, "")], Kind::InDoubt),
        ("failed", vec![has(PIECE_BYTES), answered_text(503, "")], Kind::Unsettled),
        ("failed at the question", vec![answered_text(503, "")], Kind::Temporary),
        ("unreadable", vec![has(PIECE_BYTES), answered_text(200, "{}")], Kind::InDoubt),
        ("unreadable question", vec![answered_text(200, "{}")], Kind::Temporary),
        ("refused", vec![has(PIECE_BYTES), refused(400, "invalidTitle")], Kind::Permanent),
        ("expired", vec![refused(401, "authError")], Kind::TokenExpired),
    ] {
        let (_, step) = held(&answers, |answers| youtube().advance(&job, &last, answers));
        assert_eq!(step.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_session_that_has_all_and_names_no_video_is_not_asked_for_ever() {
    let mut job = youtube_job(json!({}));
    let last = before_last(&job);
    let all = [has(PIECE_BYTES + 1_000)];
    let step = done(youtube().advance(&job, &last, &all));
    let Step::Wait { progress, until } = step else { panic!("no wait: {step:?}") };
    assert_eq!((&progress, until), (&last, job.now + WHOLE_WAIT));
    job.now += WHOLE_TIMEOUT + TimeDelta::seconds(1);
    let error = youtube().advance(&job, &progress, &all).unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
    let step = done(youtube().advance(&job, &progress, &[whole()]));
    assert!(matches!(step, Step::Live(_)), "a retry asks again: {step:?}");
}

#[test]
fn the_token_goes_only_to_the_network_itself() {
    let job = youtube_job(json!({}));
    let elsewhere = "https://upload.example/session?upload_id=1";
    let opened = with_header(answered_text(200, ""), "location", elsewhere);
    let progress = next(done(youtube().advance(&job, &youtube().begin(&job), &[opened])));
    let request = asks(youtube().advance(&job, &progress, &[]));
    let shown = shown(&request);
    assert_eq!(shown["headers"].get("authorization"), None);
    assert_eq!(shown["request"], format!("PUT {elsewhere}"));
}

#[test]
fn a_post_without_its_one_video_is_refused() {
    let mut none = youtube_job(json!({}));
    none.files.clear();
    let mut unknown = youtube_job(json!({}));
    unknown.files[0].facts.size_bytes = None;
    for job in [none, unknown] {
        let error = youtube().advance(&job, &youtube().begin(&job), &[]).unwrap_err();
        assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::MediaUnusable));
    }
    let job = youtube_job(json!({}));
    let mut other = job.clone();
    other.files[0].facts.size_bytes = Some(5);
    let error = youtube().advance(&other, &before_last(&job), &[has(PIECE_BYTES)]).unwrap_err();
    assert_eq!(error.code, FailureCode::MediaUnusable);
}

#[test]
fn an_unknown_progress_is_never_sent_again() {
    let job = youtube_job(json!({}));
    let unknown = json!({ "later": true });
    assert!(youtube().is_visible(&unknown));
    assert_eq!(youtube().skip(&unknown), None);
    assert_eq!(youtube().live_part(&unknown), None);
    assert_eq!(youtube().advance(&job, &unknown, &[]).unwrap_err().kind, Kind::InDoubt);
    let located = done(youtube().locate(&job, &unknown, &[]));
    assert_eq!(located, scheduler_core::ports::Located::Unknown);
}

#[test]
fn a_file_is_named_by_its_target_and_revision() {
    let mut job = youtube_job(json!({}));
    assert_eq!(file_name(&job), "00000000-0000-0000-0000-000000000001.mp4");
    job.revision = 2;
    job.files[0].facts.mime_type = Some("video/quicktime".to_owned());
    assert_eq!(file_name(&job), "00000000-0000-0000-0000-000000000001-2.mov");
    assert!(after_last(&youtube_job(json!({})))["following"].is_object());
}

#[test]
fn what_the_options_say_goes_with_the_call_that_opens_the_session() {
    let open = |options: Value| {
        let job = youtube_job(options);
        let request = asks(youtube().advance(&job, &youtube().begin(&job), &[]));
        shown(&request)["request"].as_str().unwrap().to_owned()
    };
    let usual = "POST https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&part=snippet%2Cstatus&notifySubscribers=true";
    assert_eq!(open(json!({})), usual);
    assert_eq!(open(json!({ "notifySubscribers": true })), usual);
    let untold = open(json!({ "notifySubscribers": false }));
    assert_eq!(untold, usual.replace("notifySubscribers=true", "notifySubscribers=false"));
    let promoted = open(json!({ "paidPromotion": true }));
    assert!(
        promoted.contains("part=snippet%2Cstatus%2CpaidProductPlacementDetails&"),
        "{promoted}"
    );
}
