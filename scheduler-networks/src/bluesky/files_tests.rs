//! Publishing files to Bluesky as an exchange of values.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use insta::assert_json_snapshot;
use scheduler_core::ids::MediaId;
use scheduler_core::ports::{NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::Bluesky;
use crate::conversation::{Answer, Body, Conversation, Request, Turn};
use crate::testing::crash::{Imitation, exhaust};
use crate::testing::files::{in_thread_of_images, with_file, with_images};
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, answered_text, bluesky_job, in_thread, with_options};

fn bluesky() -> Bluesky {
    Bluesky::default()
}

/// Takes one step, and gives what it asked.
fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    take_step(&bluesky(), job, progress, answers)
}

fn blob(number: usize) -> Value {
    json!({
        "$type": "blob",
        "ref": { "$link": format!("bafkrei{number}") },
        "mimeType": "image/jpeg",
        "size": 12_345,
    })
}

fn uploaded(number: usize) -> Answer {
    answered(200, &json!({ "blob": blob(number) }))
}

/// The progress once every image is uploaded.
fn all_uploaded(job: &PublishJob) -> Value {
    (0..job.files_by_part().count()).fold(bluesky().begin(job), |progress, number| {
        assert!(!bluesky().is_visible(&progress));
        next(step(job, &progress, &[uploaded(number)]).1)
    })
}

fn record(job: &PublishJob, progress: &Value) -> Value {
    assert!(bluesky().is_visible(progress));
    match bluesky().advance(job, progress, &[]) {
        Ok(Turn::Send(Request { body: Body::Json(body), .. })) => body["record"].clone(),
        other => panic!("no record: {other:?}"),
    }
}

#[test]
fn the_image_of_a_card_is_uploaded_small_and_stands_in_it() {
    let card = json!({ "linkCard": { "title": " Bread ", "description": "Why it rises" } });
    let linked = |options: &Value| {
        let mut job = with_options(bluesky_job(), options.clone());
        job.link_url = Some("https://blog.example.com/a".to_owned());
        job.thumbnail = with_file(bluesky_job(), "image/png", "").files.pop();
        job
    };
    let job = linked(&card);
    let (asked, _) = step(&job, &bluesky().begin(&job), &[uploaded(1)]);
    assert!(asked[0]["body"].as_str().unwrap().ends_with("image/png, bluesky-image-small"));
    let progress = next(step(&job, &bluesky().begin(&job), &[uploaded(1)]).1);
    assert_eq!(
        record(&job, &progress)["embed"],
        json!({
            "$type": "app.bsky.embed.external",
            "external": {
                "uri": "https://blog.example.com/a",
                "title": "Bread",
                "description": "Why it rises",
                "thumb": blob(1),
            },
        })
    );
    // A server that has lost it gets it once more.
    let lost = answered(400, &json!({ "error": "BlobNotFound", "message": "Could not find blob" }));
    let again = next(step(&job, &progress, &[lost]).1);
    assert!(!bluesky().is_visible(&again));

    // Where there is no card, nothing is uploaded.
    let hidden = linked(&json!({ "linkCard": { "hide": true } }));
    assert!(record(&hidden, &bluesky().begin(&hidden))["embed"].is_null());
    let mut beside = linked(&card);
    beside.files = with_file(bluesky_job(), "image/jpeg", "A crab").files;
    beside.files[0].id = MediaId(uuid::Uuid::from_u128(77));
    let progress = next(step(&beside, &bluesky().begin(&beside), &[uploaded(2)]).1);
    assert_eq!(record(&beside, &progress)["embed"]["$type"], "app.bsky.embed.images");
}

