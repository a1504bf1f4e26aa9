//! Values that a network has given the person, instead of its page.

use super::{Browser, joined, no_visit};
use crate::app::Scheduler;
use crate::connecting::{ConnectingStage, Pass};
use crate::error::AppError;
use crate::platform::Platform;
use crate::ports::ConnectInput;

impl Scheduler {
    /// Opens accounts with what the person has typed, and connects the account when it is the only
    /// one. The ticket is used up once the network has opened one; after a refusal the person may
    /// type again. Returns the cookie of the visit.
    ///
    /// # Errors
    /// `not_found` when the browser is in no visit; `invalid_request` for a value that is too long;
    /// `account_not_connected` with the network's reason; `channel_limit` when the plan covers no
    /// further account.
    pub async fn give_values(
        &self,
        platform: Platform,
        browser: &Browser,
        values: ConnectInput,
    ) -> Result<Pass, AppError> {
        let pending = self.pending(platform, browser).await?;
        let values = match &pending.stage {
            ConnectingStage::Invited { given } => joined(given, values)?,
            ConnectingStage::Authorizing(authorizing) => joined(&authorizing.given, values)?,
            ConnectingStage::Picking { .. } | ConnectingStage::Ended { .. } => {
                return Err(no_visit().into());
            }
        };
        let workspace = self.workspace_of(pending.workspace_id).await?;
        let opened = self.open_accounts(&workspace, platform, &values).await?;
        let cookie = self.new_pass();
        self.settle_visit(pending, &workspace, &cookie, opened).await?;
        Ok(cookie)
    }
}
