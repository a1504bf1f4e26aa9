//! Every documented error, with a body as Discord sends it.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::testing::{answered, answered_text, begun_at, with_header};

const LIMITED: Kind = Kind::RateLimited { wait: None };

fn refused(status: u16, code: i64, message: &str) -> Answer {
    answered(status, &json!({ "message": message, "code": code }))
}

#[test]
fn every_documented_error_has_its_meaning() {
    let content = (Kind::Permanent, Code::ValidationFailed);
    let permanent = (Kind::Permanent, Code::NetworkRefused);
    let reconnect = (Kind::Reconnect, Code::AccountNotConnected);
    let limited = (LIMITED, Code::RateLimited);
    let temporary = (Kind::Temporary, Code::NetworkError);
    for (status, code, message, want) in [
        (400, 50_035, "Invalid Form Body", content),
        (400, 50_006, "Cannot send an empty message", content),
        (400, 30_015, "Maximum number of attachments in a message reached (10)", content),
        (400, 50_045, "File uploaded exceeds the maximum size", content),
        (413, 40_005, "Request entity too large", content),
        (400, 50_046, "Invalid file uploaded", content),
        (400, 50_123, "Invalid asset type", content),
        (400, 50_109, "The request body contains invalid JSON.", permanent),
        (
            400,
            220_001,
            "Webhooks posted to forum channels must have a thread_name or thread_id",
            content,
        ),
        (400, 220_003, "Webhooks can only create threads in forum channels", content),
        (
            400,
            220_002,
            "Webhooks posted to forum channels cannot have both a thread_name and thread_id",
            permanent,
        ),
        (
            400,
            40_058,
            "Cannot message this thread until after the post author has sent an initial message",
            content,
        ),
        (400, 40_067, "A tag is required to create a forum post in this channel", content),
        (400, 40_033, "This message has already been crossposted", permanent),
        (400, 10_087, "Unknown tag", content),
        (400, 40_066, "Tag can only be used by moderators", content),
        (400, 220_004, "Webhook services cannot be used in forum channels", permanent),
        (400, 520_002, "Invalid channel type for poll creation", content),
        (400, 520_003, "Cannot edit a poll message", permanent),
        (400, 200_000, "Message was blocked by automatic moderation", content),
        (400, 200_001, "Title was blocked by automatic moderation", content),
        (400, 240_000, "Message blocked by harmful links filter", content),
        (400, 160_004, "A thread has already been created for this message", permanent),
        (400, 160_005, "Thread is locked", permanent),
        (400, 50_083, "Thread is archived", permanent),
        (400, 30_046, "Maximum number of edits to messages older than 1 hour reached", limited),
        (429, 20_022, "This message cannot be edited due to announcement rate limits", limited),
        (401, 0, "401: Unauthorized", reconnect),
        (401, 40_001, "Unauthorized. Provide a valid token and try again", reconnect),
        (401, 50_014, "Invalid authentication token provided", reconnect),
        (401, 50_027, "Invalid Webhook Token", reconnect),
        (403, 50_001, "Missing Access", reconnect),
        (403, 50_013, "Missing Permissions", reconnect),
        (403, 20_016, "This action cannot be performed due to slowmode rate limit", limited),
        (429, 20_016, "This action cannot be performed due to slowmode rate limit", limited),
        (403, 40_333, "internal network error", permanent),
        (403, 400_001, "Access to file uploads has been limited for this guild", permanent),
        (404, 10_015, "Unknown Webhook", reconnect),
        (404, 10_003, "Unknown Channel", reconnect),
        (404, 10_004, "Unknown Guild", reconnect),
        (404, 10_008, "Unknown Message", permanent),
        (405, 0, "405: Method Not Allowed", permanent),
        (429, 0, "You are being rate limited.", limited),
        (429, 20_028, "The channel you are writing has hit the write rate limit", limited),
        (429, 20_029, "The server you are writing has hit the write rate limit", limited),
        (400, 999_999, "Something new", temporary),
        (403, 999_999, "Something new", temporary),
        (404, 0, "404: Not Found", temporary),
    ] {
        for is_visible in [false, true] {
            let error = failure(&refused(status, code, message), is_visible, None);
            assert_eq!((error.kind, error.code), want, "{status} {code}");
            assert!(error.message.contains(message), "{error}");
            assert!(error.message.contains(&format!("status {status}, code {code}")), "{error}");
        }
    }
}