#[test]
fn an_image_is_uploaded_as_its_recipe_makes_it_and_embedded_as_the_server_calls_it() {
    let job = with_file(bluesky_job(), "image/png", "A crab");
    let (asked, _) = step(&job, &bluesky().begin(&job), &[uploaded(1)]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, bluesky-image",
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://pds.example.com/xrpc/com.atproto.repo.uploadBlob",
        "visible": false
      }
    ]
    "#);
    assert_json_snapshot!(record(&job, &all_uploaded(&job))["embed"], @r#"
    {
      "$type": "app.bsky.embed.images",
      "images": [
        {
          "alt": "A crab",
          "aspectRatio": {
            "height": 800,
            "width": 1200
          },
          "image": {
            "$type": "blob",
            "mimeType": "image/jpeg",
            "ref": {
              "$link": "bafkrei0"
            },
            "size": 12345
          }
        }
      ]
    }
    "#);
}

#[test]
fn up_to_four_images_are_images_and_more_are_a_gallery_in_their_order() {
    for count in 1..=10 {
        let mut job = with_images(bluesky_job(), count);
        job.link_url = Some("https://a.example/x".to_owned());
        job.files[0].facts.width = None;
        let record = record(&job, &all_uploaded(&job));
        let embed = &record["embed"];
        let (kind, list) =
            if count <= 4 { ("images", &embed["images"]) } else { ("gallery", &embed["items"]) };
        assert_eq!(embed["$type"], format!("app.bsky.embed.{kind}"), "{count}");
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), count);
        for (number, item) in list.iter().enumerate() {
            assert_eq!(item["alt"], format!("image {number}"));
            assert_eq!(item["image"], blob(number));
            let is_gallery = item["$type"] == "app.bsky.embed.gallery#image";
            assert_eq!(is_gallery, count > 4);
            assert_eq!(item["aspectRatio"].is_object(), number > 0 || is_gallery);
        }
        assert_eq!(record["text"], "Hello #rust\nhttps://a.example/x", "no card beside files");
    }
}

#[test]
fn files_go_with_the_first_part_of_a_thread_only() {
    let job = in_thread(with_images(bluesky_job(), 1), &["two"]);
    let progress = all_uploaded(&job);
    let put = answered(200, &json!({ "uri": "at://did:plc:d/app.bsky.feed.post/1", "cid": "c" }));
    assert!(record(&job, &progress)["embed"].is_object());
    let progress = next(step(&job, &progress, &[put]).1);
    assert!(record(&job, &progress)["embed"].is_null());
}

#[test]
fn a_later_part_shows_its_own_files_and_only_they_are_uploaded_again() {
    let job = in_thread_of_images(with_images(bluesky_job(), 1), &[("two", 2)]);
    let progress = all_uploaded(&job);
    let put = answered(200, &json!({ "uri": "at://did:plc:d/app.bsky.feed.post/1", "cid": "c" }));
    assert_eq!(record(&job, &progress)["embed"]["images"].as_array().map(Vec::len), Some(1));
    let progress = next(step(&job, &progress, &[put]).1);
    let second = record(&job, &progress);
    let alts = |record: &Value| -> Vec<Value> {
        let images = record["embed"]["images"].as_array().unwrap();
        images.iter().map(|image| image["alt"].clone()).collect()
    };
    assert_eq!(alts(&second), ["image 0", "image 1"]);
    assert_eq!(second["text"], "two");
    let swept = answered(400, &json!({ "error": "BlobNotFound", "message": "" }));
    let mut progress = next(step(&job, &progress, &[swept]).1);
    let mut uploads = 0;
    while !bluesky().is_visible(&progress) {
        progress = next(step(&job, &progress, &[uploaded(uploads)]).1);
        uploads += 1;
    }
    assert_eq!(uploads, 2, "the file of the first part is in a record");
}

