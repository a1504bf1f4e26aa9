//! What YouTube's errors mean.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/errors> and
//! <https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol>.

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use scheduler_core::timing::Zone;
use serde_json::Value;

use crate::conversation::Answer;

/// Characters of the network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// Reasons that say that something in the post is refused.
const CONTENT: [&str; 30] = [
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
    "invalidCommentThreadMetadata",
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
    "playlistTitleRequired",
    "invalidPlaylistSnippet",
    "playlistContainsMaximumNumberOfVideos",
];

/// Reasons that say that the channel, or somebody for it, has not allowed something.
const FORBIDDEN: [&str; 8] = [
    "forbidden",
    "forbiddenPrivacySetting",
    "forbiddenLicenseSetting",
    "commentsDisabled",
    "ineligibleAccount",
    "playlistForbidden",
    "playlistItemsNotAccessible",
    "PERMISSION_DENIED",
];

/// Reasons that speak of trouble with the account itself.
const ACCOUNT: [&str; 6] = [
    "authenticatedUserAccountClosed",
    "authenticatedUserAccountSuspended",
    "accountDelegationForbidden",
    "accountClosed",
    "channelClosed",
    "channelSuspended",
];

/// Reasons that say that something is not there.
const GONE: [&str; 8] = [
    "notFound",
    "videoNotFound",
    "commentNotFound",
    "commentThreadNotFound",
    "parentCommentNotFound",
    "playlistNotFound",
    "channelNotFound",
    "captionNotFound",
];

/// How long a channel that has used up its uploads is left alone.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos/insert>: uploads are counted for
/// 24 hours.
const UPLOADS_WAIT: TimeDelta = TimeDelta::hours(24);

/// The zone whose midnight begins a project's day.
///
/// Source: <https://developers.google.com/youtube/v3/determine_quota_cost>.
const QUOTA_ZONE: &str = "America/Los_Angeles";

/// What the network calls the error; empty when the answer names none.
pub(super) fn reason(answer: &Answer) -> String {
    let Some(body) = answer.json::<Value>() else { return String::new() };
    let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    // The newer notation says more than `forbidden`.
    let detail = text("/error/details/0/reason").filter(|reason| {
        matches!(reason.as_str(), "ACCESS_TOKEN_SCOPE_INSUFFICIENT" | "SERVICE_DISABLED")
    });
    let named = detail.or_else(|| text("/error/errors/0/reason"));
    named.or_else(|| text("/error/status")).unwrap_or_default()
}

/// True for an error of this name.
pub(super) fn has_reason(answer: &Answer, wanted: &str) -> bool {
    !answer.is_success() && reason(answer) == wanted
}

