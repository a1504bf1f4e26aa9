//! Looking for a status whose answer was lost, as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::Live;
use serde_json::json;

use super::tests::{asks, done, mastodon, refusal};
use super::*;
use crate::conversation::{Conversation, shown};
use crate::testing::{answered, answered_text, begun_at, mastodon_job};

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
