//! Publishing to X as an exchange of values.

use chrono::{DateTime, Utc};
use insta::assert_json_snapshot;
use scheduler_core::ports::Live;
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, Part};
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, answered_text, begun_at, in_thread, with_header, with_options};
use crate::twitter::testing::{
    addresses, duplicate, held, made, page, problem, twitter, twitter_job, unseen,
};
use NetworkErrorKind as Kind;

const CREATED: &str = include_str!("fixtures/created.json");

fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    take_step(&twitter(), job, progress, answers)
}

fn at(now: DateTime<Utc>) -> PublishJob {
    PublishJob { now, ..twitter_job() }
}

/// Looks with these answers.
fn look_with(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Request>, Result<Located, NetworkError>) {
    held(answers, |answers| twitter().locate(job, progress, answers))
}

fn none() -> Answer {
    answered(200, &json!({ "meta": { "result_count": 0 } }))
}

/// The account's posts, which say what the job says.
fn there() -> Answer {
    let post = json!({
        "id": "7",
        "text": "Hello #rust",
        "created_at": begun_at(),
    });
    page(&json!([post]), None)
}

#[test]
fn a_post_is_one_call() {
    let job = twitter_job();
    let progress = twitter().begin(&job);
    assert!(twitter().is_visible(&progress));
    assert_eq!(twitter().part(&progress), Some(Part { number: 1, of: 1 }));
    let (asked, step) = step(&job, &progress, &[answered_text(201, CREATED)]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "text": "Hello #rust"
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/tweets",
        "visible": true
      }
    ]
    "#);
    let url = "https://x.com/ana/status/1445880548472328192";
    let want = Remote::new("1445880548472328192", Some(url.to_owned()));
    assert_eq!(step, Ok(Step::Live(want.into())));
}

#[test]
fn what_is_sent_is_what_was_checked() {
    for (name, content, link, options, want) in [
        ("a link", "Hello", Some("https://a.example/x"), json!({}), "Hello\nhttps://a.example/x"),
        ("a caption", "Hello", None, json!({ "caption": "Mine" }), "Mine"),
        ("a link alone", "", Some("https://a.example/x"), json!({}), "https://a.example/x"),
        ("line ends", "a\r\nb", None, json!({}), "a\nb"),
        ("signs of HTML", "1 < 2 & 3", None, json!({}), "1 < 2 & 3"),
    ] {
        let mut job = with_options(twitter_job(), options);
        job.content = content.to_owned();
        job.link_url = link.map(str::to_owned);
        let (asked, _) = step(&job, &twitter().begin(&job), &[made("1")]);
        assert_eq!(asked[0]["body"], json!({ "text": want }), "{name}");
    }
}

#[test]
fn the_page_of_an_account_without_a_name() {
    let mut job = twitter_job();
    job.account.username = None;
    let (_, step) = step(&job, &twitter().begin(&job), &[made("1")]);
    let Ok(Step::Live(Live { remote: Some(remote), .. })) = step else { panic!("{step:?}") };
    assert_eq!(remote.url.as_deref(), Some("https://x.com/i/web/status/1"));
}

#[test]
fn every_part_answers_the_part_before() {
    let job = in_thread(twitter_job(), &["two", "three"]);
    let first = twitter().begin(&job);
    assert_eq!(twitter().live_part(&first), None);
    let second = next(step(&job, &first, &[made("7")]).1);
    let remote = twitter().live_part(&second).unwrap();
    assert_eq!(remote.url.as_deref(), Some("https://x.com/ana/status/7"));
    assert_eq!(remote.record, json!({ "parts": ["7"] }));
    assert_eq!(twitter().part(&second), Some(Part { number: 2, of: 3 }));
    let (asked, ended) = step(&job, &second, &[made("8")]);
    let body = json!({ "text": "two", "reply": { "in_reply_to_tweet_id": "7" } });
    assert_eq!(asked[0]["body"], body);
    let third = next(ended);
    let (asked, ended) = step(&job, &third, &[made("9")]);
    assert_eq!(asked[0]["body"]["reply"]["in_reply_to_tweet_id"], "8");
    let Ok(Step::Live(Live { remote: Some(remote), then: None })) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!((remote.id.as_str(), remote.record), ("7", json!({ "parts": ["7", "8", "9"] })));
}

