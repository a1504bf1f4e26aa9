//! Videos and reels as an exchange of values.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::facebook::progress::REPEATS_MAX;
use crate::facebook::testing::{
    Server, after_answers, asked, asks, done, error, error_body, facebook, job_with, ok, step,
};
use crate::testing::crash::exhaust;
use crate::testing::steps::{failed, next};
use crate::testing::{answered, answered_text, with_options};

fn film() -> PublishJob {
    job_with(&["video/mp4"])
}

fn reel() -> PublishJob {
    with_options(film(), json!({ "asReel": true }))
}

fn offsets(start: u64, end: u64) -> Value {
    json!({ "start_offset": start.to_string(), "end_offset": end.to_string() })
}

fn announced() -> Answer {
    let mut body = offsets(0, 600);
    body["upload_session_id"] = json!("9001");
    body["video_id"] = json!("3001");
    ok(&body)
}

fn announced_reel() -> Answer {
    ok(&json!({
        "video_id": "3001",
        "upload_url": "https://rupload.facebook.com/video-upload/v26.0/3001",
    }))
}

/// How far the network is with a video.
fn status(video: &str, more: Value) -> Answer {
    let mut body = json!({ "id": "3001", "status": { "video_status": video } });
    for (name, value) in more.as_object().unwrap() {
        body[name.as_str()] = value.clone();
    }
    ok(&body)
}

fn sent(bytes: u64) -> Answer {
    let uploading = json!({ "status": "in_progress", "bytes_transferred": bytes });
    ok(&json!({ "status": { "video_status": "uploading", "uploading_phase": uploading } }))
}

