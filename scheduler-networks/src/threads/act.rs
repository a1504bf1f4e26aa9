//! Doing something with a comment.
//!
//! Source: <https://developers.facebook.com/documentation/threads/reply-management>.

use scheduler_core::ports::{
    Access, Comment, CommentAction, LivePost, NetworkError, NetworkErrorKind, unsupported,
};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;

use super::after::{delete, is_own, parts, settled, succeeded, unreadable};
use super::api::Api;
use super::container::status;
use super::errors::{failure_after, is_gone};
use super::publish::publish_container;
use super::wire::{Container, ContainerStatus, Made, Post, Tokens};
use crate::conversation::{Answer, Body, Request, Session, Turn, TurnResult};

/// How often a reply's container is looked at; text is finished at once.
const LOOKS_MAX: usize = 10;

/// The next turn of doing something with a comment.
pub(super) fn act_on_comment(
    api: &Api,
    session: &Session<'_, Tokens>,
    post: &LivePost,
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    match act {
        CommentAction::Edit(_) | CommentAction::Like | CommentAction::Unlike => {
            return Err(unsupported(session.account.platform));
        }
        CommentAction::Reply(_)
        | CommentAction::Hide
        | CommentAction::Unhide
        | CommentAction::Delete => {}
    }
    // Others may not be one step of a path: `..` leads elsewhere.
    if comment.is_empty() || !comment.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NetworkError::not_found("There is no such comment on Threads."));
    }
    let Some((answer, answers)) = answers.split_first() else {
        let fields = "id,username,is_reply,is_reply_owned_by_me,root_post";
        let url = api.query(&[comment], &[("fields", fields)]);
        return Ok(Turn::Send(
            Request::read(url).bearer(session.credentials.access_token.expose_secret()),
        ));
    };
    let named = named(answer, session, post, comment)?;
    match act {
        CommentAction::Reply(text) => reply(api, session, comment, text, answers),
        CommentAction::Hide => hide(api, session, comment, true, answers),
        CommentAction::Unhide => hide(api, session, comment, false, answers),
        CommentAction::Delete if !is_own(session, &named) => {
            Err(unsupported(session.account.platform))
        }
        CommentAction::Delete => match answers.first() {
            None => Ok(Turn::Send(delete(api, &session.credentials, comment))),
            Some(answer) => settled(answer, session).map(|()| Turn::Done(None)),
        },
        CommentAction::Edit(_) | CommentAction::Like | CommentAction::Unlike => {
            Err(unsupported(session.account.platform))
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
    let named: Post = answer.taken(|| failure_after(answer, false, access.now), unreadable)?;
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
    session: &Session<'_, Tokens>,
    comment: &str,
    text: &str,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    let token = session.credentials.access_token.expose_secret();
    let Some((answer, answers)) = answers.split_first() else {
        let body = Body::Form(vec![
            ("media_type", "TEXT".to_owned()),
            ("text", text),
            ("reply_to_id", comment.to_owned()),
        ]);
        let url = api.at(&[&session.credentials.user_id, "threads"]);
        return Ok(Turn::Send(Request::act(url, body).bearer(token)));
    };
    let Made { id } = answer.taken(|| failure_after(answer, false, session.now), unreadable)?;

    let mut answers = answers.iter();
    let mut is_finished = false;
    for _ in 0..LOOKS_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(status(api, &session.credentials, &id)));
        };
        let container: Container =
            answer.taken(|| failure_after(answer, false, session.now), unreadable)?;
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
        return Err(NetworkError::temporary(message));
    }

    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(publish_container(api, &session.credentials, &id)));
    };
    if !answer.is_success() {
        let error = failure_after(answer, true, session.now);
        return Err(if error.kind == NetworkErrorKind::Unsettled { lost() } else { error });
    }
    let Made { id } = answer.json().ok_or_else(lost)?;
    Ok(Turn::Done(Some(Comment {
        id,
        author: session.account.username.clone(),
        text,
        created_at: Some(session.now),
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
    session: &Session<'_, Tokens>,
    comment: &str,
    is_hidden: bool,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let Some(answer) = answers.first() else {
        let body = Body::Form(vec![("hide", is_hidden.to_string())]);
        let request = Request::act(api.at(&[comment, "manage_reply"]), body);
        return Ok(Turn::Send(request.bearer(session.credentials.access_token.expose_secret())));
    };
    succeeded(answer, session).map(|()| Turn::Done(None))
}
