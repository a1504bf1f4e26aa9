//! The comments of a post: reading them, answering, changing, liking, deleting.
//!
//! A comment is known by the post's activity and a number; its name
//! `urn:li:comment:(urn:li:activity:1,2)` becomes the id `activity~1~2`, which fits into one
//! segment of a path.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>
//! and <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/reactions-api>.

use std::collections::BTreeMap;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, Comment, CommentAction, CommentRights, Comments, LivePost, NetworkError,
    NetworkErrorKind, unsupported,
};
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};

use super::api::{Api, encoded, list};
use super::errors::{failure, unreadable, unreadable_success};
use super::wire::{
    Elements, ListedComment, Organization, PAGE, Results, author, instant, may_read,
};
use crate::conversation::{Answer, Request, Session, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// Comments of one page, and pages that are read. Our decision: 500 comments are more than anybody
/// moderates here.
const PAGE_SIZE: usize = 100;
const PAGES_MAX: usize = 5;

/// Comments whose answers are read. Our decision; each takes a call.
const ANSWERED_MAX: usize = 20;

/// What may be done with comments. Hiding one is not offered: only all of a post can be closed,
/// which deletes them.
const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: true, hide: false, like: true, delete: true };

/// The next turn of reading the comments of a post; `None` without the permission for it.
pub(super) fn comments(
    api: &Api,
    session: &Session<'_, Tokens>,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    if !may_read(&session.credentials, author(&session.account)) {
        return Ok(Turn::Done(None));
    }
    let mut answers = answers.iter();
    let mut listed: Vec<ListedComment> = Vec::new();
    for page in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(page_of(api, &session.credentials, &post.remote.id, page)));
        };
        if answer.status == 403 {
            return Ok(Turn::Done(None));
        }
        let elements = elements(answer, session)?;
        let is_last = elements.len() < PAGE_SIZE;
        listed.extend(elements);
        if is_last {
            break;
        }
    }
    let mut all = Vec::new();
    let mut answered = 0;
    for comment in listed {
        let has_answers = comment
            .comments_summary
            .as_ref()
            .and_then(|summary| summary.aggregated_total_comments)
            .is_some_and(|count| count > 0);
        let name = Name::of(&comment);
        all.push(comment);
        let Some(name) = name.filter(|_| has_answers && answered < ANSWERED_MAX) else { continue };
        answered += 1;
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(page_of(api, &session.credentials, &name.urn(), 0)));
        };
        // A comment that is gone by now has no answers either.
        if !matches!(answer.status, 403 | 404) {
            all.extend(elements(answer, session)?);
        }
    }

    let own = author(&session.account);
    let mut pages: Vec<&str> = all
        .iter()
        .filter(|comment| comment.actor != own)
        .filter_map(|comment| comment.actor.strip_prefix(PAGE))
        .collect();
    pages.sort_unstable();
    pages.dedup();
    let mut names: BTreeMap<String, Organization> = BTreeMap::new();
    if !pages.is_empty() {
        let Some(answer) = answers.next() else {
            let query = format!("ids={}", list(pages));
            return Ok(Turn::Send(api.read(
                &session.credentials.access_token,
                "organizations",
                &query,
            )));
        };
        // Names are good to have; the comments can be shown without them.
        let named: Option<Results<Organization>> =
            answer.is_success().then(|| answer.json()).flatten();
        names = named.map(|named| named.results).unwrap_or_default();
    }
    let read = |listed: ListedComment| {
        let name = listed.actor.strip_prefix(PAGE).and_then(|id| names.get(id));
        let name = name.and_then(|page| page.localized_name.clone());
        read_comment(listed, session, name)
    };
    let comments = all.into_iter().filter_map(read).collect();
    Ok(Turn::Done(Some(Comments { comments, rights: RIGHTS })))
}

/// The next turn of doing something with a comment.
pub(super) fn act(
    api: &Api,
    session: &Session<'_, Tokens>,
    post: &LivePost,
    comment: &str,
    act: &CommentAction,
    answers: &[Answer],
) -> TurnResult<Option<Comment>> {
    let name = Name::read(comment)
        .ok_or_else(|| NetworkError::not_found("LinkedIn knows no comment of this id."))?;
    let own = author(&session.account);
    let token = &session.credentials.access_token;
    let of_post = |name: &Name| {
        (
            format!("socialActions/{}/comments/{}", encoded(&post.remote.id), name.id),
            format!("actor={}", encoded(own)),
        )
    };
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(match act {
            CommentAction::Reply(text) => {
                let path = format!("socialActions/{}/comments", encoded(&name.urn()));
                let body = json!({
                    "actor": own,
                    "object": name.thread(),
                    "parentComment": name.urn(),
                    "message": { "text": text },
                });
                api.act(token, &path, "", body).visible()
            }
            CommentAction::Edit(text) => {
                let (path, query) = of_post(&name);
                let body = json!({ "patch": { "message": { "$set": { "text": text } } } });
                let request = api.act(token, &path, &query, body);
                request.header("x-restli-method", "PARTIAL_UPDATE".to_owned())
            }
            CommentAction::Like => {
                let body = json!({ "root": name.urn(), "reactionType": "LIKE" });
                api.act(token, "reactions", &format!("actor={}", encoded(own)), body)
            }
            CommentAction::Unlike => {
                let key = format!("(actor:{},entity:{})", encoded(own), encoded(&name.urn()));
                api.remove(token, &format!("reactions/{key}"), "")
            }
            CommentAction::Delete => {
                let (path, query) = of_post(&name);
                api.remove(token, &path, &query)
            }
            CommentAction::Hide | CommentAction::Unhide => {
                return Err(unsupported(Platform::Linkedin));
            }
        }));
    };
    let is_answer = answer.json::<Value>().is_some();
    let is_done = match act {
        CommentAction::Like => answer.status == 409 || (answer.status == 422 && is_answer),
        CommentAction::Unlike | CommentAction::Delete => answer.status == 404 && is_answer,
        CommentAction::Reply(_)
        | CommentAction::Edit(_)
        | CommentAction::Hide
        | CommentAction::Unhide => false,
    };
    if is_done {
        return Ok(Turn::Done(None));
    }
    let CommentAction::Reply(text) = act else {
        return match answer.is_success() {
            true => Ok(Turn::Done(None)),
            false => Err(refused(answer, session, false)),
        };
    };
    if !answer.is_success() {
        return Err(refused(answer, session, true));
    }
    let made: Option<ListedComment> = answer.json();
    let made = made.and_then(|made| read_comment(made, session, None));
    // The header names it where the body does not.
    let by_header = || {
        let id = answer.header("x-restli-id").and_then(|id| match id.starts_with("urn:") {
            true => Name::parse(id),
            false => Some(Name { id: id.to_owned(), ..name.clone() }),
        });
        id.filter(|name| name.is_plain()).map(|name| Comment {
            id: name.shown(),
            author: session.account.display_name.clone(),
            text: text.clone(),
            created_at: Some(session.now),
            own: true,
            hidden: false,
            like_count: Some(0),
        })
    };
    let made = made.or_else(by_header).ok_or_else(unreadable_success)?;
    Ok(Turn::Done(Some(Comment { text: text.clone(), own: true, ..made })))
}