#[test]
fn a_part_that_is_not_shown_yet_is_answered_a_little_later() {
    let mut job = in_thread(twitter_job(), &["two"]);
    let first = twitter().begin(&job);
    // There is nothing before the first part that could be missing.
    let error = step(&job, &first, &[unseen()]).1.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    let mut progress = next(step(&job, &first, &[made("7")]).1);
    for _ in 0..REFUSALS_MAX {
        let waits = step(&job, &progress, &[unseen()]).1;
        let Ok(Step::Wait { progress: next, until }) = waits else { panic!("{waits:?}") };
        assert_eq!(until, job.now + REFUSAL_WAIT);
        (progress, job.now) = (next, until);
    }
    let sent = step(&job, &progress, &[made("8")]).1;
    assert!(matches!(sent, Ok(Step::Live(_))), "{sent:?}");
    let error = step(&job, &progress, &[unseen()]).1.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.starts_with("The part before it is not on X any more"), "{error}");
}

#[test]
fn the_thread_continuation_that_x_refuses_is_told() {
    let job = in_thread(twitter_job(), &["two"]);
    let progress = next(step(&job, &twitter().begin(&job), &[made("7")]).1);
    let detail = "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.";
    let refused = problem(403, "", "Forbidden", detail);
    let error = step(&job, &progress, &[refused]).1.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.starts_with("X refused the thread continuation"), "{error}");
    assert_eq!(twitter().live_part(&progress).unwrap().id, "7");
}

#[test]
fn a_text_that_was_posted_before_is_refused_for_good() {
    let job = twitter_job();
    let (asked, ended) = step(&job, &twitter().begin(&job), &[duplicate()]);
    let error = ended.unwrap_err();
    assert_eq!((error.kind, error.code), (Kind::Permanent, FailureCode::ValidationFailed));
    assert_eq!(asked.len(), 1, "it was never sent before, so there is nothing of ours to find");
}

#[test]
fn a_lost_answer_is_looked_up_twice_and_then_sent_again() {
    let mut job = twitter_job();
    let progress = twitter().begin(&job);
    let (asked, located) = look_with(&job, &progress, &[none()]);
    assert_eq!(
        addresses(&asked),
        [
            "GET https://api.x.com/2/users/2244994945/tweets?max_results=100&exclude=retweets&start_time=2026-11-20T09%3A45%3A00Z&tweet.fields=created_at%2Centities%2Creferenced_tweets"
        ]
    );
    let Ok(Located::Wait { progress, until }) = located else { panic!("{located:?}") };
    assert_eq!(until, job.now + TimeDelta::seconds(15));

    job.now += TimeDelta::seconds(14);
    let (asked, located) = look_with(&job, &progress, &[]);
    assert_eq!(asked.len(), 0);
    assert!(matches!(located, Ok(Located::Wait { .. })), "{located:?}");

    job.now = until;
    let (_, located) = look_with(&job, &progress, &[there()]);
    let Ok(Located::Live(live)) = located else { panic!("{located:?}") };
    let url = "https://x.com/ana/status/7".to_owned();
    assert_eq!(live, Remote::new("7", Some(url)).into());

    let (_, located) = look_with(&job, &progress, &[none()]);
    let Ok(Located::Absent(progress)) = located else { panic!("{located:?}") };
    let (asked, _) = step(&job, &progress, &[made("8")]);
    assert_eq!(asked[0]["request"], "POST https://api.x.com/2/tweets");
}

/// A progress whose part was looked for twice in vain.
fn sent_again(job: &mut PublishJob) -> Value {
    let progress = twitter().begin(job);
    let (_, located) = look_with(job, &progress, &[none()]);
    let Ok(Located::Wait { progress, until }) = located else { panic!("{located:?}") };
    job.now = until;
    let (_, located) = look_with(job, &progress, &[none()]);
    let Ok(Located::Absent(progress)) = located else { panic!("{located:?}") };
    progress
}

