//! Publishing to LinkedIn as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{Live, Located};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Body, Conversation, Part, shown};
use crate::linkedin::testing::{
    EVERYTHING, MEMBER, PAGE, SELF_SERVE, SHARE, asks, created, done, duplicate, gone, job,
    linkedin, refused,
};
use crate::testing::{answered, answered_text, begun_at, with_options};

/// The progress with which the post itself is sent.
fn marked(job: &PublishJob) -> Value {
    let progress = linkedin().begin(job);
    assert!(!linkedin().is_visible(&progress), "the instant is stored first");
    let Step::Next(progress) = done(linkedin().advance(job, &progress, &[])) else {
        panic!("no next step")
    };
    assert!(linkedin().is_visible(&progress));
    progress
}

fn body(job: &PublishJob) -> Value {
    let request = asks(linkedin().advance(job, &marked(job), &[]));
    let Body::Json(body) = request.body else { panic!("no JSON") };
    body
}

fn located(job: &PublishJob, progress: &Value, answers: &[Answer]) -> Located {
    done(linkedin().locate(job, progress, answers))
}

fn repeat(job: &PublishJob, progress: &Value) -> Value {
    match located(job, progress, &[]) {
        Located::Repeat(progress) => progress,
        other => panic!("no repeat: {other:?}"),
    }
}

#[test]
fn a_text_is_one_call_in_the_little_text_format() {
    let job = job(PAGE, SELF_SERVE);
    let progress = marked(&job);
    assert_eq!(linkedin().part(&progress), Some(Part { number: 1, of: 1 }));
    let request = asks(linkedin().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "author": "urn:li:organization:5515715",
        "commentary": "Hello \\(world\\)",
        "distribution": {
          "feedDistribution": "MAIN_FEED",
          "targetEntities": [],
          "thirdPartyDistributionChannels": []
        },
        "isReshareDisabledByAuthor": false,
        "lifecycleState": "PUBLISHED",
        "visibility": "PUBLIC"
      },
      "headers": {
        "authorization": "[redacted]",
        "linkedin-version": "202607",
        "x-restli-protocol-version": "2.0.0"
      },
      "request": "POST https://api.linkedin.com/rest/posts",
      "visible": true
    }
    "#);
    let step = done(linkedin().advance(&job, &progress, &[created(SHARE)]));
    let url = "https://www.linkedin.com/feed/update/urn:li:share:7141138937766391808/";
    assert_eq!(step, Step::Live(Remote::new(SHARE, Some(url.to_owned())).into()));
}

#[test]
fn texts_and_links_as_the_rules_compose_them() {
    let mut with_link = job(MEMBER, SELF_SERVE);
    with_link.link_url = Some("https://blog.example.com/a_b".to_owned());
    with_link.content = "#AI_마케팅 now".to_owned();
    let sent = body(&with_link);
    assert_eq!(sent["commentary"], r"{hashtag|\#|AI\_마케팅} now");
    assert_eq!(
        sent["content"],
        json!({ "article": { "source": "https://blog.example.com/a_b", "title": "blog.example.com" } })
    );
    let mentions = json!([{ "name": "Acme (Inc)", "urn": "urn:li:organization:1" }]);
    let mut mentioning = with_options(job(MEMBER, SELF_SERVE), json!({ "mentions": mentions }));
    mentioning.content = "By @Acme (Inc) & @you".to_owned();
    assert_eq!(
        body(&mentioning)["commentary"],
        r"By @[Acme \(Inc\)](urn:li:organization:1) & \@you"
    );
    let with_caption = with_options(job(MEMBER, SELF_SERVE), json!({ "caption": "a\r\nb@c" }));
    assert_eq!(body(&with_caption)["commentary"], "a\nb\\@c");
    assert_eq!(body(&with_caption).get("content"), None);
}

#[test]
fn an_answer_without_a_name_is_never_a_success() {
    let job = job(MEMBER, SELF_SERVE);
    let progress = marked(&job);
    for answer in [answered_text(201, ""), answered_text(200, "{}"), created(""), created("x")] {
        let error = linkedin().advance(&job, &progress, &[answer]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt);
    }
}

