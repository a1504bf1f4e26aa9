//! Comments: read with their replies, answered, hidden and deleted.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/comment-moderation>.

use chrono::{DateTime, Utc};
use scheduler_core::ports::{
    Access, Comment, CommentAction, CommentRights, Comments, LivePost, NetworkError, unsupported,
};
use scheduler_core::target::FailureCode;
use serde::Deserialize;

use super::caller::Caller;
use super::errors::{Described, Meaning, failure, failure_after, is_not_allowed, unreadable};
use super::progress::product;
use super::wire::{Created, Done, Page, instant};
use crate::conversation::{Answer, Body, Method, Request, Turn, TurnResult, or_send};

/// What is asked of a comment, and what is left of it where the network refuses some of that.
const FIELDS: &str = "id,text,timestamp,username,from,like_count,hidden,parent_id,replies{id,text,timestamp,username,from,like_count,hidden}";
const FEWER_FIELDS: &str = "id,text,timestamp,username";

/// What is asked of the comment that something is to be done with.
const PLACE_FIELDS: &str = "id,username,parent_id,hidden,media";

/// Comments of one page, and pages that are read.
const PAGE: &str = "50";
const PAGES_MAX: usize = 20;

/// What a comment may hold.
///
/// Source: reference of `ig-media/comments`.
const CHARACTERS_MAX: usize = 300;
const HASHTAGS_MAX: usize = 4;
const LINKS_MAX: usize = 1;

/// What can be done: there is no editing and no liking.
const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: false, hide: true, like: false, delete: true };

/// A comment, as far as it is read.
#[derive(Debug, Deserialize)]
struct WireComment {
    id: String,
    #[serde(default)]
    text: String,
    #[serde(default, deserialize_with = "instant")]
    timestamp: Option<DateTime<Utc>>,
    username: Option<String>,
    from: Option<From>,
    like_count: Option<u64>,
    #[serde(default)]
    hidden: bool,
    parent_id: Option<String>,
    /// The post that it is on.
    media: Option<Created>,
    replies: Option<Page<WireComment>>,
}

#[derive(Debug, Deserialize)]
struct From {
    id: Option<String>,
    username: Option<String>,
}

/// The next turn of reading the comments of a post; each is followed by its replies. `None` where
/// the account may not read them.
pub(super) fn comments(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    if product(&post.remote) == "STORY" {
        return Ok(Turn::Done(None));
    }
    let mut answers = answers.iter();
    let (mut fields, mut after) = (FIELDS, None::<String>);
    let mut comments = Vec::new();
    let mut pages = 0;
    while pages < PAGES_MAX {
        let Some(answer) = answers.next() else {
            let mut query = vec![("fields", fields), ("limit", PAGE)];
            query.extend(after.as_deref().map(|after| ("after", after)));
            let url = caller.graph_query(&[&post.remote.id, "comments"], &query)?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        if !answer.is_success() {
            let described = Described::read(answer);
            let is_field_refused =
                described.code == Some(100) && described.meaning() != Meaning::Missing;
            if is_field_refused && fields == FIELDS {
                fields = FEWER_FIELDS;
                continue;
            }
            if is_not_allowed(&described) {
                return Ok(Turn::Done(None));
            }
            return Err(failure(answer, false, Some(access.now)));
        }
        let page: Page<WireComment> = answer.json().ok_or_else(|| unreadable(false))?;
        after = page.after();
        for mut comment in page.data {
            let replies = comment.replies.take().map(|replies| replies.data);
            comments.push(shown(caller, access, comment));
            let replies = replies.into_iter().flatten();
            comments.extend(replies.map(|reply| shown(caller, access, reply)));
        }
        pages += 1;
        if after.is_none() {
            break;
        }
    }
    Ok(Turn::Done(Some(Comments { comments, rights: RIGHTS })))
}

fn shown(caller: &Caller<'_>, access: &Access, comment: WireComment) -> Comment {
    let (from_id, from_name) = comment.from.map_or((None, None), |from| (from.id, from.username));
    let author = comment.username.or(from_name);
    let is_named = author.is_some() && author == access.account.username;
    Comment {
        own: is_named || from_id.as_deref() == Some(caller.tokens.user_id.as_str()),
        id: comment.id,
        author,
        text: comment.text,
        created_at: comment.timestamp,
        hidden: comment.hidden,
        like_count: comment.like_count,
    }
}

/// The next turn of doing something with a comment.
pub(super) fn act(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let is_id = !comment.is_empty() && comment.bytes().all(|byte| byte.is_ascii_digit());
    if product(&post.remote) == "STORY" {
        return Err(unsupported(access.account.platform));
    }
    if !is_id {
        return Err(NetworkError::not_found("There is no such comment."));
    }
    let request = match act {
        CommentAction::Reply(text) => {
            check(text)?;
            None
        }
        CommentAction::Edit(_) | CommentAction::Like | CommentAction::Unlike => {
            return Err(unsupported(access.account.platform));
        }
        CommentAction::Hide => Some(hide(caller, comment, true)?),
        CommentAction::Unhide => Some(hide(caller, comment, false)?),
        CommentAction::Delete => {
            Some(Request::read(caller.graph(&[comment])?).method(Method::Delete))
        }
    };
    let is_gone = |answer: &Answer| {
        let is_missing = Described::read(answer).meaning() == Meaning::Missing;
        *act == CommentAction::Delete && !answer.is_success() && is_missing
    };
    if answers.first().is_some_and(is_gone) {
        return Ok(Turn::Done(None));
    }
    let (about, answers) = or_send!(look(caller, access, post, comment, answers)?);
    let request = match (request, act) {
        (None, CommentAction::Reply(text)) => {
            return reply(caller, access, comment, &about, text, answers);
        }
        (Some(request), _) => request,
        (None, _) => return Err(unsupported(access.account.platform)),
    };
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(caller.authorized(request)));
    };
    if is_gone(answer) {
        return Ok(Turn::Done(None));
    }
    let Done { success } =
        answer.taken(|| refused(answer, false, access.now), || unreadable(false))?;
    if success {
        return Ok(Turn::Done(None));
    }
    let message = "Instagram did not do it, and does not say why.";
    Err(NetworkError::temporary(message))
}

