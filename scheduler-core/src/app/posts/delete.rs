//! Deleting a post's record, or cancelling what has not gone out.

use super::too_busy;
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Refusal};
use crate::ids::PostId;
use crate::key::Scope;
use crate::ports::{RemoveOutcome, SaveOutcome};
use crate::post::decide::{self, Deletion};

impl Scheduler {
    /// Removes a draft or an ended post, or cancels one that is still to go out. What went out
    /// stays on the networks.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `not_found`; `in_flight` while a target is going out.
    pub async fn delete_post(&self, caller: &Caller, id: PostId) -> Result<(), AppError> {
        caller.require(Scope::PostsWrite)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let post = self.post_of(caller, id).await?;
            let is_done = match decide::delete(&post, self.ports.clock.now())? {
                Deletion::Remove => {
                    let outcome =
                        self.store().remove_post(post.workspace_id, id, post.version).await?;
                    match outcome {
                        RemoveOutcome::Removed => true,
                        RemoveOutcome::Missing => return Err(Refusal::not_found("post").into()),
                        RemoveOutcome::Stale => false,
                    }
                }
                Deletion::Cancel(canceled) => {
                    // Cancelling only ever gives allowance back.
                    match self.store().save_post(&canceled, u64::MAX).await? {
                        SaveOutcome::Saved => true,
                        SaveOutcome::Missing => return Err(Refusal::not_found("post").into()),
                        // Cancelling takes no slot, no allowance and no file.
                        SaveOutcome::Stale
                        | SaveOutcome::SlotTaken
                        | SaveOutcome::LimitReached
                        | SaveOutcome::FileDeleted => false,
                    }
                }
            };
            if is_done {
                return Ok(());
            }
        }
        Err(too_busy().into())
    }
}
