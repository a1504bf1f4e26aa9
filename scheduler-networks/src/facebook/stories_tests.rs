//! Stories as an exchange of values.

use chrono::TimeDelta;
use scheduler_core::ports::{Located, NetworkErrorKind as Kind, RemoteEdit};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{AfterConversation, Conversation};
use crate::facebook::testing::{
    Server, access, after_answers, asked, done, error, facebook, job_with, live_post, ok, step,
};
use crate::testing::crash::exhaust;
use crate::testing::steps::next;
use crate::testing::with_options;

/// A story of a file, and what of the post a story does not have.
fn story(media_type: &str) -> PublishJob {
    let options = json!({ "placement": "story", "firstComment": "First!" });
    let mut job = with_options(job_with(&[media_type]), options);
    job.link_url = Some("https://example.com/a".to_owned());
    job
}

fn listed(photo: &str) -> Answer {
    ok(&json!({ "data": [
        { "post_id": "2002", "media_id": "9", "url": "https://www.facebook.com/stories/9" },
        { "post_id": "2001", "media_id": photo, "url": "https://www.facebook.com/stories/1" },
    ] }))
}

/// A photo that is about to be published.
fn staged(job: &PublishJob) -> Value {
    let progress = after_answers(job, &[ok(&json!({ "id": "4001" }))]);
    assert!(facebook().is_visible(&progress));
    progress
}

#[test]
fn a_photo_becomes_a_story_whose_address_is_on_the_list() {
    let job = story("image/jpeg");
    let progress = staged(&job);
    let request = asked(&job, &progress);
    assert_eq!(
        (&request["request"], &request["body"], &request["visible"]),
        (
            &json!("POST https://graph.facebook.com/v26.0/1001/photo_stories"),
            &json!(["photo_id=4001"]),
            &json!(true)
        )
    );
    let answer = ok(&json!({ "success": true, "post_id": "2001" }));
    let Ok(Step::Live(live)) = step(&job, &progress, &[answer]) else { panic!("not live") };
    let (remote, then) = (live.remote.unwrap(), live.then.unwrap());
    assert_eq!(remote.id, "1001_2001");
    assert_eq!(remote.record, json!({ "photo": "4001", "isStory": true }));
    let request = asked(&job, &then);
    let url =
        "https://graph.facebook.com/v26.0/1001/stories?fields=post_id%2Cmedia_id%2Curl&limit=100";
    assert_eq!(request["request"], format!("GET {url}"));
    let Ok(Step::Live(live)) = step(&job, &then, &[listed("4001")]) else { panic!("not live") };
    assert_eq!(live.remote.unwrap().url.unwrap(), "https://www.facebook.com/stories/1");
    assert_eq!(live.then, None, "no comment follows");
}

#[test]
fn a_lost_story_is_found_by_its_photo() {
    let mut job = story("image/jpeg");
    let progress = staged(&job);
    let locate = |job: &PublishJob, progress: &Value, answer: &Answer| {
        done(facebook().locate(job, progress, std::slice::from_ref(answer)))
    };
    let Located::Live(live) = locate(&job, &progress, &listed("4001")) else { panic!("not found") };
    assert_eq!(live.remote.unwrap().id, "1001_2001");
    // Where it is not on the list it is sent again, which the network takes once.
    let Located::Wait { progress, until } = locate(&job, &progress, &listed("8")) else {
        panic!("no second look")
    };
    job.now = until;
    let Located::Repeat(progress) = locate(&job, &progress, &listed("8")) else {
        panic!("no repeat")
    };
    for (name, refusal) in [
        ("as a repeat", error(100, 1_366_051, "These photos were already posted.")),
        ("in other words", error(100, 0, "(#100) The photo was used before")),
    ] {
        let Ok(Step::Live(live)) = step(&job, &progress, &[refusal.clone(), listed("4001")]) else {
            panic!("{name}: not live")
        };
        assert_eq!(live.remote.unwrap().id, "1001_2001", "{name}");
        let doubted = next(step(&job, &progress, &[refusal, listed("8")]));
        assert_eq!(step(&job, &doubted, &[]).unwrap_err().kind, Kind::InDoubt, "{name}");
    }
}

#[test]
fn a_story_that_was_not_published_is_no_story() {
    let job = story("image/jpeg");
    let progress = staged(&job);
    for (name, answer, want) in [
        ("undone", ok(&json!({ "success": false })), Kind::Unsettled),
        ("without an id", ok(&json!({ "success": true })), Kind::Unsettled),
        ("refused", error(100, 0, "(#100) no"), Kind::Permanent),
    ] {
        assert_eq!(step(&job, &progress, &[answer]).unwrap_err().kind, want, "{name}");
    }
    let two =
        with_options(job_with(&["image/jpeg", "image/jpeg"]), json!({ "placement": "story" }));
    let error = step(&two, &facebook().begin(&two), &[]).unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
}

#[test]
fn a_video_of_a_story_goes_as_a_reel_does_to_an_edge_of_its_own() {
    let job = story("video/mp4");
    let request = asked(&job, &after_answers(&job, &[]));
    assert_eq!(request["request"], "POST https://graph.facebook.com/v26.0/1001/video_stories");
    let announced = ok(&json!({ "video_id": "3001", "upload_url": "https://x.example" }));
    let whole = ok(&json!({ "status": { "uploading_phase": { "status": "complete" } } }));
    let progress = after_answers(&job, &[announced, whole]);
    let request = asked(&job, &progress);
    assert_eq!(
        (&request["request"], &request["body"]),
        (
            &json!("POST https://graph.facebook.com/v26.0/1001/video_stories"),
            &json!(["upload_phase=finish", "video_id=3001"])
        )
    );
}

#[test]
fn whatever_breaks_a_story_is_there_once() {
    for media_type in ["image/jpeg", "video/mp4"] {
        let job = story(media_type);
        exhaust(&facebook(), &Server::polled(1), &job, TimeDelta::seconds(30), &[""]);
    }
}

#[test]
fn a_story_has_neither_text_nor_comments_nor_figures() {
    let mut post = live_post();
    post.remote.record = json!({ "photo": "4001", "isStory": true });
    let edit = RemoteEdit { content: Some("new".to_owned()), title: None };
    let error = facebook().edit(&access(), &post, &edit, &[]).unwrap_err();
    assert_eq!(error.code, FailureCode::Unsupported);
    assert!(done(facebook().comments(&access(), &post, &[])).is_none());
    assert_eq!(done(facebook().figures(&access(), &[post], &[])), [None]);
}
