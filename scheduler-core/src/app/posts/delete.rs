//! Deleting a post's record, or cancelling what has not gone out.

use super::too_busy;
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Refusal, Resource};
use crate::ids::PostId;
use crate::key::Scope;
use crate::ports::{RemoveOutcome, SaveOutcome};
use crate::post::decide::{self, Deletion};

impl Scheduler {
    /// Removes a draft or an ended post, or cancels one that is still to go out. What went out
    /// stays on the networks.
    ///
    /// `expected` are the revisions that the caller takes the post to have, any of them; without,
    /// whatever it has.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// # use scheduler_core::platform::Platform;
    /// # use scheduler_core::ports::{ConnectInput, Networks};
    /// # use serde_json::json;
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let mut ports = test_ports(clock.clone());
    /// # ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    /// # let scheduler = Scheduler::new(ports, Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// # let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// # scheduler.connect_account(&caller.workspace, Platform::Bluesky, &ConnectInput::default()).await?;
    /// let body = json!({"content": "Hi", "queue": true, "targets": [{"platform": "bluesky"}]});
    /// let post = scheduler.create_post(&caller, serde_json::from_value(body)?, None).await?.value;
    /// scheduler.delete_post(&caller, post.id, Some(&[1])).await?;
    /// assert_eq!(scheduler.post(&caller, post.id).await?.status.as_str(), "canceled");
    /// scheduler.delete_post(&caller, post.id, None).await?;
    /// assert!(scheduler.post(&caller, post.id).await.is_err(), "and now it is gone");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `forbidden` without `posts:write`; `not_found`; `stale`; `in_flight` while a target is going out.
    pub async fn delete_post(
        &self,
        caller: &Caller,
        id: PostId,
        expected: Option<&[i64]>,
    ) -> Result<(), AppError> {
        caller.require(Scope::PostsWrite)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let post = self.post_of(caller, id).await?;
            self.refuse_stale(&post, expected).await?;
            let is_done = match decide::delete(&post, self.ports.clock.now())? {
                Deletion::Remove => {
                    let outcome =
                        self.store().remove_post(post.workspace_id, id, post.version).await?;
                    match outcome {
                        RemoveOutcome::Removed => true,
                        RemoveOutcome::Missing => {
                            return Err(Refusal::not_found(Resource::Post).into());
                        }
                        RemoveOutcome::Stale => false,
                    }
                }
                Deletion::Cancel(canceled) => {
                    // Cancelling only ever gives allowance back.
                    match self.store().save_post(&canceled, u64::MAX).await? {
                        SaveOutcome::Saved => true,
                        SaveOutcome::Missing => {
                            return Err(Refusal::not_found(Resource::Post).into());
                        }
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
