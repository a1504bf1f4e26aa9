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
use crate::refusals::Effect::{
    Failed, Limited, Permanent, Reconnect, Temporary, TokenExpired, UsedUp,
};
use crate::refusals::{
    CONTENT as CONTENT_REFUSED, PAGE, REFUSED, Refusal, Row, TROUBLE, Table, known_of_tokens,
    named, rows, said_of_tokens, status,
};

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

const PACE: &str = "YouTube takes no more calls at this pace.";
const DAY: &str = "The quota of this server's Google Cloud project is used up for today. The operator can ask Google for more.";

/// What the network says of a limit that counts by the day.
const OF_DAY: &[&str] = &["quotaExceeded", "dailyLimitExceeded"];
const PER_DAY: &[&str] = &["per day"];

/// An error of something that is not there, and says so.
const IS_GONE: &str = "it is not there";

const ERRORS: Table = Table {
    rows: rows! {
        // It failed somewhere in the middle; what it had done by then is not known.
        TROUBLE => Failed, "YouTube failed: {said}";
        status(&[413]) => CONTENT_REFUSED, "The file is too large for YouTube.";
        status(&[400]).named(&["uploadLimitExceeded"]) => UsedUp(Some(UPLOADS_WAIT)),
            "The channel has used up the uploads that YouTube allows it in 24 hours.";
        // The uploads of a day are counted apart, and refused under the reason of a pace.
        status(&[403, 429]).named(OF_DAY).says(PER_DAY).either() => Limited(None), DAY;
        status(&[403]).named(&["rateLimitExceeded", "userRateLimitExceeded"]) => Limited(None),
            PACE;
        status(&[429]) => Limited(None), PACE;
        status(&[401]).named(&["youtubeSignupRequired"]) =>
            Permanent(FailureCode::AccountNotConnected),
            "The Google account has no YouTube channel. Make one on youtube.com, then connect it again.";
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        status(&[401]) => TokenExpired,
            "YouTube does not accept the access token any more: {said}. Connect the account again.";
        // Something in front of YouTube answered for it.
        PAGE => Temporary, "YouTube could not be reached: status {status}.";
        named(&["insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]) => Reconnect,
            "The permission for this was not given. Connect the account again and leave every box ticked.";
        named(&ACCOUNT) => Reconnect,
            "YouTube does not let this channel act: {said}. Look at the account, then connect it again.";
        named(&["accessNotConfigured", "SERVICE_DISABLED"]) => REFUSED,
            "The YouTube Data API is not switched on in this server's Google Cloud project. The operator has to enable it.";
        named(&CONTENT) => CONTENT_REFUSED, "YouTube refused it: {said}";
        status(&[403]).named(&FORBIDDEN) => REFUSED,
            "YouTube does not allow this to the channel: {said}";
        named(&[IS_GONE]) => REFUSED, "YouTube does not have this any more: {said}";
    },
    unknown: (Temporary, "YouTube answered status {status}: {said}"),
};

const TOKEN_ERRORS: &[Row] = rows! {
    status(&[400, 401]).named(&["invalid_grant"]) => Reconnect,
        "Google does not let this account in any more: {said}. Connect it again; applications whose consent screen is in testing lose access after 7 days.";
    status(&[400, 401]).named(&["invalid_client", "unauthorized_client",
        "redirect_uri_mismatch"]) => REFUSED,
        "Google does not know this server's application: {said}. The operator has to check its client id, secret and redirect address.";
};

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
    let words = words_of(answer);
    let mut names = vec![reason(answer)];
    names.extend(is_gone(answer).then(|| IS_GONE.to_owned()));
    let is_of_day = OF_DAY.contains(&names[0].as_str()) || words.contains(PER_DAY[0]);
    let midnight = || is_of_day.then(|| until_midnight(answer, now)).flatten();
    ERRORS.failure(&Refusal {
        status: answer.status,
        is_page: answer.json::<Value>().is_none(),
        names,
        words,
        is_visible,
        wait: answer.retry_after(now).or_else(midnight),
        places: vec![("said", said(answer))],
        ..Refusal::default()
    })
}

/// What an error of the calls about tokens means.
///
/// Source: <https://developers.google.com/identity/protocols/oauth2/web-server>, "Errors".
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let known = known_of_tokens(TOKEN_ERRORS, answer, said_of_tokens(answer));
    known.unwrap_or_else(|| failure(answer, false, None).without_token())
}

/// The failure of a call of which others saw nothing, and whose answer is none of YouTube's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of YouTube cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unreadable_success() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "YouTube took the call, but its answer cannot be read.",
    )
}

/// The same failure, told of something that follows the video.
pub(super) fn missing(what: &str, error: NetworkError) -> NetworkError {
    error.of_act().of_follow_up(what)
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
