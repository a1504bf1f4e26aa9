//! What TikTok's errors mean.
//!
//! A refusal may come with status 200, so the code in the body decides.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>,
//! <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status> and
//! <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::wire::{ApiError, Envelope};
use crate::conversation::Answer;

/// How long a limit that counts by the minute lasts; no header says.
///
/// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-rate-limit>.
const MINUTE: TimeDelta = TimeDelta::seconds(60);

/// How long a limit that counts by the day lasts at most; no header says.
const DAY: TimeDelta = TimeDelta::hours(24);

/// How long until a draft is tried again while too many wait in the app: the person may have
/// finished one, and after a day they do not count any more. Our decision.
const PENDING_WAIT: TimeDelta = TimeDelta::hours(2);

/// Characters of the network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// The reason, in our own words, of an upload whose address has ended before all was sent.
pub(super) const UPLOAD_ENDED: &str = "upload_ended";

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
    let code = fault(answer).map(|fault| fault.code);
    matches!(code.as_deref(), Some("scope_not_authorized" | "scope_permission_missed"))
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    use NetworkErrorKind as Kind;
    let fault = fault(answer);
    if let Some(ApiError { code, log_id, .. }) = &fault {
        tracing::info!(status = answer.status, code, log_id, "TikTok refused a call");
    }
    let said = match &fault {
        Some(fault) => said(&fault.code, &fault.message),
        None => format!("status {}", answer.status),
    };
    if let Some(error) = fault.as_ref().and_then(|fault| meaning(&fault.code, &said)) {
        // No header is documented; one that comes all the same knows better.
        return match (error.kind, answer.retry_after(now)) {
            (Kind::RateLimited { .. }, wait @ Some(_)) => {
                NetworkError { kind: Kind::RateLimited { wait }, ..error }
            }
            _ => error,
        };
    }
    let is_internal = fault.as_ref().is_some_and(|fault| fault.code == "internal_error");
    match answer.status {
        429 => limited(
            answer.retry_after(now).unwrap_or(MINUTE),
            "TikTok takes no more calls for now.",
            &said,
        ),
        // It failed somewhere in the middle; what it had done by then is not known.
        500.. | 408 => unsettled(is_visible, &said),
        _ if is_internal => unsettled(is_visible, &said),
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        401 if fault.is_some() => token_expired(&said),
        // Something in front of TikTok answered for it.
        status if fault.is_none() => NetworkError::new(
            Kind::Temporary,
            format!("TikTok could not be reached: status {status}."),
        ),
        _ => NetworkError::new(Kind::Temporary, format!("TikTok refused the call: {said}")),
    }
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
    match (answer.status, error.kind) {
        (400, NetworkErrorKind::Temporary) => NetworkError::new(
            NetworkErrorKind::Permanent,
            format!("TikTok refused a piece of the video. {}", error.message),
        ),
        // A chunk carries no token.
        (_, NetworkErrorKind::TokenExpired | NetworkErrorKind::Reconnect) => {
            NetworkError::new(NetworkErrorKind::Temporary, error.message)
        }
        (
            _,
            NetworkErrorKind::Temporary
            | NetworkErrorKind::RateLimited { .. }
            | NetworkErrorKind::Permanent
            | NetworkErrorKind::InDoubt
            | NetworkErrorKind::Unsettled,
        ) => error,
    }
}

/// What the reason of a publish that failed after it was taken means.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status>.
pub(super) fn of_reason(reason: &str) -> NetworkError {
    use NetworkErrorKind as Kind;
    let said = shortened(reason);
    let wrong_file = |sentence: &str| {
        NetworkError::new(Kind::Permanent, format!("{sentence} TikTok said: {said}"))
            .with_code(FailureCode::ValidationFailed)
    };
    match reason {
        "file_format_check_failed" => wrong_file(
            "TikTok refused the type of a file. Save a video as MP4 (H.264), a photo as JPEG or WebP.",
        ),
        "duration_check_failed" => wrong_file(
            "TikTok refused the length of the video. It takes 3 seconds to 10 minutes, of some accounts less.",
        ),
        "frame_rate_check_failed" => wrong_file(
            "TikTok refused the frame rate of the video. It takes 23 to 60 frames a second.",
        ),
        "picture_size_check_failed" => wrong_file(
            "TikTok refused the size of a picture. The sides of a video have 360 to 4096 pixels, photos at most 1920 by 1080.",
        ),
        "video_pull_failed" | "photo_pull_failed" => NetworkError::new(
            Kind::Temporary,
            format!(
                "TikTok could not fetch a file from this server. Its public address must be reachable from the internet. TikTok said: {said}"
            ),
        ),
        "publish_cancelled" => NetworkError::new(
            Kind::Permanent,
            "The publish was cancelled at TikTok. Retry it if it is still wanted.",
        ),
        "auth_removed" => NetworkError::new(
            Kind::Reconnect,
            "The access to the account was taken back while TikTok worked on the post. Connect it again.",
        ),
        UPLOAD_ENDED => NetworkError::new(
            Kind::Temporary,
            "The address for the video ended before all of it was sent. It is sent anew.",
        ),
        // `internal` is their own fault, and what is new is given another try.
        _ => meaning(reason, &said).unwrap_or_else(|| {
            let message = format!("TikTok could not publish the post. TikTok said: {said}");
            NetworkError::new(Kind::Temporary, message)
        }),
    }
}

