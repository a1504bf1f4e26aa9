//! Every error of X has its meaning.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::testing::{answered, answered_text, begun_at, with_header};
use crate::twitter::testing::{duplicate, problem, unseen};

const RESTRICTED: &str = "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.";

fn forbidden(detail: &str) -> Answer {
    problem(403, "", "Forbidden", detail)
}

fn invalid() -> Answer {
    answered(
        400,
        &json!({
            "errors": [{
                "parameters": { "text": ["a caption"] },
                "message": "$.text: must be at most 25000 characters long",
            }],
            "title": "Invalid Request",
            "detail": "One or more parameters to your request was invalid.",
            "type": "https://api.x.com/2/problems/invalid-request",
        }),
    )
}

fn numbered(status: u16, code: i64, message: &str) -> Answer {
    answered(status, &json!({ "errors": [{ "code": code, "message": message }] }))
}

#[test]
fn every_documented_error_has_its_meaning() {
    let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
    let wrong = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
    let expired = (Kind::TokenExpired, Kind::TokenExpired, Code::AccountNotConnected);
    let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
    let limit = Kind::RateLimited { wait: Some(TimeDelta::minutes(15)) };
    let limited = (limit, limit, Code::RateLimited);
    let credits = json!({
        "account_id": 1_234_567_890,
        "title": "CreditsDepleted",
        "detail": "Your enrolled account does not have any credits to fulfill this request.",
        "type": "https://api.twitter.com/2/problems/credits",
    });
    let unsupported = json!({
        "title": "Unsupported Authentication",
        "detail": "Authenticating with OAuth 2.0 Application-Only is forbidden for this endpoint.",
        "type": "https://api.twitter.com/2/problems/unsupported-authentication",
        "status": 403,
    });
    for (name, answer, (hidden, visible, code)) in [
        ("malformed", invalid(), content),
        ("unauthorized", problem(401, "", "Unauthorized", "Unauthorized"), expired),
        ("credits", answered(402, &credits), wrong),
        ("duplicate", duplicate(), content),
        ("duplicate, by its number", numbered(403, 187, "Status is a duplicate."), content),
        ("reply restriction", forbidden(RESTRICTED), wrong),
        (
            "reply restriction, worded otherwise",
            forbidden(
                "You can only reply to or quote posts where you are mentioned or are the author.",
            ),
            wrong,
        ),
        ("cashtags", forbidden("Posts are limited to a maximum of one cashtag."), content),
        ("a blocked link", forbidden("The Tweet contains an invalid URL."), content),
        ("not permitted", forbidden("You are not permitted to perform this action."), wrong),
        ("client", problem(403, "client-forbidden", "Client Forbidden", "No."), reconnect),
        ("kind of token", answered(403, &unsupported), reconnect),
        (
            "permissions of the application",
            problem(403, "oauth1-permissions", "Forbidden", "Your client app is not configured."),
            reconnect,
        ),
        (
            "suspended",
            problem(403, "user-suspended", "Forbidden", "The user is suspended"),
            reconnect,
        ),
        ("locked", numbered(403, 326, "this account is temporarily locked."), reconnect),
        ("cap", problem(403, "usage-capped", "UsageCapExceeded", "Monthly cap"), wrong),
        ("cap as a limit", problem(429, "usage-capped", "UsageCapExceeded", "Cap"), wrong),
        ("gone", problem(404, "resource-not-found", "Not Found Error", "Could not find"), wrong),
        ("parent", unseen(), wrong),
        (
            "parent, as another status",
            problem(
                400,
                "",
                "Invalid Request",
                "You attempted to reply to a Tweet that is deleted or not visible to you.",
            ),
            wrong,
        ),
        ("too long", problem(400, "", "Bad Request", "Your Tweet text is too long."), content),
        ("limit", problem(429, "", "Too Many Requests", "Too Many Requests"), limited),
        ("limit by number", numbered(400, 88, "Rate limit exceeded"), limited),
        ("a day's limit", numbered(403, 185, "User is over daily status update limit."), limited),
        ("limit without a body", answered_text(429, ""), limited),
        ("failed", problem(500, "", "Internal Server Error", "Something is broken"), failed),
        ("bad gateway", answered_text(502, "<html>"), failed),
        ("unavailable", problem(503, "", "Service Unavailable", "Service Unavailable"), failed),
        ("gateway", answered_text(504, ""), failed),
        ("timeout", answered_text(408, ""), failed),
        ("unknown 403", forbidden("Something new."), temporary),
        ("unknown code", answered(409, &json!({ "code": 999, "message": "New." })), temporary),
        ("a page", answered_text(403, "<html>"), temporary),
        ("a page in place of nothing", answered_text(404, "<html>"), temporary),
        ("moved", answered_text(302, ""), temporary),
    ] {
        for (is_visible, kind) in [(false, hidden), (true, visible)] {
            let error = failure(&answer, is_visible, None);
            assert_eq!((error.kind, error.code), (kind, code), "{name}: {error}");
            assert!(!error.message.contains("a caption"), "{error}");
        }
    }
}

