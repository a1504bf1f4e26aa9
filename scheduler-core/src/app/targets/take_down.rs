//! Taking a live post down.

use super::not_offered;
use crate::app::posts::{saved, too_busy};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Unsupported};
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::post::{Post, decide};
use crate::target::TargetStatus;

impl Scheduler {
    /// Takes a live post down on its network; the record stays.
    ///
    /// Of several callers at once each asks the network, for which a repeat is none, and one of
    /// them writes it down.
    ///
    /// # Errors
    /// `forbidden` without `posts:write` and `posts:publish`; `not_found`; `not_published`;
    /// `unsupported` where the network does not offer it, to this account or any more; what the
    /// network answers.
    pub async fn take_down(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
    ) -> Result<Post, AppError> {
        caller.require(Scope::PostsWrite)?;
        caller.require(Scope::PostsPublish)?;
        let found = self.live_target(caller, post_id, target_id).await?;
        let sheet = found.platform.sheet();
        if !sheet.can_delete_remote {
            return Err(not_offered(found.platform, "taking a live post down").into());
        }
        let rights = self.live_rights(std::slice::from_ref(&found.post)).await?;
        if !found.post.target(target_id).is_some_and(|target| rights.can_take_down(target)) {
            let platform = found.platform;
            let refusal = match sheet.take_down_within {
                Some(within) => Unsupported::TakeDownAfter { platform, within },
                None => Unsupported::TakeDown(platform),
            };
            return Err(refusal.into());
        }
        let account = self.account_of(caller, found.account_id).await?;
        let live = &found.live;
        self.change(&account, |after, access| async move { after.take_down(&access, live).await })
            .await?;
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_of(caller, post_id).await?;
            let is_down =
                current.target(target_id).is_some_and(|t| t.status() == TargetStatus::Skipped);
            if is_down {
                return Ok(current);
            }
            let post = decide::take_down(&current, target_id, self.ports.clock.now())?;
            // Nothing more goes out by it.
            let outcome = self.store().save_post(&post, u64::MAX).await?;
            if self.is_saved(&caller.workspace, outcome)? {
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }
}
