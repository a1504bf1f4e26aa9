//! What Tumblr's errors mean.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Errors and Error Subcodes"; bodies as in
//! <https://github.com/tumblr/tumblr.js/issues/73> and <https://github.com/tumblr/docs/issues/53>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde_json::Value;

use super::limits::Budget;
use crate::conversation::Answer;
use crate::quotations::{shown_words, without_quotations};
use crate::refusals::Effect::{Busy, Failed, Limited, Reconnect, Temporary, TokenExpired, UsedUp};
use crate::refusals::{
    CONTENT, PAGE, REFUSED, Refusal, Row, TROUBLE, Table, known_of_tokens, rows, said_of_tokens,
    status,
};

/// How long too many calls are waited for where neither window is used up: then it was the limit
/// of calls a minute.
///
/// Source: <https://github.com/tumblr/docs/issues/139>.
const MINUTE: TimeDelta = TimeDelta::seconds(60);

/// How long a video that another one is in the way of waits.
const TRANSCODING_WAIT: TimeDelta = TimeDelta::minutes(5);

/// How long posting that is switched off is waited for.
const CLOSED_WAIT: TimeDelta = TimeDelta::minutes(15);

const ERRORS: Table = Table {
    rows: rows! {
        status(&[429]).of_page() => Limited(Some(MINUTE)),
            "Tumblr takes no more calls for now. It is tried again later.";
        TROUBLE.of_page() => Failed, "Tumblr failed with status {status}. It is tried again.";
        // Something in front of the network answered for it.
        PAGE => Temporary, "Tumblr could not be reached: status {status}. It is tried again.";
        status(&[429]) => Limited(Some(MINUTE)),
            "Tumblr takes no more calls from this server's application for now. It is tried again later.";
        status(&[400]).codes(&[8001]) => CONTENT,
            "Tumblr does not accept how the post is made; change it and retry. Tumblr said: {said}";
        status(&[400]).codes(&[8005]) => CONTENT,
            "Tumblr cannot use a file of this post; use JPEG, PNG, GIF or WebP pictures and MP4 videos. Tumblr said: {said}";
        status(&[400]).codes(&[8002]) => CONTENT,
            "Tumblr cannot reblog the post that reblogOf names: it is gone, or not open to this blog. Tumblr said: {said}";
        status(&[400]).codes(&[8016]) => REFUSED,
            "Tumblr refused a call that this server should not have made; report it. Tumblr said: {said}";
        status(&[400]) => CONTENT,
            "Tumblr refused the post; change it and retry. Tumblr said: {said}";
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        status(&[401]) => TokenExpired,
            "Tumblr does not accept the access token any more; connect the account again. Tumblr said: {said}";
        status(&[403]).codes(&[8004]) => UsedUp(None),
            "The account has used up the files that Tumblr takes in a day. It is tried again later. Tumblr said: {said}";
        status(&[403]).codes(&[8011]) => UsedUp(None),
            "The account has used up the videos that Tumblr takes in a day. It is tried again later. Tumblr said: {said}";
        status(&[403]).codes(&[8023]) => UsedUp(None),
            "The account has used up the posts that Tumblr takes in a day. It is tried again later. Tumblr said: {said}";
        status(&[403]).codes(&[8010]) => Busy(TRANSCODING_WAIT),
            "Tumblr still works on another video of this account. It is tried again. Tumblr said: {said}";
        status(&[403]).codes(&[8022]) => REFUSED,
            "The queue of the blog is full; empty it on Tumblr. Tumblr said: {said}";
        status(&[403]).codes(&[8008]) => REFUSED,
            "Tumblr does not allow this video here; use another. Tumblr said: {said}";
        status(&[403]).says(&["carousel"]) => REFUSED,
            "Tumblr does not allow this layout to the account. Tumblr said: {said}";
        status(&[403]) => Reconnect,
            "Tumblr does not allow this to the account; connect it again with a user who may post to the blog. Tumblr said: {said}";
        status(&[404]) => REFUSED, "Tumblr does not have this any more. Tumblr said: {said}";
        status(&[503]) => Busy(CLOSED_WAIT),
            "Tumblr takes no posts for now. It is tried again. Tumblr said: {said}";
        TROUBLE => Failed, "Tumblr failed. It is tried again. Tumblr said: {said}";
    },
    unknown: (
        Temporary,
        "Tumblr answered with an error that is not known here ({status}, {code}). Tumblr said: {said}",
    ),
};

