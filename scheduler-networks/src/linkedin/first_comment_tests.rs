//! The first comment as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{NetworkErrorKind, PublishJob};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::linkedin::testing::{
    EVERYTHING, MEMBER, SELF_SERVE, SHARE, asks, created, denied, done, gone, job, linkedin,
};
use crate::testing::{answered, answered_text, begun_at, with_options};

const URN: &str = "urn:li:comment:(urn:li:activity:1,2)";

fn commented(scope: &str) -> (PublishJob, Value) {
    let job =
        with_options(job(MEMBER, scope), json!({ "firstComment": "More: https://a.example/x_y" }));
    let marked = next(done(linkedin().advance(&job, &linkedin().begin(&job), &[])));
    let Step::Live(live) = done(linkedin().advance(&job, &marked, &[created(SHARE)])) else {
        panic!("not live")
    };
    assert_eq!(live.remote.unwrap().id, SHARE);
    let then = live.then.unwrap();
    assert!(!linkedin().is_visible(&then));
    assert_eq!(linkedin().live_part(&then).unwrap().id, SHARE);
    assert_eq!(linkedin().skip(&then), None);
    let marked = next(done(linkedin().advance(&job, &then, &[])));
    assert!(linkedin().is_visible(&marked));
    (job, marked)
}

fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

#[test]
fn the_comment_is_plain_text_and_its_name_is_kept() {
    let (job, progress) = commented(SELF_SERVE);
    let request = asks(linkedin().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "actor": "urn:li:person:8675309",
        "message": {
          "text": "More: https://a.example/x_y"
        },
        "object": "urn:li:share:7141138937766391808"
      },
      "headers": {
        "authorization": "[redacted]",
        "linkedin-version": "202607",
        "x-restli-protocol-version": "2.0.0"
      },
      "request": "POST https://api.linkedin.com/rest/socialActions/urn%3Ali%3Ashare%3A7141138937766391808/comments",
      "visible": true
    }
    "#);
    for (name, answer, want) in [
        (
            "body",
            answered(201, &json!({ "id": "2", "commentUrn": URN })),
            json!({ "firstComment": URN }),
        ),
        ("header", created("2"), json!({ "firstComment": "2" })),
        ("id", answered(201, &json!({ "id": "2" })), json!({ "firstComment": "2" })),
        ("nothing", answered_text(201, ""), Value::Null),
    ] {
        let Step::Live(live) = done(linkedin().advance(&job, &progress, &[answer])) else {
            panic!("{name}: not live")
        };
        let remote = live.remote.unwrap();
        assert_eq!((remote.id.as_str(), remote.record), (SHARE, want), "{name}");
        assert_eq!(live.then, None, "{name}");
    }
}

#[test]
fn an_empty_comment_is_none() {
    for text in ["", " \n"] {
        let job = with_options(job(MEMBER, SELF_SERVE), json!({ "firstComment": text }));
        let marked = next(done(linkedin().advance(&job, &linkedin().begin(&job), &[])));
        let step = done(linkedin().advance(&job, &marked, &[created(SHARE)]));
        assert!(matches!(step, Step::Live(Live { then: None, .. })), "{step:?}");
    }
}

#[test]
fn a_post_that_is_not_known_yet_is_waited_for_three_times() {
    let unknown = || answered(400, &json!({ "message": "Unable to obtain activity for urn" }));
    let (job, mut progress) = commented(SELF_SERVE);
    for (seconds, answer) in [(2, gone()), (5, unknown()), (15, gone())] {
        let step = done(linkedin().advance(&job, &progress, &[answer]));
        let Step::Wait { progress: then, until } = step else { panic!("{step:?}") };
        assert_eq!(until, job.now + TimeDelta::seconds(seconds));
        progress = next(done(linkedin().advance(&job, &then, &[])));
    }
    let error = linkedin().advance(&job, &progress, &[gone()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert!(error.message.starts_with("The first comment could not be made"), "{error}");
}

#[test]
fn a_refusal_of_the_permission_tries_the_older_interface_once() {
    let (job, progress) = commented(SELF_SERVE);
    let older = next(done(linkedin().advance(&job, &progress, &[denied()])));
    let older = next(done(linkedin().advance(&job, &older, &[])));
    let request = asks(linkedin().advance(&job, &older, &[]));
    assert!(request.url.path().starts_with("/v2/socialActions/urn%3A"), "{}", request.url);
    let error = linkedin().advance(&job, &older, &[denied()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent, "the account stays connected");
}

#[test]
fn a_lost_comment_is_looked_for_and_left_out_where_that_is_not_allowed() {
    let (job, progress) = commented(SELF_SERVE);
    assert_eq!(done(linkedin().locate(&job, &progress, &[])), Located::Unknown);

    let (mut job, progress) = commented(EVERYTHING);
    let listed = |actor: &str, text: &str, seconds: i64| {
        let at = (begun_at() + TimeDelta::seconds(seconds)).timestamp_millis();
        json!({
            "id": "2", "commentUrn": URN, "actor": actor,
            "message": { "text": text }, "created": { "time": at },
        })
    };
    let list = |elements: &[Value]| answered(200, &json!({ "elements": elements }));
    let text = "More: https://a.example/x_y";
    let others = [
        listed("urn:li:person:other", text, 0),
        listed(MEMBER, "other", 0),
        listed(MEMBER, text, -601),
    ];
    let request = asks(linkedin().locate(&job, &progress, &[]));
    assert!(request.url.as_str().ends_with("/comments?start=0&count=100"), "{}", request.url);
    let found = list(&[others[0].clone(), listed(MEMBER, text, -60)]);
    let Located::Live(live) = done(linkedin().locate(&job, &progress, &[found])) else {
        panic!("not found")
    };
    assert_eq!(live.remote.unwrap().record, json!({ "firstComment": URN }));

    let looked = done(linkedin().locate(&job, &progress, &[list(&others)]));
    let Located::Wait { progress, until } = looked else { panic!("{looked:?}") };
    assert_eq!(until, job.now + TimeDelta::seconds(10));
    job.now = until;
    let looked = done(linkedin().locate(&job, &progress, &[list(&others)]));
    assert!(matches!(looked, Located::Absent(_)), "{looked:?}");
    let looked = done(linkedin().locate(&job, &progress, &[denied()]));
    assert_eq!(looked, Located::Unknown);
}
