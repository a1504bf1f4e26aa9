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

fn mastodon() -> Mastodon {
    Mastodon::new(None, Guard::new(false))
}

/// The request of the next turn.
fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
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

fn refusal(status: u16, text: &str) -> Answer {
    answered(status, &json!({ "error": text }))
}

fn key(request: &Request) -> &str {
    let header = request.headers.iter().find(|header| header.name == "idempotency-key");
    match &header.unwrap().value {
        HeaderValue::Plain(text) => text,
        HeaderValue::Secret(_) => panic!("a key is no secret"),
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
            Step::Wait { .. } => panic!("nothing to wait for"),
        }
    }
    assert_eq!(keys, ["1:3:1", "1:3:2", "1:3:3"]);
    assert_json_snapshot!(bodies, @r#"
    [
      {
        "spoiler_text": "CW",
        "status": "Hello #rust\nhttps://a.example/x",
        "visibility": "unlisted"
      },
      {
        "in_reply_to_id": "11",
        "spoiler_text": "CW",
        "status": "two",
        "visibility": "unlisted"
      },
      {
        "in_reply_to_id": "12",
        "spoiler_text": "CW",
        "status": "three",
        "visibility": "unlisted"
      }
    ]
    "#);
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

#[test]
fn within_the_hour_the_key_is_the_look_and_only_on_mastodon_itself() {
    for (name, is_mastodon, minutes, wants_look) in [
        ("at once", true, 0, false),
        ("just within", true, 54, false),
        ("too late for the call itself", true, 55, true),
        ("other software", false, 0, true),
    ] {
        let mut job = mastodon_job(is_mastodon);
        let progress = mastodon().begin(&job);
        job.now += TimeDelta::minutes(minutes);
        match mastodon().locate(&job, &progress, &[]).unwrap() {
            Turn::Done(located) => {
                assert!(!wants_look, "{name}");
                assert_eq!(located, Located::Repeat(progress), "{name}");
            }
            Turn::Send(request) => assert!(wants_look && !request.is_visible, "{name}"),
        }
    }
}

#[test]
fn the_hour_of_a_part_begins_when_the_part_before_was_answered() {
    let mut job = in_thread(mastodon_job(true), &["two"]);
    let progress = mastodon().begin(&job);
    job.now += TimeDelta::hours(5);
    let progress = next(done(mastodon().advance(&job, &progress, &[status("1")])));
    job.now += TimeDelta::minutes(54);
    assert!(matches!(mastodon().locate(&job, &progress, &[]), Ok(Turn::Done(_))));
    job.now += TimeDelta::minutes(1);
    assert!(matches!(mastodon().locate(&job, &progress, &[]), Ok(Turn::Send(_))));
}

fn listed(id: &str, seconds: i64, app: &str, parent: Option<&str>) -> Value {
    json!({
        "id": id,
        "url": format!("https://m.example/@ana/{id}"),
        "created_at": (begun_at() + TimeDelta::seconds(seconds)).to_rfc3339(),
        "application": { "name": app },
        "in_reply_to_id": parent,
    })
}

fn source(text: &str, spoiler: &str) -> Answer {
    answered(200, &json!({ "id": "1", "text": text, "spoiler_text": spoiler }))
}

#[test]
fn a_lost_status_is_found_by_its_text_among_those_that_can_be_it() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let list = asks(mastodon().locate(&job, &progress, &[]));
    assert_json_snapshot!(shown(&list), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "GET https://m.example/api/v1/accounts/109000000000000001/statuses?exclude_reblogs=true&limit=40",
      "visible": false
    }
    "#);

    let statuses = json!([
        listed("6", 9, "another app", None),
        listed("5", 8, "scheduler", Some("1")),
        listed("4", 7, "scheduler", None),
        listed("3", -60, "scheduler", None),
        listed("2", -61, "scheduler", None),
    ]);
    let end = || answered(200, &json!([]));
    let other = || source("Hello", "");
    let mut answers = vec![answered(200, &statuses), end(), other()];
    let request = asks(mastodon().locate(&job, &progress, &answers));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "GET https://m.example/api/v1/statuses/4/source",
      "visible": false
    }
    "#);
    answers.push(source("Hello you", "a warning of another"));
    let request = asks(mastodon().locate(&job, &progress, &answers));
    assert!(request.url.path().ends_with("/3/source"), "{}", request.url);
    answers.push(source("Hello #rust\r\n", ""));
    let Located::Live(Live { remote: Some(remote), .. }) =
        done(mastodon().locate(&job, &progress, &answers))
    else {
        panic!("not found")
    };
    assert_eq!(remote.id, "3");

    let answers = [answered(200, &statuses), end(), other(), source("a", ""), source("b", "")];
    let located = done(mastodon().locate(&job, &progress, &answers));
    assert!(matches!(located, Located::Absent(_)), "{located:?}");
}

