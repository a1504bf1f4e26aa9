//! The comments of a post: reading them, answering, changing, liking, deleting.
//!
//! Source: <https://docs.joinmastodon.org/methods/statuses/#context>.

use scheduler_core::ports::{
    Comment, CommentAction, CommentRights, Comments, LivePost, NetworkError, NetworkErrorKind,
    unsupported,
};
use scheduler_core::target::FailureCode;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::after::parts;
use super::caller::Caller;
use super::errors::{failure_after, is_gone, is_outside_scopes};
use super::shown::{ShownAccount, ShownStatus, Surroundings};
use crate::conversation::{Answer, Body, Method, Turn, TurnResult, or_send};

/// What may be done with comments. Hiding one is not offered.
const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: true, hide: false, like: true, delete: true };

/// The next turn of reading the comments of a post, without the parts of its own thread; `None`
/// where the account may not read.
pub(super) fn comments(
    caller: &Caller<'_>,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(caller.read(&["statuses", &post.remote.id, "context"], &[])));
    };
    if is_outside_scopes(answer) {
        return Ok(Turn::Done(None));
    }
    let Surroundings { descendants, .. } = caller.json(answer)?;
    let parts = parts(post);
    let others = descendants.into_iter().filter(|status| !parts.contains(&status.id));
    let comments = others.map(|status| status.into_comment(&caller.tokens)).collect();
    Ok(Turn::Done(Some(Comments { comments, rights: RIGHTS })))
}

/// The next turn of doing something with a comment, which is looked at first.
pub(super) fn act(
    caller: &Caller<'_>,
    post: &LivePost,
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let not_offered = || unsupported(caller.access.account.platform);
    if matches!(act, CommentAction::Hide | CommentAction::Unhide) {
        return Err(not_offered());
    }
    if !is_id(comment) {
        return Err(NetworkError::not_found("There is no such comment."));
    }
    let Some((answer, answers)) = answers.split_first() else {
        return Ok(Turn::Send(caller.read(&["statuses", comment], &[])));
    };
    if *act == CommentAction::Delete && is_gone(answer) {
        return Ok(Turn::Done(None));
    }
    if is_gone(answer) {
        return Err(NetworkError::not_found("There is no such comment any more."));
    }
    let shown: ShownStatus = caller.json(answer)?;
    let answers = or_send!(place(caller, post, &shown, answers)?);
    let is_own = shown.is_own(&caller.tokens);
    match act {
        CommentAction::Reply(text) => return reply(caller, post, &shown, text, answers),
        // The server would say that there is no such status.
        CommentAction::Edit(_) | CommentAction::Delete if !is_own => return Err(not_offered()),
        CommentAction::Edit(_)
        | CommentAction::Delete
        | CommentAction::Like
        | CommentAction::Unlike
        | CommentAction::Hide
        | CommentAction::Unhide => {}
    }
    let Some(answer) = answers.first() else {
        let set = |what| caller.act(Method::Post, &["statuses", comment, what], Body::Empty);
        return Ok(Turn::Send(match act {
            CommentAction::Edit(text) => {
                let text = addressed(&checked(text)?, shown.answered());
                caller.replace(comment, shown.with_text(&text))
            }
            CommentAction::Delete => caller.delete(comment),
            CommentAction::Like => set("favourite"),
            CommentAction::Unlike => set("unfavourite"),
            CommentAction::Reply(_) | CommentAction::Hide | CommentAction::Unhide => {
                return Err(not_offered());
            }
        }));
    };
    if *act == CommentAction::Delete && is_gone(answer) {
        return Ok(Turn::Done(None));
    }
    if is_gone(answer) {
        return Err(NetworkError::not_found("There is no such comment any more."));
    }
    caller.done(answer).map(|()| Turn::Done(None))
}

/// True for what can be the id of a status, on servers of any kind. Others may not be one step of a
/// path: `..` leads elsewhere.
fn is_id(text: &str) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_alphanumeric() || matches!(sign, b'-' | b'_');
    !text.is_empty() && text.bytes().all(is_sign)
}