#[test]
fn blobs_that_were_swept_are_uploaded_again_and_not_for_ever() {
    let job = with_images(bluesky_job(), 2);
    let mut progress = all_uploaded(&job);
    let first = record(&job, &progress);
    let body = json!({ "error": "BlobNotFound", "message": "Could not find blob" });
    let swept = answered(400, &body);
    for _ in 0..2 {
        progress = next(step(&job, &progress, std::slice::from_ref(&swept)).1);
        for number in 0..2 {
            assert!(!bluesky().is_visible(&progress));
            progress = next(step(&job, &progress, &[uploaded(number)]).1);
        }
        assert_eq!(record(&job, &progress), first);
    }
    let error = step(&job, &progress, &[swept]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
}

/// PDS 0.4.217 has the limit of earlier lexicons.
#[test]
fn an_older_server_gets_smaller_pictures_once() {
    let job = with_images(bluesky_job(), 2);
    let progress = all_uploaded(&job);
    let first = record(&job, &progress);
    let message = "Invalid app.bsky.feed.post record: blob too big (maximum 1000000, got 1825306) at $.record.embed.images[0].image";
    let refused = answered(400, &json!({ "error": "InvalidRequest", "message": message }));
    let mut progress = next(step(&job, &progress, std::slice::from_ref(&refused)).1);
    for number in 0..2 {
        let (asked, stepped) = step(&job, &progress, &[uploaded(number)]);
        let body = asked[0]["body"].as_str().unwrap();
        assert!(body.ends_with(", bluesky-image-small"), "{body}");
        progress = next(stepped);
    }
    assert_eq!(record(&job, &progress), first);
    let error = step(&job, &progress, std::slice::from_ref(&refused)).1.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed);

    let job = with_file(bluesky_job(), "video/mp4", "");
    let there = json!({ "jobStatus": { "jobId": "job-1", "blob": blob(1) } });
    let sent = step(&job, &bluesky().begin(&job), &sending(answered(200, &there))).1;
    let error = step(&job, &next(sent), &[refused]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed, "a video");
}

fn conversion(state: &str, more: &Value) -> Answer {
    let mut status = json!({ "jobId": "job-1", "did": "did:plc:a", "state": state });
    for (name, value) in more.as_object().unwrap() {
        status[name] = value.clone();
    }
    answered(200, &json!({ "jobStatus": status }))
}

fn sending(sent: Answer) -> Vec<Answer> {
    let token = answered(200, &json!({ "token": "service-token" }));
    let limits = json!({
        "canUpload": true, "remainingDailyVideos": 5, "remainingDailyBytes": 1_000,
    });
    vec![token.clone(), answered(200, &limits), token, sent]
}

