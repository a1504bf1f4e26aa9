//! What Bluesky's errors mean.
//!
//! Source: <https://atproto.com/specs/xrpc> ("Error Responses") and the lexicons of each call.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::NetworkError;

use crate::conversation::Answer;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary, TokenExpired};
use crate::refusals::{
    CONTENT, REFUSED, Refusal, TROUBLE, Table, known_of_tokens, named, rows, said_of_tokens, status,
};

const LIMIT: &str = "Bluesky takes no more from this account for now.";
const ENDED: &str = "Bluesky does not let this account in any more: {said}. Connect it again.";
const CONTENT_REFUSED: &str = "Bluesky refuses it: {said}";

const ERRORS: Table = Table {
    rows: rows! {
        status(&[429]) => Limited(None), LIMIT;
        named(&["RateLimitExceeded"]) => Limited(None), LIMIT;
        named(&["ExpiredToken"]).says(&["revoked"]) => Reconnect, ENDED;
        named(&["ExpiredToken", "invalid_token"]) => TokenExpired,
            "The access token of the Bluesky account has expired.";
        named(&["InvalidToken", "AuthenticationRequired", "AccountTakedown", "AccountSuspended",
            "AccountDeactivated", "AccountNotFound", "ScopeMissingError", "InsufficientScope"]) =>
            Reconnect,
            ENDED;
        named(&["AuthFactorTokenRequired"]) => REFUSED,
            "Bluesky asks for a code by e-mail, as it does for an account's main password. Use an app password: Settings, App passwords.";
        named(&["use_dpop_nonce", "BlobNotFound"]) => Temporary, "Bluesky could not do it: {said}";
        named(&["DailyLimitExceeded"]) => Limited(None),
            "Bluesky takes no more videos from this account today.";
        status(&[400]).named(&["InvalidRequest"]) => CONTENT, CONTENT_REFUSED;
        named(&["UnsupportedContentType", "VideoTooLarge", "VideoTooLong", "BadAspectRatio"]) =>
            CONTENT,
            CONTENT_REFUSED;
        named(&["InvalidSwap", "RecordNotFound", "HandleNotFound", "NotFound", "AuthMissing",
            "UploadForbidden"]) => REFUSED,
            "Bluesky refused: {said}";
        status(&[413]) => CONTENT, "The post is too large for this Bluesky server: {said}";
        TROUBLE => Failed, "Bluesky failed: {said}";
    },
    // Nothing that is known, so that it may pass.
    unknown: (Temporary, "Bluesky did not do it: {said}"),
};

/// What errors of the calls about access mean.
///
/// Source: RFC 6749, section 5.2, RFC 9126, section 2.3, and the names that
/// <https://github.com/bluesky-social/atproto>, `packages/oauth/oauth-provider`, gives.
const OF_TOKENS: Table = Table {
    rows: rows! {
        status(&[429]) => Limited(None), LIMIT;
        named(&["invalid_grant"]) => Reconnect,
            "Bluesky has ended the access to this account: {said}. Connect it again.";
        named(&["use_dpop_nonce", "invalid_client", "invalid_client_id", "invalid_client_metadata"]) => Temporary,
            "Bluesky could not read who this server is: {said}. The address of this server has to be reachable from the internet.";
        named(&["invalid_dpop_proof"]) => Temporary,
            "Bluesky did not take what this server has signed: {said}. Check that the clock of its machine is right.";
        status(&[400, 401, 403]) => REFUSED, "Bluesky gives no access: {said}";
        TROUBLE => Temporary, "Bluesky failed: {said}";
    },
    unknown: (Temporary, "Bluesky did not do it: {said}"),
};

/// What an error of a call about access means.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let said = said_of_tokens(answer);
    known_of_tokens(OF_TOKENS.rows, answer, said.clone()).unwrap_or_else(|| {
        let said = if said.is_empty() { format!("status {}", answer.status) } else { said };
        let (effect, sentence) = OF_TOKENS.unknown;
        Refusal { status: answer.status, places: vec![("said", said)], ..Refusal::default() }
            .failure(effect, sentence)
    })
}

/// True for an error of a name.
pub(super) fn is_error(answer: &Answer, name: &str) -> bool {
    !answer.is_success() && answer.words("error") == name
}

/// True for a record that was refused for the size of one of its blobs.
pub(super) fn is_too_large(answer: &Answer) -> bool {
    is_error(answer, "InvalidRequest") && answer.words("message").contains("blob too big")
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the server tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let name = answer.words("error");
    let said = match answer.words("message") {
        message if message.is_empty() => format!("status {}, {name}", answer.status),
        message => message,
    };
    ERRORS.failure(&Refusal {
        status: answer.status,
        names: vec![name],
        words: said.clone(),
        is_visible,
        wait: reset(answer, now),
        places: vec![("said", said)],
        ..Refusal::default()
    })
}

/// How long until the limit is lifted.
fn reset(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    let seconds = answer.header("ratelimit-reset").and_then(|text| text.parse().ok());
    let instant = seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    instant.and_then(|instant| answer.until(instant, now)).or_else(|| answer.retry_after(now))
}

#[cfg(test)]
mod tests {
    use scheduler_core::ports::NetworkErrorKind as Kind;
    use scheduler_core::target::FailureCode as Code;
    use serde_json::json;

    use super::*;
    use crate::testing::{answered, answered_text, begun_at, with_header};

