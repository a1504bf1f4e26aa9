//! Publishing to Mastodon as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::Live;
use scheduler_core::target::{FailureCode, Remote};
use serde_json::json;

use super::*;
use crate::conversation::{Conversation, HeaderValue, Part, shown};
use crate::mastodon::Mastodon;
use crate::outbound::Guard;
use crate::testing::{
    answered, answered_text, begun_at, in_thread, mastodon_job, with_header, with_options,
};

const STATUS: &str = include_str!("fixtures/status.json");

pub(super) fn mastodon() -> Mastodon {
    Mastodon::new(None, Guard::new(false))
}

/// The request of the next turn.
pub(super) fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

pub(super) fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
    match turn {
        Ok(Turn::Done(result)) => result,
        other => panic!("not done: {other:?}"),
    }
}

fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

fn status(id: &str) -> Answer {
    answered(200, &json!({ "id": id, "url": format!("https://m.example/@ana/{id}") }))
}

pub(super) fn refusal(status: u16, text: &str) -> Answer {
    answered(status, &json!({ "error": text }))
}

fn key(request: &Request) -> &str {
    let header = request.headers.iter().find(|header| header.name == "idempotency-key");
    match &header.unwrap().value {
        HeaderValue::Plain(text) => text,
        HeaderValue::Secret(_) | HeaderValue::Signed(_) => panic!("a key is no secret"),
    }
}

#[test]
fn a_post_is_one_status_under_its_own_key() {
    let job = mastodon_job(true);
    let progress = mastodon().begin(&job);
    assert!(mastodon().is_visible(&progress));
    let request = asks(mastodon().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "status": "Hello #rust",
        "visibility": "public"
      },
      "headers": {
        "authorization": "[redacted]",
        "idempotency-key": "00000000-0000-0000-0000-000000000001:0:1"
      },
      "request": "POST https://m.example/api/v1/statuses",
      "visible": true
    }
    "#);

    let step = done(mastodon().advance(&job, &progress, &[answered_text(200, STATUS)]));
    let url = "https://m.example/@ana/115000000000000001";
    let want = Remote::new("115000000000000001", Some(url.to_owned()));
    assert_eq!(step, Step::Live(want.into()));
}

#[test]
fn the_link_of_a_status_without_page_is_its_address() {
    let job = mastodon_job(true);
    let progress = mastodon().begin(&job);
    for (name, body, want) in [
        ("page", json!({ "id": "1", "url": "u", "uri": "v" }), Some("u")),
        ("address", json!({ "id": "1", "url": null, "uri": "v" }), Some("v")),
        ("neither", json!({ "id": "1" }), None),
    ] {
        let step = done(mastodon().advance(&job, &progress, &[answered(200, &body)]));
        let Step::Live(Live { remote: Some(remote), .. }) = step else {
            panic!("{name}: {step:?}")
        };
        assert_eq!(remote.url.as_deref(), want, "{name}");
    }
}

