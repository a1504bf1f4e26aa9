//! The look for a status that a person may have edited.

use chrono::TimeDelta;
use scheduler_core::ports::{Live, Located};
use serde_json::{Value, json};

use crate::conversation::{Answer, Conversation as _, Turn};
use crate::mastodon::testing::mastodon;
use crate::testing::{answered, begun_at, mastodon_job};

/// A status of the account without files, made so many seconds after the call began.
fn listed(seconds: i64, edited_at: Option<&str>, parent: Option<&str>) -> Value {
    json!({
        "id": "4",
        "url": "https://m.example/@ana/4",
        "created_at": (begun_at() + TimeDelta::seconds(seconds)).to_rfc3339(),
        "edited_at": edited_at,
        "in_reply_to_id": parent,
        "content": "<p>Other</p>",
    })
}

#[test]
fn a_status_that_was_edited_may_be_it_whatever_it_says() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    let edited = Some("2026-11-20T10:02:00.000Z");
    let answer = "9";
    let (is_live, is_absent, is_unknown) = ("live", "absent", "unknown");
    for (name, status, source, want) in [
        ("as it was sent", listed(5, edited, None), Some("Hello #rust"), is_live),
        ("another text", listed(5, edited, None), Some("Other"), is_unknown),
        ("another text, a little before", listed(-600, edited, None), Some("Other"), is_unknown),
        ("another text, long before", listed(-901, edited, None), None, is_absent),
        ("another text, not edited", listed(5, None, None), Some("Other"), is_absent),
        ("an answer to another", listed(5, edited, Some(answer)), None, is_absent),
    ] {
        let source = source.map(|text| answered(200, &json!({ "id": "4", "text": text })));
        let mut answers: Vec<Answer> = vec![answered(200, &json!([status]))];
        // Nothing is asked for beyond a status that is older than the doubt.
        answers.extend((status["created_at"] != old()).then(|| answered(200, &json!([]))));
        answers.extend(source);
        let turn = mastodon().locate(&job, &progress, &answers).unwrap();
        let Turn::Done(located) = turn else { panic!("{name}: {turn:?}") };
        let found = match &located {
            Located::Live(Live { remote: Some(remote), .. }) if remote.id == "4" => is_live,
            Located::Absent(_) => is_absent,
            Located::Unknown => is_unknown,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn files_that_an_edit_has_changed_do_not_exclude() {
    let job = mastodon_job(false);
    let progress = mastodon().begin(&job);
    for (name, edited_at, is_absent) in
        [("edited", Some("2026-11-20T10:02:00.000Z"), false), ("not edited", None, true)]
    {
        let mut status = listed(5, edited_at, None);
        status["media_attachments"] = json!([{ "id": "7" }]);
        let source = answered(200, &json!({ "id": "4", "text": "Hello #rust" }));
        let mut answers = vec![answered(200, &json!([status])), answered(200, &json!([]))];
        answers.extend((!is_absent).then_some(source));
        let turn = mastodon().locate(&job, &progress, &answers).unwrap();
        let Turn::Done(located) = turn else { panic!("{name}: {turn:?}") };
        assert_eq!(matches!(located, Located::Absent(_)), is_absent, "{name}: {located:?}");
        assert_eq!(located == Located::Unknown, !is_absent, "{name}: {located:?}");
    }
}

/// When a status was made that no look goes beyond.
fn old() -> String {
    (begun_at() - TimeDelta::seconds(901)).to_rfc3339()
}
