//! Sending a video in chunks as exchanges of values.

use insta::assert_json_snapshot;
use proptest::prelude::*;
use scheduler_core::ports::NetworkErrorKind;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::testing::steps::{failed, next};
use crate::testing::{answered_text, with_header};
use crate::tiktok::testing::{
    CREATOR, VIDEO_INIT, after, announced, ok, photo_job, public, recorded, step, tiktok, video_job,
};

fn there(status: u16, range: &str) -> Answer {
    with_header(answered_text(status, ""), "content-range", range)
}

fn stage(progress: &Value) -> &str {
    progress["stage"]["is"].as_str().unwrap()
}

#[test]
fn videos_are_cut_as_the_network_wants() {
    for (size, chunk_size, count) in [
        (1, 1, 1),
        (4_999_999, 4_999_999, 1),
        (20_000_000, 20_000_000, 1),
        (20_000_001, 10_000_000, 2),
        (50_000_123, 10_000_000, 5),
        (500_000_000, 10_000_000, 50),
        (4_000_000_000, 10_000_000, 400),
        (10_000_000_000, 10_000_000, 1000),
        (10_000_001_001, 10_000_002, 999),
    ] {
        let want = Chunks { video_size: size, chunk_size, total_chunk_count: count };
        assert_eq!(Chunks::of(size), Some(want), "{size}");
    }
    assert_eq!(Chunks::of(0), None);
    assert_eq!(Chunks::of(50_000_123).unwrap().range(4), 40_000_000..50_000_123);
}

proptest! {
    #[test]
    fn chunks_cover_a_video_once_within_their_bounds(size in 1_u64..12_000_000_000) {
        let chunks = Chunks::of(size).unwrap();
        prop_assert_eq!(chunks.total_chunk_count, size / chunks.chunk_size);
        prop_assert!((1..=1000).contains(&chunks.total_chunk_count));
        prop_assert!(chunks.chunk_size == size || (5_000_000..=64_000_000).contains(&chunks.chunk_size));
        let mut at = 0;
        for number in 0..chunks.total_chunk_count {
            let range = chunks.range(number);
            prop_assert_eq!(range.start, at);
            prop_assert_eq!(chunks.next(at), range.clone());
            prop_assert!(chunks.is_boundary(range.start) && chunks.is_boundary(range.end));
            prop_assert!(range.end - range.start <= 128_000_000);
            at = range.end;
        }
        prop_assert_eq!(at, size);
    }

    #[test]
    fn wherever_an_upload_stands_it_goes_on_to_the_end(size in 1_u64..4_000_000_000, part in 0.0..1.0_f64) {
        let chunks = Chunks::of(size).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "any number will do")]
        let mut at = ((size as f64 * part) as u64).min(size - 1);
        let mut sent = 0;
        while at < size {
            let next = chunks.next(at);
            prop_assert!(next.start == at && next.end > at);
            at = next.end;
            sent += 1;
        }
        prop_assert!(sent <= chunks.total_chunk_count);
    }
}

#[test]
fn the_last_chunk_takes_as_long_as_its_bytes_need_and_photos_take_none() {
    let at_last = |job: &PublishJob| {
        let range = there(206, "bytes 0-39999999/50000123");
        after(job, &announced(job), &[range])
    };
    let (short, long) = (video_job(public(), 20_000_000), video_job(public(), 50_000_123));
    let mut photos = photo_job(public(), 2);
    photos.files[0].facts.size_bytes = Some(20_000_000);
    let named = after(&photos, &tiktok().begin(&photos), &[recorded(CREATOR)]);
    for (name, job, progress, seconds) in [
        ("one chunk", &short, announced(&short), 30 + 152),
        ("the last of several", &long, at_last(&long), 30 + 76),
        ("photos", &photos, named, 30),
    ] {
        assert!(tiktok().is_visible(&progress), "{name}");
        assert_eq!(tiktok().call_timeout(job, &progress).of_request().as_secs(), seconds, "{name}");
    }
}

