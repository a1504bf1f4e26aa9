//! What follows a video as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{FileKey, MediaFacts, MediaKind};
use scheduler_core::ports::{JobFile, Live, NetworkErrorKind as Kind, PublishJob};
use uuid::Uuid;

use super::*;
use crate::conversation::{Conversation, shown};
use crate::testing::{answered, answered_text};
use crate::youtube::testing::{after_last, asks, done, next, refused, youtube, youtube_job};

fn with_thumbnail(options: Value) -> PublishJob {
    let mut job = youtube_job(options);
    let id = MediaId(Uuid::from_u128(0x99));
    let facts = MediaFacts {
        mime_type: Some("image/jpeg".to_owned()),
        ..MediaFacts::of_kind(MediaKind::Image)
    };
    let folder = FileKey::folder(job.account.workspace_id, id);
    job.thumbnail = Some(JobFile::new(id, folder, facts));
    job
}

fn subtitled() -> PublishJob {
    youtube_job(json!({ "subtitles": [{
        "language": "en", "name": "English", "format": "srt", "content": "1\nscheduler\n",
    }] }))
}

/// The extras that are left after a step.
fn left(step: Step) -> Value {
    match step {
        Step::Live(Live { remote: None, then }) => {
            then.map_or(Value::Null, |then| then["following"]["extras"].clone())
        }
        other => panic!("not done: {other:?}"),
    }
}

#[test]
fn a_thumbnail_is_set() {
    let job = with_thumbnail(json!({}));
    let progress = after_last(&job);
    assert!(!youtube().is_visible(&progress));
    let request = asks(youtube().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000099, image/jpeg, as it came",
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://www.googleapis.com/upload/youtube/v3/thumbnails/set?videoId=aBcDeFgHiJk&uploadType=media",
      "visible": false
    }
    "#);
    let step = done(youtube().advance(&job, &progress, &[answered(200, &json!({}))]));
    assert_eq!(left(step), json!(["watch"]));
    let forbidden = youtube().advance(&job, &progress, &[refused(403, "forbidden")]).unwrap_err();
    assert_eq!(forbidden.kind, Kind::Permanent);
    assert!(forbidden.message.contains("verified by phone"), "{forbidden}");
    for (answer, want) in [
        (refused(400, "imageFormatUnsupported"), Kind::Permanent),
        (refused(403, "insufficientPermissions"), Kind::Permanent),
        (answered_text(503, ""), Kind::Temporary),
    ] {
        let error = youtube().advance(&job, &progress, &[answer]).unwrap_err();
        assert_eq!(error.kind, want, "{error}");
    }
    let rest = youtube().skip(&progress).unwrap();
    assert_eq!(rest["following"]["extras"], json!(["watch"]));
    assert_eq!(youtube().skip(&rest), None);
}

#[test]
fn a_paid_promotion_is_read_back() {
    let job = youtube_job(json!({ "paidPromotion": true }));
    let progress = after_last(&job);
    let request = asks(youtube().advance(&job, &progress, &[]));
    let shown = shown(&request);
    assert_eq!(
        shown["request"],
        "GET https://www.googleapis.com/youtube/v3/videos?part=paidProductPlacementDetails&id=aBcDeFgHiJk"
    );
    let said = |is_paid: bool| {
        let details = json!({ "hasPaidProductPlacement": is_paid });
        answered(200, &json!({ "items": [{ "paidProductPlacementDetails": details }] }))
    };
    let kept = done(youtube().advance(&job, &progress, &[said(true)]));
    assert_eq!(left(kept), json!(["watch"]));
    let error = youtube().advance(&job, &progress, &[said(false)]).unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.contains("YouTube Studio"), "{error}");
    let rest = youtube().skip(&progress).unwrap();
    assert_eq!(rest["following"]["extras"], json!(["watch"]), "the video stays live");
    let error = youtube().advance(&job, &progress, &[answered_text(503, "")]).unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
    let untold = answered(200, &json!({ "items": [{}] }));
    assert_eq!(left(done(youtube().advance(&job, &progress, &[untold]))), json!(["watch"]));
    let not = youtube_job(json!({ "paidPromotion": false }));
    assert_eq!(after_last(&not)["following"]["extras"], json!(["watch"]));
}

#[test]
fn a_thumbnail_that_comes_too_early_waits_until_the_video_is_processed() {
    let job = with_thumbnail(json!({}));
    let early = refused(400, "failedPrecondition");
    let later =
        next(done(youtube().advance(&job, &after_last(&job), std::slice::from_ref(&early))));
    assert_eq!(later["following"]["extras"], json!(["watch", "thumbnail"]));
    let last = youtube().skip(&later).unwrap();
    let error = youtube().advance(&job, &last, &[early]).unwrap_err();
    assert_eq!(error.kind, Kind::Temporary);
}

#[test]
fn subtitles_are_added_once() {
    let job = subtitled();
    let progress = after_last(&job);
    let request = asks(youtube().advance(&job, &progress, &[]));
    let url =
        "https://www.googleapis.com/upload/youtube/v3/captions?part=snippet&uploadType=multipart";
    assert_eq!(request.url.as_str(), url);
    let Body::Bytes { content_type, bytes } = &request.body else { panic!("no bytes") };
    assert_eq!(content_type, "multipart/related; boundary=scheduler-12");
    assert_eq!(
        String::from_utf8(bytes.clone()).unwrap(),
        "--scheduler-12\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n\
         {\"snippet\":{\"isDraft\":false,\"language\":\"en\",\"name\":\"English\",\"videoId\":\"aBcDeFgHiJk\"}}\r\n\
         --scheduler-12\r\nContent-Type: application/octet-stream\r\n\r\n1\nscheduler\n\r\n\
         --scheduler-12--\r\n"
    );
    for answer in [answered(200, &json!({})), refused(409, "captionExists")] {
        let step = done(youtube().advance(&job, &progress, &[answer]));
        assert_eq!(left(step), json!(["watch"]));
    }
    let error = youtube().advance(&job, &progress, &[refused(400, "nameTooLong")]).unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.starts_with("The subtitles in en could not be added: "), "{error}");
}

#[test]
fn a_video_is_put_into_a_playlist_once() {
    let job = youtube_job(json!({ "playlistId": "PL1" }));
    let progress = after_last(&job);
    let request = asks(youtube().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "snippet": {
          "playlistId": "PL1",
          "resourceId": {
            "kind": "youtube#video",
            "videoId": "aBcDeFgHiJk"
          }
        }
      },
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://www.googleapis.com/youtube/v3/playlistItems?part=snippet",
      "visible": false
    }
    "#);
    for answer in [answered(200, &json!({})), refused(409, "videoAlreadyInPlaylist")] {
        let step = done(youtube().advance(&job, &progress, &[answer]));
        assert_eq!(left(step), json!(["watch"]));
    }
    let error = youtube().advance(&job, &progress, &[refused(404, "playlistNotFound")]);
    assert_eq!(error.unwrap_err().kind, Kind::Permanent);
}
