//! What comes after publishing: taking down, comments, figures, followers, names.
//!
//! Source: <https://developers.facebook.com/documentation/threads/reply-management>,
//! <https://developers.facebook.com/documentation/threads/insights>.

use scheduler_core::ports::{
    Access, Comment, CommentAction, CommentRights, Comments, Figures, LivePost, Mention, Metric,
    NetworkError,
};
use secrecy::ExposeSecret;
use serde::Deserialize;

use super::api::Api;
use super::errors::{failure_after, is_gone, is_not_allowed};
use super::wire::{FoundProfile, Insight, List, Post, Record, Success, Tokens};
use super::{Threads, act};
use crate::conversation::{
    AfterConversation, Answer, Body, Method, Protocol, Request, Turn, TurnResult,
};

/// Comments of one page.
const PAGE: &str = "50";

/// Pages of comments that are read.
const PAGES_MAX: usize = 4;

/// What is read of a comment.
const COMMENT_FIELDS: &str = "id,text,timestamp,username,permalink,has_replies,is_reply,is_reply_owned_by_me,hide_status,root_post,replied_to";

/// What may be done with comments.
const RIGHTS: CommentRights =
    CommentRights { reply: true, edit: false, hide: true, like: false, delete: true };

/// States of a comment that others do not see.
const HIDDEN: [&str; 4] = ["HIDDEN", "COVERED", "BLOCKED", "RESTRICTED"];

/// The figures, and what we call them.
///
/// Source: <https://developers.facebook.com/documentation/threads/insights>.
const METRICS: [(&str, Metric); 6] = [
    ("views", Metric::Views),
    ("likes", Metric::Likes),
    ("replies", Metric::Comments),
    ("reposts", Metric::Reposts),
    ("quotes", Metric::Quotes),
    ("shares", Metric::Shares),
];

/// The ids of a post's parts, from the first on.
pub(super) fn parts(post: &LivePost) -> Vec<String> {
    let record = Record::deserialize(&post.remote.record).unwrap_or_default();
    if record.parts.is_empty() { vec![post.remote.id.clone()] } else { record.parts }
}

impl AfterConversation for Threads {
    /// The next turn of taking a post down, its last part first.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let api = &self.api()?;
        let session = &self.session(access)?;
        let parts = parts(post);
        for answer in answers {
            settled(answer, session)?;
        }
        Ok(match parts.iter().rev().nth(answers.len()) {
            Some(part) => Turn::Send(delete(api, &session.credentials, part)),
            None => Turn::Done(()),
        })
    }

    /// The next turn of reading the figures of posts: of their first parts.
    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let api = &self.api()?;
        let session = &self.session(access)?;
        if let Some(post) = posts.get(answers.len()) {
            let names = METRICS.map(|(name, _)| name).join(",");
            let url = api.query(&[&post.remote.id, "insights"], &[("metric", &names)]);
            return Ok(Turn::Send(
                Request::read(url).bearer(session.credentials.access_token.expose_secret()),
            ));
        }
        let figures = answers.iter().map(|answer| {
            let insights = insights(answer, session)?;
            let figures = METRICS.into_iter().filter_map(|(name, metric)| {
                let insight = insights.iter().find(|insight| insight.name == name)?;
                Some((metric, insight.value()?.as_f64()?))
            });
            Ok(Some(Figures(figures.collect())).filter(|figures: &Figures| !figures.0.is_empty()))
        });
        figures.collect::<Result<_, _>>().map(Turn::Done)
    }

    /// The next turn of reading the comments of a post: the replies of all levels, newest first,
    /// without the parts of its own thread.
    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        let api = &self.api()?;
        let session = &self.session(access)?;
        let mut answers = answers.iter();
        let mut replies: Vec<Post> = Vec::new();
        let mut page: Option<String> = None;
        for _ in 0..PAGES_MAX {
            let Some(answer) = answers.next() else {
                let mut query =
                    vec![("fields", COMMENT_FIELDS), ("reverse", "true"), ("limit", PAGE)];
                query.extend(page.as_deref().map(|after| ("after", after)));
                let url = api.query(&[&post.remote.id, "conversation"], &query);
                return Ok(Turn::Send(
                    Request::read(url).bearer(session.credentials.access_token.expose_secret()),
                ));
            };
            if is_not_allowed(answer) {
                return Ok(Turn::Done(None));
            }
            let listed: List<Post> =
                answer.taken(|| failure_after(answer, false, session.now), unreadable)?;
            page = listed.after().map(str::to_owned);
            replies.extend(listed.data);
            if page.is_none() {
                break;
            }
        }
        let parts = parts(post);
        let replies = replies.into_iter().filter(|reply| !parts.contains(&reply.id));
        let comments = replies.map(|reply| comment(session, reply)).collect();
        Ok(Turn::Done(Some(Comments { comments, rights: RIGHTS })))
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAction,
        answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        let session = self.session(access)?;
        act::act_on_comment(&self.api()?, &session, post, comment, act, answers)
    }

    /// The next turn of counting followers.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let api = &self.api()?;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            let url = api.query(
                &[&session.credentials.user_id, "threads_insights"],
                &[("metric", "followers_count")],
            );
            return Ok(Turn::Send(
                Request::read(url).bearer(session.credentials.access_token.expose_secret()),
            ));
        };
        let insights = insights(answer, session)?;
        let followers = insights.iter().find(|insight| insight.name == "followers_count");
        Ok(Turn::Done(followers.and_then(|insight| insight.value()?.as_u64())))
    }

    /// The next turn of looking a name up. Threads knows exact names alone, and without a scope of
    /// its own only a few: whatever it refuses is no name.
    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        let api = &self.api()?;
        let tokens = &self.session(access)?.credentials;
        let name = query.trim().trim_start_matches('@');
        if name.is_empty() {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let url = api.query(&["profile_lookup"], &[("username", name)]);
            return Ok(Turn::Send(Request::read(url).bearer(tokens.access_token.expose_secret())));
        };
        let found: Option<FoundProfile> = answer.is_success().then(|| answer.json()).flatten();
        let mention = found.map(|profile| Mention {
            handle: format!("@{}", profile.username),
            name: profile.name.filter(|name| !name.is_empty()).unwrap_or(profile.username),
        });
        Ok(Turn::Done(mention.into_iter().collect()))
    }
}

