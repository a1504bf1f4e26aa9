//! Trying failed targets again.

use super::{saved, too_busy};
use crate::app::media::{of_post, of_targets, refuse_deleted};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::AppError;
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::post::{Post, decide};
use crate::target::{Target, TargetStatus};

impl Scheduler {
    /// Makes every failed target of a post due now, with a fresh retry budget.
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
    /// let refused = scheduler.retry_post(&caller, post.id).await.unwrap_err();
    /// assert_eq!(refused.to_string(), "No target of this post has failed.");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `forbidden` without `posts:write` and `posts:publish`; `not_found`; `in_flight`;
    /// `nothing_to_retry`; `media_unusable` when a file of the post was deleted.
    pub async fn retry_post(&self, caller: &Caller, id: PostId) -> Result<Post, AppError> {
        caller.require(Scope::PostsWrite)?;
        caller.require(Scope::PostsPublish)?;
        self.retry_targets(caller, id, |_| true).await
    }

    /// The same for one of them.
    ///
    /// # Errors
    /// Those of [`Self::retry_post`]; `nothing_to_retry` also when this one has not failed.
    pub async fn retry_target(
        &self,
        caller: &Caller,
        id: PostId,
        target: TargetId,
    ) -> Result<Post, AppError> {
        caller.require(Scope::PostsWrite)?;
        caller.require(Scope::PostsPublish)?;
        self.retry_targets(caller, id, |one| one.id == target).await
    }

    /// The same for those of the failed targets that are meant.
    pub(super) async fn retry_targets(
        &self,
        caller: &Caller,
        id: PostId,
        is_meant: impl Fn(&Target) -> bool + Sync,
    ) -> Result<Post, AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_of(caller, id).await?;
            let post = decide::retry_some(&current, self.ports.clock.now(), &is_meant)?;
            let is_pending = |target: &&Target| target.status() == TargetStatus::Pending;
            let targets: Vec<&Target> = post.targets.iter().filter(is_pending).collect();
            let named = of_post(&post.media_ids).chain(of_targets(targets));
            refuse_deleted(self.named_files(caller.workspace.id, named).await?.all())?;
            // The post was counted when it first went out.
            let outcome = self.store().save_post(&post, u64::MAX).await?;
            if self.is_saved(&caller.workspace, outcome)? {
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }
}
