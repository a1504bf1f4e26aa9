//! What LinkedIn's errors mean.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>
//! and <https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling>.

use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde_json::Value;

use crate::conversation::Answer;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary, TokenExpired};
use crate::refusals::{
    CONTENT, PAGE, REFUSED, Refusal, Row, TROUBLE, Table, known_of_tokens, rows, said_of_tokens,
    status,
};

/// A refusal names the post of which it is a duplicate.
const DUPLICATE: &str = "a duplicate of a post that is named";

/// A refusal names inputs that it is about.
const INPUTS: &str = "inputs";

const CALL_REFUSED: &str = "LinkedIn refused the call: {said}";

const ERRORS: Table = Table {
    rows: rows! {
        status(&[429]) => Limited(None), "LinkedIn takes no more calls for this account today.";
        // It failed somewhere in the middle; what it had done by then is not known.
        TROUBLE => Failed, "LinkedIn failed: {said}";
        status(&[413]) => CONTENT, "The file is too large for LinkedIn.";
        status(&[415]) => CONTENT, "LinkedIn does not take files of this type: {said}";
        status(&[426]) => REFUSED,
            "LinkedIn has retired the version of its interface that this server speaks. The operator has to raise api_version of linkedin: {said}";
        // Something in front of LinkedIn answered for it.
        PAGE => Temporary, "LinkedIn could not be reached: status {status}.";
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        status(&[401]) => TokenExpired,
            "LinkedIn does not accept the access token any more: {said}. Connect the account again.";
        status(&[403]) => Reconnect,
            "LinkedIn does not allow this to the account: {said}. Connect it again with the permission, and check its role on the page.";
        status(&[404]) => REFUSED, "LinkedIn does not have this any more: {said}";
        status(&[409]) => Temporary, "LinkedIn was changing the same thing just now: {said}";
        status(&[400]).named(&["FIELD_LENGTH_TOO_LONG", "FIELD_ARRAY_SIZE_TOO_HIGH"]) => CONTENT,
            "The post is too long for LinkedIn: {said}";
        status(&[400]).named(&["MEDIA_ASSET_WAITING_UPLOAD"]) => Temporary,
            "LinkedIn is not ready with the files: {said}";
        status(&[400]).named(&["MEDIA_ASSET_PROCESSING_FAILED"]) => CONTENT,
            "LinkedIn cannot use a file of this post: {said}";
        status(&[400]).named(&["EXPIRED_UPLOAD_URL"]) => Temporary,
            "The upload took too long for LinkedIn: {said}";
        status(&[400]).named(&["MISSING_FIELD", "INVALID_VALUE_FOR_FIELD", "INVALID_URN_ID",
            "INVALID_URN_TYPE", "VERSION_MISSING"]) => REFUSED,
            CALL_REFUSED;
        status(&[422]).named(&[DUPLICATE]) => CONTENT,
            "LinkedIn refused a duplicate of {duplicate}. Change the text, or wait a while.";
        status(&[422]).named(&[INPUTS]) => CONTENT, "LinkedIn refused the post: {said}";
        status(&[422]) => Temporary, CALL_REFUSED;
    },
    unknown: (Temporary, "LinkedIn answered status {status}: {said}"),
};

const ENDED: &str = "LinkedIn does not let this account in any more: {said}. Connect it again.";

const TOKEN_ERRORS: &[Row] = rows! {
    status(&[400, 401]).named(&["invalid_grant"]) => Reconnect, ENDED;
    status(&[400, 401]).named(&["invalid_request"]).says(&["refresh token", "revoked"]) =>
        Reconnect,
        ENDED;
    status(&[400, 401]).named(&["invalid_client", "invalid_client_id", "unauthorized_client"]) =>
        REFUSED,
        "LinkedIn does not know this server's application: {said}. The operator has to check its client id and secret.";
};

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
    let duplicate = duplicate_of(answer);
    let mut names = codes(answer);
    names.extend(duplicate.is_some().then(|| DUPLICATE.to_owned()));
    names.extend(has_inputs(answer).then(|| INPUTS.to_owned()));
    ERRORS.failure(&Refusal {
        status: answer.status,
        is_page: answer.json::<Value>().is_none(),
        names,
        is_visible,
        wait: limit_ends(answer, now),
        places: vec![("said", said(answer)), ("duplicate", duplicate.unwrap_or_default())],
        ..Refusal::default()
    })
}

/// What an error of the calls about tokens means.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let known = known_of_tokens(TOKEN_ERRORS, answer, said_of_tokens(answer));
    known.unwrap_or_else(|| failure(answer, false, None).without_token())
}

/// The failure of a call of which others saw nothing, and whose answer is none of LinkedIn's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of LinkedIn cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unreadable_success() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "LinkedIn took the call, but its answer cannot be read.",
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
