//! What follows a post, as an exchange of values.

use scheduler_core::ports::{NetworkErrorKind as Kind, PublishJob};
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::instagram::testing::{Server, asks, done, error, instagram, job_with};
use crate::instagram::wire::Way;
use crate::testing::crash::exhaust;
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, with_options};

const POST: &str = "18000";

fn both() -> PublishJob {
    let options = json!({ "firstComment": "Ask us\r\nanything", "allowComments": false });
    with_options(job_with(Way::Direct, &["image/jpeg"]), options)
}

/// The progress before the comment, after a post that is live.
fn before_comment(job: &PublishJob) -> Value {
    let progress: Progress = serde_json::from_value(instagram().begin(job)).unwrap();
    let remote = progress.remote(POST, Some("https://www.instagram.com/p/a/".to_owned()));
    serde_json::to_value(progress.follows(&remote).unwrap()).unwrap()
}

fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> Result<scheduler_core::ports::Step, NetworkError> {
    take_step(&instagram(), job, progress, answers).1
}

fn ok(body: &Value) -> Answer {
    answered(200, body)
}

#[test]
fn a_comment_is_made_and_then_others_may_make_none() {
    let job = both();
    let progress = next(step(&job, &before_comment(&job), &[]));
    assert!(instagram().is_visible(&progress), "the instant is stored first");
    let request = shown(&asks(instagram().advance(&job, &progress, &[])));
    assert_eq!(
        (&request["request"], &request["body"]),
        (
            &json!("POST https://graph.instagram.com/v26.0/18000/comments"),
            &json!(["message=Ask us\nanything"])
        )
    );
    let Ok(scheduler_core::ports::Step::Live(live)) =
        step(&job, &progress, &[ok(&json!({ "id": "19001" }))])
    else {
        panic!("not made")
    };
    let remote = live.remote.unwrap();
    assert_eq!(remote.record["firstComment"], "19001");
    let closing = live.then.unwrap();
    assert!(!instagram().is_visible(&closing), "it can be said twice");
    let request = shown(&asks(instagram().advance(&job, &closing, &[])));
    assert_eq!(
        (&request["request"], &request["body"]),
        (&json!("POST https://graph.instagram.com/v26.0/18000"), &json!(["comment_enabled=false"]))
    );
    let Ok(scheduler_core::ports::Step::Live(live)) =
        step(&job, &closing, &[ok(&json!({ "success": true }))])
    else {
        panic!("not closed")
    };
    assert_eq!((live.remote, live.then), (None, None));
}

#[test]
fn what_follows_that_is_refused_is_told_and_the_rest_goes_on() {
    let job = both();
    let progress = next(step(&job, &before_comment(&job), &[]));
    let refused = step(&job, &progress, &[error(10, 0, "no permission")]).unwrap_err();
    assert_eq!(refused.kind, Kind::Permanent, "{refused}");
    assert!(refused.message.starts_with("The first comment could not be made"), "{refused}");
    let closing = instagram().skip(&progress).unwrap();
    let refused = step(&job, &closing, &[error(100, 33, "not there")]).unwrap_err();
    assert!(refused.message.starts_with("Comments could not be turned off"), "{refused}");
    assert_eq!(instagram().skip(&closing), None);
    // A post of a moment ago.
    let mut waiting = progress;
    for _ in 0..3 {
        waiting = next(step(&job, &waiting, &[error(100, 33, "not there")]));
        waiting = next(step(&job, &waiting, &[]));
    }
    assert!(step(&job, &waiting, &[error(100, 33, "not there")]).is_err());
}

#[test]
fn a_lost_comment_is_looked_for_among_those_of_the_post() {
    let mut job = both();
    let progress = next(step(&job, &before_comment(&job), &[]));
    let listed = |author: &str, text: &str| {
        let at = job.now.format("%Y-%m-%dT%H:%M:%S+0000").to_string();
        ok(&json!({ "data": [
            { "id": "19007", "username": author, "text": text, "timestamp": at },
        ] }))
    };
    let (ours, theirs) = (listed("ana", "Ask us\nanything"), listed("ben", "Ask us\nanything"));
    let locate = |job: &PublishJob, progress: &Value, answer: &Answer| {
        done(instagram().locate(job, progress, std::slice::from_ref(answer)))
    };
    let scheduler_core::ports::Located::Live(live) = locate(&job, &progress, &ours) else {
        panic!("not found")
    };
    assert_eq!(live.remote.unwrap().record["firstComment"], "19007");
    assert!(live.then.is_some(), "comments are turned off all the same");
    let scheduler_core::ports::Located::Wait { progress, until } = locate(&job, &progress, &theirs)
    else {
        panic!("no second look")
    };
    job.now = until;
    let absent = locate(&job, &progress, &theirs);
    assert!(matches!(absent, scheduler_core::ports::Located::Absent(_)), "{absent:?}");
    let unknown = locate(&job, &progress, &error(10, 0, "may not read"));
    assert!(matches!(unknown, scheduler_core::ports::Located::Unknown), "{unknown:?}");
}

#[test]
fn whatever_breaks_a_post_and_what_follows_each_is_there_once() {
    let comment = "Ask us\nanything";
    exhaust(
        &instagram(),
        &Server::polled(1),
        &both(),
        TimeDelta::seconds(30),
        &["Hello #rust", comment],
    );
}

#[test]
fn a_story_is_followed_by_nothing() {
    let options = json!({
        "placement": "story", "firstComment": "x", "allowComments": false, "locationId": "7",
    });
    let story = with_options(job_with(Way::Direct, &["image/jpeg"]), options);
    let plain =
        with_options(job_with(Way::Direct, &["image/jpeg"]), json!({ "placement": "story" }));
    assert_eq!(instagram().begin(&story), instagram().begin(&plain));
}
