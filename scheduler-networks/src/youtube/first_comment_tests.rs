//! The first comment as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::ports::PublishJob;
use serde_json::Value;

use super::*;
use crate::conversation::{Conversation, shown};
use crate::testing::{answered, answered_text, begun_at};
use crate::youtube::testing::{
    CHANNEL, VIDEO, after_last, asks, done, next, refused, youtube, youtube_job,
};

fn marked() -> (PublishJob, Value) {
    let job = youtube_job(json!({ "firstComment": "More: https://a.example" }));
    let then = after_last(&job);
    assert!(!youtube().is_visible(&then));
    let marked = next(done(youtube().advance(&job, &then, &[])));
    assert!(youtube().is_visible(&marked));
    (job, marked)
}

fn listed(author: &str, text: &str, at: &str) -> Answer {
    answered(
        200,
        &json!({ "items": [{ "snippet": { "topLevelComment": {
            "id": "Ugz1",
            "snippet": {
                "textDisplay": text,
                "authorChannelId": { "value": author },
                "publishedAt": at,
            },
        } } }] }),
    )
}

#[test]
fn the_comment_is_made_and_its_id_kept() {
    let (job, progress) = marked();
    let request = asks(youtube().advance(&job, &progress, &[]));
    assert_json_snapshot!(shown(&request), @r#"
    {
      "body": {
        "snippet": {
          "topLevelComment": {
            "snippet": {
              "textOriginal": "More: https://a.example"
            }
          },
          "videoId": "aBcDeFgHiJk"
        }
      },
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "POST https://www.googleapis.com/youtube/v3/commentThreads?part=snippet",
      "visible": true
    }
    "#);
    let made = answered(200, &json!({ "id": "Ugz1" }));
    let Step::Live(live) = done(youtube().advance(&job, &progress, &[made])) else {
        panic!("not live")
    };
    let remote = live.remote.unwrap();
    assert_eq!((remote.id.as_str(), remote.record), (VIDEO, json!({ "firstComment": "Ugz1" })));
    let then = live.then.unwrap();
    assert_eq!(then["following"]["extras"], json!(["watch"]));
    assert_eq!(then["following"]["remote"]["record"]["firstComment"], "Ugz1");
    for (answer, want) in [
        (refused(403, "commentsDisabled"), Kind::Permanent),
        (refused(403, "insufficientPermissions"), Kind::Permanent),
        (answered_text(200, ""), Kind::InDoubt),
        (answered_text(500, ""), Kind::Unsettled),
    ] {
        let error = youtube().advance(&job, &progress, &[answer]).unwrap_err();
        assert_eq!(error.kind, want, "{error}");
    }
}

#[test]
fn a_lost_comment_is_looked_for_twice() {
    let text = "More: https://a.example";
    let (mut job, progress) = marked();
    let found =
        done(youtube().locate(&job, &progress, &[listed(CHANNEL, text, "2026-11-20T10:00:00Z")]));
    let Located::Live(live) = found else { panic!("{found:?}") };
    assert_eq!(live.remote.unwrap().record["firstComment"], "Ugz1");
    for (name, answer) in [
        ("another's", listed("UCother", text, "2026-11-20T10:00:00Z")),
        ("another text", listed(CHANNEL, "x", "2026-11-20T10:00:00Z")),
        ("long before", listed(CHANNEL, text, "2026-11-20T09:44:59Z")),
        ("none", answered(200, &json!({ "items": [] }))),
    ] {
        job.now = begun_at();
        let found = done(youtube().locate(&job, &progress, std::slice::from_ref(&answer)));
        let Located::Wait { progress: waiting, until } = found else { panic!("{name}: {found:?}") };
        assert!(youtube().is_visible(&waiting), "{name}");
        let early = done(youtube().locate(&job, &waiting, &[]));
        assert!(matches!(early, Located::Wait { .. }), "{name}: {early:?}");
        job.now = until;
        let settled = done(youtube().locate(&job, &waiting, &[answer]));
        let Located::Absent(again) = settled else { panic!("{name}: {settled:?}") };
        assert!(!youtube().is_visible(&again), "{name}: it is marked anew first");
    }
    let failed = youtube().locate(&job, &progress, &[answered_text(500, "")]).unwrap_err();
    assert_eq!(failed.kind, Kind::Temporary);
}
