//! What Discord's errors mean.
//!
//! A code says more than the status beside it, and is looked at first.
//!
//! Source: <https://docs.discord.com/developers/topics/opcodes-and-status-codes>,
//! <https://docs.discord.com/developers/topics/rate-limits> and
//! <https://docs.discord.com/developers/reference>, "Error Messages".

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::NetworkError;
use scheduler_core::target::FailureCode;
use serde_json::Value;

use crate::conversation::Answer;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary};
use crate::refusals::{CONTENT, PAGE, REFUSED, Refusal, TROUBLE, Table, codes, rows, status};

/// A message is not there.
pub(super) const UNKNOWN_MESSAGE: i64 = 10_008;
/// A channel, which a thread is too, is not there.
pub(super) const UNKNOWN_CHANNEL: i64 = 10_003;
/// A message was written by somebody else.
const OF_SOMEBODY_ELSE: i64 = 50_005;
/// A right is missing.
const MISSING_PERMISSION: i64 = 50_013;
/// A message has opened its thread already.
pub(super) const THREAD_EXISTS: i64 = 160_004;

/// A message was sent to the servers that follow its channel already.
pub(super) const CROSSPOSTED: i64 = 40_033;

/// Discord's front blocks this server.
const BLOCKED: i64 = 40_333;

const TOKEN: &str = "Discord does not accept the token: connect again. {said}";
const TOO_LARGE: &str =
    "A file, or all files together, are too large for this server of Discord. {said}";
const LIMIT: &str = "Discord takes no more for now. {said}";
const TROUBLED: &str = "Discord failed. {said}";

const ERRORS: Table = Table {
    rows: rows! {
        codes(&[50_035]) => CONTENT, "Discord refuses a part of the post: change it. {said}";
        codes(&[50_006]) => CONTENT,
            "Discord takes no empty message: give it a text or a file. {said}";
        codes(&[30_015]) => CONTENT, "Discord takes at most 10 files in one message. {said}";
        codes(&[50_045, 40_005]) => CONTENT, TOO_LARGE;
        status(&[413]) => CONTENT, TOO_LARGE;
        codes(&[50_046, 50_123]) => CONTENT, "Discord cannot use a file of the post. {said}";
        codes(&[50_109]) => REFUSED, "Discord could not read the call. {said}";
        codes(&[220_001, 40_058]) => CONTENT,
            "This channel is a forum: give the post a threadName. {said}";
        codes(&[220_003]) => CONTENT,
            "Threads by webhook work in forum channels only: leave threadName out. {said}";
        codes(&[220_002]) => REFUSED, "The call named a thread and made a new one. {said}";
        codes(&[220_004]) => REFUSED,
            "Webhooks cannot post to this forum: connect it by a bot. {said}";
        codes(&[40_067]) => CONTENT,
            "This forum demands a tag of each post: let it take posts without one. {said}";
        codes(&[40_066]) => CONTENT,
            "Only moderators may use this tag of the forum: leave it out. {said}";
        codes(&[10_087]) => CONTENT, "The forum has no such tag: choose another. {said}";
        codes(&[520_002]) => CONTENT, "This channel takes no polls: leave the poll out. {said}";
        codes(&[520_003]) => REFUSED, "Discord lets nobody change a poll. {said}";
        codes(&[200_000, 200_001, 240_000]) => CONTENT,
            "The rules of this server of Discord block the post: change it. {said}";
        codes(&[THREAD_EXISTS]) => REFUSED, "The message has a thread already. {said}";
        codes(&[CROSSPOSTED]) => REFUSED, "The message is published to followers already. {said}";
        codes(&[160_005, 50_083]) => REFUSED,
            "The thread is locked or archived: open it again. {said}";
        codes(&[400_001]) => REFUSED, "This server of Discord takes no files at present. {said}";
        codes(&[30_046, 20_022]) => Limited(None),
            "Discord lets old messages be changed only now and then. {said}";
        codes(&[20_016]) => Limited(None), "The channel is in slow mode. {said}";
        status(&[429]) => Limited(None), LIMIT;
        codes(&[20_028, 20_029]) => Limited(None), LIMIT;
        codes(&[10_015]) => Reconnect,
            "The webhook was deleted: make a new one and connect it. {said}";
        codes(&[50_027]) => Reconnect,
            "Discord does not know this webhook: connect it again. {said}";
        codes(&[UNKNOWN_CHANNEL, 10_004]) => Reconnect,
            "The channel or its server is gone: connect another. {said}";
        codes(&[50_001, MISSING_PERMISSION]) => Reconnect,
            "The bot may not do this: give it its rights back and connect it again. {said}";
        codes(&[40_001, 50_014]) => Reconnect, TOKEN;
        codes(&[UNKNOWN_MESSAGE]) => REFUSED, "The message is not there any more. {said}";
        codes(&[BLOCKED]) => REFUSED,
            "Discord blocks the calls of this server: tell its operator. {said}";
        codes(&[130_000, 40_006]) => Failed, TROUBLED;
        TROUBLE => Failed, TROUBLED;
        // Something in front of Discord answered for it.
        PAGE => Temporary, "Discord could not be reached: status {status}.";
        status(&[401]) => Reconnect, TOKEN;
        status(&[405]) => REFUSED, "Discord knows no such call. {said}";
    },
    // What is not known is not taken for the last word.
    unknown: (Temporary, "Discord refused. {said}"),
};

/// Faults of a field that are passed on.
const FAULTS_MAX: usize = 3;

/// The code of an answer that is a failure.
pub(super) fn code(answer: &Answer) -> Option<i64> {
    let body: Option<Value> = answer.json().filter(|_| !answer.is_success());
    body?.get("code")?.as_u64()?.try_into().ok()
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the server tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let code = code(answer);
    if code == Some(BLOCKED) {
        tracing::error!("discord turned a call away: its front blocks this server");
    }
    ERRORS.failure(&Refusal {
        status: answer.status,
        is_page: answer.json::<Value>().is_none(),
        codes: code.into_iter().collect(),
        is_visible,
        wait: wait(answer, now),
        places: vec![("said", said(answer))],
        ..Refusal::default()
    })
}

/// The same for a call that speaks of a thread: one that is gone is no channel to be connected
/// anew.
pub(super) fn failure_in_thread(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    if code(answer) == Some(UNKNOWN_CHANNEL) {
        return NetworkError::permanent(format!(
            "The thread is not there any more. {}",
            said(answer)
        ));
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
    NetworkError::permanent(format!("{sentence} {}", said(answer)))
        .with_code(FailureCode::Unsupported)
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
    NetworkError::temporary("The answer of Discord cannot be read.")
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
