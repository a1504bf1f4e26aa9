//! Doing something with a comment: liking, deleting, and what `reply` and `hide` do.

use chrono::SecondsFormat;
use scheduler_core::ports::{Comment, CommentAction, LivePost, NetworkError, unsupported};
use serde::Deserialize as _;
use serde_json::json;

use super::caller::Caller;
use super::errors::is_error;
use super::hide::hide;
use super::record::{Address, parts};
use super::reply::reply;
use super::views::{PostView, Posts, ViewedRecord};
use super::wire::{LIKES, Listed, POSTS, StoredRecord};
use crate::conversation::{Answer, Turn, TurnResult};

/// Likes of our own that are looked through for one that readers do not know of yet: those of one
/// page.
const LIKES_PAGE: &str = "100";

/// The next turn of doing something with a comment.
pub(super) fn act(
    caller: &Caller<'_>,
    post: &LivePost,
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let not_offered = || unsupported(caller.access.account.platform);
    let address = Address::of_comment(comment).ok_or_else(not_a_comment)?;
    if parts(post)?.contains(&address) {
        return Err(not_a_comment());
    }
    match act {
        CommentAction::Edit(_) => return Err(not_offered()),
        CommentAction::Delete if address.did != caller.did() => return Err(not_offered()),
        CommentAction::Delete => return delete(caller, post, &address, answers),
        CommentAction::Reply(_)
        | CommentAction::Hide
        | CommentAction::Unhide
        | CommentAction::Like
        | CommentAction::Unlike => {}
    }
    let Some((answer, answers)) = answers.split_first() else {
        let uri = address.uri();
        return Ok(Turn::Send(caller.view("app.bsky.feed.getPosts", &[("uris", &uri)])));
    };
    let Posts { posts } = caller.json(answer)?;
    let view = posts.into_iter().find(|view| view.reference.uri == address.uri());
    let view = view.ok_or_else(|| {
        NetworkError::not_found("Bluesky shows no such comment: it is gone, or too new.")
    })?;
    check_place(&view.record, post)?;
    match act {
        CommentAction::Reply(text) => reply(caller, post, view, text, answers),
        CommentAction::Hide => hide(caller, post, &view.reference.uri, true, answers),
        CommentAction::Unhide => hide(caller, post, &view.reference.uri, false, answers),
        CommentAction::Like => like(caller, &view, answers),
        CommentAction::Unlike => unlike(caller, &view, answers),
        CommentAction::Edit(_) | CommentAction::Delete => Err(not_offered()),
    }
}

/// Likes a comment. A second like of the same comment takes the place of the first.
fn like(caller: &Caller<'_>, view: &PostView, answers: &[Answer]) -> TurnResult<Option<Comment>> {
    if view.viewer.as_ref().is_some_and(|viewer| viewer.like.is_some()) {
        return Ok(Turn::Done(None));
    }
    let Some(answer) = answers.first() else {
        let created_at = caller.access.now.to_rfc3339_opts(SecondsFormat::Millis, true);
        let record = json!({ "$type": LIKES, "subject": view.reference, "createdAt": created_at });
        let input = json!({ "repo": caller.did(), "collection": LIKES, "record": record });
        return Ok(Turn::Send(caller.act("com.atproto.repo.createRecord", input)));
    };
    caller.succeeded(answer).map(|()| Turn::Done(None))
}

/// Takes a like back: the one that readers know of, else one that was given just now.
fn unlike(caller: &Caller<'_>, view: &PostView, answers: &[Answer]) -> TurnResult<Option<Comment>> {
    let mut answers = answers.iter();
    let known = view.viewer.as_ref().and_then(|viewer| viewer.like.clone());
    let like = match known {
        Some(like) => Some(like),
        None => {
            let Some(answer) = answers.next() else {
                let query = [("repo", caller.did()), ("collection", LIKES), ("limit", LIKES_PAGE)];
                return Ok(Turn::Send(caller.read("com.atproto.repo.listRecords", &query)));
            };
            let Listed { records } = caller.json(answer)?;
            let is_it = |like: &StoredRecord| {
                like.value.pointer("/subject/uri").and_then(|uri| uri.as_str())
                    == Some(&view.reference.uri)
            };
            records.into_iter().find(is_it).map(|like| like.uri)
        }
    };
    let Some(key) = like.as_deref().and_then(|uri| uri.rsplit('/').next()) else {
        return Ok(Turn::Done(None));
    };
    match answers.next() {
        None => Ok(Turn::Send(caller.delete(LIKES, key))),
        Some(answer) => caller.succeeded(answer).map(|()| Turn::Done(None)),
    }
}

/// Deletes a reply of our own; one that is gone is no error.
fn delete(
    caller: &Caller<'_>,
    post: &LivePost,
    address: &Address,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(caller.record(POSTS, &address.key)));
    };
    if is_error(answer, "RecordNotFound") {
        return Ok(Turn::Done(None));
    }
    let stored: StoredRecord = caller.json(answer)?;
    check_place(&ViewedRecord::deserialize(&stored.value).unwrap_or_default(), post)?;
    match answers.get(1) {
        None => Ok(Turn::Send(caller.delete(POSTS, &address.key))),
        Some(answer) => caller.succeeded(answer).map(|()| Turn::Done(None)),
    }
}

/// Checks that a comment hangs below the post.
fn check_place(record: &ViewedRecord, post: &LivePost) -> Result<(), NetworkError> {
    let root = record.reply.as_ref().map(|reply| reply.root.uri.as_str());
    if root == Some(&post.remote.id) { Ok(()) } else { Err(not_a_comment()) }
}

fn not_a_comment() -> NetworkError {
    NetworkError::not_found("That is not a comment on this post.")
}

#[cfg(test)]
#[path = "act_tests.rs"]
mod tests;