/// Looks at what an id names before anything is done with it: posts have ids of the same form,
/// and a call that deletes a comment deletes a post just as well. Gives back the answers that are
/// left.
fn look<'a>(
    caller: &Caller<'_>,
    access: &Access,
    post: &LivePost,
    comment: &str,
    answers: &'a [Answer],
) -> TurnResult<(WireComment, &'a [Answer])> {
    if comment == post.remote.id {
        return Err(not_a_comment());
    }
    let mut left = answers;
    for fields in [PLACE_FIELDS, FEWER_FIELDS] {
        let Some((answer, rest)) = left.split_first() else {
            let url = caller.graph_query(&[comment], &[("fields", fields)])?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        left = rest;
        if answer.is_success() {
            let about: WireComment = answer.json().ok_or_else(|| unreadable(false))?;
            let is_elsewhere = about.media.as_ref().is_some_and(|media| media.id != post.remote.id);
            return match is_elsewhere {
                true => Err(not_a_comment()),
                false => Ok(Turn::Done((about, left))),
            };
        }
        let described = Described::read(answer);
        if described.code != Some(100) || described.meaning() == Meaning::Missing {
            return Err(refused(answer, false, access.now));
        }
    }
    // What has not even the text of a comment is none.
    Err(not_a_comment())
}

fn not_a_comment() -> NetworkError {
    NetworkError::not_found("That is not a comment on this post.")
}

/// The failure of a call for a comment, which may not be there.
fn refused(answer: &Answer, is_visible: bool, now: DateTime<Utc>) -> NetworkError {
    let error = failure_after(answer, is_visible, now);
    match Described::read(answer).meaning() {
        Meaning::Missing => error.with_code(FailureCode::NotFound),
        _ => error,
    }
}

fn hide(caller: &Caller<'_>, comment: &str, hidden: bool) -> Result<Request, NetworkError> {
    let body = Body::Form(vec![("hide", hidden.to_string())]);
    Ok(Request::act(caller.graph(&[comment])?, body))
}

/// Answers a comment. Replies have no replies: what answers one goes to the comment above it,
/// with the name in front.
fn reply(
    caller: &Caller<'_>,
    access: &Access,
    comment: &str,
    about: &WireComment,
    text: &str,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    if about.hidden {
        let message = "Hidden comments cannot be answered. Show the comment again first.";
        return Err(NetworkError::permanent(message));
    }
    let parent = about.parent_id.as_deref();
    let message = match about.username.as_ref().filter(|_| parent.is_some()) {
        Some(name) if !text.contains(&format!("@{name}")) => format!("@{name} {text}"),
        Some(_) | None => text.to_owned(),
    };
    check(&message)?;
    let Some(answer) = answers.first() else {
        let above = parent.unwrap_or(comment);
        let body = Body::Form(vec![("message", message)]);
        let request = Request::act(caller.graph(&[above, "replies"])?, body).visible();
        return Ok(Turn::Send(caller.authorized(request)));
    };
    let Created { id } = answer.taken(|| refused(answer, true, access.now), || unreadable(true))?;
    Ok(Turn::Done(Some(Comment {
        id,
        author: access.account.username.clone(),
        text: message,
        created_at: Some(access.now),
        own: true,
        hidden: false,
        like_count: Some(0),
    })))
}

/// Refuses what the network would refuse.
fn check(text: &str) -> Result<(), NetworkError> {
    let words = || text.split_whitespace();
    let is_hashtag = |word: &&str| word.len() > 1 && word.starts_with('#');
    let links = text.matches("://").count();
    let is_shouted = text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase);
    let message = if text.trim().is_empty() {
        "A reply needs a text.".to_owned()
    } else if text.chars().count() > CHARACTERS_MAX {
        format!("Instagram takes comments of {CHARACTERS_MAX} characters at most.")
    } else if words().filter(is_hashtag).count() > HASHTAGS_MAX {
        format!("Instagram takes {HASHTAGS_MAX} hashtags in a comment at most.")
    } else if links > LINKS_MAX {
        "Instagram takes one link in a comment at most.".to_owned()
    } else if is_shouted {
        "Instagram takes no comment that is all capitals.".to_owned()
    } else {
        return Ok(());
    };
    Err(NetworkError::permanent(message).with_code(FailureCode::ValidationFailed))
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
