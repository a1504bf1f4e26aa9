//! Reviews of live posts.

use serde::{Deserialize, Serialize};

use crate::assistant::{AssistantCall, Review, ReviewView, Reviewed, judge, read_review};
use crate::error::{AppError, AssistantRefusal, Invalid, PostRefusal, Refusal, Resource};
use crate::ids::TargetId;
use crate::key::Scope;
use crate::ports::{AssistantError, LivePost, Prompt};
use crate::post::Post;

use super::super::{Caller, Scheduler};
use super::nonsense;

/// The body of a request for a review.
///
/// Source: interface description, POST /ai/review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewInput {
    /// The target that is to be reviewed; it must be live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if))]
    pub target_id: Option<TargetId>,
    /// Whether it is to be reviewed anew, and paid for, when there is a stored review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
        let target_id = input
            .target_id
            .ok_or_else(|| Refusal::invalid("targetId", Invalid::Required("targetId")))?;
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
        post.ok_or_else(|| Refusal::not_found(Resource::Target).into())
    }

    fn review_prompt(&self, post: &Post, id: TargetId) -> Result<Prompt, Refusal> {
        let target = post.target(id).ok_or_else(|| Refusal::not_found(Resource::Target))?;
        let live = LivePost::of(post, id).ok_or(PostRefusal::NothingToReview)?;
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
            Err(Refusal::not_found(Resource::Target).into())
        }
    }

    /// One answer; `None` when it is no review.
    async fn one_review(&self, prompt: &Prompt) -> Result<Option<Review>, Refusal> {
        let answer = self.answer(prompt).await.map_err(|error| {
            AssistantRefusal::Unavailable(match error {
                AssistantError::Declined(_) => "it would not review this post".to_owned(),
                AssistantError::Unavailable(reason) => reason,
            })
        })?;
        Ok(read_review(&answer))
    }
}
