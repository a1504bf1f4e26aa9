//! Publishing to Threads as an exchange of values.

use chrono::TimeDelta;
use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, Part, shown};
use crate::testing::files::{with_file, with_images};
use crate::testing::steps::failed;
use crate::testing::{answered_text, begun_at, in_thread, with_options};
use crate::threads::testing::{USER, asks, done, fault, held, ok, threads, threads_job};

fn made(id: &str) -> Answer {
    ok(&json!({ "id": id }))
}

fn is(status: &str) -> Answer {
    ok(&json!({ "id": "c", "status": status }))
}

fn failed_for(reason: &str) -> Answer {
    ok(&json!({ "id": "c", "status": "ERROR", "error_message": reason }))
}

fn page() -> Answer {
    answered_text(200, include_str!("fixtures/permalink.json"))
}

fn quota() -> Answer {
    answered_text(200, include_str!("fixtures/publishing_limit.json"))
}

/// A progress that can be published.
fn ready(job: &PublishJob) -> Value {
    let mut progress = threads().begin(job);
    steps(job, &mut progress, &[quota(), made("c1"), is("FINISHED")]).1.unwrap();
    assert!(threads().is_visible(&progress));
    progress
}

/// Takes steps with these answers, one for each request; the requests, and how the last step
/// ended.
fn steps(
    job: &PublishJob,
    progress: &mut Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    let mut answers = answers.iter();
    let mut asked = Vec::new();
    let mut job = job.clone();
    loop {
        let mut given: Vec<Answer> = Vec::new();
        let step = loop {
            match threads().advance(&job, progress, &given) {
                Ok(Turn::Done(step)) => break step,
                Err(error) => return (asked, Err(error)),
                Ok(Turn::Send(request)) => {
                    assert_eq!(request.is_visible, threads().is_visible(progress), "{request:?}");
                    asked.push(shown(&request));
                    match answers.next() {
                        Some(answer) => given.push(answer.clone()),
                        None => panic!("wants more answers: {asked:#?}"),
                    }
                }
            }
        };
        let next = match &step {
            Step::Next(next) => next.clone(),
            Step::Wait { progress, until } => {
                assert!(*until > job.now);
                job.now = *until;
                progress.clone()
            }
            Step::Live(live) => match &live.then {
                Some(then) if answers.len() > 0 => then.clone(),
                _ => return (asked, Ok(step)),
            },
            Step::Failed { .. } => return (asked, Ok(step)),
        };
        *progress = next;
        if answers.len() == 0 && !matches!(step, Step::Next(_)) {
            return (asked, Ok(step));
        }
        if answers.len() == 0 {
            return (asked, Ok(Step::Next(progress.clone())));
        }
    }
}

fn live(step: Result<Step, NetworkError>) -> Remote {
    match step {
        Ok(Step::Live(Live { remote: Some(remote), then: None })) => remote,
        other => panic!("not live: {other:?}"),
    }
}

/// The form of a request that was shown.
fn form(request: &Value) -> Vec<&str> {
    request["body"].as_array().unwrap().iter().map(|field| field.as_str().unwrap()).collect()
}

#[path = "locate_tests.rs"]
mod locate_tests;

#[path = "options_tests.rs"]
mod options_tests;

#[test]
fn a_text_is_a_container_that_is_published() {
    let mut job = threads_job();
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let mut progress = threads().begin(&job);
    let answers = [quota(), made("c1"), is("FINISHED"), made("180"), page()];
    let (asked, step) = steps(&job, &mut progress, &answers);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.threads.net/v1.0/17841400000000001/threads_publishing_limit?fields=quota_usage%2Cconfig%2Creply_quota_usage%2Creply_config",
        "visible": false
      },
      {
        "body": [
          "media_type=TEXT",
          "text=Hello #rust",
          "link_attachment=https://blog.example.com/post"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.threads.net/v1.0/17841400000000001/threads",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.threads.net/v1.0/c1?fields=id%2Cstatus%2Cerror_message",
        "visible": false
      },
      {
        "body": [
          "creation_id=c1"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.threads.net/v1.0/17841400000000001/threads_publish",
        "visible": true
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.threads.net/v1.0/180?fields=id%2Cpermalink%2Ctimestamp%2Cshortcode",
        "visible": false
      }
    ]
    "#);
    let url = "https://www.threads.com/@ana/post/DCk1xY2vZ3a";
    assert_eq!(live(step), Remote::new("180", Some(url.to_owned())));
}

