//! Watching a video as an exchange of values.

use scheduler_core::ports::NetworkErrorKind;
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::*;
use crate::conversation::Conversation;
use crate::testing::{answered, begun_at};
use crate::youtube::testing::{after_last, asks, credentials, done, next, youtube, youtube_job};

fn video(status: Value, processing: Value) -> Answer {
    let video = json!({ "id": "1", "status": status, "processingDetails": processing });
    answered(200, &json!({ "items": [video] }))
}

fn uploaded() -> Answer {
    video(json!({ "uploadStatus": "uploaded" }), json!({ "processingStatus": "processing" }))
}

#[test]
fn the_network_is_asked_less_and_less_and_then_no_more() {
    let mut job = youtube_job(json!({}));
    let progress = after_last(&job);
    for (minutes, wait_seconds) in [(1, 60), (9, 60), (10, 600), (359, 600)] {
        job.now = begun_at() + TimeDelta::minutes(minutes);
        let step = done(youtube().advance(&job, &progress, &[uploaded()]));
        let Step::Wait { until, progress: same } = step else { panic!("{step:?}") };
        assert_eq!(until, job.now + TimeDelta::seconds(wait_seconds), "{minutes}");
        assert_eq!(same, progress);
    }
    job.now = begun_at() + TimeDelta::minutes(361);
    let step = done(youtube().advance(&job, &progress, &[uploaded()]));
    assert!(matches!(step, Step::Live(ref live) if live.then.is_none()), "{step:?}");
    job.now = begun_at();
    let step = done(youtube().advance(&job, &progress, &[]));
    let Step::Wait { until, .. } = step else { panic!("{step:?}") };
    assert_eq!(until, begun_at() + TimeDelta::seconds(30));
    job.now = until;
    let request = asks(youtube().advance(&job, &progress, &[]));
    assert_eq!(
        request.url.as_str(),
        "https://www.googleapis.com/youtube/v3/videos?part=status%2CprocessingDetails&id=aBcDeFgHiJk"
    );
}

#[test]
fn what_becomes_of_a_video() {
    let mut job = youtube_job(json!({}));
    job.now = begun_at() + TimeDelta::minutes(1);
    let progress = after_last(&youtube_job(json!({})));
    let status = |status: &str| video(json!({ "uploadStatus": status }), json!({}));
    for (name, answer) in [
        ("processed", status("processed")),
        ("deleted", status("deleted")),
        ("gone", answered(200, &json!({ "items": [] }))),
    ] {
        let step = done(youtube().advance(&job, &progress, &[answer]));
        assert!(matches!(step, Step::Live(ref live) if live.then.is_none()), "{name}: {step:?}");
    }
    let failed = |reason: &str| {
        video(json!({ "uploadStatus": "failed", "failureReason": reason }), json!({}))
    };
    let rejected = |reason: &str| {
        video(json!({ "uploadStatus": "rejected", "rejectionReason": reason }), json!({}))
    };
    let terminated = |reason: &str| {
        let processing = json!({ "processingStatus": "failed", "processingFailureReason": reason });
        video(json!({ "uploadStatus": "uploaded" }), processing)
    };
    let mut rows = vec![(status("failed"), "failed"), (status("rejected"), "rejected")];
    for reason in ["conversion", "invalidFile", "emptyFile", "tooSmall", "codec", "uploadAborted"] {
        rows.push((failed(reason), reason));
    }
    for reason in [
        "copyright",
        "inappropriate",
        "duplicate",
        "termsOfUse",
        "uploaderAccountSuspended",
        "length",
        "claim",
        "uploaderAccountClosed",
        "trademark",
        "legal",
    ] {
        rows.push((rejected(reason), reason));
    }
    for reason in ["uploadFailed", "transcodeFailed", "streamingFailed", "other"] {
        rows.push((terminated(reason), reason));
    }
    for (answer, reason) in rows {
        let not_kept = next(done(youtube().advance(&job, &progress, &[answer])));
        let error = youtube().advance(&job, &not_kept, &[]).unwrap_err();
        let want = (NetworkErrorKind::Permanent, FailureCode::MediaUnusable);
        assert_eq!((error.kind, error.code), want, "{reason}");
        assert!(error.message.contains(&format!("({reason})")), "{error}");
        assert_eq!(youtube().skip(&not_kept), None, "{reason}: nothing more is done with it");
    }
}

#[test]
fn who_may_not_read_is_told_nothing() {
    let mut job = youtube_job(json!({}));
    let progress = after_last(&job);
    job.credentials = credentials("https://www.googleapis.com/auth/youtube.upload");
    let step = done(youtube().advance(&job, &progress, &[]));
    assert!(matches!(step, Step::Live(ref live) if live.then.is_none()), "{step:?}");
}