/// The request that deletes a post or a reply.
pub(super) fn delete(api: &Api, tokens: &Tokens, id: &str) -> Request {
    let request = Request::act(api.at(&[id]), Body::Empty).method(Method::Delete);
    request.bearer(tokens.access_token.expose_secret())
}

/// Reads whether something is deleted; what is gone already is no error.
///
/// # Errors
/// [`NetworkError`] by kind.
pub(super) fn settled(answer: &Answer, access: &Access) -> Result<(), NetworkError> {
    if is_gone(answer) { Ok(()) } else { succeeded(answer, access) }
}

/// Reads whether something was done.
///
/// # Errors
/// [`NetworkError`] by kind.
pub(super) fn succeeded(answer: &Answer, access: &Access) -> Result<(), NetworkError> {
    if !answer.is_success() {
        return Err(failure_after(answer, false, access.now));
    }
    match answer.json() {
        Some(Success { success: true }) => Ok(()),
        Some(Success { success: false }) | None => {
            let message = "Threads has not done what was asked. Try it again.";
            Err(NetworkError::temporary(message))
        }
    }
}

/// The figures of an answer: none where the post is gone, or the account has not allowed to read
/// them.
fn insights(answer: &Answer, access: &Access) -> Result<Vec<Insight>, NetworkError> {
    if is_gone(answer) || is_not_allowed(answer) {
        return Ok(Vec::new());
    }
    let list: List<Insight> =
        answer.taken(|| failure_after(answer, false, access.now), unreadable)?;
    Ok(list.data)
}

fn comment(access: &Access, reply: Post) -> Comment {
    let own = is_own(access, &reply);
    let hidden = reply.hide_status.as_deref().is_some_and(|status| HIDDEN.contains(&status));
    Comment {
        id: reply.id,
        author: reply.username,
        text: reply.text,
        created_at: reply.timestamp,
        own,
        hidden,
        like_count: None,
    }
}

/// True when the account wrote a reply.
pub(super) fn is_own(access: &Access, reply: &Post) -> bool {
    let name = access.account.username.as_deref();
    reply.is_reply_owned_by_me || (name.is_some() && reply.username.as_deref() == name)
}

/// The failure for an answer that is none.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of Threads cannot be read.")
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
