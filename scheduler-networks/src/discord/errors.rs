//! What Discord's errors mean.
//!
//! A code says more than the status beside it, and is looked at first.
//!
//! Source: <https://docs.discord.com/developers/topics/opcodes-and-status-codes>,
//! <https://docs.discord.com/developers/topics/rate-limits> and
//! <https://docs.discord.com/developers/reference>, "Error Messages".

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use crate::conversation::Answer;

/// A message is not there.
pub(super) const UNKNOWN_MESSAGE: u64 = 10_008;
/// A channel, which a thread is too, is not there.
pub(super) const UNKNOWN_CHANNEL: u64 = 10_003;
/// A message was written by somebody else.
const OF_SOMEBODY_ELSE: u64 = 50_005;
/// A right is missing.
const MISSING_PERMISSION: u64 = 50_013;
/// A message has opened its thread already.
pub(super) const THREAD_EXISTS: u64 = 160_004;

/// Faults of a field that are passed on.
const FAULTS_MAX: usize = 3;

/// The code of an answer that is a failure.
pub(super) fn code(answer: &Answer) -> Option<u64> {
    let body: Option<Value> = answer.json().filter(|_| !answer.is_success());
    body?.get("code")?.as_u64()
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the server tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    use NetworkErrorKind as Kind;
    let said = said(answer);
    let permanent = |message: &str| NetworkError::new(Kind::Permanent, format!("{message} {said}"));
    let content = |message: &str| permanent(message).with_code(FailureCode::ValidationFailed);
    let reconnect = |message: &str| NetworkError::new(Kind::Reconnect, format!("{message} {said}"));
    let limited = |message: &str| {
        let wait = wait(answer, now);
        NetworkError::new(Kind::RateLimited { wait }, format!("{message} {said}"))
    };
    let troubled = || {
        let kind = if is_visible { Kind::Unsettled } else { Kind::Temporary };
        NetworkError::new(kind, format!("Discord failed. {said}"))
            .with_code(FailureCode::NetworkError)
    };
    match (answer.status, code(answer).unwrap_or_default()) {
        (_, 50_035) => content("Discord refuses a part of the post: change it."),
        (_, 50_006) => content("Discord takes no empty message: give it a text or a file."),
        (_, 30_015) => content("Discord takes at most 10 files in one message."),
        (_, 50_045 | 40_005) | (413, _) => {
            content("A file, or all files together, are too large for this server of Discord.")
        }
        (_, 50_046 | 50_123) => content("Discord cannot use a file of the post."),
        (_, 50_109) => permanent("Discord could not read the call."),
        (_, 220_001 | 40_058) => content("This channel is a forum: give the post a threadName."),
        (_, 220_003) => {
            content("Threads by webhook work in forum channels only: leave threadName out.")
        }
        (_, 220_002) => permanent("The call named a thread and made a new one."),
        (_, 40_067) => {
            content("This forum demands a tag of each post: let it take posts without one.")
        }
        (_, 200_000 | 200_001 | 240_000) => {
            content("The rules of this server of Discord block the post: change it.")
        }
        (_, THREAD_EXISTS) => permanent("The message has a thread already."),
        (_, 160_005 | 50_083) => permanent("The thread is locked or archived: open it again."),
        (_, 400_001) => permanent("This server of Discord takes no files at present."),
        (_, 30_046 | 20_022) => limited("Discord lets old messages be changed only now and then."),
        (_, 20_016) => limited("The channel is in slow mode."),
        (429, _) | (_, 20_028 | 20_029) => limited("Discord takes no more for now."),
        (_, 10_015) => reconnect("The webhook was deleted: make a new one and connect it."),
        (_, 50_027) => reconnect("Discord does not know this webhook: connect it again."),
        (_, UNKNOWN_CHANNEL | 10_004) => {
            reconnect("The channel or its server is gone: connect another.")
        }
        (_, 50_001 | MISSING_PERMISSION) => {
            reconnect("The bot may not do this: give it its rights back and connect it again.")
        }
        (_, 40_001 | 50_014) => reconnect("Discord does not accept the token: connect again."),
        (_, UNKNOWN_MESSAGE) => permanent("The message is not there any more."),
        (_, 40_333) => {
            tracing::error!("discord turned a call away: its front blocks this server");
            permanent("Discord blocks the calls of this server: tell its operator.")
        }
        (_, 130_000 | 40_006) | (500.. | 408, _) => troubled(),
        // Something in front of Discord answered for it.
        _ if answer.json::<Value>().is_none() => NetworkError::new(
            Kind::Temporary,
            format!("Discord could not be reached: status {}.", answer.status),
        ),
        (401, _) => reconnect("Discord does not accept the token: connect again."),
        (405, _) => permanent("Discord knows no such call."),
        // What is not known is not taken for the last word.
        _ => NetworkError::new(Kind::Temporary, format!("Discord refused. {said}")),
    }
}