const TOKEN_ERRORS: &[Row] = rows! {
    status(&[400, 401]).named(&["invalid_grant"]) => Reconnect,
        "Tumblr does not let this account in any more: connect it again. Tumblr said: {said}";
    status(&[400, 401]).named(&["invalid_client", "unauthorized_client"]) => REFUSED,
        "Tumblr does not know this server's application; the operator has to check its consumer key and secret. Tumblr said: {said}";
};

/// An error in the network's own terms.
#[derive(Debug, Default)]
struct Fault {
    code: i64,
    said: String,
}

impl Fault {
    /// The error in an answer; `None` when it is something else, such as a proxy's page.
    fn of(answer: &Answer) -> Option<Self> {
        let body: Value = answer.json()?;
        let is_own = body.get("meta").is_some() || body.get("errors").is_some();
        if !is_own {
            return None;
        }
        // The code can also stand in the response of older calls.
        let errors = body.get("errors").or_else(|| body.pointer("/response/errors"));
        let first = errors.and_then(|errors| errors.get(0));
        let code = first.and_then(|first| first.get("code")).and_then(Value::as_i64);
        let text = |place: Option<&Value>| {
            place.and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let said = text(first.and_then(|first| first.get("detail")))
            .or_else(|| text(first.and_then(|first| first.get("title"))))
            .or_else(|| text(body.pointer("/response/error")))
            .or_else(|| text(body.pointer("/meta/msg")))
            .unwrap_or_else(|| format!("status {}", answer.status));
        Some(Self { code: code.unwrap_or_default(), said: shown_words(&said) })
    }
}

/// The budgets of the day of which one is used up, where an error says so.
pub(super) fn used_up(answer: &Answer) -> Option<&'static [Budget]> {
    let fault = Fault::of(answer).filter(|_| answer.status == 403)?;
    match fault.code {
        8004 => Some(&[Budget::Photos, Budget::Videos, Budget::VideoSeconds]),
        8011 => Some(&[Budget::Videos, Budget::VideoSeconds]),
        8023 => Some(&[Budget::Posts]),
        _ => None,
    }
}

/// True when what a call names is not there, and Tumblr itself says so.
pub(super) fn is_gone(answer: &Answer) -> bool {
    answer.status == 404 && Fault::of(answer).is_some()
}

/// True when Tumblr does not allow a call, and gives no number for why.
pub(super) fn is_forbidden(answer: &Answer) -> bool {
    answer.status == 403 && Fault::of(answer).is_some_and(|fault| fault.code == 0)
}

/// True when a call may have been done although it was answered as failed.
pub(super) fn may_be_done(answer: &Answer) -> bool {
    failure(answer, true, None).kind == NetworkErrorKind::Unsettled
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the server tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let fault = Fault::of(answer);
    let is_page = fault.is_none();
    let Fault { code, said } = fault.unwrap_or_default();
    ERRORS.failure(&Refusal {
        status: answer.status,
        is_page,
        codes: vec![code],
        words: without_quotations(&said).to_lowercase(),
        is_visible,
        wait: calls_wait(answer, now),
        places: vec![("said", said)],
        ..Refusal::default()
    })
}

/// What an answer that is no success means for a call that names the blog alone: one that is not
/// there has been deleted, or is another's now.
pub(super) fn blog_failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let error = failure(answer, is_visible, now);
    if !is_gone(answer) {
        return error;
    }
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        format!("The blog is not there any more; connect one that is. {}", error.message),
    )
}

/// What an error of the calls about tokens means.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let said = shown_words(&said_of_tokens(answer));
    known_of_tokens(TOKEN_ERRORS, answer, said).unwrap_or_else(|| {
        let error = failure(answer, false, None);
        // Nothing was said of the grant, so it may still be good.
        match error.kind {
            NetworkErrorKind::Permanent => NetworkError::temporary(error.message),
            _ => error.without_token(),
        }
    })
}

/// The failure of a call of which others saw nothing, and whose answer is none of Tumblr's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::new(NetworkErrorKind::Temporary, "The answer of Tumblr cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unreadable_success() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        "Tumblr took the post, but its answer cannot be read.",
    )
}

/// How long too many calls are waited for: until the used-up window of an hour or a day ends.
fn calls_wait(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    let windows = [
        ("x-ratelimit-perhour-remaining", "x-ratelimit-perhour-reset"),
        ("x-ratelimit-perday-remaining", "x-ratelimit-perday-reset"),
    ];
    let number = |name| answer.header(name).and_then(|text| text.trim().parse::<u32>().ok());
    let used_up = windows.into_iter().filter(|(remaining, _)| number(remaining) == Some(0));
    let wait = used_up.filter_map(|(_, reset)| number(reset)).max();
    let wait = wait.map(|seconds| TimeDelta::seconds(i64::from(seconds)));
    wait.or_else(|| answer.retry_after(now))
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