#[test]
fn a_repeat_that_is_refused_as_a_duplicate_is_looked_up() {
    let mut job = twitter_job();
    let progress = sent_again(&mut job);
    let (asked, ended) = step(&job, &progress, &[duplicate(), there()]);
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1]["visible"], false);
    let Ok(Step::Live(Live { remote: Some(remote), .. })) = ended else { panic!("{ended:?}") };
    assert_eq!(remote.id, "7");
}

#[test]
fn a_repeat_that_is_refused_and_not_found_is_in_doubt() {
    let mut job = twitter_job();
    let progress = sent_again(&mut job);
    let refused = next(step(&job, &progress, &[duplicate(), none()]).1);
    // The next step sends nothing, and says why it is not known.
    let (asked, ended) = step(&job, &refused, &[]);
    assert!(asked.is_empty());
    assert_eq!(ended.unwrap_err().kind, Kind::InDoubt);
    // The look that follows waits for the list once more.
    let (_, located) = look_with(&job, &refused, &[none()]);
    let Ok(Located::Wait { progress, until }) = located else { panic!("{located:?}") };
    assert_eq!(progress, refused);
    job.now = until;
    let (_, located) = look_with(&job, &refused, &[there()]);
    assert!(matches!(located, Ok(Located::Live(_))), "{located:?}");
    let (_, located) = look_with(&job, &refused, &[none()]);
    let error = located.unwrap_err();
    assert_eq!(error.kind, Kind::Permanent);
    assert!(error.message.starts_with("X says that this text was posted already"), "{error}");

    // A person who has found nothing and tries again lets it be sent.
    job.now += TimeDelta::minutes(5);
    assert_eq!(look_with(&job, &refused, &[none()]).1, Ok(Located::Unknown));
    let (_, ended) = step(&job, &refused, &[made("8")]);
    assert!(matches!(ended, Ok(Step::Live(_))), "{ended:?}");
}

#[test]
fn a_look_after_a_refused_repeat_that_fails_leaves_it_open() {
    for (name, answer) in [
        ("down", answered_text(503, "")),
        ("token", problem(401, "", "Unauthorized", "Unauthorized")),
        ("limit", answered_text(429, "")),
        ("unreadable", answered_text(200, "<html>")),
    ] {
        let mut job = twitter_job();
        let progress = sent_again(&mut job);
        let (asked, ended) = step(&job, &progress, &[duplicate(), answer]);
        assert_eq!(asked.len(), 2, "{name}");
        assert_eq!(ended.unwrap_err().kind, Kind::Unsettled, "{name}");
    }
}

#[test]
fn what_cannot_be_read_is_not_sent_again() {
    let credits = problem(402, "credits", "CreditsDepleted", "No credits.");
    let forbidden = problem(403, "client-forbidden", "Client Forbidden", "Not allowed.");
    for answer in [credits, forbidden] {
        let mut job = twitter_job();
        let progress = twitter().begin(&job);
        let (_, located) = look_with(&job, &progress, std::slice::from_ref(&answer));
        let Ok(Located::Wait { progress, until }) = located else { panic!("{located:?}") };
        job.now = until;
        assert_eq!(look_with(&job, &progress, &[answer]).1, Ok(Located::Unknown));
        // Should a person have it sent again, a refusal as a duplicate can be of our own.
        let (asked, ended) = step(&job, &progress, &[duplicate(), there()]);
        assert_eq!(asked.len(), 2);
        assert!(matches!(ended, Ok(Step::Live(_))), "{ended:?}");
    }
}

