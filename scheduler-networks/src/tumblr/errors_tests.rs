//! Every documented error, with a body as Tumblr sends it.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::testing::{answered, answered_text, begun_at, with_header};
use crate::tumblr::testing::fault;

const fn limited(wait: Option<TimeDelta>, code: Code) -> (Kind, Kind, Code) {
    let kind = Kind::RateLimited { wait };
    (kind, kind, code)
}

#[test]
fn every_documented_error_has_its_meaning() {
    let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
    let refused = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
    let expired = (Kind::TokenExpired, Kind::TokenExpired, Code::AccountNotConnected);
    let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
    let used_up = limited(None, Code::RateLimited);
    let later = |minutes| limited(Some(TimeDelta::minutes(minutes)), Code::NetworkError);
    for (status, code, detail, (hidden, visible, failure_code)) in [
        (400, 8001, "'content' must be an array", content),
        (400, 8005, "The uploaded media is not an acceptable format.", content),
        (400, 8002, "Invalid reblog parent", content),
        (400, 8016, "Invalid answer layout", refused),
        (400, 0, "Posts cannot be empty", content),
        (401, 1016, "Unable to authorize", expired),
        (403, 8004, "You have hit a posting or media upload limit for the day.", used_up),
        (403, 8011, "You cannot upload more videos today.", used_up),
        (403, 8023, "You've exceeded your daily post limit.", used_up),
        (403, 8010, "There is a video still transcoding.", later(5)),
        (403, 8022, "Your queue is full.", refused),
        (403, 8008, "Videos are not allowed here.", refused),
        (403, 0, "You may not use the carousel layout.", refused),
        (403, 0, "You do not have permission to post to this blog.", reconnect),
        (404, 0, "That post is gone.", refused),
        (429, 0, "Limit Exceeded", limited(Some(MINUTE), Code::RateLimited)),
        (500, 8006, "Unknown upload error", failed),
        (500, 8009, "Unknown video upload error", failed),
        (500, 0, "Something went very wrong", failed),
        (502, 0, "Bad Gateway", failed),
        (504, 0, "Gateway Timeout", failed),
        (503, 0, "Posting is disabled", later(15)),
        (418, 0, "Something new", temporary),
        (409, 77, "Something new", temporary),
    ] {
        let answer = fault(status, code, detail);
        for (is_visible, kind) in [(false, hidden), (true, visible)] {
            let failure = failure(&answer, is_visible, None);
            assert_eq!((failure.kind, failure.code), (kind, failure_code), "{status} {detail}");
        }
    }
}

#[test]
fn bodies_of_other_shapes() {
    let old =
        json!({ "meta": { "status": 403, "msg": "Forbidden" }, "response": { "error": "no" } });
    let bare = json!({ "meta": { "status": 400, "msg": "Bad Request" }, "response": [] });
    let inside = json!({
        "meta": { "status": 403, "msg": "Forbidden" },
        "response": { "errors": [{ "code": 8023, "title": "Limit" }] },
    });
    for (name, answer, hidden, visible) in [
        ("an older call", answered(403, &old), Kind::Reconnect, Kind::Reconnect),
        ("no errors", answered(400, &bare), Kind::Permanent, Kind::Permanent),
        (
            "errors in the response",
            answered(403, &inside),
            Kind::RateLimited { wait: None },
            Kind::RateLimited { wait: None },
        ),
        ("a page", answered_text(404, "<html>"), Kind::Temporary, Kind::Temporary),
        ("a refusing page", answered_text(403, "<html>"), Kind::Temporary, Kind::Temporary),
        ("a failing page", answered_text(503, "<html>"), Kind::Temporary, Kind::Unsettled),
        ("nothing", answered_text(504, ""), Kind::Temporary, Kind::Unsettled),
    ] {
        assert_eq!(failure(&answer, false, None).kind, hidden, "{name}");
        assert_eq!(failure(&answer, true, None).kind, visible, "{name}");
    }
    assert!(failure(&answered(403, &old), false, None).message.ends_with("Tumblr said: no"));
    assert!(failure(&answered(400, &bare), false, None).message.ends_with("said: Bad Request"));
}

