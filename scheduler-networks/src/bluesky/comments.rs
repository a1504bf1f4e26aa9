//! Reading the comments of a post.

use chrono::{DateTime, Utc};
use scheduler_core::ports::{Comment, CommentRights, Comments, LivePost};

use super::caller::Caller;
use super::errors::is_error;
use super::record::{Address, parts};
use super::views::{PostThread, PostView, ThreadView};
use crate::conversation::{Answer, Turn, TurnResult};

/// Levels of answers that are read below the last part of a post.
///
/// Source: lexicons/app/bsky/feed/getPostThread.json, `depth.default`.
const DEPTH: usize = 6;

/// What may be done with comments. Hiding them is the right of whoever began the thread, as we
/// always did.
pub(super) const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: false, hide: true, like: true, delete: true };

/// The next turn of reading the comments of a post, without the parts of its own thread.
pub(super) fn comments(
    caller: &Caller<'_>,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    let parts: Vec<String> = parts(post)?.iter().map(Address::uri).collect();
    let Some(answer) = answers.first() else {
        // Each part stands one level below the part before.
        let depth = (DEPTH + parts.len() - 1).to_string();
        let query = [("uri", post.remote.id.as_str()), ("depth", &depth), ("parentHeight", "0")];
        return Ok(Turn::Send(caller.view("app.bsky.feed.getPostThread", &query)));
    };
    // It may be too new for readers.
    if is_error(answer, "NotFound") {
        return Ok(Turn::Done(Some(Comments { comments: Vec::new(), rights: RIGHTS })));
    }
    let PostThread { thread, threadgate } = caller.json(answer)?;
    let hidden = threadgate.map(|gate| gate.record.hidden_replies).unwrap_or_default();
    let mut comments = Vec::new();
    let mut waiting: Vec<ThreadView> = thread.replies.into_iter().rev().collect();
    while let Some(ThreadView { post, replies }) = waiting.pop() {
        waiting.extend(replies.into_iter().rev());
        let Some(view) = post.filter(|view| !parts.contains(&view.reference.uri)) else { continue };
        let is_hidden = hidden.contains(&view.reference.uri);
        comments.extend(comment(caller, view, is_hidden));
    }
    Ok(Turn::Done(Some(Comments { comments, rights: RIGHTS })))
}

fn comment(caller: &Caller<'_>, view: PostView, hidden: bool) -> Option<Comment> {
    let id = Address::of_uri(&view.reference.uri)?.comment_id();
    Some(Comment {
        id,
        own: view.author.did == caller.did(),
        author: Some(view.author.handle),
        text: view.record.text,
        created_at: view.record.created_at.as_deref().and_then(instant),
        hidden,
        like_count: view.like_count,
    })
}

/// The instant that a program has written; `None` when it is none.
pub(super) fn instant(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|instant| instant.to_utc())
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