/// What an error of the calls about tokens means; also of one that comes with status 200.
///
/// Source: <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    use NetworkErrorKind as Kind;
    let (code, description) = (answer.words("error"), answer.words("error_description"));
    let log_id = answer.words("log_id");
    if !code.is_empty() {
        tracing::info!(status = answer.status, code, log_id, "TikTok refused a call for tokens");
    }
    let said = said(&code, &description);
    match code.as_str() {
        "invalid_grant" => NetworkError::new(
            Kind::Reconnect,
            format!("TikTok does not let this account in any more: {said}. Connect it again."),
        ),
        "invalid_client"
        | "invalid_request"
        | "invalid_scope"
        | "unsupported_grant_type"
        | "unauthorized_client" => NetworkError::new(
            Kind::Permanent,
            format!(
                "TikTok refused this server's application: {said}. The operator has to check its client key, client secret and redirect address."
            ),
        ),
        "access_denied" => {
            NetworkError::new(Kind::Permanent, "TikTok was not allowed to let this server in.")
        }
        _ => {
            let error = failure(answer, false, None);
            match error.kind {
                // These calls carry no access token.
                Kind::TokenExpired | Kind::Reconnect => {
                    NetworkError::new(Kind::Temporary, error.message)
                }
                Kind::Temporary
                | Kind::RateLimited { .. }
                | Kind::Permanent
                | Kind::InDoubt
                | Kind::Unsettled => error,
            }
        }
    }
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

/// What a code means wherever it comes from; `None` for one that is not known.
fn meaning(code: &str, said: &str) -> Option<NetworkError> {
    use FailureCode::{NetworkRefused, Unsupported, ValidationFailed};
    let refused = |code: FailureCode, sentence: &str| {
        let message = format!("{sentence} TikTok said: {said}");
        NetworkError::new(NetworkErrorKind::Permanent, message).with_code(code)
    };
    Some(match code {
        "invalid_param" | "invalid_params" => refused(
            ValidationFailed,
            "TikTok refused something of the post. Check its text and its settings.",
        ),
        "app_version_check_failed" => refused(
            Unsupported,
            "The TikTok app on the phone is too old for drafts. Update it to 31.8 or newer.",
        ),
        "invalid_publish_id" | "token_not_authorized_for_specified_publish_id" => {
            refused(NetworkRefused, "TikTok does not know this publish of the account.")
        }
        "publish_not_cancellable" => {
            refused(NetworkRefused, "TikTok cannot stop this publish any more.")
        }
        "access_token_invalid" => token_expired(said),
        "scope_not_authorized" | "scope_permission_missed" => NetworkError::new(
            NetworkErrorKind::Reconnect,
            format!(
                "The account has not allowed this to the application. Connect it again and allow everything that is asked for. TikTok said: {said}"
            ),
        ),
        "spam_risk_too_many_posts" => limited(
            DAY,
            "The account has used up the posts that TikTok takes from other applications in 24 hours.",
            said,
        ),
        "spam_risk_too_many_pending_share" => limited(
            PENDING_WAIT,
            "Five drafts of the last 24 hours wait in the TikTok app. Finish or delete one there.",
            said,
        ),
        "reached_active_user_cap" => limited(
            DAY,
            "The operator's application at TikTok has reached its number of posting users for today.",
            said,
        ),
        "spam_risk_user_banned_from_posting" => {
            refused(NetworkRefused, "TikTok has barred this account from posting.")
        }
        "spam_risk" | "spam_risk_text" => {
            refused(NetworkRefused, "TikTok takes this post for spam. Change its text.")
        }
        "unaudited_client_can_only_post_to_private_accounts" => refused(
            NetworkRefused,
            "TikTok has not audited this app yet: set the account to private and use SELF_ONLY.",
        ),
        "url_ownership_unverified" => refused(
            NetworkRefused,
            "TikTok fetches photos only from a domain that it has verified. The operator has to verify this server's domain on TikTok's developer portal.",
        ),
        "privacy_level_option_mismatch" => refused(
            ValidationFailed,
            "TikTok does not allow this account the chosen privacy. Choose another one.",
        ),
        "rate_limit_exceeded" => limited(MINUTE, "TikTok takes no more calls for now.", said),
        _ => return None,
    })
}

fn limited(wait: TimeDelta, sentence: &str, said: &str) -> NetworkError {
    let message = format!("{sentence} TikTok said: {said}");
    NetworkError::new(NetworkErrorKind::RateLimited { wait: Some(wait) }, message)
}

fn unsettled(is_visible: bool, said: &str) -> NetworkError {
    let kind = if is_visible { NetworkErrorKind::Unsettled } else { NetworkErrorKind::Temporary };
    NetworkError::new(kind, format!("TikTok failed: {said}"))
}

fn token_expired(said: &str) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::TokenExpired,
        format!(
            "TikTok does not accept the access token any more: {said}. Connect the account again."
        ),
    )
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