#[test]
fn a_blog_that_is_gone_has_to_be_connected_again() {
    let gone = fault(404, 0, "Not Found");
    assert_eq!(blog_failure(&gone, true, None).kind, Kind::Reconnect);
    assert!(is_gone(&gone));
    let page = answered_text(404, "<html>");
    assert_eq!(blog_failure(&page, true, None).kind, Kind::Temporary);
    assert!(!is_gone(&page));
    let other = fault(400, 8001, "x");
    assert_eq!(blog_failure(&other, true, None).kind, Kind::Permanent);
}

#[test]
fn too_many_calls_are_waited_for_as_told() {
    let limit = || {
        let answer = fault(429, 0, "Limit Exceeded");
        let answer = with_header(answer, "x-ratelimit-perhour-limit", "1000");
        with_header(answer, "x-ratelimit-perday-limit", "5000")
    };
    let windows = |answer, hour: (&str, &str), day: (&str, &str)| {
        let answer = with_header(answer, "x-ratelimit-perhour-remaining", hour.0);
        let answer = with_header(answer, "x-ratelimit-perhour-reset", hour.1);
        let answer = with_header(answer, "x-ratelimit-perday-remaining", day.0);
        with_header(answer, "x-ratelimit-perday-reset", day.1)
    };
    for (name, answer, want) in [
        ("the hour", windows(limit(), ("0", "1200"), ("3000", "50000")), 1_200),
        ("the day", windows(limit(), ("500", "1200"), ("0", "50000")), 50_000),
        ("both", windows(limit(), ("0", "1200"), ("0", "50000")), 50_000),
        ("neither", windows(limit(), ("500", "1200"), ("3000", "50000")), 60),
        ("unreadable", windows(limit(), ("0", "soon"), ("3000", "x")), 60),
        ("a page", with_header(answered_text(429, ""), "retry-after", "7"), 7),
        ("nothing", answered_text(429, ""), 60),
    ] {
        let wait = Some(TimeDelta::seconds(want));
        let kind = failure(&answer, true, Some(begun_at())).kind;
        assert_eq!(kind, Kind::RateLimited { wait }, "{name}");
    }
}

#[test]
fn errors_about_tokens() {
    let oauth = |error: &str| json!({ "error": error, "error_description": "The words" });
    for (name, answer, want) in [
        ("a used token", answered(400, &oauth("invalid_grant")), Kind::Reconnect),
        ("an expired token", answered(401, &oauth("invalid_grant")), Kind::Reconnect),
        ("no application", answered(401, &oauth("invalid_client")), Kind::Permanent),
        ("something new", answered(400, &oauth("something")), Kind::Temporary),
        ("not about the grant", fault(401, 1016, "Unauthorized"), Kind::Temporary),
        ("a page", answered_text(502, "<html>"), Kind::Temporary),
        ("too many", fault(429, 0, "Limit Exceeded"), Kind::RateLimited { wait: Some(MINUTE) }),
    ] {
        assert_eq!(token_failure(&answer).kind, want, "{name}");
    }
    let message = token_failure(&answered(400, &oauth("invalid_grant"))).message;
    assert!(message.ends_with("Tumblr said: The words"), "{message}");
}

#[test]
fn the_networks_words_hold_no_address_and_no_token() {
    let token = "aTokenOfManyCharacters".repeat(4);
    for (name, text, want) in [
        ("plain", "Posts cannot be empty", "Posts cannot be empty"),
        ("an address", "The URL https://a.example/x?sig=1 failed", "The URL […] failed"),
        ("a token", &format!("Bad token {token}"), "Bad token […]"),
        ("two lines", "a\r\nb", "a b"),
    ] {
        let message = failure(&fault(400, 0, text), false, None).message;
        assert!(message.ends_with(&format!("Tumblr said: {want}")), "{name}: {message}");
    }
}
