//! Doing something with a comment.
//!
//! Source: <https://developers.facebook.com/documentation/threads/reply-management>.

use scheduler_core::ports::{
    Access, Comment, CommentAct, LivePost, NetworkError, NetworkErrorKind, unsupported,
};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;

use super::Api;
use super::after::{delete, is_own, parts, settled, succeeded, unreadable};
use super::container::status;
use super::errors::{failure_after, is_gone};
use super::publish::publish_container;
use super::wire::{Container, ContainerStatus, Kept, Made, Post};
use crate::conversation::{Answer, Body, Request, Turn};

/// How often a reply's container is looked at; text is finished at once.
const LOOKS_MAX: usize = 10;

/// The next turn of doing something with a comment.
pub(super) fn act_on_comment(
    api: &Api,
    kept: &Kept,
    access: &Access,
    post: &LivePost,
    comment: &str,
    act: &CommentAct,
    answers: &[Answer],
) -> Result<Turn<Option<Comment>>, NetworkError> {
    match act {
        CommentAct::Edit(_) | CommentAct::Like | CommentAct::Unlike => {
            return Err(unsupported(access.account.platform));
        }
        CommentAct::Reply(_) | CommentAct::Hide | CommentAct::Unhide | CommentAct::Delete => {}
    }
    // Others may not be one step of a path: `..` leads elsewhere.
    if comment.is_empty() || !comment.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NetworkError::not_found("There is no such comment on Threads."));
    }
    let Some((answer, answers)) = answers.split_first() else {
        let fields = "id,username,is_reply,is_reply_owned_by_me,root_post";
        let url = api.query(&[comment], &[("fields", fields)]);
        return Ok(Turn::Send(Request::read(url).bearer(kept.access_token.expose_secret())));
    };
    let named = named(answer, access, post, comment)?;
    match act {
        CommentAct::Reply(text) => reply(api, kept, access, comment, text, answers),
        CommentAct::Hide => hide(api, kept, access, comment, true, answers),
        CommentAct::Unhide => hide(api, kept, access, comment, false, answers),
        CommentAct::Delete if !is_own(access, &named) => Err(unsupported(access.account.platform)),
        CommentAct::Delete => match answers.first() {
            None => Ok(Turn::Send(delete(api, kept, comment))),
            Some(answer) => settled(answer, access).map(|()| Turn::Done(None)),
        },
        CommentAct::Edit(_) | CommentAct::Like | CommentAct::Unlike => {
            Err(unsupported(access.account.platform))
        }
    }
}

/// The comment of an answer, which must be one on this post.
fn named(
    answer: &Answer,
    access: &Access,
    post: &LivePost,
    comment: &str,
) -> Result<Post, NetworkError> {
    if is_gone(answer) {
        return Err(failure_after(answer, false, access.now).with_code(FailureCode::NotFound));
    }
    if !answer.is_success() {
        return Err(failure_after(answer, false, access.now));
    }
    let named: Post = answer.json().ok_or_else(unreadable)?;
    let parts = parts(post);
    let root = named.root_post.as_ref().map(|root| &root.id);
    let is_comment = named.is_reply
        && named.id == comment
        && !parts.contains(&named.id)
        && root.is_none_or(|root| parts.contains(root));
    if !is_comment {
        return Err(NetworkError::not_found("That is not a comment on this post."));
    }
    Ok(named)
}

/// A container, a look at it until it is finished, and its publishing.
fn reply(
    api: &Api,
    kept: &Kept,
    access: &Access,
    comment: &str,
    text: &str,
    answers: &[Answer],
) -> Result<Turn<Option<Comment>>, NetworkError> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    let token = kept.access_token.expose_secret();
    let Some((answer, answers)) = answers.split_first() else {
        let body = Body::Form(vec![
            ("media_type", "TEXT".to_owned()),
            ("text", text),
            ("reply_to_id", comment.to_owned()),
        ]);
        let url = api.at(&[&kept.user_id, "threads"]);
        return Ok(Turn::Send(Request::act(url, body).bearer(token)));
    };
    if !answer.is_success() {
        return Err(failure_after(answer, false, access.now));
    }
    let Made { id } = answer.json().ok_or_else(unreadable)?;

    let mut answers = answers.iter();
    let mut is_finished = false;
    for _ in 0..LOOKS_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(status(api, kept, &id)));
        };
        if !answer.is_success() {
            return Err(failure_after(answer, false, access.now));
        }
        let container: Container = answer.json().ok_or_else(unreadable)?;
        match container.status {
            ContainerStatus::Finished => {
                is_finished = true;
                break;
            }
            ContainerStatus::InProgress => {}
            ContainerStatus::Error | ContainerStatus::Expired | ContainerStatus::Published => break,
        }
    }
    if !is_finished {
        let message =
            "Threads did not take the reply in time. Nothing was published; try it again.";
        return Err(NetworkError::new(NetworkErrorKind::Temporary, message));
    }

    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(publish_container(api, kept, &id)));
    };
    if !answer.is_success() {
        let error = failure_after(answer, true, access.now);
        return Err(match error.kind {
            NetworkErrorKind::Unsettled => lost(),
            NetworkErrorKind::Temporary
            | NetworkErrorKind::RateLimited { .. }
            | NetworkErrorKind::Permanent
            | NetworkErrorKind::TokenExpired
            | NetworkErrorKind::Reconnect
            | NetworkErrorKind::InDoubt => error,
        });
    }
    let Made { id } = answer.json().ok_or_else(lost)?;
    Ok(Turn::Done(Some(Comment {
        id,
        author: access.account.username.clone(),
        text,
        created_at: Some(access.now),
        own: true,
        hidden: false,
        like_count: None,
    })))
}

fn lost() -> NetworkError {
    let message = "Threads took the reply, and may have published it. Look before you reply again.";
    NetworkError::new(NetworkErrorKind::InDoubt, message)
}

fn hide(
    api: &Api,
    kept: &Kept,
    access: &Access,
    comment: &str,
    is_hidden: bool,
    answers: &[Answer],
) -> Result<Turn<Option<Comment>>, NetworkError> {
    let Some(answer) = answers.first() else {
        let body = Body::Form(vec![("hide", is_hidden.to_string())]);
        let request = Request::act(api.at(&[comment, "manage_reply"]), body);
        return Ok(Turn::Send(request.bearer(kept.access_token.expose_secret())));
    };
    succeeded(answer, access).map(|()| Turn::Done(None))
}