#[test]
fn a_video_goes_chunk_by_chunk_and_its_last_byte_is_visible() {
    let job = video_job(public(), 50_000_123);
    let mut progress = announced(&job);
    let mut asked = Vec::new();
    for answer in [
        there(206, "bytes 0-9999999/50000123"),
        answered_text(206, ""),
        there(206, "bytes 0-30000000/50000123"),
        there(206, "bytes 0-39999999/50000123"),
        answered_text(201, ""),
    ] {
        assert_eq!(tiktok().is_visible(&progress), asked.len() == 4);
        let (made, stepped) = step(&job, &progress, &[answer]);
        asked.extend(made);
        progress = match stepped.unwrap() {
            Step::Next(progress) => progress,
            Step::Wait { progress, until } => {
                assert_eq!(until, job.now + TimeDelta::seconds(5));
                progress
            }
            other => panic!("{other:?}"),
        };
    }
    assert_json_snapshot!([&asked[0], &asked[4]], @r#"
    [
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 0..10000000",
        "headers": {
          "content-range": "bytes 0-9999999/50000123"
        },
        "request": "PUT https://open-upload.tiktokapis.com/video/?upload_id=67890&upload_token=Xza123",
        "visible": false
      },
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 40000000..50000123",
        "headers": {
          "content-range": "bytes 40000000-50000122/50000123"
        },
        "request": "PUT https://open-upload.tiktokapis.com/video/?upload_id=67890&upload_token=Xza123",
        "visible": true
      }
    ]
    "#);
    let ranges: Vec<&Value> =
        asked.iter().map(|asked| &asked["headers"]["content-range"]).collect();
    assert_eq!(ranges[2], "bytes 20000000-29999999/50000123");
    assert_eq!(ranges[3], "bytes 30000000-39999999/50000123");
    assert_eq!(stage(&progress), "processing");
    assert!(!tiktok().is_visible(&progress));
}

#[test]
fn what_has_arrived_is_not_sent_again() {
    let job = video_job(public(), 50_000_123);
    let progress = announced(&job);
    for (name, answer, next) in [
        ("some", there(416, "bytes 0-19999999/50000123"), Some("bytes 20000000-29999999/50000123")),
        (
            "written as a count",
            there(416, "bytes 0-20000000/50000123"),
            Some("bytes 20000000-29999999/50000123"),
        ),
        (
            "within a chunk",
            there(416, "bytes 0-24999999/50000123"),
            Some("bytes 25000000-29999999/50000123"),
        ),
        (
            "all but the last",
            there(416, "bytes 0-39999999/50000123"),
            Some("bytes 40000000-50000122/50000123"),
        ),
        ("all", there(416, "bytes 0-50000122/50000123"), None),
    ] {
        let progress = after(&job, &progress, &[answer]);
        match next {
            None => assert_eq!(stage(&progress), "processing", "{name}"),
            Some(next) => {
                let (asked, _) = step(&job, &progress, &[answered_text(500, "")]);
                assert_eq!(asked[0]["headers"]["content-range"], next, "{name}");
                assert_eq!(tiktok().is_visible(&progress), next.contains("-50000122"), "{name}");
            }
        }
    }
    // Back to what is there, where some got lost.
    let later = after(&job, &progress, &[there(416, "bytes 0-39999999/50000123")]);
    let back = after(&job, &later, &[there(416, "bytes */50000123")]);
    let (asked, _) = step(&job, &back, &[answered_text(500, "")]);
    assert_eq!(asked[0]["headers"]["content-range"], "bytes 0-9999999/50000123");
}

#[test]
fn an_address_that_has_ended_is_replaced_while_nothing_is_published() {
    let mut job = video_job(public(), 50_000_123);
    let progress = announced(&job);
    for answer in [
        answered_text(403, ""),
        answered_text(404, ""),
        answered_text(410, ""),
        answered_text(416, ""),
        there(416, "bytes */50000123"),
    ] {
        let (anew, error) = failed(step(&job, &progress, &[answer]).1);
        assert_eq!(error.kind, NetworkErrorKind::Temporary);
        assert_eq!(stage(&anew), "creator");
    }
    // By the clock, without asking.
    job.now += TimeDelta::hours(1);
    let (asked, _) = step(&job, &progress, &[]);
    assert_eq!(asked, Vec::<Value>::new());
    assert_eq!(stage(&after(&job, &progress, &[])), "creator");
}

