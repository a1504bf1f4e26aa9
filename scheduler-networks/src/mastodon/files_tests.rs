//! Publishing files to Mastodon as an exchange of values.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use insta::assert_json_snapshot;
use scheduler_core::ports::{Live, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::{Mastodon, files};
use crate::conversation::{Answer, Body, Conversation, HeaderValue, Request, Turn};
use crate::outbound::Guard;
use crate::testing::crash::{Imitation, exhaust};
use crate::testing::files::{described, in_thread_of_images, with_file, with_images};
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, answered_text, begun_at, in_thread, mastodon_job, with_header};

const GONE: &str = "Media 1 not found or already attached to another post";

fn mastodon() -> Mastodon {
    Mastodon::new(None, Guard::new(false))
}

/// Takes one step, and gives what it asked.
fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    take_step(&mastodon(), job, progress, answers)
}

fn media(status: u16, id: usize) -> Answer {
    answered(status, &json!({ "id": id.to_string(), "url": null }))
}

/// The progress once every file is uploaded and ready.
fn all_ready(job: &PublishJob) -> Value {
    (0..job.files.len()).fold(mastodon().begin(job), |progress, number| {
        assert!(!mastodon().is_visible(&progress));
        next(step(job, &progress, &[media(200, number)]).1)
    })
}

fn body(job: &PublishJob, progress: &Value) -> Value {
    assert!(mastodon().is_visible(progress));
    match mastodon().advance(job, progress, &[]) {
        Ok(Turn::Send(Request { body: Body::Json(body), .. })) => body,
        other => panic!("no status: {other:?}"),
    }
}

#[test]
fn files_are_uploaded_with_their_descriptions_and_shown_in_their_order() {
    let job = with_file(mastodon_job(true), "image/png", "A crab");
    let job = in_thread(with_file(job, "image/jpeg", ""), &["two"]);
    let begun = mastodon().begin(&job);
    let (asked, first) = step(&job, &begun, &[media(200, 8)]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          {
            "name": "description",
            "text": "A crab"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came",
            "fileName": "00000000-0000-0000-0000-000000000010",
            "name": "file"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://m.example/api/v2/media",
        "visible": false
      }
    ]
    "#);
    let progress = next(first);
    let (asked, second) = step(&job, &progress, &[media(200, 7)]);
    assert_eq!(asked[0]["body"].as_array().unwrap().len(), 1, "no description");
    let progress = next(second);
    assert_eq!(body(&job, &progress)["media_ids"], json!(["8", "7"]));

    let status = answered(200, &json!({ "id": "1", "url": "u" }));
    let progress = next(step(&job, &progress, &[status]).1);
    let second = body(&job, &progress);
    assert_eq!((&second["status"], &second["media_ids"]), (&json!("two"), &Value::Null));
}

#[test]
fn the_point_that_stays_in_sight_goes_with_its_file() {
    let focus = json!({ "focus": { "x": -0.25, "y": 1 } });
    let job = described(with_file(mastodon_job(true), "image/png", ""), focus);
    let (asked, _) = step(&job, &mastodon().begin(&job), &[media(200, 8)]);
    assert_eq!(asked[0]["body"][0], json!({ "name": "focus", "text": "-0.25,1" }));
}

#[test]
fn a_file_that_is_processed_is_waited_for() {
    let job = with_file(mastodon_job(true), "video/mp4", "");
    let sent = step(&job, &mastodon().begin(&job), &[media(202, 5)]).1;
    let Ok(Step::Wait { progress, until }) = sent else { panic!("{sent:?}") };
    assert_eq!(until, job.now + TimeDelta::seconds(2));
    for (seconds, wait) in [(2, 2), (59, 2), (60, 10), (1_800, 10)] {
        let mut later = job.clone();
        later.now += TimeDelta::seconds(seconds);
        let (asked, stepped) = step(&later, &progress, &[media(206, 5)]);
        assert_eq!(asked[0]["request"], "GET https://m.example/api/v1/media/5");
        let until = later.now + TimeDelta::seconds(wait);
        assert_eq!(stepped, Ok(Step::Wait { progress: progress.clone(), until }), "{seconds}");
    }
    let mut late = job.clone();
    late.now += TimeDelta::seconds(1_801);
    let error = step(&late, &progress, &[media(206, 5)]).1.unwrap_err();
    assert_eq!((error.kind, error.code), (NetworkErrorKind::Permanent, FailureCode::NetworkError));
    let ready = next(step(&late, &progress, &[media(200, 5)]).1);
    assert_eq!(body(&job, &ready)["media_ids"], json!(["5"]));

    let early = answered(
        422,
        &json!({ "error": "Cannot attach files that have not finished processing. Try again in a moment!" }),
    );
    let stepped = step(&late, &ready, &[early]).1;
    let Ok(Step::Wait { progress, until }) = stepped else { panic!("{stepped:?}") };
    assert_eq!(until, late.now + TimeDelta::seconds(2));
    assert!(!mastodon().is_visible(&progress));
}

