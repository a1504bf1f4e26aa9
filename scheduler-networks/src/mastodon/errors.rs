//! What Mastodon's errors mean.
//!
//! There are no codes, only statuses and texts, some of which the server translates. A text that
//! is not known falls back on its status.
//!
//! Source: <https://docs.joinmastodon.org/entities/Error/> and
//! <https://github.com/mastodon/mastodon/blob/v4.6.5/app/controllers/concerns/api/error_handling.rb>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::NetworkError;
use scheduler_core::target::FailureCode;
use serde_json::Value;

use crate::conversation::Answer;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary};
use crate::refusals::{
    CONTENT, PAGE, REFUSED, Refusal, TROUBLE, Table, rows, status, status_between,
};

const OUTSIDE_SCOPES: &str = "outside the authorized scopes";
const UNPROCESSED: &str = "have not finished processing";
const WITHOUT_FILES: &str = "already attached to another post";

const ENDED: &str = "The server does not let this account in any more: {said}. Connect it again.";
const REFUSAL: &str = "The server refused: {said}";

const ERRORS: Table = Table {
    rows: rows! {
        status(&[429]) => Limited(None), "The server takes no more from this account for now.";
        // The server failed somewhere in the middle; what it had done by then is not known.
        TROUBLE => Failed, "The server failed: {said}";
        status(&[413]) => CONTENT, "The server refused: it is too large for this server";
        status(&[410]).unverified() => REFUSED, "The account is gone from its server.";
        status_between(300, 399) => REFUSED,
            "The server has moved. Connect the account again under its new address.";
        // Also without JSON, as snac says it: nothing in front of a server asks for our token.
        status(&[401]) => Reconnect, ENDED;
        // Something in front of the server answered for it, or the server does not offer the call.
        PAGE => Temporary, "The server answered with a page in place of what was asked for: status {status}.";
        // A person has to do something about the account.
        status(&[403]).says(&[OUTSIDE_SCOPES, "login is currently disabled",
            "confirmed e-mail address", "pending approval"]) => Reconnect,
            ENDED;
        status(&[422]).says(&["requires an authenticated user"]) => Reconnect, ENDED;
        status(&[422]).says(&[UNPROCESSED, WITHOUT_FILES]) => Temporary,
            "The files are not ready: {said}";
        status(&[422]) => CONTENT, REFUSAL;
        status(&[400, 403, 404]) => REFUSED, REFUSAL;
    },
    // Nothing that is known, so that it may pass.
    unknown: (Temporary, "The server did not do it: {said}"),
};

/// True when the server knows nothing of what was asked for, and not something in front of it.
pub(super) fn is_gone(answer: &Answer) -> bool {
    answer.status == 404 && answer.json::<Value>().is_some()
}

/// What an answer that is no success means for a call that does something after publishing. Other
/// software answers a call that it does not offer with a page.
pub(super) fn failure_of_act(answer: &Answer, now: DateTime<Utc>) -> NetworkError {
    let is_page = answer.json::<Value>().is_none();
    if is_page && matches!(answer.status, 404 | 405 | 501) {
        let message =
            format!("The server of this account does not offer this: status {}.", answer.status);
        return NetworkError::permanent(message).with_code(FailureCode::Unsupported);
    }
    failure_after(answer, false, now)
}

/// True when the access token does not allow what was asked for.
pub(super) fn is_outside_scopes(answer: &Answer) -> bool {
    is_refused_as(answer, 403, OUTSIDE_SCOPES)
}

/// True when the server could not make a smaller picture of a file, which is worth another try.
pub(super) fn is_failed_processing(answer: &Answer) -> bool {
    is_refused_as(answer, 500, "Error processing thumbnail")
}

/// True when a status was refused because the server still works on its files.
pub(super) fn is_unprocessed(answer: &Answer) -> bool {
    is_refused_as(answer, 422, UNPROCESSED)
}

/// True when a status was refused because its files are gone, or shown by another one.
pub(super) fn is_without_files(answer: &Answer) -> bool {
    is_refused_as(answer, 422, WITHOUT_FILES)
}

fn is_refused_as(answer: &Answer, status: u16, words: &str) -> bool {
    answer.status == status && answer.words("error").contains(words)
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the server tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let words = answer.words("error");
    let said = if words.is_empty() { format!("status {}", answer.status) } else { words.clone() };
    ERRORS.failure(&Refusal {
        status: answer.status,
        is_page: answer.json::<Value>().is_none(),
        words,
        is_visible,
        wait: reset(answer, now),
        places: vec![("said", said)],
        ..Refusal::default()
    })
}

/// What an answer that is no success means for a call after publishing. A scope that is missing for
/// it says nothing of publishing, which goes on.
pub(super) fn failure_after(answer: &Answer, is_visible: bool, now: DateTime<Utc>) -> NetworkError {
    if is_outside_scopes(answer) {
        return NetworkError::permanent(
            "The account has not allowed this: connect it again, and allow everything that is asked.",
        );
    }
    failure(answer, is_visible, Some(now))
}

/// How long until more is taken, when the answer to a call says that it was the last for now.
pub(super) fn used_up(answer: &Answer, now: DateTime<Utc>) -> Option<TimeDelta> {
    let is_last = answer.header("x-ratelimit-remaining").map(str::trim) == Some("0");
    reset(answer, Some(now)).filter(|wait| is_last && *wait > TimeDelta::zero())
}

