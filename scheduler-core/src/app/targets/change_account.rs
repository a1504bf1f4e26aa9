//! Pointing a target at another account.

use serde::{Deserialize, Serialize};

use crate::account::is_paused;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::{AccountId, PostId, TargetId};
use crate::key::Scope;
use crate::post::{Post, PostStatus, decide};

use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};

/// The body that names another account.
///
/// Source: interface description, PATCH /posts/{id}/targets/{targetId}/account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountChoice {
    /// An account of the same network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if))]
    pub account_id: Option<AccountId>,
}

impl Scheduler {
    /// Points a pending or failed target at another account of the same network.
    ///
    /// # Errors
    /// `forbidden` without `posts:write`, and `posts:publish` while the post is to go out or is
    /// going out; `not_found`; `account_not_connected` for an account that was disconnected;
    /// `channel_limit` for a paused one; what [`decide::move_target`] refuses.
    pub async fn move_target(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
        account_id: AccountId,
    ) -> Result<Post, AppError> {
        caller.require(Scope::PostsWrite)?;
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_of(caller, post_id).await?;
            let Some(target) = current.target(target_id) else {
                return Err(Refusal::not_found(Resource::Target).into());
            };
            if matches!(current.status, PostStatus::Scheduled | PostStatus::Publishing) {
                caller.require(Scope::PostsPublish)?;
            }
            decide::refuse_started(target)?;
            let accounts = self.store().accounts(caller.workspace.id).await?;
            let Some(account) = accounts.iter().find(|account| account.id == account_id) else {
                let workspace = caller.workspace.id;
                let refusal = self.not_connected(workspace, "accountId".into(), account_id).await?;
                return Err(refusal.into());
            };
            let channels = self.allowances(caller).channels;
            if is_paused(&accounts, account_id, channels) {
                return Err(self.settings.plans.channel_limit(caller.plan()).into());
            }
            let now = self.ports.clock.now();
            let mut post = decide::move_target(&current, target_id, account, now)?;
            caller.write(Some(&current), &mut post);
            let outcome = self.store().save_post(&post, u64::MAX).await?;
            if self.is_saved(&caller.workspace, outcome)? {
                return Ok(crate::app::posts::saved(post));
            }
        }
        Err(crate::app::posts::too_busy().into())
    }
}
