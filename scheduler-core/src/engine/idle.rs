//! Keeping accounts alive that nobody publishes to.
//!
//! A publish refreshes what it uses. Tokens of Instagram and Threads end for good after 60 days,
//! and refresh tokens of other networks after months, so those that lie idle are refreshed too.

use chrono::{DateTime, TimeDelta, Utc};

use super::token::Refreshed;
use crate::account::Account;
use crate::app::Scheduler;
use crate::ports::StoreError;

/// How long credentials may have been due. The adapters count those that cannot be exchanged after
/// their end as due after half of their 60 days, so this leaves three weeks.
///
/// Source: our decision.
const IDLE: TimeDelta = TimeDelta::days(7);

/// Accounts of one turn: a node that stops waits for its end, since a refresh that is cut off can
/// cost the account its token.
const TURN: u32 = 20;

impl Scheduler {
    /// Refreshes the credentials of accounts that have been due for a week, and says of how many.
    /// What fails for the time being is tried again in the next turn; an account whose network
    /// has refused it for good needs to be connected again.
    ///
    /// # Errors
    /// [`StoreError`] when the accounts cannot be read, or the database is not there.
    pub async fn refresh_idle(&self) -> Result<usize, StoreError> {
        let until = self.ports().clock.now() - IDLE;
        let mut refreshed = 0;
        for account in self.ports().store.accounts_expiring(until, TURN).await? {
            match self.refresh_one_idle(&account, until).await {
                Ok(true) => refreshed += 1,
                // What cannot be read of one account keeps no other waiting.
                Ok(false) | Err(StoreError::Corrupt { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(refreshed)
    }

    async fn refresh_one_idle(
        &self,
        account: &Account,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let store = &self.ports().store;
        let Some(network) = self.ports().networks.network(account.platform) else {
            return Ok(false);
        };
        // Another account that shares them may have been refreshed in this very turn.
        let stored = store.credentials(account.id).await?;
        let Some(stored) = stored.filter(|stored| {
            stored.credentials.expires_at.is_some_and(|expires_at| expires_at <= until)
        }) else {
            return Ok(false);
        };
        match self.refreshed(network, account, &stored).await? {
            Refreshed::New(_) => Ok(true),
            Refreshed::Busy(_) => Ok(false),
            Refreshed::Failed(error) => {
                self.mark_refused(account, stored.version, &error).await?;
                Ok(false)
            }
        }
    }
}
