//! What comes after publishing: taking down, figures, followers, names.
//!
//! Source: <https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky>.

use scheduler_core::ports::{
    Access, Comment, CommentAction, Comments, Figures, LivePost, Mention, Metric,
};

use super::record::parts;
use super::views::{Audience, People, PostView, Posts};
use super::wire::POSTS;
use super::{Bluesky, act, comments};
use crate::conversation::{AfterConversation, Answer, Turn, TurnResult};

/// Posts whose figures one call reads.
///
/// Source: lexicons/app/bsky/feed/getPosts.json, `uris.maxLength`.
pub(super) const FIGURES_AT_ONCE: usize = 25;

/// Names of one look-up. Our decision; there may be up to 100.
const NAMES_MAX: &str = "10";

impl AfterConversation for Bluesky {
    /// The next turn of taking a post down, its last part first.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let caller = &self.caller(access)?;
        let parts = parts(post)?;
        for answer in answers {
            caller.succeeded(answer)?;
        }
        Ok(match parts.iter().rev().nth(answers.len()) {
            Some(part) => Turn::Send(caller.delete(POSTS, &part.key)),
            None => Turn::Done(()),
        })
    }

    fn figures_at_once(&self) -> usize {
        FIGURES_AT_ONCE
    }

    /// The next turn of reading the figures of posts: of their first parts, all in one call.
    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let caller = &self.caller(access)?;
        if posts.is_empty() {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let uris: Vec<(&str, &str)> =
                posts.iter().map(|post| ("uris", post.remote.id.as_str())).collect();
            return Ok(Turn::Send(caller.view("app.bsky.feed.getPosts", &uris)));
        };
        let Posts { posts: views } = caller.json(answer)?;
        // What is gone is left out.
        let figures = posts.iter().map(|post| {
            let Some(view) = views.iter().find(|view| view.reference.uri == post.remote.id) else {
                return Ok(None);
            };
            Ok(Some(figures_of(view, parts(post)?.len() > 1)))
        });
        figures.collect::<Result<_, _>>().map(Turn::Done)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        comments::comments(&self.caller(access)?, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAction,
        answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        act::act(&self.caller(access)?, post, comment, act, answers)
    }

    /// The next turn of counting followers.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let caller = &self.caller(access)?;
        let Some(answer) = answers.first() else {
            let query = [("actor", caller.did())];
            return Ok(Turn::Send(caller.view("app.bsky.actor.getProfile", &query)));
        };
        let audience: Audience = caller.json(answer)?;
        Ok(Turn::Done(audience.followers_count))
    }

    /// The next turn of looking for people whose handle or name begins like this.
    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        let caller = &self.caller(access)?;
        let query = query.trim().trim_start_matches('@');
        if query.is_empty() {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let query = [("q", query), ("limit", NAMES_MAX)];
            return Ok(Turn::Send(caller.view("app.bsky.actor.searchActorsTypeahead", &query)));
        };
        let People { actors } = caller.json(answer)?;
        let mentions = actors.into_iter().map(|person| Mention {
            handle: format!("@{}", person.handle),
            name: person.display_name.filter(|name| !name.is_empty()).unwrap_or(person.handle),
        });
        Ok(Turn::Done(mentions.collect()))
    }
}

/// The figures of a post by its first part, whose direct answers are counted: the next part of its
/// own thread is one of them, and no comment.
#[expect(clippy::cast_precision_loss, reason = "figures of a post are far below 2^53")]
fn figures_of(view: &PostView, is_thread: bool) -> Figures {
    let comments = view.reply_count.map(|count| count.saturating_sub(u64::from(is_thread)));
    let counts = [
        (Metric::Likes, view.like_count),
        (Metric::Comments, comments),
        (Metric::Shares, view.repost_count),
        (Metric::Quotes, view.quote_count),
        (Metric::Saves, view.bookmark_count),
    ];
    let known = counts.into_iter().filter_map(|(metric, count)| Some((metric, count? as f64)));
    Figures(known.collect())
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
