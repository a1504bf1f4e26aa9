//! What the errors of Threads mean, row by row of its documentation.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::testing::{answered, answered_text, begun_at, with_header};
use crate::threads::testing::fault;

const fn limited(minutes: i64) -> (Kind, Kind, Code) {
    let kind = Kind::RateLimited { wait: Some(TimeDelta::minutes(minutes)) };
    (kind, kind, Code::RateLimited)
}

#[test]
fn every_documented_error_has_its_meaning() {
    let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
    let refused = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
    let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
    for (status, code, subcode, message, (hidden, visible, failure_code)) in [
        (500, 1, 0, "An unknown error occurred", failed),
        (500, 2, 0, "Service temporarily unavailable", failed),
        (400, -1, 0, "Fatal", failed),
        // Words of the post, which say nothing of the error.
        (500, 2, 0, "Could not post 'our 24-hour sale'", failed),
        (500, 2, 0, "Could not post \"LINK_LIMIT_EXCEEDED\"", failed),
        (400, 1, 99, "An unknown error occurred", failed),
        (403, 4, 0, "Application request limit reached", limited(60)),
        (400, 17, 0, "User request limit reached", limited(60)),
        (400, 32, 0, "Page request limit reached", limited(60)),
        (400, 613, 0, "Calls to this api have exceeded the rate limit.", limited(60)),
        (400, 9, 0, "The user has reached a limit.", limited(150)),
        (400, 0, 2_207_042, "Application request limit reached", limited(150)),
        (400, 100, 0, "You have reached the 24-hour limit of posts", limited(150)),
        (400, 100, 0, "Param text must be at most 500 characters long", content),
        (400, 100, 2_207_000, "Param alt_text is too long", content),
        (400, 100, 33, "Unsupported get request. Object does not exist", refused),
        (400, 100, 0, "THREADS_API__LINK_LIMIT_EXCEEDED", content),
        (400, 24, 2_207_006, "The requested resource does not exist", temporary),
        (400, 24, 2_207_008, "The requested resource does not exist", temporary),
        (400, 24, 4_279_009, "The requested resource does not exist", temporary),
        (400, 9004, 2_207_052, "The media could not be fetched from this URI", temporary),
        (400, 100, 0, "The media could not be fetched from this URI: https://x", temporary),
        (400, 36_000, 2_207_004, "The image is too large", content),
        (400, 36_001, 2_207_005, "The image format is not supported", content),
        (400, 36_003, 2_207_009, "The aspect ratio is not supported", content),
        (400, 352, 2_207_026, "The video format is not supported", content),
        (400, -5, 2_207_051, "We restrict certain activity", limited(24 * 60)),
        (400, 10, 4_279_013, "Your account is restricted", refused),
        (400, 10, 0, "Application does not have permission for this action", reconnect),
        (403, 200, 0, "Permissions error", reconnect),
        (403, 299, 0, "Permissions error", reconnect),
        (400, 102, 0, "Session key invalid", reconnect),
        (401, 190, 463, "Error validating access token: Session has expired", reconnect),
        (400, 190, 1_349_174, "Error validating access token", reconnect),
        (400, 77_777, 0, "Something new", temporary),
        (429, 77_777, 0, "Something new", limited(60)),
        (503, 77_777, 0, "Something new", failed),
    ] {
        let answer = fault(status, code, subcode, message);
        for (is_visible, kind) in [(false, hidden), (true, visible)] {
            let failure = failure(&answer, is_visible, None);
            assert_eq!(
                (failure.kind, failure.code),
                (kind, failure_code),
                "{code}/{subcode} {message}"
            );
            assert!(!failure.message.contains("://"), "{}", failure.message);
        }
    }
}

#[test]
fn answers_that_are_no_error_of_the_network() {
    let oauth = json!({
        "error_type": "OAuthException",
        "code": 400,
        "error_message": "Invalid authorization code",
    });
    let transient = json!({ "error": { "message": "x", "code": 4_000, "is_transient": true } });
    for (name, answer, hidden, visible) in [
        ("oauth", answered(400, &oauth), Kind::Reconnect, Kind::Reconnect),
        ("transient", answered(400, &transient), Kind::Temporary, Kind::Unsettled),
        ("a page", answered_text(404, "<html>"), Kind::Temporary, Kind::Temporary),
        ("a failing page", answered_text(502, "<html>"), Kind::Temporary, Kind::Unsettled),
        ("nothing", answered_text(500, ""), Kind::Temporary, Kind::Unsettled),
    ] {
        assert_eq!(failure(&answer, false, None).kind, hidden, "{name}");
        assert_eq!(failure(&answer, true, None).kind, visible, "{name}");
    }
}

#[test]
fn too_many_calls_are_waited_for_as_told() {
    let limit = || fault(403, 4, 0, "Application request limit reached");
    let business = |minutes: u32| {
        json!({ "178": [
            { "type": "threads", "call_count": 100, "estimated_time_to_regain_access": minutes },
            { "type": "other", "estimated_time_to_regain_access": 1 },
        ] })
        .to_string()
    };
    for (name, answer, want) in [
        ("minutes", with_header(limit(), "x-business-use-case-usage", &business(19)), 19 * 60),
        ("none to wait", with_header(limit(), "x-app-usage", r#"{"call_count":100}"#), 3_600),
        (
            "of the app",
            with_header(limit(), "x-app-usage", r#"{"estimated_time_to_regain_access":5}"#),
            300,
        ),
        ("unreadable", with_header(limit(), "x-app-usage", "soon"), 3_600),
        ("seconds", with_header(limit(), "retry-after", "7"), 7),
        ("without a body", with_header(answered_text(429, ""), "retry-after", "7"), 7),
        ("nothing", limit(), 3_600),
    ] {
        let wait = Some(TimeDelta::seconds(want));
        let kind = failure(&answer, true, Some(begun_at())).kind;
        assert_eq!(kind, Kind::RateLimited { wait }, "{name}");
    }
}

#[test]
fn the_networks_words_hold_no_address_and_no_token() {
    let token = "THQVJ".repeat(20);
    for (name, text, want) in [
        ("plain", "Param text is too long", "Param text is too long"),
        ("an address", "The URI https://a.example/x?sig=1 failed", "The URI […] failed"),
        ("a token", &format!("Malformed access token {token}"), "Malformed access token […]"),
        ("two lines", "a\r\nb", "a b"),
    ] {
        let answer = fault(400, 100, 0, text);
        let message = failure(&answer, false, None).message;
        assert!(message.ends_with(&format!("Threads said: {want}")), "{name}: {message}");
    }
    let answer = answered(
        400,
        &json!({ "error": { "message": "m", "code": 100, "error_user_msg": "For people" } }),
    );
    assert!(failure(&answer, false, None).message.ends_with("For people"));
}
