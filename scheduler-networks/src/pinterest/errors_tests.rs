//! Every error of Pinterest has its meaning.

use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::pinterest::testing::fault;
use crate::testing::{answered, answered_text, begun_at, with_header};

#[test]
fn every_documented_error_has_its_meaning() {
    let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
    let refused = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
    let expired = (Kind::TokenExpired, Kind::TokenExpired, Code::AccountNotConnected);
    let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
    let minute = Kind::RateLimited { wait: Some(TimeDelta::seconds(60)) };
    let limited = (minute, minute, Code::RateLimited);
    let trial = "Apps with Trial access may not create Pins in production. Please use API Sandbox";
    let limit = "This request exceeded a rate limit. If this happens too often, contact us";
    let spam = json!({ "code": 8, "message": "Sorry", "message_detail": "Looks like spam." });
    let denied = json!({ "code": "PINNER_DATA_ACCESS_DENIED", "message": "No access" });
    for (name, answer, (hidden, visible, code), said) in [
        (
            "pattern",
            fault(400, 1, "Invalid request: '12a' does not match '^\\d+$'"),
            content,
            "12a",
        ),
        ("constraint", fault(400, 1, "constraint: maxItems=5"), content, "maxItems"),
        ("too long", fault(400, 400, "'aaa' is too long"), content, "too long"),
        ("words alone", fault(400, 99, "'aaa' is too long"), content, "too long"),
        ("unreachable", fault(400, 235, "Unable to reach the URL."), temporary, "public address"),
        ("cover", fault(400, 1, "cover_image_url is required"), refused, "cover"),
        ("link", fault(400, 12, "Invalid URL"), content, "another link"),
        ("blocked", fault(400, 12, "This site is blocked"), content, "another link"),
        ("quoted words", fault(400, 77, "No: 'a blocked spam recipe'"), temporary, "No"),
        ("unknown 400", fault(400, 77, "Something new"), temporary, "Something new"),
        ("expired", fault(401, 2, "Authentication failed."), expired, "Connect"),
        ("invalid", fault(401, 1104, "Token is invalid"), expired, "Connect"),
        ("scopes", fault(403, 3, "Missing: ['pins:write']"), reconnect, "everything"),
        ("board of others", fault(403, 7, "You are not permitted"), refused, "board of its own"),
        ("trial", fault(403, 29, trial), refused, "Standard access"),
        ("not permitted", fault(403, 29, "You are not permitted"), refused, "not permit"),
        ("personal", answered(403, &denied), refused, "business account"),
        ("disapproved", fault(403, 2625, "Disapproved"), refused, "reviews this account"),
        ("under review", fault(403, 2626, "Under review"), refused, "reviews this account"),
        ("unknown 403", fault(403, 1234, "Something new"), temporary, "Something new"),
        ("board", fault(404, 40, "Board not found."), content, "does not exist or is not yours"),
        ("pin", fault(404, 50, "Pin not found."), refused, "any more"),
        ("user", fault(404, 30, "User not found."), refused, "any more"),
        ("conflict", fault(409, 58, "Conflict"), temporary, "same thing"),
        ("size", answered_text(413, "<html>"), content, "too large"),
        ("form", fault(415, 1, "Unsupported Media Type"), content, "Unsupported"),
        ("limit", fault(429, 8, limit), limited, "for now"),
        ("other limit", fault(429, 30, "Too many"), limited, "for now"),
        ("no reason", answered_text(429, ""), limited, "for now"),
        ("spam", answered(429, &spam), content, "wait a day"),
        ("failed", fault(500, 1, "Oops"), failed, "Oops"),
        ("gateway", answered_text(502, "<html>"), failed, "status 502"),
        ("unavailable", answered_text(503, ""), failed, "status 503"),
        ("late", answered_text(504, ""), failed, "status 504"),
        ("timeout", answered_text(408, ""), failed, "status 408"),
        ("a page", answered_text(404, "<html>"), temporary, "could not be reached"),
        ("a page of 403", answered_text(403, "<html>"), temporary, "could not be reached"),
        ("moved", answered_text(302, ""), temporary, "could not be reached"),
        ("unknown", fault(418, 1, "Teapot"), temporary, "Teapot"),
    ] {
        for (is_visible, kind) in [(false, hidden), (true, visible)] {
            let error = failure(&answer, is_visible, None);
            assert_eq!((error.kind, error.code), (kind, code), "{name}: {error}");
            assert!(error.message.contains(said), "{name}: {error}");
        }
    }
}