#[test]
fn every_file_is_sent_before_the_first_is_asked_for() {
    let job = with_images(mastodon_job(true), 2);
    let first = step(&job, &mastodon().begin(&job), &[media(202, 1)]).1;
    let Ok(Step::Next(progress)) = first else { panic!("{first:?}") };
    let second = step(&job, &progress, &[media(202, 2)]).1;
    let Ok(Step::Wait { progress, .. }) = second else { panic!("{second:?}") };
    let progress = next(step(&job, &progress, &[media(200, 1)]).1);
    let progress = next(step(&job, &progress, &[media(200, 2)]).1);
    assert_eq!(body(&job, &progress)["media_ids"], json!(["1", "2"]));
}

#[test]
fn what_the_server_says_of_a_file() {
    use NetworkErrorKind as Kind;
    let job = with_file(mastodon_job(true), "video/mp4", "");
    let begun = mastodon().begin(&job);
    let processing = next(step(&job, &begun, &[media(202, 5)]).1);
    let refused = || answered(422, &json!({ "error": "Validation failed: File is invalid" }));
    for (name, progress, answer, want) in [
        ("refused", &begun, refused(), Kind::Permanent),
        ("failed", &begun, answered(500, &json!({ "error": "No." })), Kind::Temporary),
        ("too large for a proxy", &begun, answered_text(413, "<html>"), Kind::Permanent),
        ("limited", &begun, answered_text(429, ""), Kind::RateLimited { wait: None }),
        ("unreadable", &begun, answered(200, &json!({})), Kind::Temporary),
        ("failed in processing", &processing, refused(), Kind::Permanent),
        ("not now", &processing, answered_text(503, ""), Kind::Temporary),
        ("a proxy", &processing, answered_text(404, "<html>"), Kind::Temporary),
    ] {
        let error = step(&job, progress, &[answer]).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
    let error = step(&mastodon_job(true), &begun, &[]).1.unwrap_err();
    assert_eq!(error.code, FailureCode::MediaUnusable, "the post has lost it");
}

#[test]
fn a_file_that_the_server_fails_to_process_is_sent_twice_more() {
    let job = with_file(mastodon_job(true), "image/png", "");
    let failed =
        || answered(500, &json!({ "error": "Error processing thumbnail for uploaded media" }));
    let mut progress = mastodon().begin(&job);
    for _ in 0..2 {
        let step = step(&job, &progress, &[failed()]).1.unwrap();
        let Step::Wait { progress: next, until } = step else { panic!("{step:?}") };
        assert!(until > job.now);
        progress = next;
    }
    let error = step(&job, &progress, &[failed()]).1.unwrap_err();
    assert_eq!(
        (error.kind, error.code),
        (NetworkErrorKind::Permanent, FailureCode::ValidationFailed)
    );
}

#[test]
fn the_next_file_waits_when_the_last_used_up_what_the_server_takes() {
    let job = with_images(mastodon_job(true), 2);
    let reset = (job.now + TimeDelta::minutes(7)).to_rfc3339();
    let last = || {
        let answer = with_header(media(200, 5), "x-ratelimit-remaining", "0");
        with_header(answer, "x-ratelimit-reset", &reset)
    };
    let first = step(&job, &mastodon().begin(&job), &[last()]).1.unwrap();
    let Step::Wait { progress, until } = first else { panic!("{first:?}") };
    assert_eq!(until, job.now + TimeDelta::minutes(7));
    let second = step(&job, &progress, &[last()]).1.unwrap();
    assert!(matches!(second, Step::Next(_)), "no file is left: {second:?}");
}

#[test]
fn a_file_that_is_unknown_to_the_server_is_uploaded_again_and_not_for_ever() {
    let job = with_file(mastodon_job(true), "video/mp4", "");
    let mut progress = mastodon().begin(&job);
    let unknown = || answered(404, &json!({ "error": "Record not found" }));
    for _ in 0..files::REPEATS_MAX {
        progress = next(step(&job, &progress, &[media(202, 5)]).1);
        progress = next(step(&job, &progress, &[unknown()]).1);
    }
    progress = next(step(&job, &progress, &[media(202, 5)]).1);
    let error = step(&job, &progress, &[unknown()]).1.unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
}

fn listed(id: &str, files: &[&str]) -> Value {
    let files: Vec<Value> = files.iter().map(|id| json!({ "id": id })).collect();
    json!({
        "id": id,
        "url": "u",
        "created_at": begun_at().to_rfc3339(),
        "application": { "name": "scheduler" },
        "in_reply_to_id": null,
        "media_attachments": files,
    })
}

#[test]
fn files_that_are_gone_are_uploaded_again_only_after_a_look() {
    let job = with_images(mastodon_job(true), 1);
    let progress = all_ready(&job);
    let gone = answered(422, &json!({ "error": GONE }));
    let nothing = answered(200, &json!([]));
    let (asked, stepped) = step(&job, &progress, &[gone.clone(), nothing.clone()]);
    let visible: Vec<&Value> = asked.iter().map(|asked| &asked["visible"]).collect();
    assert_eq!(visible, [true, false]);
    let again = next(stepped);
    assert!(!mastodon().is_visible(&again), "it is uploaded again");

    let ours = answered(200, &json!([listed("9", &["0"])]));
    let source = answered(200, &json!({ "text": "Hello #rust", "spoiler_text": "" }));
    let stepped = step(&job, &progress, &[gone.clone(), ours, nothing.clone(), source]).1;
    let Ok(Step::Live(Live { remote: Some(remote), .. })) = stepped else { panic!("{stepped:?}") };
    assert_eq!(remote.id, "9");

    let mut progress = again;
    let mut times = 1;
    let error = loop {
        progress = next(step(&job, &progress, &[media(200, 0)]).1);
        match step(&job, &progress, &[gone.clone(), nothing.clone()]).1 {
            Ok(step) => (progress, times) = (next(Ok(step)), times + 1),
            Err(error) => break error,
        }
    };
    assert_eq!((times, error.kind), (files::REPEATS_MAX, NetworkErrorKind::Permanent));
}

#[test]
fn a_status_is_ours_only_with_our_files() {
    for (name, is_mastodon, files, want) in [
        ("ours", true, vec!["0", "1"], true),
        ("in another order", true, vec!["1", "0"], false),
        ("of another post", true, vec!["8", "9"], false),
        ("without files", true, vec![], false),
        ("ids of other software", false, vec!["8", "9"], true),
        ("fewer of other software", false, vec!["0"], false),
    ] {
        let mut job = with_images(mastodon_job(is_mastodon), 2);
        let progress = all_ready(&job);
        job.now += TimeDelta::hours(2);
        let answers = [answered(200, &json!([listed("9", &files)])), answered(200, &json!([]))];
        let turn = mastodon().locate(&job, &progress, &answers).unwrap();
        assert_eq!(matches!(turn, Turn::Send(_)), want, "{name}: {turn:?}");
    }
}

/// A server that remembers keys for an hour, or never, and sweeps files after a day.
#[derive(Clone, Default)]
struct Server {
    knows_keys: bool,
    /// How long it works on a file.
    processing: TimeDelta,
    files: Vec<(DateTime<Utc>, bool)>,
    statuses: Vec<(Value, DateTime<Utc>)>,
    keys: BTreeMap<String, usize>,
}

impl Server {
    fn shown(&self, at: usize) -> Value {
        let (input, created_at) = &self.statuses[at];
        let files = input["media_ids"].as_array().cloned().unwrap_or_default();
        let files: Vec<Value> = files.iter().map(|id| json!({ "id": id })).collect();
        json!({
            "id": (at + 1).to_string(),
            "url": format!("https://m.example/@ana/{}", at + 1),
            "created_at": created_at.to_rfc3339(),
            "application": { "name": "scheduler" },
            "in_reply_to_id": input["in_reply_to_id"],
            "media_attachments": files,
        })
    }

    fn post(&mut self, input: &Value, key: String, now: DateTime<Utc>) -> Answer {
        if self.knows_keys
            && let Some(at) = self.keys.get(&key)
            && now < self.statuses[*at].1 + TimeDelta::hours(1)
        {
            return answered(200, &self.shown(*at));
        }
        for id in input["media_ids"].as_array().cloned().unwrap_or_default() {
            let (sent_at, is_used) =
                &mut self.files[id.as_str().unwrap().parse::<usize>().unwrap()];
            if *is_used || now >= *sent_at + TimeDelta::hours(24) {
                return answered(422, &json!({ "error": GONE }));
            }
            assert!(now >= *sent_at + self.processing, "posted before it is ready");
            *is_used = true;
        }
        let at = self.statuses.len();
        self.keys.insert(key, at);
        self.statuses.push((input.clone(), now));
        answered(200, &self.shown(at))
    }
}

impl Imitation for Server {
    fn answer(&mut self, request: &Request, now: DateTime<Utc>) -> Answer {
        let path: Vec<&str> = request.url.path_segments().unwrap().collect();
        match (path.as_slice(), &request.body) {
            (["api", "v2", "media"], Body::Multipart(_)) => {
                self.files.push((now, false));
                let is_done = self.processing.is_zero();
                media(if is_done { 200 } else { 202 }, self.files.len() - 1)
            }
            (["api", "v1", "media", id], _) => {
                let at: usize = id.parse().unwrap();
                let is_ready = now >= self.files[at].0 + self.processing;
                if now >= self.files[at].0 + TimeDelta::hours(24) {
                    return answered(404, &json!({ "error": "Record not found" }));
                }
                media(if is_ready { 200 } else { 206 }, at)
            }
            (["api", "v1", "statuses"], Body::Json(input)) => {
                let key = request.headers.iter().find(|header| header.name == "idempotency-key");
                let HeaderValue::Plain(key) = &key.unwrap().value else { panic!("a secret key") };
                self.post(input, key.clone(), now)
            }
            (["api", "v1", "accounts", _, "statuses"], _) => {
                let before = request.url.query_pairs().find(|(name, _)| name == "max_id");
                let before = before.map_or(usize::MAX, |(_, id)| id.parse().unwrap());
                let known = (0..self.statuses.len()).rev().filter(|at| at + 1 < before);
                answered(200, &Value::Array(known.map(|at| self.shown(at)).collect()))
            }
            (["api", "v1", "statuses", id], Body::Empty) => {
                answered(200, &self.shown(id.parse::<usize>().unwrap() - 1))
            }
            (["api", "v1", "statuses", id, "source"], _) => {
                let at: usize = id.parse().unwrap();
                let text = &self.statuses[at - 1].0["status"];
                answered(200, &json!({ "id": id, "text": text, "spoiler_text": "" }))
            }
            other => panic!("unknown call: {other:?}"),
        }
    }

    fn live(&self) -> Vec<String> {
        let show = |(input, _): &(Value, _)| {
            let files = input["media_ids"].as_array().map_or(0, Vec::len);
            format!("{} {files}", input["status"].as_str().unwrap())
        };
        self.statuses.iter().map(show).collect()
    }
}

#[test]
fn whatever_breaks_where_every_part_is_there_once_with_its_files() {
    let some = TimeDelta::seconds(5);
    // With a pause of more than a day, files are swept between the attempts.
    for (is_mastodon, processing, pause) in [
        (true, some, TimeDelta::minutes(1)),
        (true, some, TimeDelta::hours(2)),
        (true, TimeDelta::zero(), TimeDelta::hours(25)),
        (false, some, TimeDelta::minutes(1)),
        (false, TimeDelta::zero(), TimeDelta::hours(25)),
    ] {
        let job = in_thread(with_images(mastodon_job(is_mastodon), 2), &["two"]);
        let server = Server { knows_keys: is_mastodon, processing, ..Server::default() };
        exhaust(&mastodon(), &server, &job, pause, &["Hello #rust 2", "two 0"]);
        let job = with_images(mastodon_job(is_mastodon), 1);
        let job = in_thread_of_images(job, &[("two", 2), ("three", 0)]);
        exhaust(&mastodon(), &server, &job, pause, &["Hello #rust 1", "two 2", "three 0"]);
    }
}

#[test]
fn the_cover_goes_with_the_video() {
    let covered = |mut job: PublishJob| {
        job.thumbnail = with_file(mastodon_job(true), "image/jpeg", "").files.pop();
        let (asked, _) = step(&job, &mastodon().begin(&job), &[media(200, 8)]);
        let parts = asked[0]["body"].as_array().unwrap().clone();
        parts.iter().map(|part| part["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let video = with_file(mastodon_job(true), "video/mp4", "");
    assert_eq!(covered(video), ["file", "thumbnail"]);
    let image = with_file(mastodon_job(true), "image/png", "");
    assert_eq!(covered(image), ["file"]);
}