#[test]
fn a_post_is_live_before_its_page_is_known_and_without_it() {
    let job = threads_job();
    let mut progress = threads().begin(&job);
    let answers = [quota(), made("c1"), is("FINISHED"), made("180")];
    let (_, step) = steps(&job, &mut progress, &answers);
    let Ok(Step::Live(Live { remote: Some(remote), then: Some(then) })) = step else {
        panic!("{step:?}")
    };
    assert_eq!(remote, Remote::new("180", None));
    assert!(!threads().is_visible(&then));
    assert_eq!(threads().skip(&then), None);
    let mut then = then;
    let refused = || fault(400, 10, 0, "no");
    let answers = [refused(), answered_text(500, ""), ok(&json!({ "id": "180" })), refused()];
    let (asked, step) = steps(&job, &mut then, &answers);
    assert_eq!(asked.len(), 4);
    assert_eq!(live(step), Remote::new("180", None));
}

#[test]
fn a_poll_takes_the_place_of_the_preview() {
    let options = json!({ "poll": { "options": ["Tea", "Coffee"] } });
    let mut job = with_options(threads_job(), options);
    job.link_url = Some("https://a.example/x".to_owned());
    let mut progress = threads().begin(&job);
    let (asked, _) = steps(&job, &mut progress, &[quota(), made("c1")]);
    assert_eq!(
        form(&asked[1]),
        [
            "media_type=TEXT",
            "text=Hello #rust\nhttps://a.example/x",
            r#"poll_attachment={"option_a":"Tea","option_b":"Coffee"}"#,
        ]
    );
}

#[test]
fn one_file_is_fetched_by_its_link() {
    for (name, media_type, want) in [
        ("a picture", "image/png", ["media_type=IMAGE", "image_url"]),
        ("a video", "video/mp4", ["media_type=VIDEO", "video_url"]),
    ] {
        let job = with_file(threads_job(), media_type, "what it shows");
        let mut progress = threads().begin(&job);
        let (asked, _) = steps(&job, &mut progress, &[quota(), made("c1")]);
        let form = form(&asked[1]);
        assert_eq!(form[..3], [want[0], "alt_text=what it shows", "text=Hello #rust"], "{name}");
        assert!(form[3].starts_with(&format!("{}=link: ", want[1])), "{name}: {}", form[3]);
        assert!(form[3].ends_with(&format!(", {media_type}, as it came")), "{name}");
    }
}

#[test]
fn a_carousel_is_made_of_finished_children() {
    let job = with_images(threads_job(), 1);
    let job = with_file(job, "video/mp4", "");
    let mut progress = threads().begin(&job);
    let answers = [
        quota(),
        made("k1"),
        made("k2"),
        is("FINISHED"),
        is("IN_PROGRESS"),
        is("FINISHED"),
        made("c1"),
        is("FINISHED"),
        made("180"),
        page(),
    ];
    let (asked, step) = steps(&job, &mut progress, &answers);
    assert_eq!(form(&asked[1])[0], "media_type=IMAGE");
    assert_eq!(form(&asked[1])[2], "is_carousel_item=true");
    assert_eq!(form(&asked[2])[..2], ["media_type=VIDEO", "is_carousel_item=true"]);
    let looked = asked[3..6].iter().map(|asked| asked["request"].as_str().unwrap());
    let looked: Vec<&str> = looked.filter_map(|asked| asked.split(['/', '?']).nth(4)).collect();
    assert_eq!(looked, ["k1", "k2", "k2"]);
    assert_eq!(form(&asked[6]), ["media_type=CAROUSEL", "children=k1,k2", "text=Hello #rust"]);
    assert_eq!(live(step).id, "180");
}

