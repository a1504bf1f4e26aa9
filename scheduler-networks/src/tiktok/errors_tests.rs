//! What the errors of TikTok mean, row by row of its documentation.

use chrono::TimeDelta;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::testing::{answered, answered_text, begun_at, with_header};
use crate::tiktok::testing::{ok, refused};

const fn limited(wait: TimeDelta) -> (Kind, Kind, Code) {
    let kind = Kind::RateLimited { wait: Some(wait) };
    (kind, kind, Code::RateLimited)
}

const fn both(kind: Kind, code: Code) -> (Kind, Kind, Code) {
    (kind, kind, code)
}

#[test]
fn every_documented_error_has_its_meaning_also_with_status_200() {
    let content = both(Kind::Permanent, Code::ValidationFailed);
    let denied = both(Kind::Permanent, Code::NetworkRefused);
    let reconnect = both(Kind::Reconnect, Code::AccountNotConnected);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let temporary = both(Kind::Temporary, Code::NetworkError);
    for (status, code, (hidden, visible, failure_code)) in [
        (400, "invalid_param", content),
        (400, "invalid_params", content),
        (400, "app_version_check_failed", both(Kind::Permanent, Code::Unsupported)),
        (400, "invalid_publish_id", denied),
        (400, "token_not_authorized_for_specified_publish_id", denied),
        (400, "publish_not_cancellable", denied),
        (401, "access_token_invalid", both(Kind::TokenExpired, Code::AccountNotConnected)),
        (401, "scope_not_authorized", reconnect),
        (401, "scope_permission_missed", reconnect),
        (403, "spam_risk_too_many_posts", limited(DAY_WAIT)),
        (403, "spam_risk_too_many_pending_share", limited(DRAFTS_WAIT)),
        (403, "reached_active_user_cap", limited(DAY_WAIT)),
        (403, "spam_risk_user_banned_from_posting", denied),
        (403, "spam_risk", denied),
        (403, "spam_risk_text", denied),
        (403, "unaudited_client_can_only_post_to_private_accounts", denied),
        (403, "url_ownership_unverified", denied),
        (403, "privacy_level_option_mismatch", content),
        (429, "rate_limit_exceeded", limited(MINUTE_WAIT)),
        (500, "internal_error", failed),
        (400, "something_new", temporary),
    ] {
        for status in [status, 200] {
            let answer = refused(status, code);
            for (is_visible, kind) in [(false, hidden), (true, visible)] {
                let taken: Result<Value, _> = taken(&answer, is_visible, None);
                let error = taken.unwrap_err();
                assert_eq!((error.kind, error.code), (kind, failure_code), "{status} {code}");
                assert!(error.message.contains(&format!("Why it is so. ({code})")), "{error}");
            }
        }
    }
}

#[test]
fn answers_that_are_not_the_networks_own() {
    let limited = Kind::RateLimited { wait: Some(TimeDelta::seconds(7)) };
    for (name, answer, hidden, visible) in [
        ("a proxy", answered_text(502, "<html>"), Kind::Temporary, Kind::Unsettled),
        ("a timeout", answered_text(408, ""), Kind::Temporary, Kind::Unsettled),
        ("a page", answered_text(404, "<html>"), Kind::Temporary, Kind::Temporary),
        ("a page for 401", answered_text(401, "<html>"), Kind::Temporary, Kind::Temporary),
        ("new with 401", refused(401, "x"), Kind::TokenExpired, Kind::TokenExpired),
        ("new with 503", refused(503, "x"), Kind::Temporary, Kind::Unsettled),
        (
            "a wait of its own",
            with_header(refused(429, "rate_limit_exceeded"), "retry-after", "7"),
            limited,
            limited,
        ),
        ("no code", with_header(answered_text(429, ""), "retry-after", "7"), limited, limited),
        (
            "ok with 400",
            answered(400, &json!({ "error": { "code": "ok" } })),
            Kind::Temporary,
            Kind::Temporary,
        ),
        ("a page for 200", answered_text(200, "<html>"), Kind::Temporary, Kind::InDoubt),
        ("other data", ok(&json!({ "status": 5 })), Kind::Temporary, Kind::InDoubt),
        ("no error", answered(200, &json!({ "data": {} })), Kind::Temporary, Kind::InDoubt),
    ] {
        for (is_visible, want) in [(false, hidden), (true, visible)] {
            let taken: Result<super::super::wire::Status, _> =
                taken(&answer, is_visible, Some(begun_at()));
            assert_eq!(taken.unwrap_err().kind, want, "{name} {is_visible}");
        }
    }
}

