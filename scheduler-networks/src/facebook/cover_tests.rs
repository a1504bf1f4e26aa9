//! Title, place, label and cover of a post, as an exchange of values.

use chrono::TimeDelta;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::facebook::testing::{
    Server, after_answers, asked, error, facebook, facebook_job, job_with, ok, step,
};
use crate::testing::crash::exhaust;
use crate::testing::files::with_file;
use crate::testing::with_options;

/// A video with all that it may have.
fn film(placement: &str) -> PublishJob {
    let options = json!({
        "placement": placement,
        "title": "How it is made",
        "placeId": "7",
        "aiGenerated": true,
        "firstComment": "First!",
    });
    covered(with_options(job_with(&["video/mp4"]), options))
}

fn covered(mut job: PublishJob) -> PublishJob {
    job.thumbnail = with_file(job.clone(), "image/png", "").files.pop();
    job
}

/// What the call that finishes a video says.
fn finishing(job: &PublishJob, answers: &[Answer]) -> Vec<String> {
    let request = asked(job, &after_answers(job, answers));
    let fields = request["body"].as_array().unwrap().iter();
    fields.map(|field| field.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_video_is_finished_with_its_title_and_a_reel_with_place_and_label_too() {
    let announced = ok(&json!({
        "upload_session_id": "9001", "video_id": "3001", "start_offset": "1000", "end_offset": "1000",
    }));
    let fields = finishing(&film("feed"), &[announced]);
    assert_eq!(fields[3..], ["description=Hello #rust", "title=How it is made"]);
    let announced = ok(&json!({ "video_id": "3001", "upload_url": "https://x.example" }));
    let whole = ok(&json!({ "status": { "uploading_phase": { "status": "complete" } } }));
    let fields = finishing(&film("reel"), &[announced.clone(), whole.clone()]);
    assert_eq!(
        fields[3..],
        ["description=Hello #rust", "title=How it is made", "place=7", "is_ai_generated=true"]
    );
    let fields = finishing(&film("story"), &[announced, whole]);
    assert_eq!(fields, ["upload_phase=finish", "video_id=3001"], "a story has none of it");
}

#[test]
fn a_post_of_the_feed_has_a_place_and_no_title() {
    let options = json!({ "placeId": "7", "title": "T", "aiGenerated": true });
    let job = with_options(facebook_job(), options);
    let request = asked(&job, &after_answers(&job, &[]));
    assert_eq!(
        request["body"],
        json!({ "published": true, "message": "Hello #rust", "place": "7" })
    );
}

#[test]
fn a_text_whose_background_is_not_known_goes_out_without_it_and_that_is_told() {
    let job = with_options(facebook_job(), json!({ "textBackground": "303063890126415" }));
    let progress = after_answers(&job, &[]);
    assert_eq!(asked(&job, &progress)["body"]["text_format_preset_id"], "303063890126415");
    let refused = error(100, 0, "(#100) Invalid parameter text_format_preset_id");
    let progress = after_answers(&job, &[refused]);
    let request = asked(&job, &progress);
    assert_eq!(request["body"], json!({ "published": true, "message": "Hello #rust" }));
    let Ok(Step::Live(live)) = step(&job, &progress, &[ok(&json!({ "id": "1001_2001" }))]) else {
        panic!("not live")
    };
    let link = ok(&json!({ "permalink_url": "https://www.facebook.com/1001/posts/2001" }));
    let Ok(Step::Live(live)) = step(&job, &live.then.unwrap(), &[link]) else { panic!("no link") };
    let plain = live.then.unwrap();
    let told = step(&job, &plain, &[]).unwrap_err();
    assert_eq!(told.kind, Kind::Permanent);
    assert!(told.message.starts_with("The background was left out"), "{told}");
    assert_eq!(facebook().skip(&plain), None);
    let other = step(&job, &after_answers(&job, &[]), &[error(100, 0, "(#100) no")]);
    assert_eq!(other.unwrap_err().kind, Kind::Permanent, "another refusal");
}

/// A video that is live, before its cover is set.
fn live(job: &PublishJob) -> Value {
    let mut progress: Progress = serde_json::from_value(facebook().begin(job)).unwrap();
    progress = progress.uploads(crate::facebook::progress::Upload {
        video: "3001".to_owned(),
        state: crate::facebook::progress::Sending::AtOnce { sent_at: None },
    });
    let live = progress.live_film(Some("2001"), Some("/reel/3001/"));
    serde_json::to_value(live.then.unwrap()).unwrap()
}

#[test]
fn a_cover_is_set_once_the_video_is_live_and_the_comment_comes_after() {
    let job = film("reel");
    let progress = live(&job);
    assert!(!facebook().is_visible(&progress), "it can be done twice");
    let request = asked(&job, &progress);
    assert_eq!(request["request"], "POST https://graph.facebook.com/v26.0/3001/thumbnails");
    assert_eq!(request["body"][0], json!({ "name": "is_preferred", "text": "true" }));
    assert_eq!(request["body"][1]["name"], "source");
    assert!(request["body"][1]["file"].as_str().unwrap().contains("image/png"), "{request}");
    let Ok(Step::Live(set)) = step(&job, &progress, &[ok(&json!({ "success": true }))]) else {
        panic!("not set")
    };
    assert_eq!(Some(set.then.unwrap()), facebook().skip(&progress), "the comment");
    for (name, answer, kind) in [
        ("refused", error(100, 0, "(#100) no"), Kind::Permanent),
        ("not allowed", error(10, 0, "(#10) no"), Kind::Permanent),
        ("undone", ok(&json!({ "success": false })), Kind::Temporary),
    ] {
        let told = step(&job, &progress, &[answer]).unwrap_err();
        assert_eq!(told.kind, kind, "{name}");
        let is_told = told.message.starts_with(WHAT);
        assert_eq!(is_told, kind == Kind::Permanent, "{name}: {told}");
    }
    let gone = PublishJob { thumbnail: None, ..job };
    assert_eq!(step(&gone, &progress, &[]).unwrap_err().kind, Kind::Permanent);
}

#[test]
fn pictures_and_stories_have_no_cover() {
    for (types, options) in
        [(vec!["image/jpeg"], json!({})), (vec!["video/mp4"], json!({ "placement": "story" }))]
    {
        let job = with_options(job_with(&types), options);
        assert_eq!(facebook().begin(&covered(job.clone())), facebook().begin(&job), "{types:?}");
    }
}

#[test]
fn whatever_breaks_a_video_with_a_cover_each_is_there_once() {
    for placement in ["feed", "reel"] {
        let texts = ["Hello #rust", "First!"];
        exhaust(&facebook(), &Server::polled(1), &film(placement), TimeDelta::seconds(30), &texts);
    }
}

#[test]
fn captions_follow_the_cover_and_come_before_the_comment() {
    let srt = "1\n00:00:00,500 --> 00:00:02,000\nHello\n";
    let options = json!({
        "placement": "feed",
        "subtitles": [
            { "language": "en-us", "format": "srt", "content": srt },
            { "language": "de-DE", "format": "vtt", "content": "WEBVTT\n\n00:00.500 --> 00:02.000\nHallo\n" },
        ],
        "firstComment": "First!",
        "targeting": { "countries": ["DE"], "ageMin": 18 },
    });
    let job = covered(with_options(job_with(&["video/mp4"]), options));
    let announced = ok(&json!({
        "upload_session_id": "9001", "video_id": "3001", "start_offset": "1000", "end_offset": "1000",
    }));
    let fields = finishing(&job, std::slice::from_ref(&announced));
    let targeting = r#"targeting={"age_min":18,"geo_locations":{"countries":["DE"]}}"#;
    assert!(fields.contains(&targeting.to_owned()), "{fields:?}");
    let live = ok(&json!({
        "status": {
            "video_status": "ready",
            "publishing_phase": { "status": "complete", "publish_status": "published" },
        },
        "published": true,
        "permalink_url": "/x/",
        "post_id": "1_2",
    }));
    let done = ok(&json!({ "success": true }));
    let mut progress = after_answers(&job, &[announced, done.clone()]);
    for answer in [live, done.clone()] {
        let Ok(Step::Live(next)) = step(&job, &progress, &[answer]) else { panic!() };
        progress = next.then.unwrap();
    }
    for (name, locale) in [("captions.en_US.srt", Some("en_US")), ("captions.de_DE.srt", None)] {
        let request = asked(&job, &progress);
        assert!(request["request"].as_str().unwrap().ends_with("/3001/captions"), "{request}");
        let parts = request["body"].as_array().unwrap();
        assert_eq!(parts[0]["fileName"], name);
        assert!(
            parts[0]["text"].as_str().unwrap().starts_with("1\n00:00:00,500 --> "),
            "{parts:?}"
        );
        let told = parts.get(1).map(|part| part["text"].as_str().unwrap());
        assert_eq!(told, locale, "the first is what is shown without a choice");
        let Ok(Step::Live(next)) = step(&job, &progress, std::slice::from_ref(&done)) else {
            panic!()
        };
        progress = next.then.unwrap();
    }
    assert!(progress["stage"].get("comment").is_some(), "{progress}");
}