/// True when the answer says that what was asked for is not there.
pub(super) fn is_gone(answer: &Answer) -> bool {
    let reason = reason(answer);
    answer.status == 404 && (GONE.contains(&reason.as_str()) || reason == "NOT_FOUND")
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
    let reason = reason(answer);
    let is_one_of = |known: &[&str]| known.contains(&reason.as_str());
    let is_page = answer.json::<Value>().is_none();
    let refused = |message: String| NetworkError::new(Kind::Permanent, message);
    let limited = |wait, message: &str| NetworkError::new(Kind::RateLimited { wait }, message);
    match answer.status {
        // It failed somewhere in the middle; what it had done by then is not known.
        500.. | 408 => {
            let kind = if is_visible { Kind::Unsettled } else { Kind::Temporary };
            NetworkError::new(kind, format!("YouTube failed: {said}"))
                .with_code(FailureCode::NetworkError)
        }
        413 => refused("The file is too large for YouTube.".to_owned())
            .with_code(FailureCode::ValidationFailed),
        400 if reason == "uploadLimitExceeded" => limited(
            Some(UPLOADS_WAIT),
            "The channel has used up the uploads that YouTube allows it in 24 hours.",
        ),
        // The uploads of a day are counted apart, and refused under the reason of a pace.
        403 | 429
            if matches!(reason.as_str(), "quotaExceeded" | "dailyLimitExceeded")
                || words_of(answer).contains("per day") =>
        {
            limited(
            answer.retry_after(now).or_else(|| until_midnight(answer, now)),
            "The quota of this server's Google Cloud project is used up for today. The operator can ask Google for more.",
            )
        }
        403 if matches!(reason.as_str(), "rateLimitExceeded" | "userRateLimitExceeded") => {
            limited(answer.retry_after(now), "YouTube takes no more calls at this pace.")
        }
        429 => limited(answer.retry_after(now), "YouTube takes no more calls at this pace."),
        // Something in front of YouTube answered for it.
        status if is_page && status != 401 => {
            NetworkError::new(
                Kind::Temporary,
                format!("YouTube could not be reached: status {status}."),
            )
        }
        401 if reason == "youtubeSignupRequired" => refused(
            "The Google account has no YouTube channel. Make one on youtube.com, then connect it again.".to_owned(),
        )
        .with_code(FailureCode::AccountNotConnected),
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        401 => NetworkError::new(
            Kind::TokenExpired,
            format!(
                "YouTube does not accept the access token any more: {said}. Connect the account again."
            ),
        ),
        _ if is_one_of(&["insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]) => {
            NetworkError::new(
                Kind::Reconnect,
                "The permission for this was not given. Connect the account again and leave every box ticked.",
            )
        }
        _ if is_one_of(&ACCOUNT) => NetworkError::new(
            Kind::Reconnect,
            format!("YouTube does not let this channel act: {said}. Look at the account, then connect it again."),
        ),
        _ if is_one_of(&["accessNotConfigured", "SERVICE_DISABLED"]) => refused(
            "The YouTube Data API is not switched on in this server's Google Cloud project. The operator has to enable it.".to_owned(),
        ),
        _ if is_one_of(&CONTENT) => {
            refused(format!("YouTube refused it: {said}")).with_code(FailureCode::ValidationFailed)
        }
        403 if is_one_of(&FORBIDDEN) => {
            refused(format!("YouTube does not allow this to the channel: {said}"))
        }
        404 if is_gone(answer) => refused(format!("YouTube does not have this any more: {said}")),
        status => NetworkError::new(
            Kind::Temporary,
            format!("YouTube answered status {status}: {said}"),
        ),
    }
}

/// What an error of the calls about tokens means.
///
/// Source: <https://developers.google.com/identity/protocols/oauth2/web-server>, "Errors".
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let description = answer.words("error_description");
    let error = answer.words("error");
    let said = if description.is_empty() { error.clone() } else { description };
    match (answer.status, error.as_str()) {
        (400 | 401, "invalid_grant") => NetworkError::new(
            NetworkErrorKind::Reconnect,
            format!(
                "Google does not let this account in any more: {said}. Connect it again; applications whose consent screen is in testing lose access after 7 days."
            ),
        ),
        (400 | 401, "invalid_client" | "unauthorized_client" | "redirect_uri_mismatch") => {
            NetworkError::new(
                NetworkErrorKind::Permanent,
                format!(
                    "Google does not know this server's application: {said}. The operator has to check its client id, secret and redirect address."
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

/// The failure of a call of which others saw nothing, and whose answer is none of YouTube's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::new(NetworkErrorKind::Temporary, "The answer of YouTube cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unreadable_success() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "YouTube took the call, but its answer cannot be read.",
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

/// The same failure, told of something that follows the video.
pub(super) fn missing(what: &str, error: NetworkError) -> NetworkError {
    let error = of_act(error);
    match error.kind {
        NetworkErrorKind::Permanent => {
            NetworkError { message: format!("{what}: {}", error.message), ..error }
        }
        NetworkErrorKind::Temporary
        | NetworkErrorKind::RateLimited { .. }
        | NetworkErrorKind::TokenExpired
        | NetworkErrorKind::Reconnect
        | NetworkErrorKind::InDoubt
        | NetworkErrorKind::Unsettled => error,
    }
}

/// What the error says, in lower case.
fn words_of(answer: &Answer) -> String {
    let body = answer.json::<Value>().unwrap_or_default();
    let message = body.pointer("/error/message").and_then(Value::as_str);
    message.unwrap_or_default().to_lowercase()
}

fn said(answer: &Answer) -> String {
    let body = answer.json::<Value>();
    let text = |pointer: &str| body.as_ref()?.pointer(pointer)?.as_str().map(str::to_owned);
    let message = text("/error/message").or_else(|| text("/error/errors/0/message"));
    let message = message.unwrap_or_default();
    let message: String =
        message.chars().filter(|sign| !sign.is_control()).take(WORDS_MAX).collect();
    if message.is_empty() { format!("status {}", answer.status) } else { message }
}

/// How long until the project's next day.
fn until_midnight(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    let now = answer.given_at().or(now)?;
    let zone: Zone = QUOTA_ZONE.parse().ok()?;
    let tomorrow = zone.local(now).date().succ_opt()?.and_time(NaiveTime::MIN);
    Some(zone.instant(tomorrow) - now)
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
