//! Comments: read, answered, changed, hidden, liked and deleted.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/comment/>.

use chrono::{DateTime, Utc};
use scheduler_core::ports::{
    Access, Comment, CommentAction, CommentRights, Comments, LivePost, NetworkError,
};
use scheduler_core::target::FailureCode;
use serde::Deserialize;

use super::after::done;
use super::caller::Caller;
use super::errors::{Described, Meaning, act_failure, meaning, meaning_of, unreadable};
use super::hosts::Host;
use super::wire::{Created, Page, instant};
use crate::conversation::{Answer, Body, Method, Request, Turn, TurnResult};

/// What is asked of a comment, and what is left of it where the network refuses some of that.
const FIELDS: &str = "id,from{id,name},message,created_time,is_hidden,like_count,user_likes,can_hide,can_remove,can_comment,parent{id}";
const FEWER_FIELDS: &str = "id,message,created_time,is_hidden,like_count";

/// Comments of one page, and pages that are read.
const PAGE: &str = "50";
const PAGES_MAX: usize = 20;

/// What only a comment has, and no post, photo or video.
const COMMENT_ALONE: &str = "id,can_remove";

/// What a comment may hold; clients go by this figure.
const CHARACTERS_MAX: usize = 8_000;

const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: true, hide: true, like: true, delete: true };

/// A comment, as far as it is read.
#[derive(Debug, Deserialize)]
pub(super) struct WireComment {
    pub(super) id: String,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default, deserialize_with = "instant")]
    pub(super) created_time: Option<DateTime<Utc>>,
    /// Left out where others' names may not be read.
    pub(super) from: Option<From>,
    #[serde(default)]
    is_hidden: bool,
    like_count: Option<u64>,
    parent: Option<Parent>,
}

