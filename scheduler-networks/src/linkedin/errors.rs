//! What LinkedIn's errors mean.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>
//! and <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling>.

use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use crate::conversation::Answer;

/// Codes of a 400 that say that the text or a list is too long.
const TOO_LONG: [&str; 2] = ["FIELD_LENGTH_TOO_LONG", "FIELD_ARRAY_SIZE_TOO_HIGH"];

/// Codes of a 400 that say that the call itself is wrong.
const WRONG_CALL: [&str; 5] = [
    "MISSING_FIELD",
    "INVALID_VALUE_FOR_FIELD",
    "INVALID_URN_ID",
    "INVALID_URN_TYPE",
    "VERSION_MISSING",
];

/// True when an error carries a code, as its own or as that of an input that was refused.
pub(super) fn has_code(answer: &Answer, code: &str) -> bool {
    !answer.is_success() && codes(answer).iter().any(|known| known == code)
}

/// The post that a refusal as a duplicate names.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Duplicate post".
pub(super) fn duplicate_of(answer: &Answer) -> Option<String> {
    let is_duplicate = answer.status == 422 && has_code(answer, "DUPLICATE_POST");
    let message = answer.words("message");
    let named = ["urn:li:share:", "urn:li:ugcPost:"].into_iter().find_map(|prefix| {
        let (_, after) = message.split_once(prefix)?;
        let digits = after.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(after.len());
        (digits > 0).then(|| format!("{prefix}{}", &after[..digits]))
    });
    named.filter(|_| is_duplicate)
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    use NetworkErrorKind as Kind;
    let said = said(answer);
    let codes = codes(answer);
    let has = |known: &[&str]| codes.iter().any(|code| known.contains(&code.as_str()));
    let is_page = answer.json::<Value>().is_none();
    let refused = |message: String| NetworkError::new(Kind::Permanent, message);
    let temporary = |message: String| NetworkError::new(Kind::Temporary, message);
    match answer.status {
        429 => NetworkError::new(
            Kind::RateLimited { wait: limit_ends(answer, now) },
            "LinkedIn takes no more calls for this account today.",
        ),
        // It failed somewhere in the middle; what it had done by then is not known.
        500.. | 408 => {
            let kind = if is_visible { Kind::Unsettled } else { Kind::Temporary };
            NetworkError::new(kind, format!("LinkedIn failed: {said}"))
                .with_code(FailureCode::NetworkError)
        }
        413 => refused("The file is too large for LinkedIn.".to_owned())
            .with_code(FailureCode::ValidationFailed),
        415 => refused(format!("LinkedIn does not take files of this type: {said}"))
            .with_code(FailureCode::ValidationFailed),
        426 => refused(format!(
            "LinkedIn has retired the version of its interface that this server speaks. The operator has to raise api_version of linkedin: {said}"
        )),
        // Something in front of LinkedIn answered for it.
        _ if is_page => {
            temporary(format!("LinkedIn could not be reached: status {}.", answer.status))
        }
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        401 => NetworkError::new(
            Kind::TokenExpired,
            format!(
                "LinkedIn does not accept the access token any more: {said}. Connect the account again."
            ),
        ),
        403 => NetworkError::new(
            Kind::Reconnect,
            format!(
                "LinkedIn does not allow this to the account: {said}. Connect it again with the permission, and check its role on the page."
            ),
        ),
        404 => refused(format!("LinkedIn does not have this any more: {said}")),
        409 => temporary(format!("LinkedIn was changing the same thing just now: {said}")),
        400 if has(&TOO_LONG) => refused(format!("The post is too long for LinkedIn: {said}"))
            .with_code(FailureCode::ValidationFailed),
        400 if has(&["MEDIA_ASSET_WAITING_UPLOAD"]) => {
            temporary(format!("LinkedIn is not ready with the files: {said}"))
        }
        400 if has(&["MEDIA_ASSET_PROCESSING_FAILED"]) => {
            refused(format!("LinkedIn cannot use a file of this post: {said}"))
                .with_code(FailureCode::ValidationFailed)
        }
        400 if has(&["EXPIRED_UPLOAD_URL"]) => {
            temporary(format!("The upload took too long for LinkedIn: {said}"))
        }
        400 if has(&WRONG_CALL) => refused(format!("LinkedIn refused the call: {said}")),
        422 => match duplicate_of(answer) {
            Some(urn) => refused(format!(
                "LinkedIn refused a duplicate of {urn}. Change the text, or wait a while."
            ))
            .with_code(FailureCode::ValidationFailed),
            None if has_inputs(answer) => refused(format!("LinkedIn refused the post: {said}"))
                .with_code(FailureCode::ValidationFailed),
            None => temporary(format!("LinkedIn refused the call: {said}")),
        },
        status => temporary(format!("LinkedIn answered status {status}: {said}")),
    }
}

