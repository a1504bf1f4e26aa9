//! The first comment as an exchange of values.

use scheduler_core::ports::NetworkErrorKind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::facebook::testing::{
    after_answers, asked, asks, done, error, facebook, facebook_job, ok, step,
};
use crate::testing::steps::next;
use crate::testing::{answered_text, with_options};

fn job() -> PublishJob {
    with_options(facebook_job(), json!({ "firstComment": "First!\r\nAnd more" }))
}

/// A live post before its first comment.
fn before_comment(job: &PublishJob) -> Value {
    let progress = after_answers(job, &[]);
    let created = ok(&json!({ "id": "1001_2001" }));
    let Ok(Step::Live(live)) = step(job, &progress, &[created]) else { panic!("not live") };
    let link = ok(&json!({ "permalink_url": "https://www.facebook.com/p/1" }));
    let Ok(Step::Live(live)) = step(job, &live.then.unwrap(), &[link]) else { panic!("no link") };
    next(step(job, &live.then.unwrap(), &[]))
}

#[test]
fn a_comment_follows_the_post() {
    let job = job();
    let progress = before_comment(&job);
    assert!(facebook().is_visible(&progress));
    let look = shown(&asks(facebook().locate(&job, &progress, &[])));
    insta::assert_json_snapshot!([asked(&job, &progress), look], @r#"
    [
      {
        "body": [
          "message=First!\nAnd more"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001_2001/comments",
        "visible": true
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/1001_2001/comments?filter=stream&order=reverse_chronological&fields=id%2Cfrom%2Cmessage%2Ccreated_time&limit=50",
        "visible": false
      }
    ]
    "#);
    let Ok(Step::Live(live)) = step(&job, &progress, &[ok(&json!({ "id": "2001_1" }))]) else {
        panic!("not made")
    };
    let remote = live.remote.unwrap();
    assert_eq!(remote.url.as_deref(), Some("https://www.facebook.com/p/1"));
    assert_eq!(remote.record, json!({ "firstComment": "2001_1" }));
    assert_eq!(live.then, None);
    assert_eq!(facebook().skip(&progress), None);
}

#[test]
fn a_lost_comment_is_looked_for_among_those_of_the_page() {
    let mut job = job();
    let progress = before_comment(&job);
    let begun = job.now;
    let at = |seconds: i64| {
        let at = begun + TimeDelta::seconds(seconds);
        at.format("%Y-%m-%dT%H:%M:%S+0000").to_string()
    };
    let text = "First!\nAnd more";
    let comment = |id: &str, from: Value, message: &str, seconds: i64| {
        let at = at(seconds);
        json!({ "id": id, "from": from, "message": message, "created_time": at })
    };
    let own = json!({ "id": "1001" });
    let list = |comments: Vec<Value>| ok(&json!({ "data": comments }));
    for (name, found, want) in [
        ("own", comment("1", own.clone(), text, 1), true),
        ("by nobody", comment("1", Value::Null, text, 1), true),
        ("another's", comment("1", json!({ "id": "5" }), text, 1), false),
        ("another text", comment("1", own.clone(), "Thanks to all", 1), false),
        ("an earlier one", comment("1", own.clone(), text, -700), false),
    ] {
        let located = done(facebook().locate(&job, &progress, &[list(vec![found])]));
        assert_eq!(matches!(located, Located::Live(_)), want, "{name}: {located:?}");
    }
    let located = done(facebook().locate(&job, &progress, &[list(vec![])]));
    let Located::Wait { progress: waiting, until } = located else { panic!("{located:?}") };
    job.now = until;
    let located = done(facebook().locate(&job, &waiting, &[list(vec![])]));
    let Located::Absent(again) = located else { panic!("{located:?}") };
    assert!(!facebook().is_visible(&again));
    let cleaned = || list(vec![comment("1", own.clone(), "First! And more yes", 1)]);
    assert_eq!(done(facebook().locate(&job, &waiting, &[cleaned()])), Located::Unknown);
    let unread = error(10, 0, "pages_read_engagement");
    assert_eq!(done(facebook().locate(&job, &progress, &[unread])), Located::Unknown);
    let error = facebook().locate(&job, &progress, &[answered_text(500, "")]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Temporary);
}

#[test]
fn a_post_that_is_not_known_yet_is_waited_for() {
    let mut job = job();
    let mut progress = before_comment(&job);
    let unknown = || error(100, 33, "Object does not exist");
    for _ in 0..REFUSALS_MAX {
        let Ok(Step::Wait { progress: waiting, until }) = step(&job, &progress, &[unknown()])
        else {
            panic!("no wait")
        };
        job.now = until;
        progress = next(step(&job, &waiting, &[]));
    }
    let error = step(&job, &progress, &[unknown()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert!(error.message.starts_with("The first comment could not be made: "), "{error}");
    let error = step(&job, &progress, &[answered_text(500, "")]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Unsettled);
}

#[test]
fn a_page_that_may_not_comment_stays_connected() {
    let job = job();
    let progress = before_comment(&job);
    for (name, code, want) in [
        ("permission", 200, NetworkErrorKind::Permanent),
        ("another permission", 10, NetworkErrorKind::Permanent),
        ("token", 190, NetworkErrorKind::Reconnect),
    ] {
        let failed = step(&job, &progress, &[error(code, 0, "No.")]).unwrap_err();
        assert_eq!(failed.kind, want, "{name}: {failed}");
    }
}