#[derive(Debug, Deserialize)]
pub(super) struct From {
    pub(super) id: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Parent {
    id: String,
}

/// The next turn of reading the comments of a post, with their replies among them.
pub(super) fn comments(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    let mut answers = answers.iter();
    let (mut fields, mut after) = (FIELDS, None::<String>);
    let mut comments = Vec::new();
    let mut pages = 0;
    while pages < PAGES_MAX {
        let Some(answer) = answers.next() else {
            let mut pairs = vec![
                ("filter", "stream"),
                ("order", "reverse_chronological"),
                ("fields", fields),
                ("limit", PAGE),
            ];
            pairs.extend(after.as_deref().map(|after| ("after", after)));
            let url = caller.hosts.call(Host::Graph, &[&post.remote.id, "comments"], &pairs)?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        if !answer.is_success() {
            let described = Described::read(answer);
            let is_field_refused =
                described.code == Some(100) && meaning(&described) != Meaning::Missing;
            if is_field_refused && fields == FIELDS {
                fields = FEWER_FIELDS;
                continue;
            }
            return Err(act_failure(answer, false, Some(access.now)));
        }
        let page: Page<WireComment> = answer.json().ok_or_else(|| unreadable(false))?;
        after = page.after();
        comments.extend(page.data.into_iter().map(|comment| shown(caller, comment)));
        pages += 1;
        if after.is_none() {
            break;
        }
    }
    Ok(Turn::Done(Some(Comments { comments, rights: RIGHTS })))
}

fn shown(caller: &Caller<'_>, comment: WireComment) -> Comment {
    let (author_id, author) = comment.from.map_or((None, None), |from| (from.id, from.name));
    Comment {
        own: author_id.as_deref() == Some(caller.tokens.page_id.as_str()),
        id: comment.id,
        author,
        text: comment.message,
        created_at: comment.created_time,
        hidden: comment.is_hidden,
        like_count: comment.like_count,
    }
}

/// The next turn of doing something with a comment.
pub(super) fn act(
    caller: &Caller<'_>,
    access: &Access,
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    if comment.is_empty() || !comment.bytes().all(is_part) {
        return Err(NetworkError::not_found("There is no such comment."));
    }
    let hides = |hidden: bool| Body::Form(vec![("is_hidden", hidden.to_string())]);
    let request = match act {
        CommentAction::Reply(text) => return reply(caller, access, comment, text, answers),
        CommentAction::Edit(text) => {
            check(text)?;
            let body = Body::Form(vec![("message", text.clone())]);
            Request::act(caller.graph(&[comment])?, body)
        }
        CommentAction::Hide => Request::act(caller.graph(&[comment])?, hides(true)),
        CommentAction::Unhide => Request::act(caller.graph(&[comment])?, hides(false)),
        CommentAction::Like => Request::act(caller.graph(&[comment, "likes"])?, Body::Empty),
        CommentAction::Unlike => {
            Request::read(caller.graph(&[comment, "likes"])?).method(Method::Delete)
        }
        CommentAction::Delete => Request::read(caller.graph(&[comment])?).method(Method::Delete),
    };
    // A call that changes or deletes a comment does the same to a post, so that what the id names
    // is looked at first.
    let is_looked_at = matches!(act, CommentAction::Edit(_) | CommentAction::Delete);
    let answer = match answers {
        [] if is_looked_at => {
            let url = caller.hosts.call(Host::Graph, &[comment], &[("fields", COMMENT_ALONE)])?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        }
        [look] if is_looked_at && is_field_refused(look) => {
            return Err(NetworkError::not_found("That is not a comment."));
        }
        [look] if is_looked_at && look.is_success() => {
            return Ok(Turn::Send(caller.authorized(request)));
        }
        [_, answer, ..] if is_looked_at => answer,
        [answer, ..] => answer,
        [] => return Ok(Turn::Send(caller.authorized(request))),
    };
    if !answer.is_success() {
        let is_gone = meaning_of(answer) == Meaning::Missing;
        if is_gone && *act == CommentAction::Delete {
            return Ok(Turn::Done(None));
        }
        return Err(refused(answer, false, access.now));
    }
    Ok(match done(answer, "do it")? {
        Turn::Done(()) => Turn::Done(None),
        Turn::Send(request) => Turn::Send(request),
    })
}

/// The failure of a call for a comment, which may not be there.
fn refused(answer: &Answer, is_visible: bool, now: DateTime<Utc>) -> NetworkError {
    let error = act_failure(answer, is_visible, Some(now));
    match meaning_of(answer) {
        Meaning::Missing => error.with_code(FailureCode::NotFound),
        _ => error,
    }
}

/// True when what was asked for has not a field that comments have.
fn is_field_refused(answer: &Answer) -> bool {
    let described = Described::read(answer);
    !answer.is_success() && described.code == Some(100) && meaning(&described) != Meaning::Missing
}

/// Answers a comment. Replies have no replies: what answers one goes to the comment above it.
fn reply(
    caller: &Caller<'_>,
    access: &Access,
    comment: &str,
    text: &str,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    check(text)?;
    let mut answers = answers.iter();
    let Some(answer) = answers.next() else {
        let fields = [("fields", "id,parent{id}")];
        let url = caller.hosts.call(Host::Graph, &[comment], &fields)?;
        return Ok(Turn::Send(caller.authorized(Request::read(url))));
    };
    let described = Described::read(answer);
    let is_untold = described.code == Some(100) && meaning(&described) != Meaning::Missing;
    if !answer.is_success() && !is_untold {
        return Err(refused(answer, false, access.now));
    }
    let about: Option<WireComment> = answer.is_success().then(|| answer.json()).flatten();
    let parent = about.and_then(|about| about.parent).map(|parent| parent.id);
    let Some(answer) = answers.next() else {
        let above = parent.as_deref().unwrap_or(comment);
        let body = Body::Form(vec![("message", text.to_owned())]);
        let request = Request::act(caller.graph(&[above, "comments"])?, body).visible();
        return Ok(Turn::Send(caller.authorized(request)));
    };
    let Created { id } = answer.taken(|| refused(answer, true, access.now), || unreadable(true))?;
    Ok(Turn::Done(Some(Comment {
        id,
        author: access.account.display_name.clone().or_else(|| access.account.username.clone()),
        text: text.to_owned(),
        created_at: Some(access.now),
        own: true,
        hidden: false,
        like_count: Some(0),
    })))
}

/// Refuses what the network would refuse.
fn check(text: &str) -> Result<(), NetworkError> {
    let message = if text.trim().is_empty() {
        "A comment needs a text.".to_owned()
    } else if text.chars().count() > CHARACTERS_MAX {
        format!("Facebook takes comments of {CHARACTERS_MAX} characters at most.")
    } else {
        return Ok(());
    };
    Err(NetworkError::permanent(message).with_code(FailureCode::ValidationFailed))
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
