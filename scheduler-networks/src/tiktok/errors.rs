//! What TikTok's errors mean.
//!
//! A refusal may come with status 200, so the code in the body decides.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>,
//! <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status> and
//! <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.

use chrono::{DateTime, Utc};
use scheduler_core::platform::tiktok::{DAY_WAIT, DRAFTS_WAIT, MINUTE_WAIT};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::wire::{ApiError, Envelope};
use crate::conversation::Answer;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary, TokenExpired};
use crate::refusals::{
    CONTENT, PAGE, REFUSED, Refusal, Row, TROUBLE, Table, UNSUPPORTED, known, known_of_tokens,
    named, rows, status,
};

/// Characters of the network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// The reason, in our own words, of an upload whose address has ended before all was sent.
pub(super) const UPLOAD_ENDED: &str = "upload_ended";

const TOKEN: &str =
    "TikTok does not accept the access token any more: {said}. Connect the account again.";
const LIMIT: &str = "TikTok takes no more calls for now. TikTok said: {said}";

/// What a code means wherever it comes from.
const CODES: &[Row] = rows! {
    named(&["invalid_param", "invalid_params"]) => CONTENT,
        "TikTok refused something of the post. Check its text and its settings. TikTok said: {said}";
    named(&["app_version_check_failed"]) => UNSUPPORTED,
        "The TikTok app on the phone is too old for drafts. Update it to 31.8 or newer. TikTok said: {said}";
    named(&["invalid_publish_id", "token_not_authorized_for_specified_publish_id"]) => REFUSED,
        "TikTok does not know this publish of the account. TikTok said: {said}";
    named(&["publish_not_cancellable"]) => REFUSED,
        "TikTok cannot stop this publish any more. TikTok said: {said}";
    named(&["access_token_invalid"]) => TokenExpired, TOKEN;
    named(&LACKS_SCOPE) => Reconnect,
        "The account has not allowed this to the application. Connect it again and allow everything that is asked for. TikTok said: {said}";
    named(&["spam_risk_too_many_posts"]) => Limited(Some(DAY_WAIT)),
        "TikTok takes no more posts from this account today. Try again tomorrow, or send a draft. TikTok said: {said}";
    named(&["spam_risk_too_many_pending_share"]) => Limited(Some(DRAFTS_WAIT)),
        "Five drafts of the last 24 hours wait in the TikTok app. Finish or delete one there. TikTok said: {said}";
    named(&["reached_active_user_cap"]) => Limited(Some(DAY_WAIT)),
        "The operator's application at TikTok has reached its number of posting users for today. TikTok said: {said}";
    named(&["spam_risk_user_banned_from_posting"]) => REFUSED,
        "TikTok has barred this account from posting. TikTok said: {said}";
    named(&["spam_risk", "spam_risk_text"]) => REFUSED,
        "TikTok takes this post for spam. Change its text. TikTok said: {said}";
    named(&["unaudited_client_can_only_post_to_private_accounts"]) => REFUSED,
        "TikTok has not audited this app yet: set the account to private and use SELF_ONLY. TikTok said: {said}";
    named(&["url_ownership_unverified"]) => REFUSED,
        "TikTok fetches photos only from a domain that it has verified. The operator has to verify this server's domain on TikTok's developer portal. TikTok said: {said}";
    named(&["privacy_level_option_mismatch"]) => CONTENT,
        "TikTok does not allow this account the chosen privacy. Choose another one. TikTok said: {said}";
    named(&["rate_limit_exceeded"]) => Limited(Some(MINUTE_WAIT)), LIMIT;
};

const LACKS_SCOPE: [&str; 2] = ["scope_not_authorized", "scope_permission_missed"];

/// What the rest of an answer means where its code says nothing.
const ERRORS: Table = Table {
    rows: rows! {
        status(&[429]) => Limited(Some(MINUTE_WAIT)), LIMIT;
        // It failed somewhere in the middle; what it had done by then is not known.
        TROUBLE => Failed, "TikTok failed: {said}";
        named(&["internal_error"]) => Failed, "TikTok failed: {said}";
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        status(&[401]).of_network() => TokenExpired, TOKEN;
        // Something in front of TikTok answered for it.
        PAGE => Temporary, "TikTok could not be reached: status {status}.";
    },
    unknown: (Temporary, "TikTok refused the call: {said}"),
};

/// What the reason of a publish that failed after it was taken means.
const REASONS: &[Row] = rows! {
    named(&["file_format_check_failed"]) => CONTENT,
        "TikTok refused the type of a file. Save a video as MP4 (H.264), a photo as JPEG or WebP. TikTok said: {said}";
    named(&["duration_check_failed"]) => CONTENT,
        "TikTok refused the length of the video. It takes 3 seconds to 10 minutes, of some accounts less. TikTok said: {said}";
    named(&["frame_rate_check_failed"]) => CONTENT,
        "TikTok refused the frame rate of the video. It takes 23 to 60 frames a second. TikTok said: {said}";
    named(&["picture_size_check_failed"]) => CONTENT,
        "TikTok refused the size of a picture. The sides of a video have 360 to 4096 pixels, photos at most 1920 by 1080. TikTok said: {said}";
    named(&["video_pull_failed", "photo_pull_failed"]) => Temporary,
        "TikTok could not fetch a file from this server. Its public address must be reachable from the internet. TikTok said: {said}";
    named(&["publish_cancelled"]) => REFUSED,
        "The publish was cancelled at TikTok. Retry it if it is still wanted.";
    named(&["auth_removed"]) => Reconnect,
        "The access to the account was taken back while TikTok worked on the post. Connect it again.";
    named(&[UPLOAD_ENDED]) => Temporary,
        "The address for the video ended before all of it was sent. It is sent anew.";
};