#[test]
fn what_a_fault_of_discord_did_is_not_known_where_others_can_see_it() {
    for (name, answer) in [
        ("500", refused(500, 0, "500: Internal Server Error")),
        ("502", answered_text(502, "<html>")),
        ("504", answered_text(504, "")),
        ("130000", refused(503, 130_000, "API resource is currently overloaded.")),
        ("40006", refused(400, 40_006, "This feature has been temporarily disabled server-side")),
        ("408", answered_text(408, "")),
    ] {
        for (is_visible, kind) in [(false, Kind::Temporary), (true, Kind::Unsettled)] {
            let error = failure(&answer, is_visible, None);
            assert_eq!((error.kind, error.code), (kind, Code::NetworkError), "{name}");
        }
    }
}

#[test]
fn what_stands_before_discord_is_no_last_word() {
    for (name, status, kind) in [
        ("blocked", 403, Kind::Temporary),
        ("not found", 404, Kind::Temporary),
        ("unauthorized", 401, Kind::Temporary),
        ("moved", 302, Kind::Temporary),
        ("limited", 429, LIMITED),
    ] {
        let error = failure(&answered_text(status, "<html>a proxy</html>"), true, None);
        assert_eq!(error.kind, kind, "{name}");
    }
}

#[test]
fn the_field_that_is_wrong_is_named() {
    let body = json!({
        "message": "Invalid Form Body",
        "code": 50035,
        "errors": {
            "content": { "_errors": [{
                "code": "BASE_TYPE_MAX_LENGTH",
                "message": "Must be 2000 or fewer in length.",
            }] },
            "attachments": { "0": { "description": { "_errors": [{
                "code": "BASE_TYPE_MAX_LENGTH",
                "message": "Must be 1024 or fewer in length.",
            }] } } },
        },
    });
    assert_eq!(
        failure(&answered(400, &body), true, None).message,
        "Discord refuses a part of the post: change it. Discord says: Invalid Form Body: \
         attachments.0.description: Must be 1024 or fewer in length. content: Must be 2000 or \
         fewer in length. (status 400, code 50035)"
    );
}

#[test]
fn a_rate_limit_lasts_as_long_as_it_says() {
    let limited = |body: Value| answered(429, &body);
    let retry_after = |seconds: Value| limited(json!({ "retry_after": seconds, "global": false }));
    for (name, answer, want) in [
        ("a part of a second", retry_after(json!(0.53)), Some(530)),
        ("rounded up", retry_after(json!(1.0001)), Some(1_001)),
        ("whole seconds", retry_after(json!(2)), Some(2_000)),
        ("by the header", with_header(limited(json!({})), "retry-after", "65"), Some(65_000)),
        (
            "the body is more exact",
            with_header(retry_after(json!(64.57)), "retry-after", "65"),
            Some(64_570),
        ),
        (
            "by the window",
            with_header(limited(json!({})), "x-ratelimit-reset-after", "1.5"),
            Some(1_500),
        ),
        ("nothing", limited(json!({})), None),
        ("negative", retry_after(json!(-1)), None),
        ("no number", retry_after(json!("soon")), None),
    ] {
        let wait = want.map(TimeDelta::milliseconds);
        let error = failure(&answer, true, Some(begun_at()));
        assert_eq!(error.kind, Kind::RateLimited { wait }, "{name}");
    }
}
