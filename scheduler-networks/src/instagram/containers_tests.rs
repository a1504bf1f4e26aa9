//! What becomes of containers.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::instagram::testing::{Server, asks, done, error, instagram, job_with};
use crate::testing::crash::Imitation;
use crate::testing::{answered, answered_text};

fn status(code: &str, text: &str) -> Answer {
    answered(200, &json!({ "status_code": code, "status": text }))
}

fn progress_of(step: Step) -> Value {
    match step {
        Step::Next(progress) | Step::Wait { progress, .. } => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

/// A post whose (only or first) container was just made.
fn processing(job: &PublishJob) -> Value {
    let limit = answered(200, &json!({ "data": [] }));
    let progress = instagram().begin(job);
    let progress = progress_of(done(instagram().advance(job, &progress, &[limit])));
    let made = answered(200, &json!({ "id": "17001" }));
    progress_of(done(instagram().advance(job, &progress, &[made])))
}

#[test]
fn files_are_asked_for_less_and_less_often() {
    for (is_video, seconds, want) in [
        (false, 0, 2),
        (false, 2, 5),
        (false, 59, 5),
        (false, 60, 60),
        (true, 0, 15),
        (true, 299, 15),
        (true, 300, 60),
        (true, 3_000, 60),
    ] {
        let wait = poll_wait(TimeDelta::seconds(seconds), is_video);
        assert_eq!(wait, TimeDelta::seconds(want), "{is_video} {seconds}");
    }
}

#[test]
fn a_file_is_waited_for_an_hour() {
    let mut job = job_with(Way::Direct, &["video/mp4"]);
    let progress = processing(&job);
    let busy = status("IN_PROGRESS", "In progress");
    job.now += TIMEOUT;
    let step = done(instagram().advance(&job, &progress, std::slice::from_ref(&busy)));
    assert_eq!(
        step,
        Step::Wait { progress: progress.clone(), until: job.now + TimeDelta::minutes(1) }
    );
    job.now += TimeDelta::seconds(1);
    let error = instagram().advance(&job, &progress, &[busy]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
}

#[test]
fn what_the_state_of_a_container_leads_to() {
    let job = job_with(Way::Direct, &["video/mp4"]);
    let progress = processing(&job);
    let text = "Error: Media upload has failed with error code 2207026";
    let error = instagram().advance(&job, &progress, &[status("ERROR", text)]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert_eq!(error.code, FailureCode::ValidationFailed);
    assert!(error.message.contains("2207026"), "{error}");
    for (name, answer) in [
        ("no code", status("ERROR", "Error: unknown")),
        ("their trouble", status("ERROR", "Error: 2207001")),
        ("unknown upload error", status("ERROR", "Error: 2207053")),
        ("timed out", status("ERROR", "Error: 2207003")),
        ("expired", status("EXPIRED", "Expired")),
        ("gone", super::super::testing::error(24, 2_207_008, "not found")),
    ] {
        let mut progress = progress.clone();
        for repeat in 0..=REPEATS_MAX {
            let turn = instagram().advance(&job, &progress, std::slice::from_ref(&answer));
            if repeat == REPEATS_MAX {
                assert!(turn.is_err(), "{name}: {turn:?}");
                break;
            }
            let anew = progress_of(done(turn));
            let request = asks(instagram().advance(&job, &anew, &[]));
            assert!(request.url.path().ends_with("/media"), "{name}");
            let made = answered(200, &json!({ "id": format!("1700{repeat}") }));
            progress = progress_of(done(instagram().advance(&job, &anew, &[made])));
        }
    }
    for answer in [answered_text(500, ""), answered_text(200, "<html>"), error_of(2)] {
        let error = instagram().advance(&job, &progress, &[answer]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Temporary);
    }
}

fn error_of(code: i64) -> Answer {
    error(code, 0, "trouble")
}

#[test]
fn a_file_that_cannot_be_fetched_is_offered_three_times() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let at_once = error(9004, 2_207_052, "Could not fetch https://files.example/secret?sign=1");
    let later = status("ERROR", "Error: 2207052");
    let limit = answered(200, &json!({ "data": [] }));
    let begun = instagram().begin(&job);
    let begun = progress_of(done(instagram().advance(&job, &begun, &[limit])));
    let made = answered(200, &json!({ "id": "17001" }));
    for is_told_at_once in [true, false] {
        let mut progress = begun.clone();
        for fetch in 1..=FETCHES_MAX {
            let answer = if is_told_at_once {
                &at_once
            } else {
                let turn = instagram().advance(&job, &progress, std::slice::from_ref(&made));
                progress = progress_of(done(turn));
                &later
            };
            let turn = instagram().advance(&job, &progress, std::slice::from_ref(answer));
            if fetch == FETCHES_MAX {
                let error = turn.unwrap_err();
                assert_eq!(error.kind, NetworkErrorKind::Permanent);
                assert!(error.message.contains("public address"), "{error}");
                assert!(!error.message.contains("secret"), "{error}");
            } else {
                let Step::Wait { progress: waits, .. } = done(turn) else { panic!("no wait") };
                progress = waits;
            }
        }
    }
}

#[test]
fn a_carousel_whose_children_are_gone_begins_anew_with_them() {
    let job = job_with(Way::Direct, &["image/jpeg", "image/jpeg"]);
    let mut server = Server::default();
    let mut progress = instagram().begin(&job);
    loop {
        let request = asks(instagram().advance(&job, &progress, &[]));
        let body = crate::conversation::shown(&request)["body"].to_string();
        if body.contains("CAROUSEL") {
            break;
        }
        let answer = server.answer(&request, job.now);
        progress = progress_of(done(instagram().advance(&job, &progress, &[answer])));
    }
    let gone = error(24, 2_207_006, "The requested resource does not exist");
    let anew = progress_of(done(instagram().advance(&job, &progress, std::slice::from_ref(&gone))));
    let body = crate::conversation::shown(&asks(instagram().advance(&job, &anew, &[])));
    assert!(body["body"].to_string().contains("is_carousel_item=true"), "{body}");
}

#[test]
fn bytes_that_are_not_taken_are_sent_to_another_container() {
    let job = job_with(Way::ViaPage, &["video/mp4"]);
    let empty = processing(&job);
    let request = asks(instagram().advance(&job, &empty, &[]));
    insta::assert_json_snapshot!(crate::conversation::shown(&request), @r#"
    {
      "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came",
      "headers": {
        "authorization": "[redacted]",
        "file_size": "1000",
        "offset": "0"
      },
      "request": "POST https://rupload.facebook.com/ig-api-upload/v26.0/17001",
      "visible": false
    }
    "#);
    let failed = error(-1, 2_207_082, "The upload has failed");
    let anew = progress_of(done(instagram().advance(&job, &empty, &[failed])));
    assert!(asks(instagram().advance(&job, &anew, &[])).url.path().ends_with("/media"));
    for (name, answer, want) in [
        ("no", answered(200, &json!({ "success": false })), NetworkErrorKind::Temporary),
        ("down", answered_text(500, ""), NetworkErrorKind::Temporary),
        ("token", error(190, 463, "expired"), NetworkErrorKind::Reconnect),
        ("nothing to read", answered_text(200, ""), NetworkErrorKind::Temporary),
    ] {
        let error = instagram().advance(&job, &empty, &[answer]).unwrap_err();
        assert_eq!(error.kind, want, "{name}");
    }
    let taken = answered(200, &json!({ "success": true }));
    let step = done(instagram().advance(&job, &empty, &[taken]));
    assert!(matches!(step, Step::Wait { .. }), "{step:?}");
}

#[test]
fn a_file_that_is_not_part_of_the_post_any_more_is_said() {
    let mut job = job_with(Way::Direct, &["image/jpeg"]);
    let limit = answered(200, &json!({ "data": [] }));
    let progress = instagram().begin(&job);
    let progress = progress_of(done(instagram().advance(&job, &progress, &[limit])));
    job.files.clear();
    let error = instagram().advance(&job, &progress, &[]).unwrap_err();
    assert_eq!((error.kind, error.code), (NetworkErrorKind::Permanent, FailureCode::MediaUnusable));
}
