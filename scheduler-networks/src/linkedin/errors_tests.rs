//! Every error of LinkedIn has its meaning.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::linkedin::testing::{SHARE, denied, duplicate, gone, refused};
use crate::testing::{answered, answered_text, begun_at, with_header};

const TOKENS: &str = include_str!("fixtures/error_token.json");
const DUPLICATE: &str = include_str!("fixtures/error_duplicate.json");

fn plain(status: u16, number: u32, code: &str) -> Answer {
    let body = json!({
        "status": status,
        "serviceErrorCode": number,
        "code": code,
        "message": "some words",
    });
    answered(status, &body)
}

#[test]
fn every_documented_error_has_its_meaning() {
    let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
    let wrong = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
    let expired = (Kind::TokenExpired, Kind::TokenExpired, Code::AccountNotConnected);
    let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
    let too_long = "ShareCommentary text length (8694 characters) exceeded the maximum allowed (3000 characters)";
    for (name, answer, (hidden, visible, code)) in [
        ("too long", refused(400, "FIELD_LENGTH_TOO_LONG", too_long), content),
        ("too many", refused(400, "FIELD_ARRAY_SIZE_TOO_HIGH", too_long), content),
        ("missing", refused(400, "MISSING_FIELD", ""), wrong),
        ("value", refused(400, "INVALID_VALUE_FOR_FIELD", ""), wrong),
        ("urn id", refused(400, "INVALID_URN_ID", ""), wrong),
        ("urn type", refused(400, "INVALID_URN_TYPE", ""), wrong),
        ("no version", plain(400, 0, "VERSION_MISSING"), wrong),
        ("waiting", refused(400, "MEDIA_ASSET_WAITING_UPLOAD", ""), temporary),
        ("unusable", refused(400, "MEDIA_ASSET_PROCESSING_FAILED", ""), content),
        ("upload ended", plain(400, 0, "EXPIRED_UPLOAD_URL"), temporary),
        ("unknown 400", plain(400, 0, "SOMETHING_NEW"), temporary),
        ("no token", plain(401, 0, "EMPTY_ACCESS_TOKEN"), expired),
        ("invalid token", plain(401, 65600, "INVALID_ACCESS_TOKEN"), expired),
        ("revoked token", answered_text(401, TOKENS), expired),
        ("expired token", plain(401, 65602, "EXPIRED_ACCESS_TOKEN"), expired),
        ("denied", denied(), reconnect),
        ("gone", gone(), wrong),
        ("conflict", plain(409, 0, "CONFLICT"), temporary),
        ("too large", answered_text(413, ""), content),
        ("wrong type", answered_text(415, ""), content),
        ("duplicate", answered_text(422, DUPLICATE), content),
        ("content", refused(422, "SOMETHING", "Refused."), content),
        ("unknown 422", plain(422, 0, "SOMETHING"), temporary),
        ("version", plain(426, 0, "NONEXISTENT_VERSION"), wrong),
        ("failed", plain(500, 0, "INTERNAL_SERVER_ERROR"), failed),
        ("unavailable", answered_text(503, ""), failed),
        ("gateway", answered_text(504, "<html>"), failed),
        ("a page", answered_text(404, "<html>"), temporary),
        ("moved", answered_text(302, ""), temporary),
        ("unknown", plain(418, 0, "TEAPOT"), temporary),
    ] {
        for (is_visible, kind) in [(false, hidden), (true, visible)] {
            let error = failure(&answer, is_visible, None);
            assert_eq!((error.kind, error.code), (kind, code), "{name}: {error}");
        }
    }
}

#[test]
fn every_error_about_tokens_has_its_meaning() {
    let oauth = |status, error: &str, description: &str| {
        answered(status, &json!({ "error": error, "error_description": description }))
    };
    for (name, answer, want) in [
        ("expired", oauth(400, "invalid_grant", "The refresh token has expired"), Kind::Reconnect),
        ("revoked", oauth(400, "invalid_request", "refresh token was revoked"), Kind::Reconnect),
        ("secret", oauth(401, "invalid_client", "Client authentication failed"), Kind::Permanent),
        ("other", oauth(400, "invalid_request", "A parameter is missing"), Kind::Temporary),
        ("no reason", answered_text(401, "{}"), Kind::Temporary),
        ("down", answered_text(503, ""), Kind::Temporary),
    ] {
        let error = token_failure(&answer);
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn a_daily_limit_ends_at_midnight_unless_the_answer_says_otherwise() {
    let limited = || plain(429, 101, "TOO_MANY_REQUESTS");
    let date = |text: &str| with_header(limited(), "date", text);
    // 2026-11-20T10:00:00Z
    let now = begun_at();
    let midnight =
        TimeDelta::hours(24) - (now - now.date_naive().and_time(NaiveTime::MIN).and_utc());
    for (name, answer, now, want) in [
        ("by our clock", limited(), Some(now), Some(midnight)),
        (
            "by the server's clock",
            date("Fri, 20 Nov 2026 23:59:00 GMT"),
            Some(now),
            Some(TimeDelta::seconds(60)),
        ),
        ("no clock", limited(), None, None),
        (
            "said",
            with_header(limited(), "retry-after", "90"),
            Some(now),
            Some(TimeDelta::seconds(90)),
        ),
    ] {
        assert_eq!(failure(&answer, true, now).kind, Kind::RateLimited { wait: want }, "{name}");
    }
}

#[test]
fn the_post_that_a_duplicate_names() {
    let named = |message: &str| refused(422, "DUPLICATE_POST", message);
    let ugc = "urn:li:ugcPost:7141138937766391809";
    for (name, answer, want) in [
        ("a share", duplicate(SHARE), Some(SHARE)),
        ("the network's own", answered_text(422, DUPLICATE), Some(SHARE)),
        ("another kind", duplicate(ugc), Some(ugc)),
        ("in a sentence", named(&format!("Duplicate: {SHARE}.")), Some(SHARE)),
        ("no number", named("Content is a duplicate of urn:li:share:"), None),
        ("no name", named("Content is a duplicate"), None),
        ("another error", refused(422, "OTHER", SHARE), None),
        ("another status", refused(400, "DUPLICATE_POST", SHARE), None),
    ] {
        assert_eq!(duplicate_of(&answer).as_deref(), want, "{name}");
    }
}
