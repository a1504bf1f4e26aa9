//! Links for clients, as the application makes, lists and withdraws them.

use chrono::TimeDelta;

use super::ApprovalView;
use crate::app::media::file_deleted;
use crate::app::posts::{saved, too_busy};
use crate::app::{DECIDE_ATTEMPTS, Scheduler};
use crate::connecting::Pass;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::{PostId, WorkspaceId};
use crate::ports::{ApprovalsOf, SaveOutcome};
use crate::post::{Approval, Post, decide};
use crate::webhook::Event;

/// The shortest and the longest time for which a link can be made.
///
/// Source: our decision.
const LIFETIMES: [TimeDelta; 2] = [TimeDelta::hours(1), TimeDelta::days(365)];

/// A link that was just made, with its secret, which is shown this once.
#[derive(Clone, Debug)]
pub struct NewApproval {
    /// What is told of it.
    pub view: ApprovalView,
    /// Its secret.
    pub pass: Pass,
}

impl Scheduler {
    /// Makes the link under which a client sees a post and decides on it, in place of any that it
    /// has. From then on the post goes out only with their approval.
    ///
    /// # Errors
    /// `invalid_request` for a lifetime under an hour or over a year; `not_found`;
    /// `already_started` once the post has begun to go out, is done or was cancelled.
    pub async fn create_approval(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        lifetime: TimeDelta,
    ) -> Result<NewApproval, AppError> {
        let [shortest, longest] = LIFETIMES;
        if lifetime < shortest || lifetime > longest {
            let message = "A link for a client is valid for an hour to 365 days.";
            return Err(Refusal::invalid("expires", message).into());
        }
        let pass = Pass::from_random(self.ports.random.bytes());
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_in(workspace, id).await?;
            let now = self.ports.clock.now();
            let post = decide::request_approval(&current, now)?;
            let approval = Approval {
                post_id: id,
                workspace_id: workspace,
                pass: pass.hash(),
                created_at: now,
                expires_at: now + lifetime,
                decided_at: None,
                note: None,
            };
            if self.is_approval_saved(&post, Some(&approval), None).await? {
                return Ok(NewApproval { view: ApprovalView::new(&approval, &post), pass });
            }
        }
        Err(too_busy().into())
    }

    /// The latest links of a workspace, newest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn approvals(
        &self,
        workspace: WorkspaceId,
        limit: u32,
    ) -> Result<Vec<ApprovalView>, AppError> {
        let found = self.store().approvals(ApprovalsOf::Workspace(workspace, limit)).await?;
        Ok(found.iter().map(|(approval, post)| ApprovalView::new(approval, post)).collect())
    }

    /// The link of a post, and what came of it.
    ///
    /// # Errors
    /// `not_found` when there is no such post, or it has no link.
    pub async fn approval(
        &self,
        workspace: WorkspaceId,
        id: PostId,
    ) -> Result<ApprovalView, AppError> {
        self.post_in(workspace, id).await?;
        let found = self.store().approvals(ApprovalsOf::Post(workspace, id)).await?.pop();
        let (approval, post) = found.ok_or_else(|| Refusal::not_found(Resource::ApprovalLink))?;
        Ok(ApprovalView::new(&approval, &post))
    }

    /// Removes the link of a post, which then goes out without an approval: at its time, or at
    /// once where it has waited for the client.
    ///
    /// # Errors
    /// `not_found` when there is no such post, or it has no link; `already_started` once the post
    /// has begun to go out, is done or was cancelled.
    pub async fn withdraw_approval(
        &self,
        workspace: WorkspaceId,
        id: PostId,
    ) -> Result<Post, AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_in(workspace, id).await?;
            let post = decide::withdraw(&current, self.ports.clock.now())?;
            if self.is_approval_saved(&post, None, None).await? {
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }

    /// Stores a post with its link, and what happened; `false` when it has changed since it was read.
    ///
    /// # Errors
    /// `not_found` when the post is gone; `media_unusable`.
    pub(super) async fn is_approval_saved(
        &self,
        post: &Post,
        approval: Option<&Approval>,
        event: Option<&Event>,
    ) -> Result<bool, AppError> {
        match self.store().save_approval(post, approval, event).await? {
            SaveOutcome::Saved => {
                self.ports.wake.wake();
                Ok(true)
            }
            SaveOutcome::Missing => Err(Refusal::not_found(Resource::Post).into()),
            SaveOutcome::FileDeleted => Err(file_deleted().into()),
            SaveOutcome::Stale | SaveOutcome::SlotTaken | SaveOutcome::LimitReached => Ok(false),
        }
    }

    async fn post_in(&self, workspace: WorkspaceId, id: PostId) -> Result<Post, AppError> {
        let post = self.store().post(workspace, id).await?;
        Ok(post.ok_or_else(|| Refusal::not_found(Resource::Post))?)
    }
}
