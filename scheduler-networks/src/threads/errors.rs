//! What the errors of Threads mean.
//!
//! Source: <https://developers.facebook.com/documentation/threads/troubleshooting>; the subcodes
//! from 2207000 on are shared with Instagram:
//! <https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use serde::Deserialize;
use serde_json::Value;

use crate::conversation::Answer;
use crate::quotations::without_quotations;

/// How long too many calls are waited for where the network names no time.
///
/// Source: calls are counted over 24 hours, and an app is let in again within the hour.
const CALLS_WAIT: TimeDelta = TimeDelta::hours(1);

/// How long a used-up quota of posts is waited for. Quotas count the last 24 hours, and the
/// network does not say when the oldest post drops out; ten waits of this length reach that far.
pub(super) const QUOTA_WAIT: TimeDelta = TimeDelta::minutes(150);

/// How long a restriction as spam is waited for.
const SPAM_WAIT: TimeDelta = TimeDelta::hours(24);

/// Characters of the network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// Characters of a single word beyond which it may be an address or a token.
const WORD_MAX: usize = 40;

/// An error in the network's own terms.
#[derive(Debug)]
pub(super) struct Fault {
    code: i64,
    subcode: i64,
    is_transient: bool,
    /// True for one of the calls that give out tokens.
    is_of_oauth: bool,
    /// The network's words, fit to be shown.
    said: String,
    /// All that it says without quotations, to tell errors without a code of their own.
    words: String,
}

#[derive(Deserialize)]
struct GraphBody {
    error: GraphError,
}

#[derive(Deserialize)]
struct GraphError {
    #[serde(default)]
    message: String,
    #[serde(default)]
    code: i64,
    #[serde(default)]
    error_subcode: i64,
    #[serde(default)]
    is_transient: bool,
    error_user_title: Option<String>,
    error_user_msg: Option<String>,
}

#[derive(Deserialize)]
struct OauthBody {
    error_message: String,
    #[serde(default)]
    code: i64,
}

impl Fault {
    /// The error in an answer; `None` when it is something else, such as a proxy's page.
    pub(super) fn of(answer: &Answer) -> Option<Self> {
        if let Some(GraphBody { error }) = answer.json() {
            let user_message = error.error_user_msg.unwrap_or_default();
            let shown = if user_message.is_empty() { &error.message } else { &user_message };
            let said = shown_words(shown);
            let title = error.error_user_title.unwrap_or_default();
            let [message, title, user_message] =
                [&error.message, &title, &user_message].map(|text| without_quotations(text));
            let words = format!("{message} {title} {user_message}");
            let GraphError { code, error_subcode: subcode, is_transient, .. } = error;
            return Some(Self { code, subcode, is_transient, is_of_oauth: false, said, words });
        }
        let OauthBody { error_message, code } = answer.json()?;
        let said = shown_words(&error_message);
        let (subcode, is_transient, is_of_oauth, words) = (0, false, true, error_message);
        Some(Self { code, subcode, is_transient, is_of_oauth, said, words })
    }

    /// True when what the call names is not there, or not ours.
    pub(super) const fn is_gone(&self) -> bool {
        self.code == 100 && self.subcode == 33
    }

    /// True when what the call names is not there yet.
    pub(super) const fn is_too_early(&self) -> bool {
        self.code == 24 || matches!(self.subcode, 2_207_006 | 2_207_008)
    }

    /// True when an answer to a post is refused, which also happens while that post is new.
    pub(super) const fn is_refused_reply(&self) -> bool {
        self.is_too_early() || self.code == 10
    }

    /// True when the account has not allowed the call, or is private and its permission has ended.
    const fn is_permission(&self) -> bool {
        matches!(self.code, 10 | 200..=299) && self.subcode != 4_279_013
    }

    /// True when the network could not fetch a file from us.
    pub(super) fn is_unfetched(&self) -> bool {
        self.code == 9004
            || self.subcode == 2_207_052
            || self.words.contains("could not be fetched from this URI")
    }

    fn is_quota(&self) -> bool {
        let words = self.words.to_lowercase();
        self.code == 9
            || self.subcode == 2_207_042
            || words.contains("24-hour")
            || words.contains("24 hour")
    }
}

/// True when an answer says that what the call names is not there, or not ours.
pub(super) fn is_gone(answer: &Answer) -> bool {
    Fault::of(answer).is_some_and(|fault| fault.is_gone())
}

/// True when the account has not allowed what was asked for.
pub(super) fn is_not_allowed(answer: &Answer) -> bool {
    Fault::of(answer).is_some_and(|fault| fault.is_permission())
}

