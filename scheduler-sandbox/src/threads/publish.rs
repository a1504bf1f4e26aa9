//! Publishing a container, and what an account may publish in 24 hours.
//!
//! Source: <https://developers.facebook.com/documentation/threads/posts>,
//! <https://developers.facebook.com/documentation/threads/overview#rate-limits>.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::Threads;
use super::containers::Status;
use super::error::ApiError;
use super::posts::Post;
use crate::answer::Answer;
use crate::network::Context;
use crate::params::{params, text};
use crate::request::Request;

/// What an account may do in 24 hours.
const POSTS: usize = 250;
const REPLIES: usize = 1_000;
const DELETIONS: usize = 100;

impl Threads {
    /// Publishes a container.
    ///
    /// # Errors
    /// Those of tokens; there is no such container, it is not finished, was published before, or
    /// a quota is used up.
    pub(super) fn publish(
        &mut self,
        request: &Request,
        user: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user_at(request, user, "threads_content_publish", context)?;
        let id = text(&params(request), "creation_id").and_then(|id| id.parse::<u64>().ok());
        let id = id.ok_or_else(|| ApiError::parameter("Param creation_id must be an id"))?;
        let container = self.containers.get(&id).filter(|container| container.account == account);
        let container = container.ok_or_else(|| ApiError::not_there(2_207_008))?;
        match self.status(container, context) {
            Status::Finished => {}
            Status::InProgress => return Err(ApiError::not_there(2_207_006)),
            Status::Error(_) | Status::Expired | Status::Published => {
                return Err(ApiError::not_there(2_207_008));
            }
        }
        let parent = match container.reply_to {
            None => None,
            Some(parent) => {
                let parent = self.posts.get(&parent).filter(|parent| !parent.is_deleted);
                Some(parent.ok_or_else(|| ApiError::not_there(2_207_006))?)
            }
        };
        let (posts, replies, _) = self.used(account, context.now);
        let is_used_up = if parent.is_some() { replies >= REPLIES } else { posts >= POSTS };
        if context.options.quotas && is_used_up {
            return Err(ApiError::quota());
        }
        let (reply_to, root) = (parent.map(|parent| parent.id), parent.map(|parent| parent.root));
        let (kind, said, media) = (container.kind, container.text.clone(), self.files(container));
        let (link, extras) = (container.link.clone(), container.extras.clone());
        let post = self.next_id();
        if let Some(container) = self.containers.get_mut(&id) {
            container.is_published = true;
        }
        self.posts.insert(
            post,
            Post {
                id: post,
                account,
                kind,
                text: said,
                link,
                extras,
                media,
                reply_to,
                root: root.unwrap_or(post),
                at: context.now,
                is_known: false,
                is_hidden: false,
                is_deleted: false,
            },
        );
        Ok(Answer::ok(&json!({ "id": post.to_string() })))
    }

    /// Answers what is used up of the account's quotas.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn publishing_limit(
        &self,
        request: &Request,
        user: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user_at(request, user, "threads_basic", context)?;
        let (posts, replies, deletions) = self.used(account, context.now);
        let config = |total: usize| json!({ "quota_total": total, "quota_duration": 86_400 });
        let view = json!({
            "quota_usage": posts,
            "config": config(POSTS),
            "reply_quota_usage": replies,
            "reply_config": config(REPLIES),
            "delete_quota_usage": deletions,
            "delete_config": config(DELETIONS),
        });
        Ok(Answer::ok(&json!({ "data": [super::posts::chosen(request, view)] })))
    }

    /// Says whether the account may delete no more.
    pub(super) fn may_not_delete(&self, account: u64, context: &Context<'_>) -> bool {
        context.options.quotas && self.used(account, context.now).2 >= DELETIONS
    }

    /// Counts posts, replies and deletions of the last 24 hours.
    fn used(&self, account: u64, now: DateTime<Utc>) -> (usize, usize, usize) {
        let is_recent = |at: DateTime<Utc>| at + TimeDelta::hours(24) > now;
        let own = self.posts.values().filter(|post| post.account == account && is_recent(post.at));
        let (replies, posts): (Vec<&Post>, Vec<&Post>) =
            own.partition(|post| post.reply_to.is_some());
        let deletions = self.deletions.iter();
        let deletions = deletions.filter(|(who, at)| *who == account && is_recent(*at));
        (posts.len(), replies.len(), deletions.count())
    }
}