/// What an error of the calls about tokens means.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let description = answer.words("error_description");
    let error = answer.words("error");
    let said = if description.is_empty() { error.clone() } else { description };
    match (answer.status, error.as_str()) {
        (400 | 401, "invalid_grant") => reconnect(&said),
        (400 | 401, "invalid_request")
            if said.contains("refresh token") || said.contains("revoked") =>
        {
            reconnect(&said)
        }
        (400 | 401, "invalid_client" | "invalid_client_id" | "unauthorized_client") => {
            NetworkError::new(
                NetworkErrorKind::Permanent,
                format!(
                    "LinkedIn does not know this server's application: {said}. The operator has to check its client id and secret."
                ),
            )
        }
        _ => {
            let error = failure(answer, false, None);
            match error.kind {
                // These calls carry no access token.
                NetworkErrorKind::TokenExpired | NetworkErrorKind::Reconnect => {
                    NetworkError::new(NetworkErrorKind::Temporary, error.message)
                }
                NetworkErrorKind::Temporary
                | NetworkErrorKind::RateLimited { .. }
                | NetworkErrorKind::Permanent
                | NetworkErrorKind::InDoubt
                | NetworkErrorKind::Unsettled => error,
            }
        }
    }
}

/// The failure of a call of which others saw nothing, and whose answer is none of LinkedIn's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::new(NetworkErrorKind::Temporary, "The answer of LinkedIn cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unreadable_success() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "LinkedIn took the call, but its answer cannot be read.",
    )
}

/// An error in an act for which the account lacks a permission: the account itself stays connected.
pub(super) fn of_act(error: NetworkError) -> NetworkError {
    match error.kind {
        NetworkErrorKind::Reconnect => {
            NetworkError::new(NetworkErrorKind::Permanent, error.message)
        }
        NetworkErrorKind::Temporary
        | NetworkErrorKind::RateLimited { .. }
        | NetworkErrorKind::Permanent
        | NetworkErrorKind::TokenExpired
        | NetworkErrorKind::InDoubt
        | NetworkErrorKind::Unsettled => error,
    }
}

fn reconnect(said: &str) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        format!("LinkedIn does not let this account in any more: {said}. Connect it again."),
    )
}

fn said(answer: &Answer) -> String {
    let message = answer.words("message");
    if message.is_empty() { format!("status {}", answer.status) } else { message }
}

fn inputs(body: &Value) -> impl Iterator<Item = &Value> {
    body.pointer("/errorDetails/inputErrors").and_then(Value::as_array).into_iter().flatten()
}

fn has_inputs(answer: &Answer) -> bool {
    let body: Option<Value> = answer.json();
    body.is_some_and(|body| inputs(&body).next().is_some())
}

fn codes(answer: &Answer) -> Vec<String> {
    let Some(body) = answer.json::<Value>() else { return Vec::new() };
    let own = body.get("code");
    let of_inputs = inputs(&body).map(|input| input.get("code"));
    let codes = std::iter::once(own).chain(of_inputs).flatten();
    codes.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// How long a daily limit lasts: as the answer says, else until the next midnight of UTC.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits>.
fn limit_ends(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    answer.retry_after(now).or_else(|| {
        let now = answer.given_at().or(now)?;
        let midnight = now.date_naive().checked_add_days(Days::new(1))?.and_time(NaiveTime::MIN);
        Some(midnight.and_utc() - now)
    })
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
