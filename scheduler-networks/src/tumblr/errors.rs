//! What Tumblr's errors mean.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Errors and Error Subcodes"; bodies as in
//! <https://github.com/tumblr/tumblr.js/issues/73> and <https://github.com/tumblr/docs/issues/53>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use super::limits::Budget;
use crate::conversation::Answer;
use crate::quotations::without_quotations;

/// How long too many calls are waited for where neither window is used up: then it was the limit
/// of calls a minute.
///
/// Source: <https://github.com/tumblr/docs/issues/139>.
const MINUTE: TimeDelta = TimeDelta::seconds(60);

/// How long a video that another one is in the way of waits.
const TRANSCODING_WAIT: TimeDelta = TimeDelta::minutes(5);

/// How long posting that is switched off is waited for.
const CLOSED_WAIT: TimeDelta = TimeDelta::minutes(15);

/// Characters of the network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// Characters of a single word beyond which it may be an address or a token.
const WORD_MAX: usize = 40;

/// An error in the network's own terms.
#[derive(Debug)]
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
    use NetworkErrorKind as Kind;
    let failed = if is_visible { Kind::Unsettled } else { Kind::Temporary };
    let Some(Fault { code, said }) = Fault::of(answer) else {
        return match answer.status {
            429 => limited(Some(calls_wait(answer, now)), "Tumblr takes no more calls for now."),
            500.. | 408 => NetworkError::new(
                failed,
                format!("Tumblr failed with status {}. It is tried again.", answer.status),
            ),
            // Something in front of the network answered for it.
            status => NetworkError::new(
                Kind::Temporary,
                format!("Tumblr could not be reached: status {status}. It is tried again."),
            ),
        };
    };
    let error =
        |kind, sentence: &str| NetworkError::new(kind, format!("{sentence} Tumblr said: {said}"));
    let invalid =
        |sentence: &str| error(Kind::Permanent, sentence).with_code(FailureCode::ValidationFailed);
    let later = |wait, sentence: &str| {
        error(Kind::RateLimited { wait: Some(wait) }, sentence).with_code(FailureCode::NetworkError)
    };
    match (answer.status, code) {
        (429, _) => limited(
            Some(calls_wait(answer, now)),
            "Tumblr takes no more calls from this server's application for now.",
        ),
        (400, 8001) => invalid("Tumblr does not accept how the post is made; change it and retry."),
        (400, 8005) => invalid(
            "Tumblr cannot use a file of this post; use JPEG, PNG, GIF or WebP pictures and MP4 videos.",
        ),
        (400, 8002 | 8016) => error(
            Kind::Permanent,
            "Tumblr refused a call that this server should not have made; report it.",
        ),
        (400, _) => invalid("Tumblr refused the post; change it and retry."),
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        (401, _) => error(
            Kind::TokenExpired,
            "Tumblr does not accept the access token any more; connect the account again.",
        ),
        (403, 8004) => error(
            Kind::RateLimited { wait: None },
            "The account has used up the files that Tumblr takes in a day. It is tried again later.",
        ),
        (403, 8011) => error(
            Kind::RateLimited { wait: None },
            "The account has used up the videos that Tumblr takes in a day. It is tried again later.",
        ),
        (403, 8023) => error(
            Kind::RateLimited { wait: None },
            "The account has used up the posts that Tumblr takes in a day. It is tried again later.",
        ),
        (403, 8010) => later(
            TRANSCODING_WAIT,
            "Tumblr still works on another video of this account. It is tried again.",
        ),
        (403, 8022) => error(Kind::Permanent, "The queue of the blog is full; empty it on Tumblr."),
        (403, 8008) => {
            error(Kind::Permanent, "Tumblr does not allow this video here; use another.")
        }
        (403, _) if without_quotations(&said).to_lowercase().contains("carousel") => {
            error(Kind::Permanent, "Tumblr does not allow this layout to the account.")
        }
        (403, _) => error(
            Kind::Reconnect,
            "Tumblr does not allow this to the account; connect it again with a user who may post to the blog.",
        ),
        (404, _) => error(Kind::Permanent, "Tumblr does not have this any more."),
        (503, _) => later(CLOSED_WAIT, "Tumblr takes no posts for now. It is tried again."),
        (408 | 500.., _) => error(failed, "Tumblr failed. It is tried again."),
        (status, code) => error(
            Kind::Temporary,
            &format!("Tumblr answered with an error that is not known here ({status}, {code})."),
        ),
    }
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
    use NetworkErrorKind as Kind;
    let name = answer.words("error");
    let description = answer.words("error_description");
    let said = shown_words(if description.is_empty() { &name } else { &description });
    match (answer.status, name.as_str()) {
        (400 | 401, "invalid_grant") => NetworkError::new(
            Kind::Reconnect,
            format!(
                "Tumblr does not let this account in any more: connect it again. Tumblr said: {said}"
            ),
        ),
        (400 | 401, "invalid_client" | "unauthorized_client") => NetworkError::new(
            Kind::Permanent,
            format!(
                "Tumblr does not know this server's application; the operator has to check its consumer key and secret. Tumblr said: {said}"
            ),
        ),
        _ => {
            let error = failure(answer, false, None);
            match error.kind {
                // Nothing was said of the grant, so it may still be good.
                Kind::TokenExpired | Kind::Reconnect | Kind::Permanent => {
                    NetworkError::new(Kind::Temporary, error.message)
                }
                Kind::Temporary | Kind::RateLimited { .. } | Kind::InDoubt | Kind::Unsettled => {
                    error
                }
            }
        }
    }
}

/// An error in an act after publishing: what is not allowed there says nothing of publishing.
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

fn limited(wait: Option<TimeDelta>, sentence: &str) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::RateLimited { wait },
        format!("{sentence} It is tried again later."),
    )
}

/// How long too many calls are waited for: until the used-up window of an hour or a day ends.
fn calls_wait(answer: &Answer, now: Option<DateTime<Utc>>) -> TimeDelta {
    let windows = [
        ("x-ratelimit-perhour-remaining", "x-ratelimit-perhour-reset"),
        ("x-ratelimit-perday-remaining", "x-ratelimit-perday-reset"),
    ];
    let number = |name| answer.header(name).and_then(|text| text.trim().parse::<u32>().ok());
    let used_up = windows.into_iter().filter(|(remaining, _)| number(remaining) == Some(0));
    let wait = used_up.filter_map(|(_, reset)| number(reset)).max();
    let wait = wait.map(|seconds| TimeDelta::seconds(i64::from(seconds)));
    wait.or_else(|| answer.retry_after(now)).unwrap_or(MINUTE)
}

/// A text of the network on one line, cut, and without words that can be addresses or tokens.
fn shown_words(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let is_hidden = word.contains("://") || word.chars().count() > WORD_MAX;
        if is_hidden { "[…]" } else { word }
    });
    let line = words.collect::<Vec<_>>().join(" ");
    let visible = line.chars().filter(|character| !character.is_control());
    visible.take(WORDS_MAX).collect()
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