#[test]
fn a_look_that_fails_settles_nothing() {
    let job = twitter_job();
    let progress = twitter().begin(&job);
    for (name, answer, want) in [
        ("down", answered_text(503, ""), Kind::Temporary),
        ("token", problem(401, "", "Unauthorized", "Unauthorized"), Kind::TokenExpired),
        ("a page", answered_text(403, "<html>"), Kind::Temporary),
        ("unreadable", answered_text(200, "<html>"), Kind::Temporary),
        (
            "limit",
            with_header(answered_text(429, ""), "x-rate-limit-reset", "1795168890"),
            Kind::RateLimited { wait: Some(TimeDelta::seconds(90)) },
        ),
    ] {
        let (_, located) = look_with(&job, &progress, &[answer]);
        assert_eq!(located.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_success_without_an_id_is_in_doubt() {
    let job = twitter_job();
    let progress = twitter().begin(&job);
    for body in ["", "<html>", r#"{"errors":[{"title":"x"}]}"#, r#"{"data":{}}"#] {
        let error = step(&job, &progress, &[answered_text(201, body)]).1.unwrap_err();
        assert_eq!(error.kind, Kind::InDoubt, "{body}");
    }
}

#[test]
fn a_progress_that_cannot_be_read_is_in_doubt() {
    let job = in_thread(twitter_job(), &["two"]);
    let good = next(step(&job, &twitter().begin(&job), &[made("7")]).1);
    let mut newer = good.clone();
    newer["somethingNew"] = json!(1);
    let mut none_left = good.clone();
    none_left["texts"] = json!([]);
    let mut without_first = good;
    without_first["first"] = Value::Null;
    for progress in [newer, none_left, without_first, Value::Null] {
        assert!(twitter().is_visible(&progress));
        assert_eq!(step(&job, &progress, &[]).1.unwrap_err().kind, Kind::InDoubt);
        assert_eq!(look_with(&job, &progress, &[]).1, Ok(Located::Unknown));
        assert_eq!(twitter().live_part(&progress), None);
        assert_eq!(twitter().part(&progress), None);
    }
}

#[test]
fn an_account_that_cannot_be_read_is_connected_again() {
    let mut job = at(begun_at());
    job.credentials = scheduler_core::account::Credentials::new("{}".to_owned(), None);
    let error = step(&job, &twitter().begin(&job), &[]).1.unwrap_err();
    assert_eq!(error.kind, Kind::Reconnect);
}

/// What is said besides the text goes with the first part alone, and a post without options says
/// its text alone.
#[test]
fn settings_go_with_the_first_part() {
    let bodies = |options: serde_json::Value| -> Vec<serde_json::Value> {
        let mut options = options;
        options["thread"] = json!(["two"]);
        let job = with_options(twitter_job(), options);
        let mut progress = twitter().begin(&job);
        let mut bodies = Vec::new();
        for id in ["7", "8"] {
            let (asked, stepped) = step(&job, &progress, &[made(id)]);
            bodies.push(asked[0]["body"].clone());
            if let Ok(Step::Next(next)) = stepped {
                progress = next;
            }
        }
        bodies
    };
    let text = twitter_job().content;
    let second = json!({ "text": "two", "reply": { "in_reply_to_tweet_id": "7" } });
    for (name, options, want) in [
        ("none", json!({}), json!({ "text": text })),
        (
            "following",
            json!({ "replyControl": "following" }),
            json!({ "text": text, "reply_settings": "following" }),
        ),
        (
            "mentioned",
            json!({ "replyControl": "mentioned" }),
            json!({ "text": text, "reply_settings": "mentionedUsers" }),
        ),
        ("everyone", json!({ "replyControl": "everyone" }), json!({ "text": text })),
        (
            "an advertisement",
            json!({ "paidPartnership": true }),
            json!({ "text": text, "paid_partnership": true }),
        ),
        ("none of that", json!({ "paidPartnership": false }), json!({ "text": text })),
        (
            "a poll",
            json!({ "poll": { "options": ["Tea", "Coffee"], "durationMinutes": 5 } }),
            json!({
                "text": text,
                "poll": { "options": ["Tea", "Coffee"], "duration_minutes": 5 },
            }),
        ),
        (
            "a poll of a day",
            json!({ "poll": { "options": ["a", "b"] } }),
            json!({ "text": text, "poll": { "options": ["a", "b"], "duration_minutes": 1440 } }),
        ),
        (
            "a community",
            json!({ "communityId": "1146654567674912769" }),
            json!({ "text": text, "community_id": "1146654567674912769" }),
        ),
    ] {
        assert_eq!(bodies(options), [want, second.clone()], "{name}");
    }
}
