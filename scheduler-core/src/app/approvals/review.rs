//! The second pair of eyes: what a workspace asks, and what somebody of the team says.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::posts::{saved, too_busy};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::AppError;
use crate::ids::PostId;
use crate::key::Scope;
use crate::object::only_from_object;
use crate::ports::SaveOutcome;
use crate::post::{
    LIMIT_MAX, ListFilter, ListOrder, ListQuery, PageQuery, Post, PostStatus, Window, decide,
};
use crate::workspace::Workspace;

/// A person's approval of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct PostReviewInput {
    /// The revision that the person has seen; another one is not approved.
    pub revision: i64,
}

only_from_object!(PostReviewInput);

impl Scheduler {
    /// Approves a post for the team, as its workspace asks of its posts. What has waited for
    /// nothing else goes out at once.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`, for a caller whose session names no person, and for the
    /// person who has written or last changed the post; `not_found` when there is no such post, and
    /// when nobody is asked; `stale` when it is not the revision that was seen; `already_started`
    /// once it has begun to go out.
    pub async fn approve_post(
        &self,
        caller: &Caller,
        id: PostId,
        seen: i64,
    ) -> Result<Post, AppError> {
        caller.require(Scope::PostsPublish)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let mut current = self.post_of(caller, id).await?;
            self.refuse_stale(&current, Some(&[seen])).await?;
            decide::ask_for_review(&mut current, caller.workspace.second_pair);
            let now = self.ports.clock.now();
            let post = decide::approve(&current, caller.person.as_ref(), now)?;
            if post == current {
                return Ok(post);
            }
            let outcome = self.store().save_post(&post, u64::MAX).await?;
            if self.is_saved(&caller.workspace, outcome)? {
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }

    /// Has every post of a workspace that has not gone out ask for what the workspace asks.
    pub(in crate::app) async fn ask_for_reviews(
        &self,
        workspace: &Workspace,
    ) -> Result<(), AppError> {
        for status in [PostStatus::Draft, PostStatus::Scheduled, PostStatus::Publishing] {
            let mut query = ListQuery {
                workspace_id: workspace.id,
                status: Some(status),
                filter: ListFilter::default(),
                window: Window::Since(DateTime::<Utc>::UNIX_EPOCH),
                order: ListOrder::Recent,
                page: PageQuery { limit: LIMIT_MAX, before: None },
            };
            loop {
                let page = self.store().list_posts(&query).await?;
                let Some(last) = page.last() else { break };
                query.page.before = query.order.place(last);
                for post in page {
                    self.ask_for_review(workspace, post).await?;
                }
            }
        }
        Ok(())
    }

    async fn ask_for_review(&self, workspace: &Workspace, post: Post) -> Result<(), AppError> {
        let mut current = Some(post);
        for _ in 0..DECIDE_ATTEMPTS {
            let now = self.ports.clock.now();
            let asked = current
                .as_ref()
                .and_then(|post| decide::review_asked(post, workspace.second_pair, now));
            let Some(asked) = asked else { return Ok(()) };
            let id = asked.id;
            let outcome = self.store().save_post(&asked, u64::MAX).await?;
            if outcome == SaveOutcome::Missing || self.is_saved(workspace, outcome)? {
                return Ok(());
            }
            current = self.store().post(workspace.id, id).await?;
        }
        Err(too_busy().into())
    }
}
