//! The comments of a video: reading them, answering, changing, hiding, deleting.
//!
//! An id of the network is of letters, digits, `-`, `_` and, in a reply, a dot after the id of what
//! it answers: it fits into one segment of a path as it is.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/commentThreads> and
//! <https://developers.google.com/youtube/v3/docs/comments>.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, Comment, CommentAction, CommentRights, Comments, LivePost, NetworkError, unsupported,
};
use scheduler_core::target::FailureCode;
use serde_json::json;

use super::api::Api;
use super::errors::{failure, has_reason, is_gone, unreadable, unreadable_success};
use super::wire::{COMMENTING, Items, ListedComment, Thread, Tokens};
use crate::conversation::{Answer, Method, Request, Session, Turn, TurnResult};

/// Comments of one page.
///
/// Source: <https://developers.google.com/youtube/v3/docs/commentThreads/list>, `maxResults`.
const PAGE_SIZE: &str = "100";

/// Pages that are read. Our decision: 500 threads are more than anybody moderates here.
const PAGES_MAX: usize = 5;

/// Threads whose replies are read beyond those that come with them. Our decision; each takes a
/// call.
const ANSWERED_MAX: usize = 20;

/// What may be done with comments. Liking one is not offered.
const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: true, hide: true, like: false, delete: true };

/// The next turn of reading the comments of a video, those that are held back after the others;
/// `None` without the permission for it. Where comments are switched off, there is nothing to do
/// with any.
pub(super) fn comments(
    api: &Api,
    session: &Session<'_, Tokens>,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    if !session.credentials.may(COMMENTING) {
        return Ok(Turn::Done(None));
    }
    let mut answers = answers.iter();
    let mut threads: Vec<(Thread, bool)> = Vec::new();
    for is_held in [false, true] {
        let mut page_token: Option<String> = None;
        for _ in 0..PAGES_MAX {
            let Some(answer) = answers.next() else {
                let token = page_token.as_deref();
                return Ok(Turn::Send(page_of(
                    api,
                    &session.credentials,
                    &post.remote.id,
                    is_held,
                    token,
                )));
            };
            // Only who owns the video is told of those.
            if is_held && answer.status == 403 {
                break;
            }
            if has_reason(answer, "commentsDisabled") {
                return Ok(Turn::Done(Some(Comments::default())));
            }
            let page: Items<Thread> = read(answer, session)?;
            threads.extend(page.items.into_iter().map(|thread| (thread, is_held)));
            page_token = page.next_page_token;
            if page_token.is_none() {
                break;
            }
        }
    }
    let mut all = Vec::new();
    let mut answered = 0;
    for (thread, is_held) in threads {
        let total = thread.snippet.total_reply_count;
        let id = thread.snippet.top_level_comment.id.clone();
        all.push(read_comment(thread.snippet.top_level_comment, session, is_held));
        let mut replies = thread.replies.map(|replies| replies.comments).unwrap_or_default();
        if replies.len() < total && answered < ANSWERED_MAX {
            answered += 1;
            let Some(answer) = answers.next() else {
                let pairs = [
                    ("part", "snippet"),
                    ("parentId", id.as_str()),
                    ("maxResults", PAGE_SIZE),
                    ("textFormat", "plainText"),
                ];
                return Ok(Turn::Send(api.read(
                    &session.credentials.access_token,
                    "comments",
                    &pairs,
                )));
            };
            // A comment that is gone by now has no replies either.
            if !is_gone(answer) {
                replies = read::<Items<ListedComment>>(answer, session)?.items;
            }
        }
        all.extend(replies.into_iter().map(|reply| read_comment(reply, session, false)));
    }
    Ok(Turn::Done(Some(Comments { comments: all, rights: RIGHTS })))
}