#[test]
fn a_look_that_shows_too_little_settles_nothing() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let one = || answered(200, &json!([listed("4", 7, "scheduler", None)]));
    // A short page may be all that a server gives at once.
    let end = || answered(200, &json!([]));
    let page = |number: usize| {
        let ids = (0..40).map(|at| (number * 40 + at).to_string());
        let listed = ids.map(|id| listed(&id, 7, "scheduler", Some("an answer")));
        answered(200, &listed.collect())
    };
    let endless = (0..10).map(page).collect();
    let two = answered(
        200,
        &json!([listed("5", 9, "scheduler", None), listed("4", 7, "scheduler", None)]),
    );
    let temporary = Err(NetworkErrorKind::Temporary);
    for (name, answers, want) in [
        ("no source", vec![one(), end(), refusal(404, "Record not found")], Ok(Located::Unknown)),
        ("without end", endless, Ok(Located::Unknown)),
        (
            "two that are the same",
            vec![two, end(), source("Hello #rust", ""), source("Hello #rust", "")],
            Ok(Located::Unknown),
        ),
        (
            "another warning",
            vec![one(), end(), source("Hello #rust", "Mind")],
            Ok(Located::Unknown),
        ),
        ("other signs", vec![one(), end(), source("Hello rust!", "")], Ok(Located::Unknown)),
        ("server down", vec![answered_text(503, "")], temporary.clone()),
        ("a page of a proxy", vec![answered_text(200, "<html>")], temporary.clone()),
        ("source down", vec![one(), end(), answered_text(500, "")], temporary),
        (
            "without the scope",
            vec![refusal(403, "This action is outside the authorized scopes")],
            Err(NetworkErrorKind::Reconnect),
        ),
    ] {
        let located = mastodon().locate(&job, &progress, &answers);
        match want {
            Ok(want) => assert_eq!(done(located), want, "{name}"),
            Err(kind) => assert_eq!(located.unwrap_err().kind, kind, "{name}"),
        }
    }
}

/// snac passes over `max_id`, and gives the same page again.
#[test]
fn a_page_that_holds_nothing_new_is_the_end_of_the_list() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let page = || {
        let listed = ["6", "5", "4"].map(|id| listed(id, 7, "scheduler", None));
        answered(200, &Value::Array(listed.to_vec()))
    };
    let mut answers = vec![page(), page(), source("a", ""), source("Hello #rust", "")];
    answers.push(source("b", ""));
    let located = done(mastodon().locate(&job, &progress, &answers));
    let Located::Live(live) = located else { panic!("{located:?}") };
    assert_eq!(live.remote.unwrap().id, "5");
}

#[test]
fn of_many_statuses_those_that_read_like_the_text_are_read_first() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let listed = (0..60).map(|number: u32| {
        let mut listed = listed(&number.to_string(), 7, "scheduler", None);
        let text = if number == 59 { "<p>Hello <a href=\"x\">#rust</a></p>" } else { "<p>a</p>" };
        listed["content"] = text.into();
        listed
    });
    let mut answers = vec![answered(200, &listed.collect()), answered(200, &json!([]))];
    let request = asks(mastodon().locate(&job, &progress, &answers));
    assert!(request.url.path().ends_with("/59/source"), "{}", request.url);
    answers.push(source("Hello #rust", ""));
    answers.extend((0..49).map(|_| source("a", "")));
    let located = done(mastodon().locate(&job, &progress, &answers));
    let Located::Live(live) = located else { panic!("{located:?}") };
    assert_eq!(live.remote.unwrap().id, "59");
    // Ten of which nothing is read could be it.
    answers[2] = source("a", "");
    assert_eq!(done(mastodon().locate(&job, &progress, &answers)), Located::Unknown);
}

#[test]
fn of_two_that_are_the_same_the_one_of_this_application_is_ours() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let listed = json!([listed("5", 9, "by hand", None), listed("4", 7, "scheduler", None)]);
    let same = || source("Hello #rust", "");
    let answers = [answered(200, &listed), answered(200, &json!([])), same(), same()];
    let located = done(mastodon().locate(&job, &progress, &answers));
    let Located::Live(live) = located else { panic!("{located:?}") };
    assert_eq!(live.remote.unwrap().id, "4");
    // One by another application alone is ours: the operator may have changed its name.
    let one = json!([listed[0].clone()]);
    let answers = [answered(200, &one), answered(200, &json!([])), same()];
    let located = done(mastodon().locate(&job, &progress, &answers));
    assert!(matches!(located, Located::Live(_)), "{located:?}");
}

#[test]
fn a_long_list_is_followed_to_the_time_of_the_call() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let page = |from: i64| {
        let statuses = (0..40).map(|number| {
            listed(&(from - number).to_string(), from - number - 940, "scheduler", Some("1"))
        });
        answered(200, &Value::Array(statuses.collect()))
    };
    let request = asks(mastodon().locate(&job, &progress, &[page(200)]));
    assert!(request.url.as_str().ends_with("&max_id=161"), "{}", request.url);
    let request = asks(mastodon().locate(&job, &progress, &[page(200), page(160)]));
    assert!(request.url.as_str().ends_with("&max_id=121"), "{}", request.url);
    let answers = [page(200), page(160), page(120), page(80)];
    assert!(matches!(mastodon().locate(&job, &progress, &answers), Ok(Turn::Send(_))));
    let answers = [page(200), page(160), page(120), page(80), page(40)];
    let located = done(mastodon().locate(&job, &progress, &answers));
    assert!(matches!(located, Located::Absent(_)), "{located:?}");
}

#[test]
fn what_a_look_does_not_find_is_sent_again() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let nothing = [answered(200, &json!([]))];
    assert!(!asks(mastodon().locate(&job, &progress, &[])).is_visible);

    let located = done(mastodon().locate(&job, &progress, &nothing));
    let Located::Absent(sends) = located else { panic!("{located:?}") };
    assert!(asks(mastodon().advance(&job, &sends, &[])).is_visible);

    let found = answered(200, &json!([listed("4", 7, "scheduler", None)]));
    let late = [found.clone(), nothing[0].clone(), source("Hello #rust", "")];
    let located = done(mastodon().locate(&job, &progress, &late));
    assert!(matches!(located, Located::Live(_)), "{located:?}");

    let hidden = [found, nothing[0].clone(), refusal(404, "Record not found")];
    assert_eq!(done(mastodon().locate(&job, &progress, &hidden)), Located::Unknown);
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
            Step::Wait { .. } => panic!("nothing to wait for"),
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
