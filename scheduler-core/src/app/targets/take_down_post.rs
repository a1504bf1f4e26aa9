//! Taking a post back everywhere at once: what is to come is cancelled, what is live taken down.

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};

use crate::app::posts::too_busy;
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, ErrorBody, ErrorDetail};
use crate::ids::{AccountId, PostId, TargetId};
use crate::key::Scope;
use crate::platform::Platform;
use crate::post::{Post, PostStatus, decide};
use crate::target::{Failure, Stage, Target, TargetStatus, Waiting};

/// What came of taking a post back everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TakeDownReport {
    /// Each target of the post, in its order.
    pub results: Vec<TakeDownResult>,
}

/// What came of one target of a post that is taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TakeDownResult {
    /// The target.
    pub target_id: TargetId,
    /// Its network.
    pub platform: Platform,
    /// Its account.
    pub account_id: AccountId,
    /// What has become of it.
    pub outcome: TakenDown,
    /// With `left`: where the live post is seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_url: Option<String>,
    /// With `left`: why it could not be taken down; absent where a part of it is live alone, such as
    /// the first posts of a thread, which no call takes down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<ErrorDetail>>,
}

/// What has become of a target of a post that is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TakenDown {
    /// It was to go out, and is cancelled.
    Canceled,
    /// It was live, and is taken down.
    TakenDown,
    /// It is live still, or a part of it is: `error` says why, where a network was asked.
    Left,
    /// It is going out at this moment: ask again once it has ended.
    GoingOut,
    /// Nobody can tell whether it is live: look on the network.
    InDoubt,
    /// It was not live, and does not go out.
    NotLive,
}

impl TakenDown {
    /// Whether something is left to do, by another request or by a person.
    #[must_use]
    pub const fn is_left(self) -> bool {
        matches!(self, Self::Left | Self::GoingOut | Self::InDoubt)
    }
}

impl Scheduler {
    /// Cancels what of a post is still to go out, and takes down what of it is live, on all networks
    /// at once; the record stays. A repeat goes on with what was left.
    ///
    /// # Errors
    /// `forbidden` without `posts:write` and `posts:publish`; `not_found`; [`AppError::Store`], after
    /// which a repeat goes on. What a network refuses stands in the result of its target.
    pub async fn take_down_post(
        &self,
        caller: &Caller,
        id: PostId,
    ) -> Result<TakeDownReport, AppError> {
        caller.require(Scope::PostsWrite)?;
        caller.require(Scope::PostsPublish)?;
        let (before, post) = self.cancel_waiting(caller, id).await?;
        let live = post.targets.iter().filter(|one| one.status() == TargetStatus::Published);
        let asked =
            join_all(live.map(async |one| (one.id, self.take_down(caller, id, one.id).await)));
        let mut refused = Vec::new();
        let mut failed = None;
        for (target, taken_down) in asked.await {
            match taken_down {
                Ok(_) => {}
                Err(AppError::Refused(refusal)) => refused.push((target, ErrorBody::from(refusal))),
                Err(error) => failed = Some(error),
            }
        }
        // What the others have come to is stored.
        if let Some(error) = failed {
            return Err(error);
        }
        if !refused.is_empty() {
            // What somebody else has taken down meanwhile is down.
            let now = self.post_of(caller, id).await?;
            refused.retain(|(target, _)| {
                now.target(*target).is_some_and(|one| one.status() == TargetStatus::Published)
            });
        }
        let results = before.targets.iter().map(|target| {
            let error = refused.iter().find(|(id, _)| *id == target.id);
            result(&before, target, error.map(|(_, body)| body.error.clone()))
        });
        Ok(TakeDownReport { results: results.collect() })
    }

    /// Cancels what of a post waits for its time; returns it as it was before and as it is.
    async fn cancel_waiting(&self, caller: &Caller, id: PostId) -> Result<(Post, Post), AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let before = self.post_of(caller, id).await?;
            let Some(canceled) = decide::cancel_waiting(&before, self.ports.clock.now())? else {
                return Ok((before.clone(), before));
            };
            // Cancelling only ever gives allowance back.
            let outcome = self.store().save_post(&canceled, u64::MAX).await?;
            if self.is_saved(&caller.workspace, outcome)? {
                return Ok((before, canceled));
            }
        }
        Err(too_busy().into())
    }
}

/// What came of a target, by what it was and by what its network has refused.
fn result(before: &Post, target: &Target, error: Option<ErrorDetail>) -> TakeDownResult {
    let outcome = match &target.stage {
        Stage::Publishing(_) => TakenDown::GoingOut,
        Stage::Published(_) if error.is_some() => TakenDown::Left,
        Stage::Published(_) => TakenDown::TakenDown,
        Stage::TakenDown { .. } => TakenDown::NotLive,
        Stage::Parked { begun, .. }
        | Stage::Waiting(Waiting { begun, .. })
        | Stage::Failed { begun, .. }
        | Stage::Canceled { begun, .. } => {
            let is_open = begun.progress.as_ref().is_some_and(|progress| progress.open.is_some());
            if begun.live_part.is_some() {
                TakenDown::Left
            } else if is_open || target.failure().is_some_and(Failure::is_in_doubt) {
                TakenDown::InDoubt
            } else if target.status() == TargetStatus::Pending && before.status != PostStatus::Draft
            {
                TakenDown::Canceled
            } else {
                TakenDown::NotLive
            }
        }
    };
    let remote = target.remote().filter(|_| outcome == TakenDown::Left);
    TakeDownResult {
        target_id: target.id,
        platform: target.platform,
        account_id: target.account_id,
        outcome,
        remote_url: remote.and_then(|remote| remote.url.clone()),
        error: error.map(Box::new),
    }
}