/// The next turn of doing something with a comment.
pub(super) fn act(
    api: &Api,
    session: &Session<'_, Tokens>,
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    if !is_id(comment) {
        return Err(NetworkError::not_found("YouTube knows no comment of this id."));
    }
    let token = &session.credentials.access_token;
    let moderate = |status| {
        let pairs = [("id", comment), ("moderationStatus", status)];
        api.by(token, Method::Post, "comments/setModerationStatus", &pairs, None)
    };
    let (request, answer) = match act {
        CommentAction::Reply(text) => {
            // A reply to a reply belongs to the same thread.
            let parent = comment.split('.').next().unwrap_or(comment);
            let body = json!({ "snippet": { "parentId": parent, "textOriginal": text } });
            let request = api.act(token, "comments", &[("part", "snippet")], body);
            (request.visible(), answers.first())
        }
        CommentAction::Edit(text) => {
            let body = json!({ "id": comment, "snippet": { "textOriginal": text } });
            let pairs = [("part", "snippet")];
            (api.by(token, Method::Put, "comments", &pairs, Some(body)), answers.first())
        }
        CommentAction::Hide => (moderate("heldForReview"), answers.first()),
        CommentAction::Unhide => (moderate("published"), answers.first()),
        CommentAction::Delete => {
            let Some(answer) = answers.first() else {
                let pairs = [("part", "snippet"), ("id", comment)];
                return Ok(Turn::Send(api.read(token, "comments", &pairs)));
            };
            if is_gone(answer) {
                return Ok(Turn::Done(None));
            }
            let found: Items<ListedComment> = read(answer, session)?;
            let Some(found) = found.items.first() else { return Ok(Turn::Done(None)) };
            // Those of others can only be rejected, which takes them away as well.
            let request = match found.snippet.is_by(&session.account.network_id) {
                true => api.by(token, Method::Delete, "comments", &[("id", comment)], None),
                false => moderate("rejected"),
            };
            (request, answers.get(1))
        }
        CommentAction::Like | CommentAction::Unlike => return Err(unsupported(Platform::Youtube)),
    };
    let Some(answer) = answer else { return Ok(Turn::Send(request)) };
    if matches!(act, CommentAction::Delete) && is_gone(answer) {
        return Ok(Turn::Done(None));
    }
    if !answer.is_success() {
        let error = failure(answer, request.is_visible, Some(session.now)).of_act();
        return Err(if is_gone(answer) { error.with_code(FailureCode::NotFound) } else { error });
    }
    let CommentAction::Reply(text) = act else { return Ok(Turn::Done(None)) };
    let made: ListedComment = answer.json().ok_or_else(unreadable_success)?;
    let made = read_comment(made, session, false);
    Ok(Turn::Done(Some(Comment { text: text.clone(), own: true, hidden: false, ..made })))
}

fn page_of(
    api: &Api,
    tokens: &Tokens,
    video: &str,
    is_held: bool,
    page_token: Option<&str>,
) -> Request {
    let mut pairs = vec![
        ("part", "snippet,replies"),
        ("videoId", video),
        ("order", "time"),
        ("maxResults", PAGE_SIZE),
        ("textFormat", "plainText"),
    ];
    if is_held {
        pairs.push(("moderationStatus", "heldForReview"));
    }
    pairs.extend(page_token.map(|token| ("pageToken", token)));
    api.read(&tokens.access_token, "commentThreads", &pairs)
}

fn read<T: serde::de::DeserializeOwned>(
    answer: &Answer,
    access: &Access,
) -> Result<T, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(access.now)).of_act());
    }
    answer.json().ok_or_else(unreadable)
}

fn read_comment(listed: ListedComment, access: &Access, is_held: bool) -> Comment {
    let ListedComment { id, snippet } = listed;
    let own = snippet.is_by(&access.account.network_id);
    let status = snippet.moderation_status.as_deref();
    let hidden = is_held || matches!(status, Some("heldForReview" | "likelySpam" | "rejected"));
    let text = snippet.text().to_owned();
    Comment {
        id,
        author: snippet.author_display_name,
        text,
        created_at: snippet.published_at,
        own,
        hidden,
        like_count: snippet.like_count,
    }
}

/// True for what can be an id of a comment.
fn is_id(text: &str) -> bool {
    let is_part = |part: &str| {
        let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || matches!(sign, b'-' | b'_');
        !part.is_empty() && part.bytes().all(is_sign)
    };
    text.split('.').all(is_part)
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