#[test]
fn a_video_that_is_too_slow_for_its_hour_is_sent_a_few_times_only() {
    let mut job = video_job(public(), 50_000_123);
    let mut progress = announced(&job);
    let mut uploads = 1;
    let (anew, error) = loop {
        job.now += TimeDelta::hours(1);
        progress = match step(&job, &progress, &[]).1 {
            ended @ Ok(Step::Failed { .. }) => break failed(ended),
            went_on => next(went_on),
        };
        let allowed = after(&job, &progress, &[recorded(CREATOR)]);
        progress = after(&job, &allowed, &[recorded(VIDEO_INIT)]);
        uploads += 1;
        assert!(uploads <= 2, "it never ends");
    };
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
    assert_eq!(stage(&anew), "creator", "the next attempt begins anew");
}

#[test]
fn once_the_last_byte_may_be_there_nothing_begins_anew() {
    let mut job = video_job(public(), 1_000);
    let progress = announced(&job);
    assert!(tiktok().is_visible(&progress));
    let status = ok(&json!({ "status": "PROCESSING_UPLOAD", "uploaded_bytes": 0 }));
    let located = tiktok().locate(&job, &progress, &[status]).unwrap();
    let Turn::Done(scheduler_core::ports::Located::Repeat(repeat)) = located else {
        panic!("{located:?}")
    };
    for answer in [answered_text(403, ""), answered_text(404, ""), answered_text(416, "")] {
        assert_eq!(stage(&after(&job, &repeat, &[answer])), "processing");
    }
    job.now += TimeDelta::hours(2);
    assert_eq!(stage(&after(&job, &repeat, &[])), "processing", "by the clock too");
}

#[test]
fn an_address_prints_nothing_and_a_missing_file_is_said() {
    let job = video_job(public(), 1_000);
    let progress = announced(&job);
    let read = Progress::read(&progress).unwrap();
    assert!(!format!("{read:?}").contains("Xza123"));
    let mut without = job.clone();
    without.files.clear();
    let error = step(&without, &progress, &[]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::MediaUnusable);
    let mut unknown = job;
    unknown.files[0].facts.size_bytes = None;
    let begun = Progress::begin(&unknown).allowed(None, unknown.now).to_value();
    let error = step(&unknown, &begun, &[]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::MediaUnusable);
}

/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide>, which
/// shows addresses of both hosts.
#[test]
fn the_bytes_go_to_whatever_host_the_network_names() {
    let job = video_job(public(), 1_000);
    let begun = Progress::begin(&job).allowed(None, job.now).to_value();
    let address = "https://upload.us.tiktokapis.com/video/?upload_id=67890&upload_token=Xza123";
    let init = json!({ "publish_id": "v_pub_file~v2-1.1", "upload_url": address });
    let progress = after(&job, &begun, &[ok(&init)]);
    let (asked, _) = step(&job, &progress, &[answered_text(201, "")]);
    assert_eq!(asked[0]["request"], format!("PUT {address}"));
    assert!(asked[0]["headers"].get("authorization").is_none(), "the token is told to nobody else");
}

#[test]
fn an_announcement_without_an_address_is_made_again() {
    let job = video_job(public(), 1_000);
    let begun = Progress::begin(&job).allowed(None, job.now).to_value();
    for answer in [ok(&json!({ "publish_id": "x" })), answered_text(200, "<html>")] {
        let error = step(&job, &begun, &[answer]).1.unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Temporary);
    }
    assert_eq!(stage(&after(&job, &begun, &[recorded(VIDEO_INIT)])), "sending");
}
