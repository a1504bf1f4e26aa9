//! Answering a comment.
//!
//! The answer is put under a key that follows from the post, the comment and the text, and only
//! where nothing is: whoever says the same again after a lost call makes nothing new.

use chrono::SecondsFormat;
use scheduler_core::ports::{Comment, LivePost, NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;

use super::caller::Caller;
use super::comments::instant;
use super::errors::{failure, is_error};
use super::record::Address;
use super::richtext;
use super::tid::reply_key;
use super::views::PostView;
use super::wire::{POSTS, PostRecord, Reference, Reply, StoredPost};
use crate::conversation::{Answer, Turn, TurnResult};

/// The next turn of answering a comment: mentions are resolved, then the answer is put.
pub(super) fn reply(
    caller: &Caller<'_>,
    post: &LivePost,
    comment: PostView,
    text: &str,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let text = text.replace("\r\n", "\n");
    if text.trim().is_empty() {
        let error = NetworkError::permanent("The reply has no text.");
        return Err(error.with_code(FailureCode::ValidationFailed));
    }
    let (mut facets, mut mentions) = richtext::facets(&text);
    let handles = richtext::handles(mentions.iter());
    if let Some(handle) = handles.get(answers.len()) {
        return Ok(Turn::Send(richtext::resolve(&caller.server, handle)));
    }
    let now = caller.access.now;
    let (resolved, answers) = answers.split_at(handles.len());
    let identities = richtext::identities(&handles, resolved, now)?;
    let identities = richtext::or_nobody(identities, &handles);
    richtext::settle(&mut facets, &mut mentions, &identities);

    let parent = comment.reference;
    let root = comment.record.reply.map_or_else(|| parent.clone(), |reply| reply.root);
    let key = reply_key(post, &parent.uri, &text);
    let record = PostRecord {
        text,
        created_at: now.to_rfc3339_opts(SecondsFormat::Millis, true),
        facets,
        embed: None,
        langs: Vec::new(),
        labels: None,
        tags: Vec::new(),
        reply: Some(Reply { root, parent }),
    };
    match answers {
        [] => {
            let value = serde_json::to_value(&record).unwrap_or_default();
            Ok(Turn::Send(caller.put(POSTS, &key, None, value).visible()))
        }
        // The same was said before, and the answer to that call may have been lost.
        [answer] if is_error(answer, "InvalidSwap") => Ok(Turn::Send(caller.record(POSTS, &key))),
        [answer] if !answer.is_success() => Err(failure(answer, true, Some(now))),
        [answer] => {
            let made: Reference = answer.json().ok_or_else(|| {
                let message = "Bluesky took the reply, but its answer cannot be read.";
                NetworkError::new(NetworkErrorKind::InDoubt, message)
            })?;
            made_comment(caller, &made, record)
        }
        [_, answer, ..] => {
            let StoredPost { reference, value } = caller.json(answer)?;
            if value.text != record.text || value.reply != record.reply {
                let message = "Another record has the key of this reply, and is left as it is.";
                return Err(NetworkError::permanent(message));
            }
            let created_at = value.created_at;
            made_comment(caller, &reference, PostRecord { created_at, ..record })
        }
    }
}

fn made_comment(
    caller: &Caller<'_>,
    made: &Reference,
    record: PostRecord,
) -> TurnResult<Option<Comment>> {
    let address = Address::of_uri(&made.uri).ok_or_else(|| {
        let message = "Bluesky took the reply, but its address cannot be read.";
        NetworkError::new(NetworkErrorKind::InDoubt, message)
    })?;
    Ok(Turn::Done(Some(Comment {
        id: address.comment_id(),
        author: caller.access.account.username.clone(),
        text: record.text,
        created_at: instant(&record.created_at),
        own: true,
        hidden: false,
        like_count: Some(0),
    })))
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