/// Checks that a status is a comment on the post; gives back the answers that are left.
fn place<'a>(
    caller: &Caller<'_>,
    post: &LivePost,
    shown: &ShownStatus,
    answers: &'a [Answer],
) -> TurnResult<&'a [Answer]> {
    let parts = parts(post);
    let not_a_comment = || Err(NetworkError::not_found("That is not a comment on this post."));
    let Some(parent) = &shown.in_reply_to_id else { return not_a_comment() };
    if parts.contains(&shown.id) {
        return not_a_comment();
    }
    if parts.contains(parent) {
        return Ok(Turn::Done(answers));
    }
    // It answers another comment.
    let Some((answer, answers)) = answers.split_first() else {
        return Ok(Turn::Send(caller.read(&["statuses", &shown.id, "context"], &[])));
    };
    let Surroundings { ancestors, .. } = caller.json(answer)?;
    match ancestors.iter().any(|above| parts.contains(&above.id)) {
        true => Ok(Turn::Done(answers)),
        false => not_a_comment(),
    }
}

/// Answers a comment, to those who could see it, under a key that follows from what is said.
fn reply(
    caller: &Caller<'_>,
    post: &LivePost,
    shown: &ShownStatus,
    text: &str,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let Some(answer) = answers.first() else {
        // Nobody mentions themselves.
        let author = Some(&shown.account).filter(|_| !shown.is_own(&caller.tokens));
        let text = addressed(&checked(text)?, author);
        let mut body = json!({ "status": text, "in_reply_to_id": shown.id });
        if !shown.visibility.is_empty() {
            body["visibility"] = shown.visibility.as_str().into();
        }
        let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let said: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let key = format!("{}:reply:{}:{said}", post.target_id, shown.id);
        let request = caller.act(Method::Post, &["statuses"], Body::Json(body));
        return Ok(Turn::Send(request.header("idempotency-key", key).visible()));
    };
    if is_gone(answer) {
        let message = "The comment, or an answer to it that was the same, is not there any more. Nothing is sent again.";
        return Err(NetworkError::permanent(message));
    }
    if !answer.is_success() {
        return Err(failure_after(answer, true, caller.access.now));
    }
    let made: Option<ShownStatus> = answer.json();
    let made = made.ok_or_else(|| {
        let message = "The server took the reply, but its answer cannot be read.";
        NetworkError::new(NetworkErrorKind::InDoubt, message)
    })?;
    Ok(Turn::Done(Some(made.into_comment(&caller.tokens))))
}

/// The text as it is sent.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] when there is none.
fn checked(text: &str) -> Result<String, NetworkError> {
    let text = text.replace("\r\n", "\n").trim().to_owned();
    if text.is_empty() {
        let error = NetworkError::permanent("The comment has no text.");
        return Err(error.with_code(FailureCode::ValidationFailed));
    }
    Ok(text)
}

/// The text with the mention of whom it answers, without which they would not be told of it.
fn addressed(text: &str, whom: Option<&ShownAccount>) -> String {
    let Some(whom) = whom else { return text.to_owned() };
    let full = format!("@{}", whom.acct);
    // The end of a name, and not the begin of a longer one.
    let ends = |rest: &str| {
        let mut rest = rest.chars();
        match rest.next() {
            Some('.' | '-') => !rest.next().is_some_and(char::is_alphanumeric),
            Some(next) => !next.is_alphanumeric() && next != '_' && next != '@',
            None => true,
        }
    };
    if text.match_indices(&full).any(|(at, _)| ends(&text[at + full.len()..])) {
        return text.to_owned();
    }
    // Comments are shown with the name alone.
    let short = format!("@{}", whom.acct.split('@').next().unwrap_or_default());
    match text.strip_prefix(&short).filter(|rest| ends(rest)) {
        Some(rest) => format!("{full}{rest}"),
        None => format!("{full} {text}"),
    }
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
