//! Every error of the Bot API, by its real body.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::{Value, json};

use super::*;
use crate::telegram::testing::{moved, refused};
use crate::testing::{answered, answered_text, begun_at, with_header};

#[test]
fn every_documented_error_has_its_meaning() {
    let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
    let network = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
    let unsupported = (Kind::Permanent, Kind::Permanent, Code::Unsupported);
    let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
    let limited = Kind::RateLimited { wait: None };
    let limited = (limited, limited, Code::RateLimited);
    for (number, description, (hidden, visible, code)) in [
        (400, "Bad Request: message is too long", content),
        (400, "Bad Request: text is too long", content),
        (400, "Bad Request: message caption is too long", content),
        (400, "Bad Request: message text is empty", content),
        (
            400,
            "Bad Request: can't parse entities: Unsupported start tag \"x\" at byte offset 0",
            content,
        ),
        (400, "Bad Request: PHOTO_INVALID_DIMENSIONS", content),
        (400, "Bad Request: PHOTO_EXT_INVALID", content),
        (400, "Bad Request: photo has unsupported extension \"webm\"", content),
        (400, "Bad Request: file of size 10485761 bytes is too big for a photo", content),
        (400, "Bad Request: IMAGE_PROCESS_FAILED", content),
        (400, "Bad Request: document can't be mixed with other media types", content),
        (400, "Bad Request: too many messages to send as an album", content),
        (400, "Bad Request: message thread not found", content),
        (400, "Bad Request: BUTTON_URL_INVALID", content),
        (400, "Bad Request: can't parse inline keyboard button: Text must be non-empty", content),
        (400, "Bad Request: poll question length must not exceed 300", content),
        (400, "Bad Request: wrong file identifier/HTTP URL specified", temporary),
        (400, "Bad Request: failed to get HTTP URL content", temporary),
        (400, "Bad Request: wrong type of the web page content", temporary),
        (400, "Bad Request: chat not found", reconnect),
        (400, "Bad Request: group chat was upgraded to a supergroup chat", temporary),
        (400, "Bad Request: not enough rights to send text messages to the chat", reconnect),
        (400, "Bad Request: have no write access to the chat", reconnect),
        (400, "Bad Request: need administrator rights in the channel chat", reconnect),
        (400, "Bad Request: CHAT_WRITE_FORBIDDEN", reconnect),
        (400, "Bad Request: CHAT_ADMIN_REQUIRED", reconnect),
        (400, "Bad Request: TOPIC_CLOSED", reconnect),
        (400, "Bad Request: message to edit not found", network),
        (400, "Bad Request: message to delete not found", network),
        (400, "Bad Request: message can't be deleted", unsupported),
        (400, "Bad Request: message can't be deleted for everyone", unsupported),
        (400, "Bad Request: message can't be edited", network),
        (400, "Logged out", reconnect),
        (400, "Bad Request: something that nobody has seen yet", temporary),
        (401, "Unauthorized", reconnect),
        (401, "Unauthorized: invalid token specified", reconnect),
        (403, "Forbidden: bot was kicked from the channel chat", reconnect),
        (403, "Forbidden: bot was kicked from the supergroup chat", reconnect),
        (403, "Forbidden: bot is not a member of the channel chat", reconnect),
        (403, "Forbidden: bot was blocked by the user", reconnect),
        (403, "Forbidden: the group chat was deleted", reconnect),
        (403, "Forbidden: user is deactivated", reconnect),
        (403, "Forbidden: something that nobody has seen yet", temporary),
        (404, "Not Found", reconnect),
        (404, "Not Found: method not found", network),
        (
            409,
            "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            temporary,
        ),
        (413, "Request Entity Too Large", content),
        (418, "I'm a teapot", temporary),
        (420, "FLOOD_WAIT", limited),
        (429, "Too Many Requests", limited),
        (500, "Internal Server Error: restart", failed),
        (502, "Bad Gateway", failed),
        (503, "Service Unavailable", failed),
        (504, "Gateway Timeout", failed),
    ] {
        let answer = refused(number, description);
        for (is_visible, kind) in [(false, hidden), (true, visible)] {
            let failure = failure(&answer, is_visible, None);
            assert_eq!((failure.kind, failure.code), (kind, code), "{number} {description}");
            let has_words = matches!(kind, Kind::RateLimited { .. });
            assert!(has_words || failure.message.contains(description), "{failure}");
        }
    }
}

#[test]
fn answers_of_what_stands_in_front_of_the_server() {
    for (status, hidden, visible) in [
        (301, Kind::Permanent, Kind::Permanent),
        (400, Kind::Temporary, Kind::Unsettled),
        (403, Kind::Temporary, Kind::Unsettled),
        (404, Kind::Temporary, Kind::Unsettled),
        (413, Kind::Permanent, Kind::Permanent),
        (429, Kind::RateLimited { wait: None }, Kind::RateLimited { wait: None }),
        (502, Kind::Temporary, Kind::Unsettled),
        (504, Kind::Temporary, Kind::Unsettled),
    ] {
        let answer = answered_text(status, "<html>a proxy</html>");
        assert_eq!(failure(&answer, false, None).kind, hidden, "{status}");
        assert_eq!(failure(&answer, true, None).kind, visible, "{status}");
    }
}

#[test]
fn a_refusal_under_a_good_status_is_still_one() {
    let body =
        json!({ "ok": false, "error_code": 400, "description": "Bad Request: chat not found" });
    assert_eq!(failure(&answered(200, &body), true, None).kind, Kind::Reconnect);
}

#[test]
fn descriptions_are_matched_whatever_their_case() {
    for description in ["Bad Request: Chat not found", "BAD REQUEST: CHAT NOT FOUND"] {
        assert_eq!(failure(&refused(400, description), true, None).kind, Kind::Reconnect);
    }
}

#[test]
fn a_rate_limit_names_its_wait() {
    let told = |parameters: Value| {
        let description = "Too Many Requests: retry after 12";
        let body = json!({
            "ok": false, "error_code": 429, "description": description, "parameters": parameters,
        });
        answered(429, &body)
    };
    for (name, answer, want) in [
        ("in the body", told(json!({ "retry_after": 12 })), Some(12)),
        ("in both", with_header(told(json!({ "retry_after": 12 })), "retry-after", "13"), Some(12)),
        ("in the header", with_header(told(json!({})), "retry-after", "13"), Some(13)),
        ("of a proxy", with_header(answered_text(429, "<html>"), "retry-after", "7"), Some(7)),
        ("nowhere", told(json!({})), None),
    ] {
        let wait = want.map(TimeDelta::seconds);
        let kind = failure(&answer, true, Some(begun_at())).kind;
        assert_eq!(kind, Kind::RateLimited { wait }, "{name}");
    }
}

#[test]
fn where_a_group_has_gone() {
    assert_eq!(moved_to(&moved(-1_001_234_567_890)), Some(-1_001_234_567_890));
    assert_eq!(moved_to(&refused(400, "Bad Request: chat not found")), None);
}

#[test]
fn refusals_that_are_no_failures() {
    let unchanged = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";
    let gone = "Bad Request: message to delete not found";
    for (description, want) in
        [(unchanged, (true, false)), (gone, (false, true)), ("Bad Request: x", (false, false))]
    {
        let answer = refused(400, description);
        assert_eq!((is_unchanged(&answer), is_gone(&answer)), want, "{description}");
    }
    assert!(!is_unchanged(&answered(200, &json!({ "ok": true, "description": unchanged }))));
}
