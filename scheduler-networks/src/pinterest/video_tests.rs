//! A video before its Pin, as exchanges of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::Value;

use super::*;
use crate::conversation::Conversation as _;
use crate::pinterest::testing::{fault, of_video, ok, pinterest};
use crate::testing::steps::{failed, next, take_step};
use crate::testing::{answered, answered_text};

const MEDIA: &str = include_str!("fixtures/media.json");

fn registered(job: &PublishJob) -> Value {
    let media = answered(201, &serde_json::from_str(MEDIA).unwrap());
    next(take_step(&pinterest(), job, &pinterest().begin(job), &[media]).1)
}

fn processing(job: &PublishJob) -> Value {
    next(take_step(&pinterest(), job, &registered(job), &[answered_text(204, "")]).1)
}

#[test]
fn a_video_is_given_a_place_and_sent_there() {
    let job = of_video();
    let pinterest = pinterest();
    let media = answered(201, &serde_json::from_str(MEDIA).unwrap());
    let (mut asked, step) = take_step(&pinterest, &job, &pinterest.begin(&job), &[media]);
    let progress = next(step);
    let (form, step) = take_step(&pinterest, &job, &progress, &[answered_text(204, "")]);
    asked.extend(form);
    let Ok(Step::Wait { progress, until }) = step else { panic!("{step:?}") };
    assert_eq!(until - job.now, POLLS.first);
    let (poll, step) = take_step(&pinterest, &job, &progress, &[ok(r#"{"status":"succeeded"}"#)]);
    asked.extend(poll);
    assert_eq!(next(step)["stage"]["compare"]["mediaId"], "12345");
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "media_type": "video"
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.pinterest.com/v5/media",
        "visible": false
      },
      {
        "body": [
          {
            "name": "Content-Type",
            "text": "multipart/form-data"
          },
          {
            "name": "key",
            "text": "uploads/99/99/99/1:video:111111111111111111:1111111111111111111"
          },
          {
            "name": "policy",
            "text": "eyJleHBpcmF0aW9uIjoi"
          },
          {
            "name": "x-amz-algorithm",
            "text": "AWS4-HMAC-SHA256"
          },
          {
            "name": "x-amz-credential",
            "text": "ASIA/20261120/us-east-1/s3/aws4_request"
          },
          {
            "name": "x-amz-date",
            "text": "20261120T100000Z"
          },
          {
            "name": "x-amz-security-token",
            "text": "IQoJb3JpZ2luX2VjEN"
          },
          {
            "name": "x-amz-signature",
            "text": "fcd15e3dc81fc3a1c1e9"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came",
            "fileName": "video",
            "name": "file"
          }
        ],
        "headers": {},
        "request": "POST https://pinterest-media-upload.s3-accelerate.amazonaws.com/",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://api.pinterest.com/v5/media/12345",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn a_video_that_is_there_already_is_not_sent_again() {
    let mut job = of_video();
    let progress = registered(&job);
    job.now += TimeDelta::minutes(1);
    for (status, sends) in
        [("registered", true), ("processing", false), ("succeeded", false), ("failed", true)]
    {
        let state = answered(200, &json!({ "status": status }));
        let answers = [state, answered_text(204, "")];
        let (asked, step) = take_step(&pinterest(), &job, &progress, &answers);
        assert_eq!(asked.len(), 1 + usize::from(sends), "{status}");
        assert_eq!(next(step)["stage"]["processing"]["mediaId"], "12345", "{status}");
    }
}

#[test]
fn a_place_that_has_ended_is_asked_for_again_but_not_for_ever() {
    let job = of_video();
    let mut progress = registered(&job);
    let ends = [(403, "AccessDenied"), (400, "ExpiredToken"), (400, "InvalidToken")];
    for (number, (status, code)) in (1..=PLACES_MAX + 1).zip(ends.into_iter().cycle()) {
        let ended = answered_text(status, &format!("<Error><Code>{code}</Code></Error>"));
        let (_, step) = take_step(&pinterest(), &job, &progress, &[ended]);
        if number > PLACES_MAX {
            assert_eq!(step.unwrap_err().kind, Kind::Temporary);
            break;
        }
        progress = next(step);
        assert_eq!(progress["stage"], "register", "{code}");
        let media = answered(201, &serde_json::from_str(MEDIA).unwrap());
        progress = next(take_step(&pinterest(), &job, &progress, &[media]).1);
    }
}

#[test]
fn nothing_is_sent_to_an_old_place() {
    let mut job = of_video();
    let progress = registered(&job);
    job.now += PLACE_LIFE + TimeDelta::seconds(1);
    for (status, want) in [("registered", "register"), ("succeeded", "processing")] {
        let state = answered(200, &json!({ "status": status }));
        let (asked, step) = take_step(&pinterest(), &job, &progress, &[state]);
        let stage = next(step)["stage"].clone();
        assert!(stage == want || stage.get(want).is_some(), "{status}: {stage}");
        assert_eq!(asked.len(), 1, "{status}");
    }
}

#[test]
fn a_video_that_failed_is_sent_anew_when_a_person_retries() {
    let job = of_video();
    let answer = answered(200, &json!({ "status": "failed" }));
    let (progress, error) = failed(take_step(&pinterest(), &job, &processing(&job), &[answer]).1);
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
    assert_eq!(progress["stage"], "register");
}

#[test]
fn waits_grow_and_end() {
    let mut job = of_video();
    let progress = processing(&job);
    let begun = job.now;
    for (status, age, want) in [
        ("registered", 5, Ok(10)),
        ("processing", 119, Ok(10)),
        ("processing", 120, Ok(20)),
        ("a new word", 600, Ok(20)),
        ("processing", 601, Err(Kind::Temporary)),
    ] {
        job.now = begun + TimeDelta::seconds(age);
        let state = answered(200, &json!({ "status": status }));
        let (_, step) = take_step(&pinterest(), &job, &progress, &[state]);
        let got = match step {
            Ok(Step::Wait { progress: waiting, until }) => {
                assert_eq!(waiting, progress, "{status} after {age}");
                Ok((until - job.now).num_seconds())
            }
            Err(error) => Err(error.kind),
            other => panic!("{status} after {age}: {other:?}"),
        };
        assert_eq!(got, want, "{status} after {age}");
    }
    job.now = begun;
    let gone = fault(404, 50, "Media not found.");
    let (_, step) = take_step(&pinterest(), &job, &progress, &[gone]);
    assert_eq!(next(step)["stage"], "register");
}

#[test]
fn failures_of_each_step() {
    let job = of_video();
    for (name, progress, answer, want) in [
        ("register", pinterest().begin(&job), answered_text(500, ""), Kind::Temporary),
        ("register, unread", pinterest().begin(&job), answered_text(201, "{}"), Kind::Temporary),
        ("upload", registered(&job), answered_text(503, ""), Kind::Temporary),
        ("upload, moved", registered(&job), answered_text(301, ""), Kind::Temporary),
        ("poll", processing(&job), answered_text(502, "<html>"), Kind::Temporary),
        ("poll, unread", processing(&job), answered_text(200, "{}"), Kind::Temporary),
        ("poll, expired", processing(&job), fault(401, 2, "x"), Kind::TokenExpired),
    ] {
        assert!(!pinterest().is_visible(&progress), "{name}");
        let (_, step) = take_step(&pinterest(), &job, &progress, &[answer]);
        assert_eq!(step.unwrap_err().kind, want, "{name}");
    }
}
