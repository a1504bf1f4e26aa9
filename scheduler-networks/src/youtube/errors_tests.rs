//! Every error of YouTube has its meaning.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::testing::{answered, answered_text, begun_at, with_header};
use crate::youtube::testing::refused;

const QUOTA: &str = include_str!("fixtures/error_quota.json");
const SCOPE: &str = include_str!("fixtures/error_scope.json");

#[test]
fn every_documented_error_has_its_meaning() {
    let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
    let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
    let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
    let wrong = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
    let expired = (Kind::TokenExpired, Kind::TokenExpired, Code::AccountNotConnected);
    let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
    let no_channel = (Kind::Permanent, Kind::Permanent, Code::AccountNotConnected);
    let unauthenticated =
        json!({ "error": { "code": 401, "message": "x", "status": "UNAUTHENTICATED" } });
    let mut rows = vec![
        ("expired token", refused(401, "authError"), expired),
        ("newer notation", answered(401, &unauthenticated), expired),
        ("a bare 401", answered_text(401, ""), expired),
        ("no channel", refused(401, "youtubeSignupRequired"), no_channel),
        ("scopes", answered_text(403, SCOPE), reconnect),
        ("scopes, older", refused(403, "insufficientPermissions"), reconnect),
        ("api not enabled", refused(403, "accessNotConfigured"), wrong),
        ("comments off", refused(403, "commentsDisabled"), wrong),
        ("full playlist", refused(403, "playlistContainsMaximumNumberOfVideos"), content),
        ("comment, their side", refused(400, "processingFailure"), temporary),
        ("unknown 400", refused(400, "somethingNew"), temporary),
        ("unknown 403", refused(403, "somethingNew"), temporary),
        ("unknown 404", refused(404, "somethingNew"), temporary),
        ("short not processed", refused(400, "failedPrecondition"), temporary),
        ("too large", answered_text(413, ""), content),
        ("session gone", answered_text(410, ""), temporary),
        ("backend", refused(500, "backendError"), failed),
        ("unavailable", answered_text(503, ""), failed),
        ("gateway", answered_text(504, "<html>"), failed),
        ("a page", answered_text(404, "<html>"), temporary),
        ("moved", answered_text(302, ""), temporary),
        ("unknown", refused(418, "teapot"), temporary),
    ];
    for reason in [
        "invalidTitle",
        "invalidDescription",
        "invalidTags",
        "invalidCategoryId",
        "invalidFilename",
        "invalidPublishAt",
        "invalidRecordingDetails",
        "invalidVideoGameRating",
        "invalidVideoMetadata",
        "defaultLanguageNotSet",
        "mediaBodyRequired",
        "commentTextRequired",
        "commentTextTooLong",
        "invalidCustomEmoji",
        "invalidCommentMetadata",
        "operationNotSupported",
        "parentCommentIsPrivate",
        "parentIdMissing",
        "channelOrVideoIdMissing",
        "banWithoutReject",
        "contentRequired",
        "invalidMetadata",
        "nameTooLong",
        "imageFormatUnsupported",
        "imageTooTall",
        "imageTooWide",
    ] {
        rows.push((reason, refused(400, reason), content));
    }
    for reason in
        ["forbidden", "forbiddenPrivacySetting", "forbiddenLicenseSetting", "ineligibleAccount"]
    {
        rows.push((reason, refused(403, reason), wrong));
    }
    for reason in [
        "authenticatedUserAccountClosed",
        "authenticatedUserAccountSuspended",
        "accountDelegationForbidden",
        "channelClosed",
        "channelSuspended",
    ] {
        rows.push((reason, refused(403, reason), reconnect));
    }
    for reason in ["videoNotFound", "commentNotFound", "parentCommentNotFound", "playlistNotFound"]
    {
        rows.push((reason, refused(404, reason), wrong));
        assert!(is_gone(&refused(404, reason)), "{reason}");
    }
    for (name, answer, (hidden, visible, code)) in rows {
        for (is_visible, kind) in [(false, hidden), (true, visible)] {
            let error = failure(&answer, is_visible, None);
            assert_eq!((error.kind, error.code), (kind, code), "{name}: {error}");
        }
    }
}

#[test]
fn every_limit_has_its_wait() {
    // 2026-11-20T10:00:00Z is two in the night in California.
    let now = begun_at();
    let day = "2026-11-21T08:00:00Z".parse::<DateTime<Utc>>().unwrap();
    let quota = || answered_text(403, QUOTA);
    // Source: <https://github.com/googleapis/google-api-python-client/issues/2753>.
    let bucket = answered(
        429,
        &json!({ "error": {
            "code": 429,
            "message": "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service 'youtube.googleapis.com' for consumer 'project_number:1'.",
            "errors": [{ "reason": "rateLimitExceeded", "domain": "global" }],
            "status": "RESOURCE_EXHAUSTED",
        } }),
    );
    for (name, answer, now, want) in [
        ("a day's quota", quota(), Some(now), Some(day - now)),
        ("older name", refused(403, "dailyLimitExceeded"), Some(now), Some(day - now)),
        (
            "by the server's clock",
            with_header(quota(), "date", "Sat, 21 Nov 2026 07:59:00 GMT"),
            Some(now),
            Some(TimeDelta::seconds(60)),
        ),
        ("no clock", quota(), None, None),
        (
            "in summer",
            quota(),
            Some("2026-07-01T06:30:00Z".parse().unwrap()),
            Some(TimeDelta::minutes(30)),
        ),
        ("uploads", refused(400, "uploadLimitExceeded"), Some(now), Some(TimeDelta::hours(24))),
        ("the uploads of a day", bucket, Some(now), Some(day - now)),
        ("too fast", refused(403, "rateLimitExceeded"), Some(now), None),
        ("a user", refused(429, "userRateLimitExceeded"), Some(now), None),
        (
            "said",
            with_header(answered_text(429, ""), "retry-after", "90"),
            Some(now),
            Some(TimeDelta::seconds(90)),
        ),
    ] {
        let error = failure(&answer, true, now);
        assert_eq!(error.kind, Kind::RateLimited { wait: want }, "{name}: {error}");
    }
}

#[test]
fn every_error_about_tokens_has_its_meaning() {
    let oauth = |status, error: &str, description: &str| {
        answered(status, &json!({ "error": error, "error_description": description }))
    };
    for (name, answer, want) in [
        ("revoked", oauth(400, "invalid_grant", "Token has been revoked."), Kind::Reconnect),
        ("secret", oauth(401, "invalid_client", "Unauthorized"), Kind::Permanent),
        ("other", oauth(400, "invalid_request", "A parameter is missing"), Kind::Temporary),
        ("no reason", answered_text(401, "{}"), Kind::Temporary),
        ("down", answered_text(503, ""), Kind::Temporary),
    ] {
        let error = token_failure(&answer);
        assert_eq!(error.kind, want, "{name}: {error}");
    }
}

#[test]
fn the_networks_words_are_passed_on_and_cut() {
    let long = answered(
        400,
        &json!({ "error": { "message": "é\n".repeat(500), "errors": [{ "reason": "invalidTitle" }] } }),
    );
    let error = failure(&long, false, None);
    assert_eq!(error.message, format!("YouTube refused it: {}", "é".repeat(300)));
}