#[test]
fn every_part_carries_warning_and_visibility_and_answers_the_part_before() {
    let options =
        json!({ "thread": ["two", "three"], "visibility": "unlisted", "spoilerText": "CW" });
    let mut job = with_options(mastodon_job(true), options);
    job.revision = 3;
    job.link_url = Some("https://a.example/x".to_owned());
    let mut progress = mastodon().begin(&job);
    let mut bodies = Vec::new();
    let mut keys = Vec::new();
    for id in ["11", "12", "13"] {
        let request = asks(mastodon().advance(&job, &progress, &[]));
        keys.push(key(&request).rsplit_once("0000").unwrap().1.to_owned());
        let Body::Json(body) = request.body else { panic!("no JSON") };
        bodies.push(body);
        match done(mastodon().advance(&job, &progress, &[status(id)])) {
            Step::Next(next) => progress = next,
            Step::Live(live) => {
                let remote = live.remote.unwrap();
                assert_eq!((remote.id.as_str(), id), ("11", "13"))
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(keys, ["1:3:1", "1:3:2", "1:3:3"]);
    assert_json_snapshot!(bodies, @r#"
    [
      {
        "sensitive": true,
        "spoiler_text": "CW",
        "status": "Hello #rust\nhttps://a.example/x",
        "visibility": "unlisted"
      },
      {
        "in_reply_to_id": "11",
        "sensitive": true,
        "spoiler_text": "CW",
        "status": "two",
        "visibility": "unlisted"
      },
      {
        "in_reply_to_id": "12",
        "sensitive": true,
        "spoiler_text": "CW",
        "status": "three",
        "visibility": "unlisted"
      }
    ]
    "#);
}

/// The bodies of a thread of two with these options.
fn bodies_of(options: Value) -> Vec<Value> {
    let mut options = options;
    options["thread"] = json!(["two"]);
    let job = with_options(mastodon_job(true), options);
    let mut progress = mastodon().begin(&job);
    let mut bodies = Vec::new();
    for id in ["11", "12"] {
        let request = asks(mastodon().advance(&job, &progress, &[]));
        let Body::Json(body) = request.body else { panic!("no JSON") };
        bodies.push(body);
        if let Step::Next(next) = done(mastodon().advance(&job, &progress, &[status(id)])) {
            progress = next;
        }
    }
    bodies
}

#[test]
fn options_are_members_of_every_status() {
    let plain = bodies_of(json!({}));
    for (name, options, member, want) in [
        ("sensitive", json!({ "sensitive": true }), "sensitive", json!(true)),
        ("language", json!({ "language": "pt-BR" }), "language", json!("pt-BR")),
        ("quotes", json!({ "quotePolicy": "nobody" }), "quote_approval_policy", json!("nobody")),
    ] {
        let bodies = bodies_of(options);
        for (mut body, plain) in bodies.into_iter().zip(&plain) {
            assert_eq!(body[member], want, "{name}");
            body.as_object_mut().unwrap().remove(member);
            assert_eq!(body, *plain, "{name}, and nothing else");
        }
    }
    assert_eq!(bodies_of(json!({ "sensitive": false })), plain);
}

#[test]
fn a_poll_stands_below_the_first_part() {
    let plain = bodies_of(json!({}));
    for (name, poll, want) in [
        (
            "a day",
            json!({ "options": ["Tea", "Coffee"] }),
            json!({
                "options": ["Tea", "Coffee"],
                "expires_in": 86_400, "multiple": false, "hide_totals": false,
            }),
        ),
        (
            "all of it",
            json!({
                "options": ["a", "b"],
                "durationMinutes": 5, "multiple": true, "hideResults": true,
            }),
            json!({
                "options": ["a", "b"],
                "expires_in": 300, "multiple": true, "hide_totals": true,
            }),
        ),
    ] {
        let mut bodies = bodies_of(json!({ "poll": poll }));
        assert_eq!(bodies[0]["poll"], want, "{name}");
        bodies[0].as_object_mut().unwrap().remove("poll");
        assert_eq!(bodies, plain, "{name}, and nothing else");
    }
}

#[test]
fn a_thread_goes_on_at_the_part_that_failed() {
    let job = in_thread(mastodon_job(true), &["two", "three"]);
    let progress = mastodon().begin(&job);
    assert_eq!(mastodon().part(&progress), Some(Part { number: 1, of: 3 }));
    assert_eq!(mastodon().live_part(&progress), None);
    let progress = next(done(mastodon().advance(&job, &progress, &[status("1")])));
    let first = Remote::new("1", Some("https://m.example/@ana/1".to_owned()));
    assert_eq!(mastodon().live_part(&progress), Some(first));

    let second = next(done(mastodon().advance(&job, &progress, &[status("2")])));
    let live = mastodon().live_part(&second).unwrap();
    assert_eq!((live.id.as_str(), live.record), ("1", json!({ "parts": ["1", "2"] })));

    let too_long = refusal(422, "Validation failed: Text character limit of 500 exceeded");
    let error = mastodon().advance(&job, &progress, &[too_long]).unwrap_err();
    assert_eq!(
        (error.kind, error.code),
        (NetworkErrorKind::Permanent, FailureCode::ValidationFailed)
    );
    assert_eq!(mastodon().part(&progress), Some(Part { number: 2, of: 3 }));
    let request = asks(mastodon().advance(&job, &progress, &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    assert_eq!(body, json!({ "status": "two", "visibility": "public", "in_reply_to_id": "1" }));
}

#[test]
fn what_was_published_and_removed_is_not_sent_again() {
    let job = in_thread(mastodon_job(true), &["two"]);
    let first = mastodon().begin(&job);
    let second = next(done(mastodon().advance(&job, &first, &[status("1")])));
    let gone = "Record not found";
    let parent = "The post you are trying to reply to does not appear to exist.";
    for (name, progress, text, said) in [
        ("the post", &first, gone, "The post was published"),
        ("a part", &second, gone, "This part, or the part before it"),
        ("the part before", &second, parent, "The part before it"),
    ] {
        let error = mastodon().advance(&job, progress, &[refusal(404, text)]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Permanent, "{name}");
        assert!(error.message.starts_with(said), "{name}: {error}");
    }
}

#[test]
fn a_repeat_is_the_same_call_whatever_has_changed_meanwhile() {
    let job = in_thread(mastodon_job(true), &["two"]);
    let progress = mastodon().begin(&job);
    let before = asks(mastodon().advance(&job, &progress, &[]));
    let options = json!({ "caption": "changed", "visibility": "direct", "spoilerText": "x" });
    let mut later = with_options(job, options);
    later.now += TimeDelta::hours(30);
    let after = asks(mastodon().advance(&later, &progress, &[]));
    assert_eq!(shown(&before), shown(&after));
}

/// What the account's statuses show settles it first: a repeat could be refused for another reason.
#[test]
fn where_the_statuses_do_not_tell_the_key_does_for_an_hour() {
    let hidden = || refusal(403, "This action is outside the authorized scopes");
    for (name, is_mastodon, minutes, is_repeated) in [
        ("at once", true, 0, true),
        ("just within", true, 54, true),
        ("too late for the call itself", true, 55, false),
        ("other software", false, 0, false),
    ] {
        let mut job = mastodon_job(is_mastodon);
        let progress = mastodon().begin(&job);
        job.now += TimeDelta::minutes(minutes);
        assert!(!asks(mastodon().locate(&job, &progress, &[])).is_visible, "{name}");
        let located = mastodon().locate(&job, &progress, &[hidden()]);
        match is_repeated {
            true => assert_eq!(done(located), Located::Repeat(progress.clone()), "{name}"),
            false => assert_eq!(located.unwrap_err().kind, NetworkErrorKind::Reconnect, "{name}"),
        }
        let nothing = [answered(200, &json!([]))];
        let located = done(mastodon().locate(&job, &progress, &nothing));
        assert!(matches!(located, Located::Absent(_)), "{name}: {located:?}");
    }
}

#[test]
fn the_hour_of_a_part_begins_when_the_part_before_was_answered() {
    let mut job = in_thread(mastodon_job(true), &["two"]);
    let progress = mastodon().begin(&job);
    job.now += TimeDelta::hours(5);
    let progress = next(done(mastodon().advance(&job, &progress, &[status("1")])));
    let hidden = [refusal(403, "This action is outside the authorized scopes")];
    for (minutes, is_repeated) in [(54, true), (1, false)] {
        job.now += TimeDelta::minutes(minutes);
        let located = mastodon().locate(&job, &progress, &hidden);
        let repeats = matches!(located, Ok(Turn::Done(Located::Repeat(_))));
        assert_eq!(repeats, is_repeated, "{located:?}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_never_a_success() {
    let job = mastodon_job(true);
    let progress = mastodon().begin(&job);
    for body in ["", "<html>", "{}", r#"{"id":1}"#] {
        let error = mastodon().advance(&job, &progress, &[answered_text(200, body)]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{body}");
    }
}

#[test]
fn progress_that_cannot_be_read_sends_nothing() {
    let job = mastodon_job(true);
    let good = mastodon().begin(&job);
    let mut later = good.clone();
    later["mediaIds"] = json!([]);
    let mut empty = good.clone();
    empty["texts"] = json!([]);
    let mut over = good.clone();
    over["isSent"] = true.into();
    let mut half = good;
    half["parent"] = json!("1");
    for progress in [Value::Null, json!({ "stage": "later" }), later, empty, half, over] {
        assert!(mastodon().is_visible(&progress), "{progress}");
        assert_eq!(mastodon().live_part(&progress), None);
        let error = mastodon().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{progress}");
        assert_eq!(done(mastodon().locate(&job, &progress, &[])), Located::Unknown);
    }
}

#[test]
fn a_rate_limit_names_its_wait() {
    let job = mastodon_job(true);
    let reset = (begun_at() + TimeDelta::seconds(42)).to_rfc3339();
    let answer = with_header(refusal(429, "Too many requests"), "x-ratelimit-reset", &reset);
    let error = mastodon().advance(&job, &mastodon().begin(&job), &[answer]).unwrap_err();
    let wait = Some(TimeDelta::seconds(42));
    assert_eq!(error.kind, NetworkErrorKind::RateLimited { wait });
}

/// What follows once the last part was taken.
fn taken(job: &PublishJob) -> (Option<Remote>, Option<Value>) {
    let mut progress = mastodon().begin(job);
    for id in 1.. {
        match done(mastodon().advance(job, &progress, &[status(&id.to_string())])) {
            Step::Next(next) => progress = next,
            Step::Live(Live { remote, then }) => return (remote, then),
            other => panic!("{other:?}"),
        }
    }
    unreachable!("a thread has an end")
}

#[test]
fn what_the_filter_for_spam_may_drop_is_looked_at_once_more() {
    let mentions =
        |is_mastodon| PublishJob { content: "Hi @bob".to_owned(), ..mastodon_job(is_mastodon) };
    for (name, job, want) in [
        ("a post", mastodon_job(true), false),
        ("a mention", mentions(true), true),
        ("a mention on other software", mentions(false), false),
        ("a thread", in_thread(mastodon_job(true), &["two"]), true),
    ] {
        assert_eq!(taken(&job).1.is_some(), want, "{name}");
    }

    let job = in_thread(mastodon_job(true), &["two"]);
    let (remote, then) = taken(&job);
    assert_eq!(remote.unwrap().record, json!({ "parts": ["1", "2"] }));
    let then = then.unwrap();
    assert!(!mastodon().is_visible(&then));
    assert_eq!(mastodon().skip(&then), None);
    assert_eq!(mastodon().part(&then), Some(Part { number: 2, of: 2 }));
    let request = asks(mastodon().advance(&job, &then, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "GET https://m.example/api/v1/statuses/2",
      "visible": false
    }
    "#);
    let kept = Step::Live(Live { remote: None, then: None });
    for answer in [status("2"), refusal(403, "This action is outside the authorized scopes")] {
        assert_eq!(done(mastodon().advance(&job, &then, &[answer])), kept);
    }
    for (name, answer, want) in [
        ("dropped", refusal(404, "Record not found"), NetworkErrorKind::Permanent),
        ("a proxy", answered_text(404, "<html>"), NetworkErrorKind::Temporary),
        ("not now", answered_text(502, ""), NetworkErrorKind::Temporary),
    ] {
        let error = mastodon().advance(&job, &then, &[answer]).unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}
