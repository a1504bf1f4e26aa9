//! Whether the plan covers the account that a publish goes to.

use crate::account::{Account, is_paused};
use crate::app::Scheduler;
use crate::engine::NetworkCallError;
use crate::ports::{NetworkError, NetworkErrorKind};
use crate::target::FailureCode;

impl Scheduler {
    /// Refuses a publish that is to begin through a paused account: one that is connected, but
    /// beyond what the plan covers by now. What has begun already is brought to its end, by its own
    /// retries and not by those that a person asks for.
    ///
    /// Source: interface description, Account.paused.
    ///
    /// # Errors
    /// [`NetworkCallError::Network`] where it is paused; [`NetworkCallError::Store`].
    pub(super) async fn refuse_beyond_plan(
        &self,
        account: &Account,
    ) -> Result<(), NetworkCallError> {
        let store = &self.ports().store;
        let Some(workspace) = store.workspace(account.workspace_id).await? else { return Ok(()) };
        let plans = &self.settings().plans;
        let accounts = store.accounts(workspace.id).await?;
        if !is_paused(&accounts, account.id, plans.of(workspace.plan).channels) {
            return Ok(());
        }
        let refusal = plans.channel_limit(workspace.plan);
        let larger = refusal.upgrade_to.map(|plan| format!("move to the plan {plan}, "));
        let message = format!(
            "{} is paused. {} To send this post, {}give the target another account or disconnect one that is not needed, and retry.",
            account.label(),
            refusal,
            larger.unwrap_or_default(),
        );
        let error = NetworkError::new(NetworkErrorKind::Permanent, message);
        Err(error.with_code(FailureCode::ChannelLimit).into())
    }
}
