//! Reviews of live posts.

use serde::Deserialize;

use crate::assistant::{AssistantCall, Review, ReviewView, Reviewed, judge, read_review};
use crate::error::{AppError, ErrorCode, Refusal};
use crate::ids::TargetId;
use crate::key::Scope;
use crate::ports::{AssistantError, LivePost, Prompt};
use crate::post::Post;

use super::super::{Caller, Scheduler};
use super::{nonsense, unavailable};

/// The body of a request for a review.
///
/// Source: interface description, POST /ai/review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewInput {
    /// The target that is to be reviewed.
    #[serde(default)]
    pub target_id: Option<TargetId>,
    /// Whether it is to be reviewed anew when there is a review.
    #[serde(default)]
    pub refresh: Option<bool>,
}

impl Scheduler {
    /// Gives the stored review of a target, or has the live post reviewed by its text, its latest
    /// figures and its age. A stored one is free.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `invalid_request` naming the field; `not_found`;
    /// `not_published` for a target that is not live; `ai_not_in_plan`; `ai_limit`;
    /// `ai_unavailable`, also when the assistant would not do it: the interface description knows
    /// `ai_declined` of captions alone.
    pub async fn review_target(
        &self,
        caller: &Caller,
        input: ReviewInput,
    ) -> Result<ReviewView, AppError> {
        caller.require(Scope::PostsWrite)?;
        let target_id =
            input.target_id.ok_or_else(|| Refusal::invalid("targetId", "targetId is required."))?;
        let post = self.post_of_target(caller, target_id).await?;
        if input.refresh != Some(true)
            && let Some(stored) = self.store().review(caller.workspace.id, target_id).await?
        {
            return Ok(stored.into());
        }
        let prompt = self.review_prompt(&post, target_id)?;
        let taken = self.take_call(caller, AssistantCall::Review).await?;
        let reviewed = self.reviewed(&post, target_id, &prompt).await;
        Ok(self.give_back_unless_ok(caller, taken, reviewed).await?.into())
    }

    /// The stored review of a target; `None` when there is none.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found` when there is no such target.
    pub async fn stored_review(
        &self,
        caller: &Caller,
        target_id: TargetId,
    ) -> Result<Option<ReviewView>, AppError> {
        caller.require(Scope::PostsRead)?;
        self.post_of_target(caller, target_id).await?;
        let stored = self.store().review(caller.workspace.id, target_id).await?;
        Ok(stored.map(ReviewView::from))
    }

    async fn post_of_target(&self, caller: &Caller, id: TargetId) -> Result<Post, AppError> {
        let post = self.store().post_of_target(caller.workspace.id, id).await?;
        post.ok_or_else(|| Refusal::not_found("target").into())
    }

    fn review_prompt(&self, post: &Post, id: TargetId) -> Result<Prompt, Refusal> {
        let target = post.target(id).ok_or_else(|| Refusal::not_found("target"))?;
        let live = LivePost::of(post, id).ok_or_else(|| {
            let message = "This target is not live; only what is live can be reviewed.";
            Refusal::new(ErrorCode::NotPublished, message)
        })?;
        let now = self.ports.clock.now();
        Ok(judge(target.platform, &live, target.reading.as_ref(), now))
    }

    /// Has the post reviewed, and the review stored.
    async fn reviewed(
        &self,
        post: &Post,
        target_id: TargetId,
        prompt: &Prompt,
    ) -> Result<Reviewed, AppError> {
        let review = match self.one_review(prompt).await? {
            Some(review) => review,
            None => self.one_review(prompt).await?.ok_or_else(nonsense)?,
        };
        let reviewed = Reviewed { target_id, review, created_at: self.ports.clock.now() };
        if self.store().save_review(post.workspace_id, post.id, &reviewed).await? {
            Ok(reviewed)
        } else {
            Err(Refusal::not_found("target").into())
        }
    }

    /// One answer; `None` when it is no review.
    async fn one_review(&self, prompt: &Prompt) -> Result<Option<Review>, Refusal> {
        let answer = self.answer(prompt).await.map_err(|error| match error {
            AssistantError::Declined(_) => unavailable("it would not review this post"),
            AssistantError::Unavailable(reason) => unavailable(&reason),
        })?;
        Ok(read_review(&answer))
    }
}