/// How long until the limit is lifted.
fn reset(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    let instant = answer.header("x-ratelimit-reset").and_then(|text| text.parse().ok());
    instant.and_then(|instant| answer.until(instant, now)).or_else(|| answer.retry_after(now))
}

#[cfg(test)]
mod tests {
    use scheduler_core::ports::NetworkErrorKind as Kind;
    use scheduler_core::target::FailureCode as Code;
    use serde_json::json;

    use super::*;
    use crate::testing::{answered, answered_text, begun_at, with_header};

    /// Every row of the errors that the documentation and the server's own program name.
    #[test]
    fn every_documented_error_has_its_meaning() {
        let temporary = (Kind::Temporary, Kind::Temporary, Code::NetworkError);
        let failed = (Kind::Temporary, Kind::Unsettled, Code::NetworkError);
        let content = (Kind::Permanent, Kind::Permanent, Code::ValidationFailed);
        let refused = (Kind::Permanent, Kind::Permanent, Code::NetworkRefused);
        let reconnect = (Kind::Reconnect, Kind::Reconnect, Code::AccountNotConnected);
        let limited = Kind::RateLimited { wait: None };
        let limited = (limited, limited, Code::RateLimited);
        for (status, text, (hidden, visible, code)) in [
            (400, "param is missing or the value is empty: status", refused),
            (401, "The access token is invalid", reconnect),
            (401, "The access token was revoked", reconnect),
            (401, "The access token expired", reconnect),
            (401, "This API requires an authenticated user", reconnect),
            (403, "This action is outside the authorized scopes", reconnect),
            (403, "Your login is currently disabled", reconnect),
            (403, "Your login is missing a confirmed e-mail address", reconnect),
            (403, "Your login is currently pending approval", reconnect),
            (403, "This action is not allowed", refused),
            (404, "Record not found", refused),
            (404, "The post you are trying to reply to does not appear to exist.", refused),
            (410, "Gone", refused),
            (413, "", content),
            (422, "Validation failed: Text character limit of 500 exceeded", content),
            (422, "Validation failed: File content type is invalid", content),
            (422, "Validation failed: 9000x9000 images are not supported", content),
            (422, "Cannot attach more than 4 files", content),
            (
                422,
                "Cannot attach files that have not finished processing. Try again in a moment!",
                temporary,
            ),
            (422, "Media 1 not found or already attached to another post", temporary),
            (422, "This method requires an authenticated user", reconnect),
            (429, "Too many requests", limited),
            (500, "Error processing thumbnail for uploaded media", failed),
            (503, "There was a temporary problem serving your request, please try again", failed),
            (503, "Remote data could not be fetched", failed),
            (500, "", failed),
            (502, "", failed),
            (504, "", failed),
            (401, "", reconnect),
            (403, "", temporary),
            (404, "", temporary),
            (405, "Method Not Allowed", temporary),
            (422, "", temporary),
            (409, "Something new", temporary),
            (418, "I'm a teapot", temporary),
            (451, "", temporary),
            (301, "", refused),
        ] {
            let answer = match text {
                "" => answered_text(status, "<html>a proxy</html>"),
                text => answered(status, &json!({ "error": text })),
            };
            for (is_visible, kind) in [(false, hidden), (true, visible)] {
                let failure = failure(&answer, is_visible, None);
                assert_eq!((failure.kind, failure.code), (kind, code), "{status} {text}");
            }
        }
    }

    #[test]
    fn the_last_call_of_a_window_tells_how_long_it_lasts() {
        let at = begun_at();
        let answer = |remaining: &str, seconds: i64| {
            let reset = (at + TimeDelta::seconds(seconds)).to_rfc3339();
            let answer = with_header(answered(200, &json!({})), "x-ratelimit-reset", &reset);
            with_header(answer, "x-ratelimit-remaining", remaining)
        };
        for (name, answer, want) in [
            ("the last", answer("0", 90), Some(90)),
            ("not the last", answer("1", 90), None),
            ("over by now", answer("0", -1), None),
            ("not told", answered(200, &json!({})), None),
        ] {
            assert_eq!(used_up(&answer, at), want.map(TimeDelta::seconds), "{name}");
        }
    }

    #[test]
    fn a_rate_limit_lasts_until_its_reset() {
        let limited = || answered(429, &json!({ "error": "Too many requests" }));
        let at = begun_at();
        let reset = (at + TimeDelta::seconds(90)).to_rfc3339();
        let date = (at - TimeDelta::seconds(10)).to_rfc2822();
        for (name, answer, want) in [
            ("by our clock", with_header(limited(), "x-ratelimit-reset", &reset), Some(90)),
            (
                "by the server's clock",
                with_header(with_header(limited(), "x-ratelimit-reset", &reset), "date", &date),
                Some(100),
            ),
            (
                "with fractions",
                with_header(limited(), "x-ratelimit-reset", "2026-11-20T10:00:05.000000Z"),
                Some(5),
            ),
            ("retry-after", with_header(limited(), "retry-after", "7"), Some(7)),
            ("neither", limited(), None),
            ("unreadable", with_header(limited(), "x-ratelimit-reset", "soon"), None),
        ] {
            let wait = want.map(TimeDelta::seconds);
            assert_eq!(failure(&answer, true, Some(at)).kind, Kind::RateLimited { wait }, "{name}");
        }
    }
}
