//! What the errors of Threads mean.
//!
//! Source: <https://developers.facebook.com/documentation/threads/troubleshooting>; the subcodes
//! from 2207000 on are shared with Instagram:
//! <https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::threads::QUOTA_WAIT;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde::Deserialize;
use serde_json::Value;

use crate::conversation::Answer;
use crate::quotations::{shown_words, without_quotations};
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary, UsedUp};
use crate::refusals::{
    ANY, CONTENT, PAGE, REFUSED, Refusal, TROUBLE, Table, codes, named, rows, says, status,
    status_between, subcodes,
};

/// How long too many calls are waited for where the network names no time.
///
/// Source: calls are counted over 24 hours, and an app is let in again within the hour.
const CALLS_WAIT: TimeDelta = TimeDelta::hours(1);

/// How long a restriction as spam is waited for.
const SPAM_WAIT: TimeDelta = TimeDelta::hours(24);

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

    /// What it is beyond its codes, under the names of the table.
    fn names(&self) -> Vec<String> {
        let known = [
            (self.is_of_oauth, OAUTH),
            (self.is_permission(), PERMISSION),
            (self.is_too_early(), TOO_EARLY),
            (self.is_gone(), GONE),
            (self.is_unfetched(), UNFETCHED),
        ];
        known.into_iter().filter(|(is_it, _)| *is_it).map(|(_, name)| name.to_owned()).collect()
    }
}

const OAUTH: &str = "one of the calls about tokens";
const PERMISSION: &str = "a permission is missing";
const TOO_EARLY: &str = "it is not there yet";
const GONE: &str = "it is not there";
const UNFETCHED: &str = "a file was not fetched";

const CALLS: &str = "Threads takes no more calls for now. It is tried again later.";
const FILE_REFUSED: &str = "Threads refused a file; use another. Threads said: {said}";
const FAILED: &str = "Threads failed. It is tried again. Threads said: {said}";
const QUOTA: &str =
    "The account has used up what Threads lets it publish in 24 hours. It is tried again later.";

const ERRORS: Table = Table {
    rows: rows! {
        status(&[429]).of_page() => Limited(None), CALLS;
        TROUBLE.of_page() => Failed, "Threads failed with status {status}. It is tried again.";
        // Something in front of the network answered for it, or it has an error unknown here.
        PAGE => Temporary, "Threads could not be reached: status {status}. It is tried again.";
        says(&["link_limit_exceeded"]) => CONTENT,
            "Threads takes at most 5 links; remove some. Threads said: {said}";
        codes(&[9]).unverified() => UsedUp(Some(QUOTA_WAIT)), QUOTA;
        subcodes(&[2_207_042]).unverified() => UsedUp(Some(QUOTA_WAIT)), QUOTA;
        says(&["24-hour", "24 hour"]).unverified() => UsedUp(Some(QUOTA_WAIT)), QUOTA;
        named(&[UNFETCHED]) => Temporary,
            "Threads could not fetch a file from this server; its public address must be reachable from the internet. Threads said: {said}";
        subcodes(&[2_207_051]) => UsedUp(Some(SPAM_WAIT)),
            "Threads restricts this account's posts as spam. Look at the account in the app. It is tried again later.";
        subcodes(&[4_279_013]).unverified() => REFUSED,
            "Threads has restricted this account. Look at the account in the app. Threads said: {said}";
        codes(&[4, 17, 32, 613]) => Limited(None), CALLS;
        status(&[400, 401]).named(&[OAUTH]) => Reconnect,
            "Threads does not accept what it was given: connect it again. Threads said: {said}";
        codes(&[102, 190]) => Reconnect,
            "The access to the account has ended: connect it again. Threads said: {said}";
        named(&[PERMISSION]) => Reconnect,
            "Threads does not allow this account to do that: connect it again. Threads said: {said}";
        codes(&[36_000, 36_001, 36_003, 352]) => CONTENT, FILE_REFUSED;
        subcodes(&[2_207_004, 2_207_005, 2_207_009, 2_207_026]) => CONTENT, FILE_REFUSED;
        named(&[TOO_EARLY]) => Temporary,
            "Threads does not know what it has just made yet. Threads said: {said}";
        named(&[GONE]) => REFUSED,
            "It is not there any more, or belongs to somebody else. Threads said: {said}";
        codes(&[1, 2, -1]) => Failed, FAILED;
        ANY.transient() => Failed, FAILED;
        status_between(500, u16::MAX) => Failed, FAILED;
        codes(&[100]) => CONTENT,
            "Threads refused the post; change it and retry. Threads said: {said}";
        status(&[429]) => Limited(None), CALLS;
    },
    unknown: (
        Temporary,
        "Threads answered with an error that is not known here ({code}). Threads said: {said}",
    ),
};

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
    NetworkError::permanent(format!("{} Allow it on the page of Threads then.", error.message))
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the server tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let fault = Fault::of(answer);
    let refusal = Refusal {
        status: answer.status,
        is_page: fault.is_none(),
        is_visible,
        wait: Some(calls_wait(answer, now)),
        ..Refusal::default()
    };
    let Some(fault) = fault else { return ERRORS.failure(&refusal) };
    ERRORS.failure(&Refusal {
        is_transient: fault.is_transient,
        names: fault.names(),
        codes: vec![fault.code],
        subcode: Some(fault.subcode),
        words: fault.words.to_lowercase(),
        places: vec![("said", fault.said)],
        ..refusal
    })
}

/// The failure for an account that may publish no more today.
pub(super) fn limited(wait: Option<TimeDelta>, sentence: &str) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::RateLimited { wait },
        format!("{sentence} It is tried again later."),
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

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
