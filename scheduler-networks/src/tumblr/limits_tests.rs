//! What a user may still do today.

use serde_json::json;

use super::*;
use crate::conversation::Protocol;
use crate::testing::files::{with_file, with_images};
use crate::testing::{answered_text, begun_at, with_header};
use crate::tumblr::testing::{fault, held, ok, tumblr, tumblr_job};
use NetworkErrorKind as Kind;

fn limits() -> Answer {
    answered_text(200, include_str!("fixtures/limits.json"))
}

fn video(seconds: f64) -> PublishJob {
    let mut job = with_file(tumblr_job(), "video/mp4", "");
    job.files[0].facts.duration_seconds = Some(seconds);
    job
}

#[test]
fn what_is_left_lets_a_post_through_or_says_when_it_may_go() {
    let after = |seconds: i64| Some(TimeDelta::seconds(seconds));
    let until = |instant: i64| after(instant - begun_at().timestamp());
    for (name, job, want) in [
        ("enough", video(99.5), None),
        ("to the last second", video(100.0), None),
        ("a second too long", video(100.1), Some(until(1_795_240_800))),
        ("of unknown length", with_file(tumblr_job(), "video/mp4", ""), None),
        (
            "two videos",
            with_file(with_file(tumblr_job(), "video/mp4", ""), "video/mp4", ""),
            Some(until(1_795_237_200)),
        ),
        ("pictures", with_images(video(1.0), 29), None),
    ] {
        let kind = check(&job, &limits()).map_err(|error| error.kind);
        assert_eq!(kind, want.map_or(Ok(()), |wait| Err(Kind::RateLimited { wait })), "{name}");
    }
}

#[test]
fn an_answer_that_does_not_say_hinders_nothing() {
    for (name, answer, want) in [
        ("a fault", fault(500, 0, "x"), Ok(())),
        ("gone", fault(404, 0, "x"), Ok(())),
        ("a page", answered_text(200, "<html>"), Ok(())),
        ("other names", ok(&json!({ "user": { "likes": { "remaining": 0 } } })), Ok(())),
        ("an expired token", fault(401, 1016, "x"), Err(Kind::TokenExpired)),
        (
            "too many calls",
            fault(429, 0, "x"),
            Err(Kind::RateLimited { wait: Some(TimeDelta::seconds(60)) }),
        ),
        (
            "without an end",
            ok(&json!({ "user": { "videos": { "remaining": 0 } } })),
            Err(Kind::RateLimited { wait: Some(UNKNOWN_WAIT) }),
        ),
    ] {
        assert_eq!(check(&video(1.0), &answer).map_err(|error| error.kind), want, "{name}");
    }
}

#[test]
fn a_used_up_budget_is_waited_for_by_the_networks_clock() {
    let tumblr = tumblr();
    let wait = |refusal: &Answer, limits: &Answer| {
        let job = tumblr_job();
        let job = Protocol::job(&tumblr, &job).unwrap();
        let error = failure(refusal, true, Some(job.now));
        let refused = |answers: &[Answer]| -> TurnResult<()> {
            super::refused(&tumblr.api, &job, refusal, answers.iter(), error.clone())
        };
        let (asked, result) = held(std::slice::from_ref(limits), refused);
        (asked.len(), result.unwrap_err().kind)
    };
    let day = ok(&json!({ "user": {
        "posts": { "limit": 250, "remaining": 0, "reset_at": begun_at().timestamp() + 100 },
        "photos": { "limit": 250, "remaining": 7, "reset_at": begun_at().timestamp() + 200 },
        "videos": { "limit": 20, "remaining": 0, "reset_at": begun_at().timestamp() + 300 },
        "video_seconds": { "remaining": 5, "reset_at": begun_at().timestamp() + 400 },
    } }));
    let ahead = with_header(day.clone(), "date", "Fri, 20 Nov 2026 10:00:50 GMT");
    assert_eq!(begun_at().to_rfc3339(), "2026-11-20T10:00:00+00:00");
    let limited = |seconds| Kind::RateLimited { wait: Some(TimeDelta::seconds(seconds)) };
    for (name, code, limits, want) in [
        ("posts", 8023, &day, (1, limited(100))),
        ("videos", 8011, &day, (1, limited(300))),
        ("files", 8004, &day, (1, limited(300))),
        ("the server's clock is ahead", 8023, &ahead, (1, limited(50))),
        ("not told", 8023, &fault(500, 0, "x"), (1, limited(3_600))),
        ("no budget", 8010, &day, (0, limited(300))),
    ] {
        assert_eq!(wait(&fault(403, code, "Limit"), limits), want, "{name}");
    }
}