#[test]
fn a_limit_ends_when_the_answer_says_so() {
    // 2026-11-20T10:00:00Z
    let now = begun_at();
    let limited = |message: &str| fault(429, 8, message);
    let with = |name, value: &str| with_header(limited("x"), name, value);
    let later = (now + TimeDelta::seconds(90)).timestamp().to_string();
    let midnight = now.date_naive().succ_opt().unwrap().and_time(NaiveTime::MIN).and_utc() - now;
    for (name, answer, want) in [
        ("nothing", limited("x"), TimeDelta::seconds(60)),
        ("seconds", with("retry-after", "7"), TimeDelta::seconds(7)),
        ("reset in seconds", with("x-ratelimit-reset", "30"), TimeDelta::seconds(30)),
        ("reset at a moment", with("x-ratelimit-reset", &later), TimeDelta::seconds(90)),
        ("reset that is none", with("x-ratelimit-reset", "soon"), TimeDelta::seconds(60)),
        ("of a day", limited("Your daily limit is used up"), midnight),
    ] {
        let error = failure(&answer, true, Some(now));
        assert_eq!(error.kind, Kind::RateLimited { wait: Some(want) }, "{name}");
    }
}

#[test]
fn every_error_about_tokens_has_its_meaning() {
    for (name, answer, want) in [
        ("expired", fault(400, 1, "Invalid refresh token"), Kind::Reconnect),
        ("revoked", fault(401, 2, "Authentication failed."), Kind::Reconnect),
        ("a page", answered_text(400, "<html>"), Kind::Temporary),
        ("scopes", fault(403, 3, "Missing"), Kind::Temporary),
        ("down", answered_text(503, ""), Kind::Temporary),
    ] {
        let error = token_failure(&answer);
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn every_error_of_the_place_for_videos_has_its_meaning() {
    let xml = |code: &str| format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code></Error>");
    for (name, status, body, want) in [
        ("too large", 400, xml("EntityTooLarge"), Kind::Permanent),
        ("too small", 400, xml("EntityTooSmall"), Kind::Permanent),
        ("proxy", 413, String::new(), Kind::Permanent),
        ("slow", 400, xml("RequestTimeout"), Kind::Temporary),
        ("busy", 503, xml("SlowDown"), Kind::Temporary),
        ("ended", 403, xml("AccessDenied"), Kind::Temporary),
        ("a page", 404, "<html>".to_owned(), Kind::Temporary),
    ] {
        let error = upload_failure(&answered_text(status, &body));
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn what_the_network_quotes_of_a_post_is_not_passed_on() {
    for (name, message, want) in [
        ("a text", format!("'{}' is too long", "secret ".repeat(120)), "'…' is too long"),
        ("its own quotes", format!("'it's {}' is too long", "x".repeat(40)), "'…' is too long"),
        ("repr", format!("\"it's {}\" is too long", "x".repeat(40)), "'…\" is too long"),
        (
            "an id",
            "Invalid request: '12a' does not match '^\\d+$'".to_owned(),
            "Invalid request: '12a' does not match '^\\d+$'",
        ),
        ("no quotes", "Board\r\nnot found.".to_owned(), "Boardnot found"),
        ("one", "Don't".to_owned(), "Don't"),
    ] {
        assert_eq!(said(&fault(400, 1, &message)), want, "{name}");
    }
    assert_eq!(said(&fault(400, 1, &"x".repeat(500))).len(), 300);
}