#[test]
fn every_reason_of_a_failed_publish_has_its_meaning() {
    let file = (Kind::Permanent, Code::ValidationFailed);
    let temporary = (Kind::Temporary, Code::NetworkError);
    for (reason, want) in [
        ("file_format_check_failed", file),
        ("duration_check_failed", file),
        ("frame_rate_check_failed", file),
        ("picture_size_check_failed", file),
        ("video_pull_failed", temporary),
        ("photo_pull_failed", temporary),
        ("internal", temporary),
        ("publish_cancelled", (Kind::Permanent, Code::NetworkRefused)),
        ("auth_removed", (Kind::Reconnect, Code::AccountNotConnected)),
        (
            "spam_risk_too_many_posts",
            (Kind::RateLimited { wait: Some(DAY_WAIT) }, Code::RateLimited),
        ),
        (
            "spam_risk_too_many_pending_share",
            (Kind::RateLimited { wait: Some(DRAFTS_WAIT) }, Code::RateLimited),
        ),
        ("spam_risk_user_banned_from_posting", (Kind::Permanent, Code::NetworkRefused)),
        ("spam_risk_text", (Kind::Permanent, Code::NetworkRefused)),
        ("spam_risk", (Kind::Permanent, Code::NetworkRefused)),
        (UPLOAD_ENDED, temporary),
        ("something_new", temporary),
        ("", temporary),
    ] {
        let error = of_reason(reason);
        assert_eq!((error.kind, error.code), want, "{reason}");
    }
}

#[test]
fn errors_of_the_calls_about_tokens() {
    for (status, code, want) in [
        (200, "invalid_grant", Kind::Reconnect),
        (400, "invalid_grant", Kind::Reconnect),
        (401, "invalid_client", Kind::Permanent),
        (400, "invalid_request", Kind::Permanent),
        (400, "invalid_scope", Kind::Permanent),
        (400, "unsupported_grant_type", Kind::Permanent),
        (200, "access_denied", Kind::Permanent),
        (400, "something_new", Kind::Temporary),
        (500, "server_error", Kind::Temporary),
    ] {
        let body = json!({ "error": code, "error_description": "Why.", "log_id": "2026" });
        let answer = answered(status, &body);
        assert!(is_token_refused(&answer));
        assert_eq!(token_failure(&answer).kind, want, "{status} {code}");
    }
    let limited = token_failure(&refused(429, "rate_limit_exceeded"));
    assert_eq!(limited.kind, Kind::RateLimited { wait: Some(MINUTE_WAIT) });
    assert_eq!(token_failure(&refused(401, "access_token_invalid")).kind, Kind::Temporary);
    assert_eq!(token_failure(&answered_text(502, "<html>")).kind, Kind::Temporary);
}

#[test]
fn refusals_of_chunks() {
    for (status, hidden, visible) in [
        (400, Kind::Permanent, Kind::Permanent),
        (401, Kind::Temporary, Kind::Temporary),
        (413, Kind::Temporary, Kind::Temporary),
        (500, Kind::Temporary, Kind::Unsettled),
        (503, Kind::Temporary, Kind::Unsettled),
        (
            429,
            Kind::RateLimited { wait: Some(MINUTE_WAIT) },
            Kind::RateLimited { wait: Some(MINUTE_WAIT) },
        ),
    ] {
        for (is_visible, want) in [(false, hidden), (true, visible)] {
            let error = chunk_failure(&answered_text(status, ""), is_visible, None);
            assert_eq!(error.kind, want, "{status}");
        }
    }
    let token = chunk_failure(&refused(401, "access_token_invalid"), true, None);
    assert_eq!(token.kind, Kind::Temporary, "a chunk carries no token");
}