fn refused(answer: &Answer, access: &Access, is_visible: bool) -> NetworkError {
    let error = failure(answer, is_visible, Some(access.now)).of_act();
    match answer.status {
        400 | 422 if error.kind == NetworkErrorKind::Permanent => {
            error.with_code(FailureCode::ValidationFailed)
        }
        404 if error.kind == NetworkErrorKind::Permanent => error.with_code(FailureCode::NotFound),
        _ => error,
    }
}

fn page_of(api: &Api, tokens: &Tokens, urn: &str, page: usize) -> Request {
    let path = format!("socialActions/{}/comments", encoded(urn));
    let query = format!("start={}&count={PAGE_SIZE}", page * PAGE_SIZE);
    api.read(&tokens.access_token, &path, &query)
}

fn elements(answer: &Answer, access: &Access) -> Result<Vec<ListedComment>, NetworkError> {
    let listed: Elements<ListedComment> =
        answer.taken(|| failure(answer, false, Some(access.now)), unreadable)?;
    Ok(listed.elements)
}

fn read_comment(listed: ListedComment, access: &Access, page: Option<String>) -> Option<Comment> {
    let id = Name::of(&listed)?.shown();
    let own = listed.actor == author(&access.account);
    let created_at = listed.created.and_then(|created| created.time).and_then(instant);
    let likes = listed.likes_summary;
    Some(Comment {
        id,
        // Of people LinkedIn tells no names here.
        author: if own { access.account.display_name.clone() } else { page },
        text: listed.message.map(|message| message.text).unwrap_or_default(),
        created_at,
        own,
        hidden: false,
        like_count: likes.and_then(|likes| likes.total_likes.or(likes.aggregated_total_likes)),
    })
}

/// What LinkedIn calls a comment, in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    /// The kind of what it hangs below, such as `activity`.
    kind: String,
    /// The number of what it hangs below.
    root: String,
    /// Its own number.
    id: String,
}

impl Name {
    /// The name of a comment in a list: its own, or the one that follows from its place.
    fn of(listed: &ListedComment) -> Option<Self> {
        let named = listed.comment_urn.as_deref().and_then(Self::parse);
        let placed = || {
            let (kind, root) =
                listed.object.as_deref()?.strip_prefix("urn:li:")?.split_once(':')?;
            Some(Self { kind: kind.to_owned(), root: root.to_owned(), id: listed.id.clone()? })
        };
        named.or_else(placed).filter(Self::is_plain)
    }

    fn parse(urn: &str) -> Option<Self> {
        let inside = urn.strip_prefix("urn:li:comment:(")?.strip_suffix(')')?;
        let (thread, id) = inside.rsplit_once(',')?;
        let (kind, root) = thread.strip_prefix("urn:li:").unwrap_or(thread).split_once(':')?;
        let name = Self { kind: kind.to_owned(), root: root.to_owned(), id: id.to_owned() };
        name.is_plain().then_some(name)
    }

    fn read(id: &str) -> Option<Self> {
        let mut parts = id.split('~').map(str::to_owned);
        let name = Self { kind: parts.next()?, root: parts.next()?, id: parts.next()? };
        (parts.next().is_none() && name.is_plain()).then_some(name)
    }

    fn shown(&self) -> String {
        format!("{}~{}~{}", self.kind, self.root, self.id)
    }

    fn thread(&self) -> String {
        format!("urn:li:{}:{}", self.kind, self.root)
    }

    fn urn(&self) -> String {
        format!("urn:li:comment:({},{})", self.thread(), self.id)
    }

    /// True when it can stand in a path as it is.
    fn is_plain(&self) -> bool {
        let is_plain = |part: &str, is_sign: fn(&u8) -> bool| {
            !part.is_empty() && part.as_bytes().iter().all(is_sign)
        };
        is_plain(&self.kind, u8::is_ascii_alphabetic)
            && is_plain(&self.root, u8::is_ascii_digit)
            && is_plain(&self.id, u8::is_ascii_digit)
    }
}

#[cfg(test)]
#[path = "comments_tests.rs"]
mod tests;