#[test]
fn a_video_goes_in_pieces_and_is_finished_and_waited_for() {
    let job = film();
    let answers = [announced(), ok(&offsets(600, 1_000)), ok(&offsets(1_000, 1_000))];
    let mut requests: Vec<Value> =
        (0..=3).map(|count| asked(&job, &after_answers(&job, &answers[..count]))).collect();
    let progress = after_answers(&job, &answers);
    assert!(facebook().is_visible(&progress));
    let Ok(Step::Wait { progress, until }) =
        step(&job, &progress, &[ok(&json!({ "success": true }))])
    else {
        panic!("no wait")
    };
    assert_eq!(until, job.now + POLLS.first);
    assert!(!facebook().is_visible(&progress));
    requests.push(asked(&job, &progress));
    assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          "upload_phase=start",
          "file_size=1000"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph-video.facebook.com/v26.0/1001/videos",
        "visible": false
      },
      {
        "body": [
          {
            "name": "upload_phase",
            "text": "transfer"
          },
          {
            "name": "upload_session_id",
            "text": "9001"
          },
          {
            "name": "start_offset",
            "text": "0"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 0..600",
            "fileName": "video",
            "name": "video_file_chunk"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph-video.facebook.com/v26.0/1001/videos",
        "visible": false
      },
      {
        "body": [
          {
            "name": "upload_phase",
            "text": "transfer"
          },
          {
            "name": "upload_session_id",
            "text": "9001"
          },
          {
            "name": "start_offset",
            "text": "600"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 600..1000",
            "fileName": "video",
            "name": "video_file_chunk"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph-video.facebook.com/v26.0/1001/videos",
        "visible": false
      },
      {
        "body": [
          "upload_phase=finish",
          "upload_session_id=9001",
          "published=true",
          "description=Hello #rust"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph-video.facebook.com/v26.0/1001/videos",
        "visible": true
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/3001?fields=status%2Cpublished%2Cpermalink_url%2Cpost_id",
        "visible": false
      }
    ]
    "#);

    let processing = answered_text(200, include_str!("fixtures/video.json"));
    let Ok(Step::Wait { progress, until }) = step(&job, &progress, &[processing]) else {
        panic!("no wait")
    };
    assert_eq!(until, job.now + POLLS.eager_wait);
    let more = json!({
        "published": true, "permalink_url": "/anaspage/videos/3001/", "post_id": "2001",
    });
    let Ok(Step::Live(live)) = step(&job, &progress, &[status("ready", more)]) else {
        panic!("not live")
    };
    let remote = live.remote.unwrap();
    assert_eq!(remote.id, "1001_2001");
    assert_eq!(remote.url.unwrap(), "https://www.facebook.com/anaspage/videos/3001/");
    assert_eq!(remote.record, json!({ "video": "3001", "isReel": false }));
    assert_eq!(live.then, None);
}

#[test]
fn a_reel_goes_at_once_and_its_post_is_asked_for() {
    let job = reel();
    let mut requests = vec![asked(&job, &after_answers(&job, &[]))];
    let mut progress = after_answers(&job, &[announced_reel()]);
    requests.push(asked(&job, &progress));
    let missing = error(100, 33, "no such video");
    requests.push(shown(&asks(facebook().advance(
        &job,
        &progress,
        std::slice::from_ref(&missing),
    ))));
    progress = next(step(&job, &progress, &[missing, ok(&json!({ "success": true }))]));
    let Ok(Step::Wait { progress: waiting, .. }) = step(&job, &progress, &[sent(1_000)]) else {
        panic!("no wait")
    };
    progress = next(step(&job, &waiting, &[status("upload_complete", json!({}))]));
    assert!(facebook().is_visible(&progress));
    requests.push(asked(&job, &progress));
    progress = next(step(&job, &progress, &[ok(&json!({ "success": true }))]));
    let shown = status("ready", json!({ "published": true }));
    let Ok(Step::Live(live)) = step(&job, &progress, &[shown]) else { panic!("not live") };
    let remote = live.remote.unwrap();
    assert_eq!(
        (remote.id.as_str(), remote.url.as_deref()),
        ("3001", Some("https://www.facebook.com/reel/3001"),)
    );
    progress = live.then.unwrap();
    assert_eq!(facebook().live_part(&progress), Some(remote));
    requests.push(asked(&job, &progress));
    let named = ok(&json!({ "post_id": "1001_2001", "permalink_url": "/reel/3001" }));
    let Ok(Step::Live(live)) = step(&job, &progress, &[named]) else { panic!("not live") };
    assert_eq!(live.remote.unwrap().id, "1001_2001");
    assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          "upload_phase=start"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001/video_reels",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/3001?fields=status%2Cpublished%2Cpermalink_url%2Cpost_id",
        "visible": false
      },
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came",
        "headers": {
          "authorization": "[redacted]",
          "file_size": "1000",
          "offset": "0"
        },
        "request": "POST https://rupload.facebook.com/video-upload/v26.0/3001",
        "visible": false
      },
      {
        "body": [
          "upload_phase=finish",
          "video_id=3001",
          "video_state=PUBLISHED",
          "description=Hello #rust"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001/video_reels",
        "visible": true
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/3001?fields=post_id%2Cpermalink_url",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn a_reel_that_told_its_post_when_it_was_finished_is_asked_for_its_link_alone() {
    let job = reel();
    let progress = after_answers(&job, &[announced_reel()]);
    let whole = status("upload_complete", json!({}));
    let progress = next(step(&job, &progress, &[whole]));
    let finished = ok(&json!({ "success": true, "post_id": "2001" }));
    let progress = next(step(&job, &progress, &[finished]));
    let Ok(Step::Live(live)) = step(&job, &progress, &[status("ready", json!({}))]) else {
        panic!("not live")
    };
    assert_eq!(live.remote.unwrap().id, "1001_2001");
    let nothing = ok(&json!({}));
    let mut progress = live.then.unwrap();
    let mut job = job;
    let live = loop {
        match step(&job, &progress, std::slice::from_ref(&nothing)).unwrap() {
            Step::Wait { progress: waiting, until } => (progress, job.now) = (waiting, until),
            Step::Live(live) => break live,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(live.remote.unwrap().id, "1001_2001");
}

#[test]
fn an_upload_goes_on_where_the_network_says() {
    let job = film();
    let progress = after_answers(&job, &[announced()]);
    let elsewhere = |start: u64, end: u64| {
        let mut body = error_body(6000, 1_363_037, "Wrong offset");
        body["error"]["error_data"] = offsets(start, end);
        answered(400, &body)
    };
    let went_on = next(step(&job, &progress, &[elsewhere(600, 1_000)]));
    let request = asked(&job, &went_on);
    assert!(request.to_string().contains("bytes 600..1000"), "{request}");
    let whole = next(step(&job, &progress, &[elsewhere(1_000, 1_000)]));
    assert!(facebook().is_visible(&whole));
    for (name, answer) in [
        ("the same offset", elsewhere(0, 600)),
        ("no offset", error(6000, 1_363_037, "Wrong offset")),
        ("a spoiled session", error(6000, 1_363_021, "spoiled")),
        ("no such session", error(100, 33, "gone")),
        ("no way on", ok(&offsets(0, 600))),
    ] {
        let mut job = film();
        let mut progress = progress.clone();
        for _ in 0..REPEATS_MAX {
            let Ok(Step::Wait { progress: again, until }) =
                step(&job, &progress, std::slice::from_ref(&answer))
            else {
                panic!("{name}: no wait")
            };
            job.now = until;
            progress = next(step(&job, &again, &[announced()]));
        }
        let (anew, error) = failed(step(&job, &progress, std::slice::from_ref(&answer)));
        assert_eq!(error.kind, NetworkErrorKind::Temporary, "{name}: {error}");
        assert_eq!(asked(&job, &anew)["body"][0], "upload_phase=start", "{name}");
    }
    // Back and forth it goes a few times only.
    let mut progress = progress.clone();
    let mut turns = 0;
    loop {
        let answer = if turns % 2 == 0 { elsewhere(600, 1_000) } else { elsewhere(0, 600) };
        match step(&job, &progress, &[answer]) {
            Ok(Step::Failed { .. }) => break,
            went_on => progress = next(went_on),
        }
        turns += 1;
        assert!(turns < 20, "it never ends");
    }
    let progress = after_answers(&job, &[announced()]);
    for (name, answer) in [
        ("beyond the end", ok(&offsets(600, 1_001))),
        ("backwards", ok(&offsets(700, 650))),
        ("an early end", ok(&offsets(700, 700))),
        ("a page", answered_text(200, "<html>")),
        ("down", answered_text(500, "")),
    ] {
        let error = step(&job, &progress, &[answer]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Temporary, "{name}");
    }
}

#[test]
fn a_reel_goes_on_with_what_the_network_is_missing() {
    let job = reel();
    let progress = after_answers(&job, &[announced_reel()]);
    let request = shown(&asks(facebook().advance(&job, &progress, &[sent(400)])));
    assert_eq!(request["headers"]["offset"], "400");
    assert_eq!(request["headers"]["file_size"], "1000");
    assert!(request["body"].as_str().unwrap().ends_with("bytes 400..1000"), "{request}");
    // All of it is there, and not looked through yet.
    let waiting = step(&job, &progress, &[sent(1_000)]);
    assert!(matches!(waiting, Ok(Step::Wait { .. })), "{waiting:?}");
    for (name, state, answer) in [
        ("expired", status("expired", json!({})), None),
        ("spoiled", sent(0), Some(error(6000, 1_363_019, "timeout"))),
        ("unknown", sent(0), Some(answered(400, &json!({ "debug_info": {} })))),
    ] {
        let answers: Vec<Answer> = [Some(state), answer].into_iter().flatten().collect();
        let Ok(Step::Wait { progress: again, .. }) = step(&job, &progress, &answers) else {
            panic!("{name}: no wait")
        };
        assert!(asked(&job, &again)["body"][0] == "upload_phase=start", "{name}");
    }
    let partial = json!({ "debug_info": { "retriable": true, "type": "PartialRequestError" } });
    let failed = step(&job, &progress, &[sent(0), answered(400, &partial)]).unwrap_err();
    assert_eq!(failed.kind, NetworkErrorKind::Temporary);
    // What was taken and never shows up is sent anew.
    let mut late = job.clone();
    let progress = next(step(&job, &progress, &[sent(0), ok(&json!({ "success": true }))]));
    late.now += TimeDelta::minutes(11);
    let Ok(Step::Wait { progress: again, .. }) = step(&late, &progress, &[sent(0)]) else {
        panic!("no wait")
    };
    assert_eq!(asked(&late, &again)["body"][0], "upload_phase=start");
}

/// A video before the call that finishes it.
fn before_finish(job: &PublishJob) -> Value {
    after_answers(job, &[announced(), ok(&offsets(1_000, 1_000))])
}

#[test]
fn a_video_is_finished_once() {
    let job = film();
    let progress = before_finish(&job);
    let located = |answer: Answer| done(facebook().locate(&job, &progress, &[answer]));
    for (name, answer) in [
        ("publishing", answered_text(200, include_str!("fixtures/video.json"))),
        ("published", status("ready", json!({ "published": true }))),
    ] {
        let Located::Continue(next) = located(answer) else { panic!("{name}") };
        assert!(!facebook().is_visible(&next), "{name}");
    }
    for (name, answer) in [
        ("waiting", status("upload_complete", json!({ "published": false }))),
        ("not known yet", error(100, 33, "no such video")),
    ] {
        let Located::Repeat(next) = located(answer) else { panic!("{name}") };
        assert!(facebook().is_visible(&next), "{name}");
        // An open call is never given up for another upload.
        let refused = error(6000, 1_363_021, "no such session");
        let unfinished = status("upload_complete", json!({}));
        let error = step(&job, &next, &[refused, unfinished]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Unsettled, "{name}");
    }
    let error = facebook().locate(&job, &progress, &[answered_text(500, "")]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
}

#[test]
fn a_refusal_of_the_finish_is_looked_into() {
    let job = film();
    let progress = before_finish(&job);
    let spoiled = || error(6000, 1_363_021, "no such session");
    let unfinished = || status("upload_complete", json!({}));
    let publishing = answered_text(200, include_str!("fixtures/video.json"));
    let went_on = next(step(&job, &progress, &[spoiled(), publishing]));
    assert!(!facebook().is_visible(&went_on));
    let again = next(step(&job, &progress, &[spoiled(), unfinished()]));
    assert_eq!(asked(&job, &again)["body"][0], "upload_phase=start");
    let long = || error(100, 0, "(#100) Param description is too long");
    for (name, answers, want) in [
        ("refused", vec![long(), unfinished()], NetworkErrorKind::Permanent),
        ("refused and gone", vec![long(), error(100, 33, "")], NetworkErrorKind::Permanent),
        ("not told", vec![long(), answered_text(500, "")], NetworkErrorKind::Unsettled),
        ("down", vec![answered_text(500, "")], NetworkErrorKind::Unsettled),
        ("role", vec![error(200, 0, "no")], NetworkErrorKind::Reconnect),
        ("undone", vec![ok(&json!({ "success": false }))], NetworkErrorKind::Unsettled),
        ("a page", vec![answered_text(200, "<html>")], NetworkErrorKind::InDoubt),
    ] {
        assert_eq!(step(&job, &progress, &answers).unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_video_that_is_never_shown_is_told() {
    let mut job = film();
    let progress = before_finish(&job);
    let progress = next(step(&job, &progress, &[ok(&json!({ "success": true }))]));
    let answer = ok(&json!({ "status": {
        "video_status": "error",
        "processing_phase": {
            "status": "error", "errors": [{ "code": 1_363_026, "message": "Too long" }],
        },
    } }));
    let (anew, error) = failed(step(&job, &progress, &[answer]));
    assert_eq!(
        (error.kind, error.code),
        (NetworkErrorKind::Permanent, FailureCode::ValidationFailed)
    );
    assert!(error.message.contains("Too long"), "{error}");
    // Whoever retries it has it uploaded anew: that video never becomes another.
    assert_eq!(asked(&job, &anew)["body"][0], "upload_phase=start");
    let failing = |phase: &str| {
        let errors = json!([{ "code": 1_363_019, "message": "Timed out" }]);
        let mut status = json!({ "video_status": "error" });
        status[phase] = json!({ "status": "error", "errors": errors });
        ok(&json!({ "status": status }))
    };
    let Ok(Step::Wait { progress: again, .. }) =
        step(&job, &progress, &[failing("processing_phase")])
    else {
        panic!("not uploaded again")
    };
    assert_eq!(asked(&job, &again)["body"][0], "upload_phase=start");
    let (_, error) = failed(step(&job, &progress, &[failing("publishing_phase")]));
    assert_eq!(error.kind, NetworkErrorKind::Permanent, "nothing goes out by itself");
    let expired = status("expired", json!({}));
    let again = next(step(&job, &progress, &[expired]));
    assert_eq!(asked(&job, &again)["body"][0], "upload_phase=start");
    let working = || status("processing", json!({}));
    job.now += TimeDelta::minutes(6);
    let Ok(Step::Wait { until, .. }) = step(&job, &progress, &[working()]) else {
        panic!("no wait")
    };
    assert_eq!(until, job.now + POLLS.then);
    job.now += TimeDelta::minutes(60);
    let error = step(&job, &progress, &[working()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
}

#[test]
fn whatever_breaks_a_video_is_there_once() {
    let comment = json!({ "firstComment": "First!" });
    for (job, polls, texts) in [
        (film(), 2, vec!["Hello #rust"]),
        (reel(), 2, vec!["Hello #rust"]),
        (with_options(film(), comment), 0, vec!["Hello #rust", "First!"]),
    ] {
        exhaust(&facebook(), &Server::polled(polls), &job, TimeDelta::seconds(30), &texts);
    }
}