/// What an answer that is no success means for a call after publishing. A permission that is
/// missing for it says nothing of publishing, which goes on.
pub(super) fn failure_after(answer: &Answer, is_visible: bool, now: DateTime<Utc>) -> NetworkError {
    let error = failure(answer, is_visible, Some(now));
    if error.kind != NetworkErrorKind::Reconnect || !is_not_allowed(answer) {
        return error;
    }
    let message = format!("{} Allow it on the page of Threads then.", error.message);
    NetworkError::new(NetworkErrorKind::Permanent, message)
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
    let Some(fault) = Fault::of(answer) else {
        return match answer.status {
            429 => limited(Some(calls_wait(answer, now)), "Threads takes no more calls for now."),
            500.. | 408 => NetworkError::new(
                failed,
                format!("Threads failed with status {}. It is tried again.", answer.status),
            ),
            // Something in front of the network answered for it, or it has an error unknown here.
            status => NetworkError::new(
                Kind::Temporary,
                format!("Threads could not be reached: status {status}. It is tried again."),
            ),
        };
    };
    let said = &fault.said;
    let permanent = |sentence: &str| {
        NetworkError::new(Kind::Permanent, format!("{sentence} Threads said: {said}"))
    };
    let temporary =
        |kind, sentence: &str| NetworkError::new(kind, format!("{sentence} Threads said: {said}"));
    if fault.words.contains("LINK_LIMIT_EXCEEDED") {
        return permanent("Threads takes at most 5 links; remove some.")
            .with_code(FailureCode::ValidationFailed);
    }
    if fault.is_quota() {
        return limited(
            Some(QUOTA_WAIT),
            "The account has used up what Threads lets it publish in 24 hours.",
        );
    }
    if fault.is_unfetched() {
        return temporary(
            Kind::Temporary,
            "Threads could not fetch a file from this server; its public address must be reachable from the internet.",
        );
    }
    match (fault.code, fault.subcode) {
        (_, 2_207_051) => limited(
            Some(SPAM_WAIT),
            "Threads restricts this account's posts as spam. Look at the account in the app.",
        ),
        (_, 4_279_013) => {
            permanent("Threads has restricted this account. Look at the account in the app.")
        }
        (4 | 17 | 32 | 613, _) => {
            limited(Some(calls_wait(answer, now)), "Threads takes no more calls for now.")
        }
        _ if fault.is_of_oauth && matches!(answer.status, 400 | 401) => {
            reconnect("Threads does not accept what it was given", said)
        }
        (102 | 190, _) => reconnect("The access to the account has ended", said),
        _ if fault.is_permission() => {
            reconnect("Threads does not allow this account to do that", said)
        }
        (36_000 | 36_001 | 36_003 | 352, _)
        | (_, 2_207_004 | 2_207_005 | 2_207_009 | 2_207_026) => {
            permanent("Threads refused a file; use another.")
                .with_code(FailureCode::ValidationFailed)
        }
        _ if fault.is_too_early() => {
            temporary(Kind::Temporary, "Threads does not know what it has just made yet.")
        }
        _ if fault.is_gone() => permanent("It is not there any more, or belongs to somebody else."),
        (1 | 2 | -1, _) => temporary(failed, "Threads failed. It is tried again."),
        _ if fault.is_transient || answer.status >= 500 => {
            temporary(failed, "Threads failed. It is tried again.")
        }
        (100, _) => permanent("Threads refused the post; change it and retry.")
            .with_code(FailureCode::ValidationFailed),
        _ if answer.status == 429 => {
            limited(Some(calls_wait(answer, now)), "Threads takes no more calls for now.")
        }
        (code, _) => temporary(
            Kind::Temporary,
            &format!("Threads answered with an error that is not known here ({code})."),
        ),
    }
}

/// The failure for an account that may publish no more today.
pub(super) fn limited(wait: Option<TimeDelta>, sentence: &str) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::RateLimited { wait },
        format!("{sentence} It is tried again later."),
    )
}

fn reconnect(sentence: &str, said: &str) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        format!("{sentence}: connect it again. Threads said: {said}"),
    )
}

/// How long too many calls are waited for: what the server says, else an hour.
///
/// Source: <https://developers.facebook.com/docs/graph-api/overview/rate-limiting/>
/// (`estimated_time_to_regain_access`, in minutes).
fn calls_wait(answer: &Answer, now: Option<DateTime<Utc>>) -> TimeDelta {
    if let Some(wait) = answer.retry_after(now) {
        return wait;
    }
    let usage = ["x-business-use-case-usage", "x-app-usage"].into_iter();
    let usage = usage.filter_map(|name| serde_json::from_str(answer.header(name)?).ok());
    let minutes = usage.map(|usage: Value| minutes_in(&usage)).max().unwrap_or(0);
    if minutes == 0 { CALLS_WAIT } else { TimeDelta::minutes(i64::from(minutes)) }
}

/// The longest wait at any depth of a header about usage.
fn minutes_in(usage: &Value) -> u32 {
    match usage {
        Value::Object(members) => {
            let own = members.get("estimated_time_to_regain_access").and_then(Value::as_u64);
            let own = own.and_then(|minutes| u32::try_from(minutes).ok()).unwrap_or(0);
            members.values().map(minutes_in).max().unwrap_or(0).max(own)
        }
        Value::Array(items) => items.iter().map(minutes_in).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
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