#[test]
fn a_video_goes_through_the_service_that_converts_it() {
    let mut job = with_file(bluesky_job(), "video/mp4", "A film");
    let begun = bluesky().begin(&job);
    let created = sending(conversion("JOB_STATE_CREATED", &json!({})));
    let (asked, sent) = step(&job, &begun, &created);
    let requests: Vec<&Value> = asked.iter().map(|asked| &asked["request"]).collect();
    assert_json_snapshot!(requests, @r#"
    [
      "GET https://pds.example.com/xrpc/com.atproto.server.getServiceAuth?aud=did%3Aweb%3Avideo.bsky.app&lxm=app.bsky.video.getUploadLimits",
      "GET https://video.bsky.app/xrpc/app.bsky.video.getUploadLimits",
      "GET https://pds.example.com/xrpc/com.atproto.server.getServiceAuth?aud=did%3Aweb%3Apds.example.com&lxm=com.atproto.repo.uploadBlob&exp=1795170600",
      "POST https://video.bsky.app/xrpc/app.bsky.video.uploadVideo?did=did%3Aplc%3Aabcdefghijklmnopqrstuvwx&name=00000000-0000-0000-0000-000000000010.mp4"
    ]
    "#);
    let folder = job.files[0].folder.as_str();
    assert_eq!(asked[3]["body"], format!("{folder}, video/mp4, as it came"));
    let Ok(Step::Wait { progress, until }) = sent else { panic!("{sent:?}") };
    assert_eq!(until, job.now + TimeDelta::seconds(2));

    for (seconds, wait) in [(2, 2), (29, 2), (30, 5), (600, 5)] {
        let mut later = job.clone();
        later.now += TimeDelta::seconds(seconds);
        let (asked, stepped) =
            step(&later, &progress, &[conversion("JOB_STATE_SCANNING", &json!({}))]);
        assert_eq!(
            asked[0]["request"],
            "GET https://video.bsky.app/xrpc/app.bsky.video.getJobStatus?jobId=job-1"
        );
        let until = later.now + TimeDelta::seconds(wait);
        assert_eq!(stepped, Ok(Step::Wait { progress: progress.clone(), until }), "{seconds}");
    }
    job.now += TimeDelta::seconds(601);
    let error =
        step(&job, &progress, &[conversion("JOB_STATE_SCANNING", &json!({}))]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);

    let done = conversion("JOB_STATE_COMPLETED", &json!({ "blob": blob(7) }));
    let progress = next(step(&job, &progress, &[done]).1);
    let want = json!({
        "$type": "app.bsky.embed.video",
        "video": blob(7),
        "alt": "A film",
        "aspectRatio": { "width": 1_200, "height": 800 },
    });
    assert_eq!(record(&job, &progress)["embed"], want);
}

#[test]
fn a_video_that_was_sent_before_is_found_again() {
    let job = with_file(bluesky_job(), "video/mp4", "");
    let begun = bluesky().begin(&job);
    let converting = json!({ "error": "already_exists", "jobId": "job-1", "did": "a", "state": "JOB_STATE_ENCODING" });
    let sent = step(&job, &begun, &sending(answered(409, &converting))).1;
    assert!(matches!(sent, Ok(Step::Wait { .. })), "{sent:?}");
    let there =
        json!({ "error": "already_exists", "jobStatus": { "jobId": "job-1", "blob": blob(1) } });
    let progress = next(step(&job, &begun, &sending(answered(409, &there))).1);
    assert_eq!(record(&job, &progress)["embed"]["video"], blob(1));
    let neither =
        step(&job, &begun, &sending(answered(409, &json!({ "error": "already_exists" })))).1;
    assert!(neither.is_err());
}

#[test]
fn what_the_service_refuses() {
    let job = with_file(bluesky_job(), "video/mp4", "");
    let begun = bluesky().begin(&job);
    let token = || answered(200, &json!({ "token": "t" }));
    let limits = |body: Value| vec![token(), answered(200, &body)];
    let temporary = NetworkErrorKind::Temporary;
    let limited = NetworkErrorKind::RateLimited { wait: Some(TimeDelta::hours(1)) };
    let refusal = |status, name: &str| answered(status, &json!({ "error": name, "message": "no" }));
    for (name, answers, want) in [
        (
            "no more today",
            limits(json!({ "canUpload": false, "remainingDailyVideos": 0 })),
            limited,
        ),
        (
            "no more bytes",
            limits(json!({ "canUpload": true, "remainingDailyBytes": 999 })),
            limited,
        ),
        (
            "not allowed",
            limits(json!({ "canUpload": false, "message": "unconfirmed" })),
            NetworkErrorKind::Permanent,
        ),
        ("unreadable limits", limits(json!({})), temporary),
        ("its token is not known", sending(refusal(401, "InvalidToken")), temporary),
        ("too large", sending(refusal(400, "VideoTooLarge")), NetworkErrorKind::Permanent),
        ("overloaded", sending(answered_text(503, "")), temporary),
        ("unreadable", sending(answered(200, &json!({}))), temporary),
        ("our own token", vec![refusal(400, "ExpiredToken")], NetworkErrorKind::TokenExpired),
    ] {
        let error = step(&job, &begun, &answers).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn a_conversion_that_failed_is_tried_again_where_that_may_help() {
    let job = with_file(bluesky_job(), "video/mp4", "");
    for (code, repeats) in [
        ("validation_failure", 0),
        ("pds_upload_unsupported_blob_size", 0),
        ("encoding_failure", 1),
        ("pds_upload_failure", 2),
        ("generic_failure", 2),
    ] {
        let mut progress = bluesky().begin(&job);
        let failed = || conversion("JOB_STATE_FAILED", &json!({ "failureCode": code }));
        let mut done = 0;
        let error = loop {
            let created = sending(conversion("JOB_STATE_CREATED", &json!({})));
            progress = next(step(&job, &progress, &created).1);
            match step(&job, &progress, &[failed()]).1 {
                Ok(Step::Wait { progress: again, .. }) => (progress, done) = (again, done + 1),
                Ok(other) => panic!("{code}: {other:?}"),
                Err(error) => break error,
            }
        };
        assert_eq!((done, error.kind), (repeats, NetworkErrorKind::Permanent), "{code}");
        assert_eq!(error.code, FailureCode::ValidationFailed);
    }
}

#[test]
fn a_file_that_the_post_has_lost_and_files_that_do_not_go_together() {
    let job = with_file(bluesky_job(), "image/png", "");
    let begun = bluesky().begin(&job);
    let error = step(&bluesky_job(), &begun, &[]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::MediaUnusable);
    let job = with_file(job, "video/mp4", "");
    let error = step(&job, &bluesky().begin(&job), &[]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::ValidationFailed);
}

/// A server that keeps blobs, converts videos, and takes records whose blobs it has.
#[derive(Clone, Default)]
struct Server {
    blobs: BTreeSet<String>,
    jobs: BTreeMap<String, DateTime<Utc>>,
    records: BTreeMap<String, Value>,
}

impl Server {
    fn keep(&mut self, of: &str) -> Value {
        self.blobs.insert(of.to_owned());
        json!({ "$type": "blob", "ref": { "$link": of } })
    }

    fn put(&mut self, input: &Value) -> Answer {
        let record = &input["record"];
        let images = record["embed"]["images"].as_array().cloned().unwrap_or_default();
        let links = images.iter().map(|image| &image["image"]["ref"]["$link"]);
        let video = &record["embed"]["video"]["ref"]["$link"];
        let mut links = links.chain((!video.is_null()).then_some(video));
        assert!(links.all(|link| self.blobs.contains(link.as_str().unwrap())), "{record}");
        let key = input["rkey"].as_str().unwrap();
        let stored = self.records.entry(key.to_owned()).or_insert_with(|| record.clone());
        assert_eq!(stored, record, "a repeat is another record");
        answered(
            200,
            &json!({ "uri": format!("at://did:plc:d/app.bsky.feed.post/{key}"), "cid": key }),
        )
    }
}

impl Imitation for Server {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let call = request.url.path().rsplit('/').next().unwrap_or_default();
        let query: BTreeMap<_, _> = request.url.query_pairs().collect();
        match (call, &request.body) {
            ("com.atproto.repo.uploadBlob", Body::File(file)) => {
                answered(200, &json!({ "blob": self.keep(file.folder.as_str()) }))
            }
            ("app.bsky.feed.getPosts", _) => {
                let author = json!({ "did": "did:plc:q", "handle": "q.test" });
                let post = json!({ "uri": query["uris"], "cid": "q", "author": author });
                answered(200, &json!({ "posts": [post] }))
            }
            ("com.atproto.server.getServiceAuth", _) => answered(200, &json!({ "token": "t" })),
            ("app.bsky.video.getUploadLimits", _) => answered(200, &json!({ "canUpload": true })),
            ("app.bsky.video.uploadVideo", Body::File(file)) => {
                let id = file.folder.as_str().to_owned();
                let is_new = !self.jobs.contains_key(&id);
                self.jobs.entry(id.clone()).or_insert(now);
                let status = json!({ "jobId": id, "state": "JOB_STATE_CREATED" });
                match is_new {
                    true => answered(200, &json!({ "jobStatus": status })),
                    false => answered(409, &json!({ "error": "already_exists", "jobId": id })),
                }
            }
            ("app.bsky.video.getJobStatus", _) => {
                let id = query["jobId"].to_string();
                let mut status = json!({ "jobId": id, "state": "JOB_STATE_ENCODING" });
                if now >= self.jobs[&id] + TimeDelta::seconds(5) {
                    status["state"] = "JOB_STATE_COMPLETED".into();
                    status["blob"] = self.keep(&id);
                }
                answered(200, &json!({ "jobStatus": status }))
            }
            ("com.atproto.repo.putRecord", Body::Json(input)) => self.put(input),
            ("com.atproto.repo.getRecord", _) => match self.records.get(&*query["rkey"]) {
                None => answered(400, &json!({ "error": "RecordNotFound", "message": "" })),
                Some(value) => {
                    let uri = format!("at://did:plc:d/app.bsky.feed.post/{}", query["rkey"]);
                    answered(200, &json!({ "uri": uri, "cid": query["rkey"], "value": value }))
                }
            },
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let show = |record: &Value| {
            let images = record["embed"]["images"].as_array().map_or(0, Vec::len);
            let videos = usize::from(record["embed"]["video"].is_object());
            format!("{} {images} {videos}", record["text"].as_str().unwrap())
        };
        self.records.values().map(show).collect()
    }
}

#[test]
fn whatever_breaks_where_every_part_is_there_once_with_its_files() {
    let images = in_thread(with_images(bluesky_job(), 3), &["two"]);
    let video = in_thread(with_file(bluesky_job(), "video/mp4", ""), &["two"]);
    for (job, first) in [(images, "Hello #rust 3 0"), (video, "Hello #rust 0 1")] {
        let texts = [first, "two 0 0"];
        exhaust(&bluesky(), &Server::default(), &job, TimeDelta::minutes(1), &texts);
    }
    let quote = json!({ "quote": "at://did:plc:q/app.bsky.feed.post/3mq" });
    let quoting = with_options(with_images(bluesky_job(), 1), quote);
    exhaust(&bluesky(), &Server::default(), &quoting, TimeDelta::minutes(1), &["Hello #rust 0 0"]);
    let later = in_thread_of_images(bluesky_job(), &[("two", 2), ("three", 0), ("", 1)]);
    let texts = ["Hello #rust 0 0", "two 2 0", "three 0 0", " 1 0"];
    exhaust(&bluesky(), &Server::default(), &later, TimeDelta::minutes(1), &texts);
    let all = in_thread_of_images(with_file(bluesky_job(), "video/mp4", ""), &[("two", 2)]);
    let texts = ["Hello #rust 0 1", "two 2 0"];
    exhaust(&bluesky(), &Server::default(), &all, TimeDelta::minutes(1), &texts);
}

#[test]
fn captions_are_blobs_that_the_video_names() {
    let srt = "1\n00:00:00,500 --> 00:00:02,000\nHello\n";
    let options = json!({ "subtitles": [
        { "language": "en", "format": "srt", "content": srt },
        { "language": "de", "format": "vtt", "content": "WEBVTT\n\n00:00.500 --> 00:02.000\nHallo\n" },
    ] });
    let job = with_options(with_file(bluesky_job(), "video/mp4", ""), options.clone());
    let mut progress = bluesky().begin(&job);
    // As if the video service had done its work.
    progress["files"][0]["state"] = json!({ "is": "uploaded", "blob": blob(9) });
    let mut sent = Vec::new();
    for number in [1, 2] {
        assert!(!bluesky().is_visible(&progress));
        let (asked, step) = step(&job, &progress, &[uploaded(number)]);
        sent.push(asked[0].clone());
        progress = next(step);
    }
    assert!(sent[0]["request"].as_str().unwrap().ends_with("/xrpc/com.atproto.repo.uploadBlob"));
    let record = record(&job, &progress);
    let captions = json!([
        { "lang": "en", "file": blob(1) },
        { "lang": "de", "file": blob(2) },
    ]);
    assert_eq!(record["embed"]["captions"], captions);
    let image = with_options(with_images(bluesky_job(), 1), options);
    assert_eq!(bluesky().begin(&image).get("captions"), None, "only videos have captions");
}