#[test]
fn a_limit_lasts_until_the_latest_reset_of_what_is_used_up() {
    let now = begun_at();
    let limited = |headers: &[(&str, i64)]| {
        let answer = answered_text(429, "");
        headers
            .iter()
            .fold(answer, |answer, (name, value)| with_header(answer, name, &value.to_string()))
    };
    let at = |seconds: i64| now.timestamp() + seconds;
    let short = ("x-rate-limit-reset", at(90));
    let day = ("x-user-limit-24hour-reset", at(7_200));
    let app = ("x-app-limit-24hour-reset", at(3_600));
    for (name, answer, want) in [
        ("one", limited(&[short]), 90),
        ("the latest", limited(&[short, day, app]), 7_200),
        ("only what is used up", limited(&[short, day, ("x-user-limit-24hour-remaining", 10)]), 90),
        ("nothing says that it is used up", limited(&[short, ("x-rate-limit-remaining", 3)]), 90),
        ("past", limited(&[("x-rate-limit-reset", at(-5))]), 0),
        ("seconds", limited(&[("retry-after", 7)]), 7),
        ("nothing", limited(&[]), 900),
        ("unreadable", with_header(answered_text(429, ""), "x-rate-limit-reset", "soon"), 900),
        (
            "by X's own clock",
            with_header(limited(&[short]), "date", "Fri, 20 Nov 2026 10:00:30 GMT"),
            60,
        ),
    ] {
        let wait = Some(TimeDelta::seconds(want));
        assert_eq!(failure(&answer, true, Some(now)).kind, Kind::RateLimited { wait }, "{name}");
    }
}

#[test]
fn errors_of_the_calls_about_tokens() {
    let oauth = |status, error: &str, description: &str| {
        answered(status, &json!({ "error": error, "error_description": description }))
    };
    for (name, answer, want) in [
        (
            "spent or revoked",
            oauth(400, "invalid_request", "Value passed for the token was invalid."),
            Kind::Reconnect,
        ),
        ("by its usual name", oauth(400, "invalid_grant", "No."), Kind::Reconnect),
        (
            "a wrong secret",
            oauth(401, "unauthorized_client", "Missing valid authorization header"),
            Kind::Permanent,
        ),
        ("an unknown application", oauth(400, "invalid_client", "No."), Kind::Permanent),
        (
            "something missing",
            oauth(400, "invalid_request", "Missing required parameter [client_id]."),
            Kind::Temporary,
        ),
        ("down", answered_text(503, "<html>"), Kind::Temporary),
        ("a proxy", answered_text(403, "<html>"), Kind::Temporary),
        ("a proxy that wants a login", answered_text(401, "<html>"), Kind::Temporary),
        ("limit", answered_text(429, ""), Kind::RateLimited { wait: Some(TimeDelta::minutes(15)) }),
    ] {
        assert_eq!(token_failure(&answer).kind, want, "{name}");
    }
}

#[test]
fn the_networks_words_hold_no_address_and_no_token() {
    let token = "bWRWa3gzdnk3WHRGU1o0bmRRcTJ5VnVTR2FNMDg6MTYxNzM";
    for (name, text, want) in [
        ("plain", "Not allowed.", "Not allowed."),
        ("an address", "See https://t.co/x now", "See […] now"),
        ("a token", &format!("Token {token} is bad"), "Token […] is bad"),
        ("two lines", "a\r\nb", "a b"),
    ] {
        let message = failure(&forbidden(text), false, None).message;
        assert!(message.ends_with(&format!("X said: {want}")), "{name}: {message}");
    }
    let long = failure(&forbidden(&"é ".repeat(400)), false, None).message;
    assert!(long.chars().count() < 400, "{long}");
}