/// The same for a call that speaks of a thread: one that is gone is no channel to be connected anew.
pub(super) fn failure_in_thread(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    if code(answer) == Some(UNKNOWN_CHANNEL) {
        let message = format!("The thread is not there any more. {}", said(answer));
        return NetworkError::new(NetworkErrorKind::Permanent, message);
    }
    failure(answer, is_visible, now)
}

/// The same for something that is done with a comment: what the bot may not do there, it may not do
/// there alone.
pub(super) fn failure_of_act(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let sentence = match code(answer) {
        Some(MISSING_PERMISSION) => {
            "The bot has not the right for this: give it that in the settings of the server."
        }
        Some(OF_SOMEBODY_ELSE) => "Discord lets only its author change a message.",
        Some(_) | None => return failure_in_thread(answer, is_visible, now),
    };
    let message = format!("{sentence} {}", said(answer));
    NetworkError::new(NetworkErrorKind::Permanent, message).with_code(FailureCode::Unsupported)
}

/// What Discord said, with its code, and which field it meant.
fn said(answer: &Answer) -> String {
    let words = answer.words("message");
    if words.is_empty() {
        return format!("(status {})", answer.status);
    }
    let body: Option<Value> = answer.json();
    let mut faults = Vec::new();
    if let Some(errors) = body.as_ref().and_then(|body| body.get("errors")) {
        collect(errors, &mut String::new(), &mut faults);
    }
    let code = code(answer).map(|code| format!(", code {code}")).unwrap_or_default();
    let faults = if faults.is_empty() { String::new() } else { format!(": {}", faults.join(" ")) };
    format!("Discord says: {words}{faults} (status {}{code})", answer.status)
}

/// Collects the faults below a field, each behind the path of its field.
fn collect(errors: &Value, path: &mut String, faults: &mut Vec<String>) {
    let Some(members) = errors.as_object() else { return };
    for (name, member) in members {
        if faults.len() == FAULTS_MAX {
            return;
        }
        if name == "_errors" {
            let messages = member.as_array().into_iter().flatten();
            for message in messages.filter_map(|fault| fault.get("message")?.as_str()) {
                let message: String = message.chars().take(100).collect();
                faults.push(format!("{path}: {message}"));
            }
            continue;
        }
        let length = path.len();
        if !path.is_empty() {
            path.push('.');
        }
        path.extend(name.chars().take(40));
        collect(member, path, faults);
        path.truncate(length);
    }
}

/// How long until the limit is lifted: the body says it more exactly than the header.
fn wait(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    let body: Option<Value> = answer.json();
    let seconds = body.as_ref().and_then(|body| body.get("retry_after")?.as_f64());
    let reset = || answer.header("x-ratelimit-reset-after")?.parse::<f64>().ok();
    let of_seconds = |seconds: f64| {
        // A day is the longest that is waited anyway.
        let is_wait = seconds.is_finite() && (0.0..=86_400.0).contains(&seconds);
        #[expect(clippy::cast_possible_truncation, reason = "it is at most a day")]
        is_wait.then(|| TimeDelta::milliseconds((seconds * 1_000.0).ceil() as i64))
    };
    seconds
        .and_then(of_seconds)
        .or_else(|| answer.retry_after(now))
        .or_else(|| reset().and_then(of_seconds))
}

/// The failure for an answer that is a success and still cannot be read.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::new(NetworkErrorKind::Temporary, "The answer of Discord cannot be read.")
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