    /// Every row of the errors that the documentation and the server's own program name, with the
    /// body that a server of version 0.5.35 answers.
    #[test]
    fn every_documented_error_has_its_meaning() {
        let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
        let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
        let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
        let refused = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
        let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
        let expired = (Kind::TokenExpired, Kind::TokenExpired, Code::AccountNotConnected);
        let limited = Kind::RateLimited { wait: None };
        let limited = (limited, limited, Code::RateLimited);
        for (status, error, message, (hidden, visible, code)) in [
            (
                400,
                "InvalidRequest",
                "Input/record must not have more than 300 graphemes: grapheme too big (maximum 300, got 301)",
                content,
            ),
            (
                400,
                "InvalidRequest",
                "string too big (maximum 3000, got 3025) at $.record.text",
                content,
            ),
            (
                400,
                "InvalidRequest",
                "array too big (maximum 4, got 5) at $.record.embed.images",
                content,
            ),
            (400, "InvalidRequest", "blob too big (maximum 2000000, got 2000001)", content),
            (
                400,
                "InvalidRequest",
                "Missing required key \"alt\" at $.record.embed.images[0]",
                content,
            ),
            (
                400,
                "InvalidRequest",
                "Invalid datetime (no timezone) at $.record.createdAt",
                content,
            ),
            (400, "InvalidRequest", "Invalid TID string", content),
            (400, "InvalidRequest", "Too many writes. Max: 200", content),
            (400, "BlobNotFound", "Could not find blob: bafkrei", temporary),
            (400, "InvalidSwap", "Record was at bafyrei", refused),
            (400, "RecordNotFound", "Could not locate record: at://a/b/c", refused),
            (400, "HandleNotFound", "Unable to resolve handle", refused),
            (400, "ExpiredToken", "Token has expired", expired),
            (400, "ExpiredToken", "Token has been revoked", reconnect),
            (400, "InvalidToken", "Token could not be verified", reconnect),
            (401, "AuthMissing", "Authentication Required", refused),
            (401, "AuthenticationRequired", "Invalid identifier or password", reconnect),
            (
                401,
                "AuthFactorTokenRequired",
                "A sign in code has been sent to your email address",
                refused,
            ),
            (401, "AccountTakedown", "Account has been taken down", reconnect),
            (401, "AccountDeactivated", "Account is deactivated", reconnect),
            (403, "AccountNotFound", "Account not found", reconnect),
            (401, "use_dpop_nonce", "Authorization server requires nonce in DPoP proof", temporary),
            (400, "use_dpop_nonce", "Resource server requires nonce in DPoP proof", temporary),
            (401, "invalid_token", "Token expired", expired),
            (403, "ScopeMissingError", "Missing required scope", reconnect),
            (413, "PayloadTooLarge", "request entity too large", content),
            (429, "RateLimitExceeded", "Rate Limit Exceeded", limited),
            (500, "InternalServerError", "Internal Server Error", failed),
            (502, "UpstreamFailure", "Upstream service unreachable", failed),
            (502, "", "", failed),
            (503, "", "", failed),
            (504, "", "", failed),
            (400, "NotFound", "Post not found: at://a/b/c", refused),
            (400, "UnsupportedContentType", "Unsupported content type", content),
            (400, "VideoTooLarge", "Video is too large", content),
            (400, "VideoTooLong", "Video is too long", content),
            (400, "BadAspectRatio", "Bad aspect ratio", content),
            (400, "DailyLimitExceeded", "Daily upload limit exceeded", limited),
            (400, "TooManyOpenUploads", "Too many open uploads", temporary),
            (400, "UploadForbidden", "Upload forbidden", refused),
            (503, "ServiceOverloaded", "Service overloaded", failed),
            (400, "SomethingNew", "", temporary),
            (403, "", "", temporary),
            (404, "", "", temporary),
            (301, "", "", temporary),
        ] {
            let answer = match error {
                "" => answered_text(status, "<html>a proxy</html>"),
                error => answered(status, &json!({ "error": error, "message": message })),
            };
            for (is_visible, kind) in [(false, hidden), (true, visible)] {
                let failure = failure(&answer, is_visible, None);
                assert_eq!(
                    (failure.kind, failure.code),
                    (kind, code),
                    "{status} {error} {message}"
                );
            }
        }
    }

    #[test]
    fn a_rate_limit_lasts_until_its_reset() {
        let limited = || {
            answered(
                429,
                &json!({ "error": "RateLimitExceeded", "message": "Rate Limit Exceeded" }),
            )
        };
        let at = begun_at();
        let reset = (at + TimeDelta::seconds(90)).timestamp().to_string();
        let date = (at - TimeDelta::seconds(10)).to_rfc2822();
        for (name, answer, want) in [
            ("by our clock", with_header(limited(), "ratelimit-reset", &reset), Some(90)),
            (
                "by the server's clock",
                with_header(with_header(limited(), "ratelimit-reset", &reset), "date", &date),
                Some(100),
            ),
            ("retry-after", with_header(limited(), "retry-after", "7"), Some(7)),
            (
                "both",
                with_header(with_header(limited(), "ratelimit-reset", &reset), "retry-after", "7"),
                Some(90),
            ),
            ("neither", limited(), None),
            ("out of range", with_header(limited(), "ratelimit-reset", "99999999999999999"), None),
        ] {
            let wait = want.map(TimeDelta::seconds);
            assert_eq!(failure(&answer, true, Some(at)).kind, Kind::RateLimited { wait }, "{name}");
        }
    }
}