#[test]
fn each_part_answers_the_part_before() {
    let job = in_thread(threads_job(), &["two", "three"]);
    let mut progress = threads().begin(&job);
    assert_eq!(threads().part(&progress), Some(Part { number: 1, of: 3 }));
    let answers = [quota(), made("c1"), is("FINISHED"), made("181"), page()];
    steps(&job, &mut progress, &answers).1.unwrap();
    assert_eq!(threads().part(&progress), Some(Part { number: 2, of: 3 }));
    assert_eq!(threads().live_part(&progress).unwrap().id, "181");
    // What was published a moment ago is not known everywhere yet.
    let early = fault(400, 24, 2_207_006, "The requested resource does not exist");
    let answers = [early, made("c2"), is("FINISHED"), made("182"), made("c3")];
    let (asked, _) = steps(&job, &mut progress, &answers);
    assert_eq!(form(&asked[0]), ["media_type=TEXT", "text=two", "reply_to_id=181"]);
    assert_eq!(form(&asked[1]), form(&asked[0]));
    assert_eq!(form(&asked[4]), ["media_type=TEXT", "text=three", "reply_to_id=182"]);
    let (_, step) = steps(&job, &mut progress, &[is("FINISHED"), made("183")]);
    let remote = live(step);
    assert_eq!((remote.id.as_str(), remote.url.is_some()), ("181", true));
    assert_eq!(remote.record, json!({ "parts": ["181", "182", "183"] }));
}

#[test]
fn an_answer_that_stays_refused_is_a_failure_at_last() {
    let job = in_thread(threads_job(), &["two"]);
    let mut progress = threads().begin(&job);
    let answers = [quota(), made("c1"), is("FINISHED"), made("181"), page()];
    steps(&job, &mut progress, &answers).1.unwrap();
    let refused = || fault(400, 10, 0, "Application does not have permission for this action");
    let answers = [refused(), refused(), refused(), refused()];
    let (asked, step) = steps(&job, &mut progress, &answers);
    assert_eq!((asked.len(), step.unwrap_err().kind), (4, Kind::Reconnect));
}