#[test]
fn a_duplicate_is_the_post_only_where_the_call_may_have_been_made() {
    let job = job(MEMBER, SELF_SERVE);
    let progress = marked(&job);
    let error = linkedin().advance(&job, &progress, &[duplicate(SHARE)]).unwrap_err();
    assert_eq!(
        (error.kind, error.code),
        (NetworkErrorKind::Permanent, FailureCode::ValidationFailed)
    );
    assert!(error.message.contains(SHARE), "{error}");

    let repeated = repeat(&job, &progress);
    // It is named and cannot be read, and may be one that was deleted: a person has to look.
    let step = done(linkedin().advance(&job, &repeated, &[duplicate(SHARE)]));
    let Step::Next(named) = step else { panic!("{step:?}") };
    assert!(linkedin().is_visible(&named));
    let error = linkedin().advance(&job, &named, &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::InDoubt);
    assert!(error.message.contains(SHARE), "{error}");
    assert_eq!(located(&job, &named, &[]), Located::Unknown);
    // Whoever has looked has it sent again.
    let later = PublishJob { now: job.now + RETRY_AFTER, ..job.clone() };
    let step = done(linkedin().advance(&later, &named, &[]));
    let Step::Next(again) = step else { panic!("{step:?}") };
    assert!(!linkedin().is_visible(&again), "the instant is stored first");
    // What is sent again is the same, to the byte.
    let [first, again] = [&progress, &repeated]
        .map(|progress| shown(&asks(linkedin().advance(&job, progress, &[]))));
    assert_eq!(first, again);
}

