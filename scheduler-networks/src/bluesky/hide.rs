//! Hiding a comment and showing it again: the rules of a thread name those that are hidden.
//!
//! Source: lexicons/app/bsky/feed/threadgate.json.

use chrono::SecondsFormat;
use scheduler_core::ports::{Comment, LivePost, NetworkError};
use serde_json::{Value, json};

use super::caller::Caller;
use super::errors::is_error;
use super::record::root;
use super::wire::{GATES, StoredRecord};
use crate::conversation::{Answer, Turn, TurnResult};

/// Comments that can be hidden below one post.
///
/// Source: lexicons/app/bsky/feed/threadgate.json, `hiddenReplies.maxLength`.
const HIDDEN_MAX: usize = 300;

/// How often the rules are read and changed when somebody else changes them meanwhile.
const ROUNDS_MAX: usize = 3;

/// The next turn of hiding a comment, or of showing it again. Everything else that the rules of
/// the thread say stays as it is.
pub(super) fn hide(
    caller: &Caller<'_>,
    post: &LivePost,
    comment: &str,
    is_hidden: bool,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let root = root(post)?;
    for round in answers.chunks(2) {
        let [read, written @ ..] = round else { break };
        let stored: Option<StoredRecord> =
            if is_error(read, "RecordNotFound") { None } else { Some(caller.json(read)?) };
        let (gate, version) = match stored {
            Some(stored) => (stored.value, stored.cid),
            None => (new_gate(caller, post), None),
        };
        let Some(changed) = changed(gate, comment, is_hidden)? else {
            return Ok(Turn::Done(None));
        };
        match written.first() {
            None => {
                return Ok(Turn::Send(caller.put(GATES, &root.key, version.as_deref(), changed)));
            }
            Some(answer) if is_error(answer, "InvalidSwap") => {}
            Some(answer) => return caller.succeeded(answer).map(|()| Turn::Done(None)),
        }
    }
    if answers.len() < 2 * ROUNDS_MAX {
        return Ok(Turn::Send(caller.record(GATES, &root.key)));
    }
    let message = "The rules of the thread are being changed by somebody else. Try it again.";
    Err(NetworkError::temporary(message))
}

/// Rules by which everybody may answer.
fn new_gate(caller: &Caller<'_>, post: &LivePost) -> Value {
    json!({
        "$type": GATES,
        "post": post.remote.id,
        "createdAt": caller.access.now.to_rfc3339_opts(SecondsFormat::Millis, true),
    })
}

/// The rules once the comment is hidden or shown; `None` when it is already.
fn changed(mut gate: Value, comment: &str, is_hidden: bool) -> Result<Option<Value>, NetworkError> {
    let mut hidden: Vec<Value> =
        gate.get("hiddenReplies").and_then(Value::as_array).cloned().unwrap_or_default();
    if hidden.iter().any(|known| known == comment) == is_hidden {
        return Ok(None);
    }
    if is_hidden {
        hidden.push(comment.into());
    } else {
        hidden.retain(|known| known != comment);
    }
    if hidden.len() > HIDDEN_MAX {
        let message = format!("Bluesky hides at most {HIDDEN_MAX} comments below one post.");
        return Err(NetworkError::permanent(message));
    }
    match gate.as_object_mut() {
        Some(gate) => gate.insert("hiddenReplies".to_owned(), hidden.into()),
        None => {
            let message = "The rules of the thread cannot be read.";
            return Err(NetworkError::temporary(message));
        }
    };
    Ok(Some(gate))
}

#[cfg(test)]
#[path = "hide_tests.rs"]
mod tests;
