//! What people did with a post: comments and figures.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Get notes for a specific Post".

use std::collections::BTreeMap;

use chrono::DateTime;
use scheduler_core::ports::{
    Access, Comment, CommentRights, Comments, Figures, LivePost, Metric, NetworkError,
};

use super::api::Api;
use super::errors::{failure, is_gone, unreadable};
use super::wire::{Enveloped, Note, Notes};
use crate::conversation::{Answer, Request, Session, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// Posts of one conversation about figures: each takes a call of its own.
pub(super) const FIGURES_AT_ONCE: usize = 20;

/// Pages of notes that are read.
const PAGES_MAX: usize = 4;

/// The next turn of reading the comments of a post, newest first: replies, and reblogs with words.
/// There is no call that does anything with them.
pub(super) fn comments(
    api: &Api,
    session: &Session<'_, Tokens>,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Comments>> {
    let mut answers = answers.iter();
    let mut comments = Vec::new();
    let mut before: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(conversation(api, session, post, before.as_deref())));
        };
        let notes = read(answer, session)?;
        let next = notes.next();
        comments.extend(notes.notes.into_iter().filter_map(|note| comment(session, note)));
        // A page that begins where the last one did would have no end.
        if next.is_none() || next == before {
            break;
        }
        before = next;
    }
    Ok(Turn::Done(Some(Comments { comments, rights: CommentRights::default() })))
}

/// The next turn of reading the figures of posts, in their order; none of one that is gone.
pub(super) fn figures(
    api: &Api,
    session: &Session<'_, Tokens>,
    posts: &[LivePost],
    answers: &[Answer],
) -> TurnResult<Vec<Option<Figures>>> {
    let mut answers = answers.iter();
    let mut found = Vec::new();
    for post in posts {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(conversation(api, session, post, None)));
        };
        if is_gone(answer) {
            found.push(None);
            continue;
        }
        let notes = read(answer, session)?;
        found.push(Some(counted(&notes)));
    }
    Ok(Turn::Done(found))
}

fn counted(notes: &Notes) -> Figures {
    let mut figures = BTreeMap::new();
    let known = [
        (Metric::Notes, notes.total_notes),
        (Metric::Likes, notes.total_likes),
        (Metric::Shares, notes.total_reblogs),
    ];
    for (metric, count) in known {
        figures.extend(count.map(|count| (metric, number(count))));
    }
    if let [(_, Some(all)), (_, Some(likes)), (_, Some(reblogs))] = known {
        // The rest of the notes are replies.
        let replies = all.saturating_sub(likes).saturating_sub(reblogs);
        figures.insert(Metric::Comments, number(replies));
    }
    Figures(figures)
}

#[expect(clippy::cast_precision_loss, reason = "no post has 2^53 notes")]
const fn number(count: u64) -> f64 {
    count as f64
}

fn conversation(
    api: &Api,
    session: &Session<'_, Tokens>,
    post: &LivePost,
    before: Option<&str>,
) -> Request {
    let mut pairs = vec![("id", post.remote.id.as_str()), ("mode", "conversation")];
    pairs.extend(before.map(|before| ("before_timestamp", before)));
    api.read(
        &session.credentials.access_token,
        &["blog", &session.account.network_id, "notes"],
        &pairs,
    )
}

fn read(answer: &Answer, access: &Access) -> Result<Notes, NetworkError> {
    let read: Enveloped<Notes> =
        answer.taken(|| failure(answer, false, Some(access.now)).of_act(), unreadable)?;
    Ok(read.response)
}

fn comment(access: &Access, note: Note) -> Option<Comment> {
    let text = match note.kind.as_str() {
        "reply" => note.reply_text,
        "reblog" => note.added_text,
        _ => None,
    };
    let text = text.filter(|text| !text.trim().is_empty())?;
    let Note { kind, timestamp, blog_name, blog_uuid, .. } = note;
    Some(Comment {
        // Notes have no ids of their own.
        id: format!("{kind}:{blog_name}:{timestamp}"),
        author: Some(blog_name).filter(|name| !name.is_empty()),
        text,
        created_at: DateTime::from_timestamp(timestamp, 0),
        own: blog_uuid.as_deref() == Some(access.account.network_id.as_str()),
        hidden: false,
        like_count: None,
    })
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