#[test]
fn a_named_post_that_is_gone_is_not_taken_over() {
    let job = job(MEMBER, EVERYTHING);
    let mut progress = marked(&job);
    progress["stage"]["post"]["isRepeat"] = json!(true);
    let step = done(linkedin().advance(&job, &progress, &[duplicate(SHARE)]));
    let Step::Next(mut progress) = step else { panic!("{step:?}") };
    let look = asks(linkedin().advance(&job, &progress, &[]));
    assert!(!look.is_visible);
    assert_eq!(asks(linkedin().locate(&job, &progress, &[])).url, look.url);
    assert_eq!(
        look.url.as_str(),
        "https://api.linkedin.com/rest/posts/urn%3Ali%3Ashare%3A7141138937766391808"
    );
    let there = || answered(200, &json!({ "id": SHARE }));
    let denied = crate::linkedin::testing::denied;
    assert!(matches!(located(&job, &progress, &[there()]), Located::Live(_)));
    assert_eq!(located(&job, &progress, &[gone()]), Located::Repeat(progress.clone()));
    assert_eq!(located(&job, &progress, &[denied()]), Located::Unknown);
    let step = done(linkedin().advance(&job, &progress, &[there()]));
    assert!(matches!(step, Step::Live(_)), "{step:?}");
    let hidden = linkedin().advance(&job, &progress, &[denied()]).unwrap_err();
    assert_eq!(hidden.kind, NetworkErrorKind::InDoubt);
    let down = answered_text(503, "");
    let error = linkedin().advance(&job, &progress, &[down]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
    // What was made a moment ago may not show yet.
    for _ in NAMED_WAITS {
        let step = done(linkedin().advance(&job, &progress, &[gone()]));
        let Step::Wait { progress: next, .. } = step else { panic!("{step:?}") };
        progress = next;
    }
    let ghost = linkedin().advance(&job, &progress, &[gone()]).unwrap_err();
    assert_eq!(ghost.kind, NetworkErrorKind::Permanent);
    assert!(ghost.message.contains("not there any more"), "{ghost}");
}

#[test]
fn a_repeat_is_the_look_for_eight_minutes() {
    for (name, minutes, want) in [
        ("at once", 0, true),
        ("just within", 7, true),
        ("too late", 8, false),
        ("much later", 600, false),
    ] {
        let mut job = job(MEMBER, SELF_SERVE);
        let progress = marked(&job);
        job.now += TimeDelta::minutes(minutes);
        match located(&job, &progress, &[]) {
            Located::Repeat(_) => assert!(want, "{name}"),
            Located::Unknown => assert!(!want, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_minutes_count_from_the_call_and_not_from_the_publish() {
    let mut job = job(MEMBER, SELF_SERVE);
    let old = marked(&job);
    job.now += TimeDelta::hours(5);
    let step = done(linkedin().advance(&job, &old, &[]));
    let Step::Next(progress) = step else { panic!("not marked anew: {step:?}") };
    job.now += TimeDelta::minutes(7);
    assert!(matches!(located(&job, &progress, &[]), Located::Repeat(_)));
}

fn listed(id: &str, seconds: i64, commentary: &str) -> Value {
    let at = (begun_at() + TimeDelta::seconds(seconds)).timestamp_millis();
    json!({ "id": id, "commentary": commentary, "createdAt": at, "publishedAt": at })
}

fn list(elements: &[Value]) -> Answer {
    answered(200, &json!({ "elements": elements, "paging": { "start": 0, "count": 10 } }))
}

#[test]
fn whoever_may_read_finds_the_post_by_its_text() {
    let mut job = job(PAGE, EVERYTHING);
    let progress = marked(&job);
    let finder = asks(linkedin().locate(&job, &progress, &[]));
    assert_json_snapshot!(shown(&finder), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]",
        "linkedin-version": "202607",
        "x-restli-method": "FINDER",
        "x-restli-protocol-version": "2.0.0"
      },
      "request": "GET https://api.linkedin.com/rest/posts?q=author&author=urn%3Ali%3Aorganization%3A5515715&start=0&count=50&sortBy=CREATED",
      "visible": false
    }
    "#);
    let others = [
        listed("urn:li:share:1", 5, "Something else"),
        listed("urn:li:share:2", -601, r"Hello \(world\)"),
    ];
    let mut with_ours = others.to_vec();
    with_ours.push(listed(SHARE, -60, "Hello (world)"));
    let found = located(&job, &progress, &[list(&with_ours)]);
    let Located::Live(Live { remote: Some(remote), .. }) = found else { panic!("{found:?}") };
    assert_eq!(remote.id, SHARE);

    let until = job.now + TimeDelta::seconds(10);
    let Located::Wait { progress, until: at } = located(&job, &progress, &[list(&others)]) else {
        panic!("no wait")
    };
    assert_eq!(at, until);
    assert!(matches!(located(&job, &progress, &[]), Located::Wait { .. }), "not before its time");
    job.now = until;
    let Located::Absent(again) = located(&job, &progress, &[list(&others)]) else {
        panic!("not settled")
    };
    let Step::Next(again) = done(linkedin().advance(&job, &again, &[])) else { panic!("no mark") };
    let step = done(linkedin().advance(&job, &again, &[duplicate(SHARE)]));
    let Step::Next(named) = step else { panic!("{step:?}") };
    let there = answered(200, &json!({ "id": SHARE }));
    let step = done(linkedin().advance(&job, &named, &[there]));
    assert!(matches!(step, Step::Live(_)), "it came late: {step:?}");

    let located = located(&job, &progress, &[crate::linkedin::testing::denied()]);
    assert!(matches!(located, Located::Repeat(_)), "it may not read after all: {located:?}");
    let down = linkedin().locate(&job, &progress, &[answered_text(503, "")]).unwrap_err();
    assert_eq!(down.kind, NetworkErrorKind::Temporary);
}

#[test]
fn no_look_excludes_a_post_that_can_be_ours() {
    let job = job(PAGE, EVERYTHING);
    let text = r"Hello \(world\)";
    let full: Vec<Value> = (0..50).map(|_| listed("1", 9, "Closed on Monday")).collect();
    let untimed = json!({ "id": "1", "commentary": text });
    for (name, elements, want) in [
        ("the same", vec![listed("1", 1, text)], Ok(true)),
        ("cleaned", vec![listed("1", 1, "Hello world")], Ok(true)),
        ("two that are the same", vec![listed("1", 1, text), listed("2", 2, text)], Ok(false)),
        ("half of it", vec![listed("1", 1, "Hello world today")], Ok(false)),
        ("a text that is not told", vec![listed("1", 1, "")], Ok(false)),
        ("a clock minutes behind", vec![listed("1", -300, text)], Ok(false)),
        ("no instant", vec![untimed], Ok(false)),
        ("long before", vec![listed("1", -700, text)], Err(())),
        ("something else", vec![listed("1", 1, "Closed on Monday")], Err(())),
        ("a list that goes on", full, Ok(false)),
    ] {
        let mut progress = marked(&job);
        let mut job = job.clone();
        let found = loop {
            let answers = vec![list(&elements); 10];
            match located(&job, &progress, &answers) {
                Located::Wait { progress: next, until } => (progress, job.now) = (next, until),
                Located::Live(_) => break Ok(true),
                // The network knows a repeat, and says which post it is.
                Located::Repeat(next) => (progress, job.now) = (next, job.now + WINDOW),
                Located::Unknown => break Ok(false),
                Located::Absent(_) => break Err(()),
                other => panic!("{name}: {other:?}"),
            }
        };
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn a_post_whose_files_are_not_ready_waits() {
    let mut job = job(MEMBER, SELF_SERVE);
    let waiting = || refused(400, "MEDIA_ASSET_WAITING_UPLOAD", "not yet");
    let mut progress = marked(&job);
    for (seconds, wait) in [(0, 10), (119, 10), (120, 60), (600, 60)] {
        job.now = begun_at() + TimeDelta::seconds(seconds);
        let step = done(linkedin().advance(&job, &progress, &[waiting()]));
        let Step::Wait { progress: next, until } = step else { panic!("{step:?}") };
        assert_eq!(until, job.now + TimeDelta::seconds(wait), "{seconds}");
        assert!(!linkedin().is_visible(&next));
        let Step::Next(next) = done(linkedin().advance(&job, &next, &[])) else {
            panic!("no mark")
        };
        progress = next;
    }
    job.now = begun_at() + TimeDelta::seconds(601);
    let error = linkedin().advance(&job, &progress, &[waiting()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
}

#[test]
fn progress_that_cannot_be_read_sends_nothing() {
    let job = job(MEMBER, SELF_SERVE);
    let good = marked(&job);
    let mut later = good.clone();
    later["added"] = json!(1);
    let mut inside = good.clone();
    inside["stage"]["post"]["added"] = json!(1);
    let mut stage = good;
    stage["stage"] = json!({ "later": {} });
    for progress in [Value::Null, later, inside, stage] {
        assert!(linkedin().is_visible(&progress), "{progress}");
        assert_eq!(linkedin().live_part(&progress), None);
        let error = linkedin().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{progress}");
        assert_eq!(located(&job, &progress, &[]), Located::Unknown);
    }
}

#[test]
fn what_the_options_ask_for_goes_with_the_post() {
    let body = |options: Value| {
        let job = with_options(job(MEMBER, SELF_SERVE), options);
        shown(&asks(linkedin().advance(&job, &marked(&job), &[])))["body"].clone()
    };
    let usual = body(json!({}));
    for (option, value, name, want) in [
        ("visibility", json!("connections"), "visibility", json!("CONNECTIONS")),
        ("visibility", json!("loggedIn"), "visibility", json!("LOGGED_IN")),
        ("visibility", json!("public"), "visibility", json!("PUBLIC")),
        ("allowReshare", json!(false), "isReshareDisabledByAuthor", json!(true)),
        ("allowReshare", json!(true), "isReshareDisabledByAuthor", json!(false)),
        (
            "quote",
            json!("https://www.linkedin.com/feed/update/urn:li:share:7141/"),
            "reshareContext",
            json!({ "parent": "urn:li:share:7141" }),
        ),
        (
            "poll",
            json!({ "options": ["Tea ", "Coffee"], "question": "Which?", "durationMinutes": 10_080 }),
            "content",
            json!({ "poll": {
                "question": "Which?",
                "options": [{ "text": "Tea" }, { "text": "Coffee" }],
                "settings": {
                    "duration": "SEVEN_DAYS",
                    "voteSelectionType": "SINGLE_VOTE",
                    "isVoterVisibleToAuthor": true,
                },
            } }),
        ),
    ] {
        let sent = body(json!({ option: value }));
        assert_eq!(sent[name], want, "{option}: {value}");
        let mut rest = sent;
        rest[name] = usual[name].clone();
        if usual.get(name).is_none() {
            rest.as_object_mut().unwrap().remove(name);
        }
        assert_eq!(rest, usual, "nothing else changes by {option}");
    }
    for (minutes, word) in [
        (None, "ONE_DAY"),
        (Some(1_440), "ONE_DAY"),
        (Some(4_320), "THREE_DAYS"),
        (Some(20_160), "FOURTEEN_DAYS"),
    ] {
        let poll = json!({ "options": ["a", "b"], "durationMinutes": minutes });
        let sent = body(json!({ "poll": poll }));
        let poll = &sent["content"]["poll"];
        assert_eq!(poll["settings"]["duration"], word, "{minutes:?}");
        assert_eq!(poll["question"], "Hello (world)", "the text asks");
    }
    let stored = linkedin().begin(&job(MEMBER, SELF_SERVE));
    assert_eq!(stored["stage"]["post"].get("extras"), None, "{stored}");
}