#[test]
fn quotas_are_asked_for_before_anything_is_made() {
    let limit = |posts: u64, replies: u64| {
        ok(&json!({ "data": [{
            "quota_usage": posts,
            "config": { "quota_total": 250, "quota_duration": 86_400 },
            "reply_quota_usage": replies,
            "reply_config": { "quota_total": 1_000, "quota_duration": 86_400 },
        }] }))
    };
    let alone = threads_job();
    let thread = in_thread(threads_job(), &["two", "three"]);
    for (name, job, answer, is_allowed) in [
        ("one left", &alone, limit(249, 1_000), true),
        ("none left", &alone, limit(250, 0), false),
        ("replies for all parts", &thread, limit(0, 998), true),
        ("replies for a part alone", &thread, limit(0, 999), false),
        ("not said", &alone, ok(&json!({ "data": [] })), true),
        ("refused", &alone, fault(400, 10, 0, "no"), true),
    ] {
        let progress = threads().begin(job);
        let turn = threads().advance(job, &progress, &[answer]);
        match turn {
            Ok(Turn::Done(Step::Next(_))) => assert!(is_allowed, "{name}"),
            Err(error) => {
                assert!(!is_allowed, "{name}: {error}");
                assert_eq!(error.kind, Kind::RateLimited { wait: Some(QUOTA_WAIT) }, "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn what_fails_at_a_container_is_tried_again_or_told() {
    for (reason, tries, code) in [
        ("FAILED_DOWNLOADING_VIDEO", 4, FailureCode::NetworkRefused),
        ("UNKNOWN", 4, FailureCode::NetworkRefused),
        ("", 4, FailureCode::NetworkRefused),
        ("FAILED_PROCESSING_AUDIO", 1, FailureCode::ValidationFailed),
        ("FAILED_PROCESSING_VIDEO", 1, FailureCode::ValidationFailed),
        ("INVALID_ASPEC_RATIO", 1, FailureCode::ValidationFailed),
        ("INVALID_BIT_RATE", 1, FailureCode::ValidationFailed),
        ("INVALID_DURATION", 1, FailureCode::ValidationFailed),
        ("INVALID_FRAME_RATE", 1, FailureCode::ValidationFailed),
        ("INVALID_AUDIO_CHANNELS", 1, FailureCode::ValidationFailed),
        ("INVALID_AUDIO_CHANNEL_LAYOUT", 1, FailureCode::ValidationFailed),
    ] {
        let job = with_file(threads_job(), "video/mp4", "");
        let mut progress = threads().begin(&job);
        let mut answers = vec![quota()];
        for _ in 0..tries {
            answers.extend([made("c"), failed_for(reason)]);
        }
        let (mut progress, error) = failed(steps(&job, &mut progress, &answers).1);
        assert_eq!((error.kind, error.code), (Kind::Permanent, code), "{reason}");
        // A person's retry begins with a container of its own.
        let (asked, _) = steps(&job, &mut progress, &[made("c9")]);
        assert_eq!(form(&asked[0])[0], "media_type=VIDEO", "{reason}");
    }
}

#[test]
fn a_file_that_cannot_be_fetched_is_tried_three_times_more() {
    let job = with_images(threads_job(), 1);
    let mut progress = threads().begin(&job);
    let refused = || fault(400, 9004, 2_207_052, "The media could not be fetched from this URI");
    let answers = [quota(), refused(), refused(), refused(), refused()];
    let (asked, step) = steps(&job, &mut progress, &answers);
    assert_eq!(asked.len(), 5);
    let error = step.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.contains("public address"), "{error}");
}

#[test]
fn containers_are_looked_at_less_often_with_time() {
    for (name, job, waits) in [
        ("text", threads_job(), vec![(0, 1), (59, 1), (60, 60)]),
        ("a picture", with_images(threads_job(), 1), vec![(0, 5), (59, 5), (60, 60)]),
        (
            "a video",
            with_file(threads_job(), "video/mp4", ""),
            vec![(0, 15), (299, 15), (300, 60), (3_600, 60)],
        ),
    ] {
        let mut progress = threads().begin(&job);
        steps(&job, &mut progress, &[quota(), made("c1")]).1.unwrap();
        for (age, want) in waits {
            let now = begun_at() + TimeDelta::seconds(age);
            let job = PublishJob { now, ..job.clone() };
            let step = done(threads().advance(&job, &progress, &[is("IN_PROGRESS")]));
            let Step::Wait { until, .. } = step else { panic!("{name}: {step:?}") };
            assert_eq!(until - now, TimeDelta::seconds(want), "{name} at {age}");
        }
        // In the end another container is tried.
        let now = begun_at() + TimeDelta::seconds(3_601);
        let job = PublishJob { now, ..job };
        let step = done(threads().advance(&job, &progress, &[is("IN_PROGRESS")]));
        let Step::Wait { progress, .. } = step else { panic!("{name}: {step:?}") };
        assert_eq!(progress["stage"]["is"], "container", "{name}");
    }
}

#[test]
fn a_container_that_was_not_published_in_time_is_made_anew() {
    let job = threads_job();
    let mut progress = threads().begin(&job);
    let answers = [quota(), made("c1"), is("EXPIRED"), made("c2"), is("FINISHED")];
    steps(&job, &mut progress, &answers).1.unwrap();
    assert_eq!(progress["stage"]["id"], "c2");
}

#[test]
fn answers_to_a_publish_that_say_too_little() {
    let job = threads_job();
    let progress = ready(&job);
    for (name, answer, want) in [
        ("unreadable", answered_text(200, "<html>"), Kind::InDoubt),
        ("theirs", answered_text(500, ""), Kind::Unsettled),
        ("unknown", fault(400, 77_777, 0, "new"), Kind::Temporary),
        ("token", fault(401, 190, 463, "expired"), Kind::Reconnect),
        ("quota", fault(400, 9, 2_207_042, "limit"), Kind::RateLimited { wait: Some(QUOTA_WAIT) }),
    ] {
        let error = threads().advance(&job, &progress, &[answer]).unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn a_progress_of_another_release_is_never_sent_again() {
    let job = threads_job();
    let ready = ready(&job);
    let changed = |name: &str, value: Value| {
        let mut progress = ready.clone();
        progress[name] = value;
        progress
    };
    for (name, progress) in [
        ("nothing", Value::Null),
        ("a new field", changed("later", json!(1))),
        ("a new stage", changed("stage", json!({ "is": "later" }))),
        ("no text", changed("texts", json!([]))),
        ("a part too many", changed("parts", json!(["1"]))),
    ] {
        assert!(threads().is_visible(&progress), "{name}");
        let error = threads().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, Kind::InDoubt, "{name}");
        assert_eq!(done(threads().locate(&job, &progress, &[])), Located::Unknown, "{name}");
    }
    assert_eq!(USER, job.account.network_id);
    let request = asks(threads().advance(&job, &ready, &[]));
    assert!(!format!("{request:?}").contains("access-token"));
}