const TOKEN_ERRORS: &[Row] = rows! {
    named(&["invalid_grant"]) => Reconnect,
        "TikTok does not let this account in any more: {said}. Connect it again.";
    named(&["invalid_client", "invalid_request", "invalid_scope", "unsupported_grant_type",
        "unauthorized_client"]) => REFUSED,
        "TikTok refused this server's application: {said}. The operator has to check its client key, client secret and redirect address.";
    named(&["access_denied"]) => REFUSED, "TikTok was not allowed to let this server in.";
};

/// What a call gives.
///
/// # Errors
/// [`failure`] of a refusal; [`NetworkErrorKind::InDoubt`] for a visible call that was taken and
/// whose answer cannot be read, [`NetworkErrorKind::Temporary`] for any other.
pub(super) fn taken<T: DeserializeOwned>(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> Result<T, NetworkError> {
    let envelope: Option<Envelope> = answer.json();
    let is_refused = envelope.as_ref().is_some_and(|envelope| envelope.error.code != "ok");
    if !answer.is_success() || is_refused {
        return Err(failure(answer, is_visible, now));
    }
    let data = envelope.and_then(|envelope| T::deserialize(envelope.data).ok());
    data.ok_or_else(|| unreadable(is_visible))
}

/// True for a refusal since a scope was not granted.
pub(super) fn lacks_scope(answer: &Answer) -> bool {
    fault(answer).is_some_and(|fault| LACKS_SCOPE.contains(&fault.code.as_str()))
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let fault = fault(answer);
    if let Some(ApiError { code, log_id, .. }) = &fault {
        tracing::info!(status = answer.status, code, log_id, "TikTok refused a call");
    }
    let said = match &fault {
        Some(fault) => said(&fault.code, &fault.message),
        None => format!("status {}", answer.status),
    };
    let refusal = Refusal {
        status: answer.status,
        is_page: fault.is_none(),
        names: fault.map(|fault| fault.code).into_iter().collect(),
        is_visible,
        // No header is documented; one that comes all the same knows better.
        wait: answer.retry_after(now),
        places: vec![("said", said)],
        ..Refusal::default()
    };
    known(CODES, &refusal).unwrap_or_else(|| ERRORS.failure(&refusal))
}

/// What a refused chunk of a video means.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide>.
pub(super) fn chunk_failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let error = failure(answer, is_visible, now);
    if answer.status == 400 && error.kind == NetworkErrorKind::Temporary {
        let message = format!("TikTok refused a piece of the video. {}", error.message);
        return NetworkError::permanent(message);
    }
    // A chunk carries no token.
    error.without_token()
}

/// What the reason of a publish that failed after it was taken means.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status>.
pub(super) fn of_reason(reason: &str) -> NetworkError {
    let refusal = Refusal {
        names: vec![reason.to_owned()],
        places: vec![("said", shortened(reason))],
        ..Refusal::default()
    };
    // `internal` is their own fault, and what is new is given another try.
    known(REASONS, &refusal).or_else(|| known(CODES, &refusal)).unwrap_or_else(|| {
        refusal.failure(Temporary, "TikTok could not publish the post. TikTok said: {said}")
    })
}

/// What an error of the calls about tokens means; also of one that comes with status 200.
///
/// Source: <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let (code, description) = (answer.words("error"), answer.words("error_description"));
    let log_id = answer.words("log_id");
    if !code.is_empty() {
        tracing::info!(status = answer.status, code, log_id, "TikTok refused a call for tokens");
    }
    let known = known_of_tokens(TOKEN_ERRORS, answer, said(&code, &description));
    known.unwrap_or_else(|| failure(answer, false, None).without_token())
}

/// True when an answer of the calls about tokens is a refusal.
pub(super) fn is_token_refused(answer: &Answer) -> bool {
    let body: Option<Value> = answer.json();
    !answer.is_success() || body.is_some_and(|body| body.get("error").is_some())
}

/// The failure of a call whose answer is none of TikTok's.
pub(super) fn unreadable(is_visible: bool) -> NetworkError {
    let (kind, message) = match is_visible {
        true => (NetworkErrorKind::InDoubt, "TikTok took the call, but its answer cannot be read."),
        false => (NetworkErrorKind::Temporary, "The answer of TikTok cannot be read."),
    };
    NetworkError::new(kind, message)
}

fn fault(answer: &Answer) -> Option<ApiError> {
    answer.json().map(|envelope: Envelope| envelope.error)
}

/// The network's own words, and its code where it has none.
fn said(code: &str, message: &str) -> String {
    let message = shortened(message);
    let code = shortened(code);
    match (message.is_empty(), code.is_empty()) {
        (true, true) => "nothing".to_owned(),
        (true, false) => code,
        (false, true) => message,
        (false, false) => format!("{message} ({code})"),
    }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(WORDS_MAX).collect()
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
