//! Exchanging credentials for new ones, once at a time for an account over all nodes.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};

use super::fault::{disconnected, for_now, panicked};
use super::token::Refreshed;
use crate::account::Account;
use crate::app::Scheduler;
use crate::ids::{AccountId, EventId};
use crate::ports::{
    Network, NetworkError, NetworkErrorKind, RefreshClaim, StoreError, StoredCredentials,
};
use crate::webhook::Event;

/// How long one holder may take to exchange a token and to store what it got, before another
/// tries. The call takes 30 seconds at most; the rest is for a store that is away and for a
/// process that is stopped for a while.
///
/// Source: our decision.
const REFRESH_LEASE: TimeDelta = TimeDelta::seconds(150);

/// How soon to look again while another holder refreshes; later when it has taken longer than that
/// already.
const REFRESH_POLL: TimeDelta = TimeDelta::seconds(1);

/// The refreshes that are under way in this process, by the account that stands for all that
/// share its credentials. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Refreshes(Arc<Mutex<BTreeMap<AccountId, Shared<BoxFuture<'static, Refreshed>>>>>);

impl Refreshes {
    fn running(
        &self,
    ) -> MutexGuard<'_, BTreeMap<AccountId, Shared<BoxFuture<'static, Refreshed>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Refreshes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.running().keys()).finish()
    }
}

/// Ends the entry of a refresh, however the refresh ended.
struct Entry(Refreshes, AccountId);

impl Drop for Entry {
    fn drop(&mut self) {
        self.0.running().remove(&self.1);
    }
}

impl Scheduler {
    /// Refreshes the credentials of an account, unless another holder does or has. The exchange
    /// and the storing of what it gave are one task, which goes on when nobody waits for it any
    /// more: many networks take a refresh token only once.
    pub(super) async fn refreshed(
        &self,
        network: &Arc<dyn Network>,
        account: &Account,
        stored: &StoredCredentials,
    ) -> Result<Refreshed, StoreError> {
        let store = &self.ports().store;
        let sharing = self.sharing(account, stored).await?;
        // The first stands for all, so that of several accounts one refreshes what they share.
        let (first, version) = sharing.first().copied().unwrap_or((account.id, stored.version));
        let running = self.refreshes().running().get(&first).cloned();
        if let Some(running) = running {
            let refreshed = running.await;
            return if first == account.id {
                Ok(refreshed)
            } else {
                self.of_others(account, stored).await
            };
        }
        let now = self.ports().clock.now();
        let lease_until = now + REFRESH_LEASE;
        match store.claim_refresh(first, version, now, lease_until).await? {
            RefreshClaim::Granted => {}
            RefreshClaim::Newer(newer) if first == account.id => return Ok(Refreshed::New(newer)),
            RefreshClaim::Gone if first == account.id => {
                return Ok(Refreshed::Failed(disconnected(account)));
            }
            RefreshClaim::Busy { until } => return Ok(Refreshed::Busy(look_again(now, until))),
            RefreshClaim::Newer(_) | RefreshClaim::Gone => {
                return self.of_others(account, stored).await;
            }
        }
        let (scheduler, network) = (self.clone(), Arc::clone(network));
        let (account, stored) = (account.clone(), stored.clone());
        let entry = Entry(self.refreshes().clone(), first);
        let exchange = async move {
            let _entry = entry;
            let refreshed = scheduler.exchange(&*network, &account, &stored, &sharing).await;
            if matches!(refreshed, Refreshed::Failed(_)) {
                scheduler.give_up_refresh(first, version, lease_until).await;
            }
            refreshed
        };
        let exchange = exchange.boxed().shared();
        self.refreshes().running().insert(first, exchange.clone());
        self.ports().tasks.spawn(Box::pin(exchange.clone().map(|_| ())));
        Ok(exchange.await)
    }

    /// Marks an account whose network has refused its credentials for good, unless these are not
    /// its credentials any more. False where it was not marked.
    pub(super) async fn mark_refused(
        &self,
        account: &Account,
        version: i64,
        error: &NetworkError,
    ) -> Result<bool, StoreError> {
        if error.kind != NetworkErrorKind::Reconnect {
            return Ok(false);
        }
        let now = self.ports().clock.now();
        let id = EventId(self.ports().ids.next(now));
        let event = Event::needs_reconnect(id, account, error.message.clone(), now);
        self.ports().store.mark_needs_reconnect(account.id, version, Some(&event)).await
    }

    /// Ends the lease of an exchange that has failed, so that the next attempt need not wait for
    /// its end: it is claimed once more, from that end on, for no time at all.
    async fn give_up_refresh(&self, id: AccountId, version: i64, lease_until: DateTime<Utc>) {
        let now = self.ports().clock.now();
        // Where that fails, the lease ends by itself.
        let _ = self.ports().store.claim_refresh(id, version, lease_until, now).await;
    }

    /// What has become of the credentials of an account that another stands for.
    async fn of_others(
        &self,
        account: &Account,
        stored: &StoredCredentials,
    ) -> Result<Refreshed, StoreError> {
        Ok(match self.ports().store.credentials(account.id).await? {
            None => Refreshed::Failed(disconnected(account)),
            Some(current) if current.version != stored.version => Refreshed::New(current),
            // It shares with others now, or their refresh has failed.
            Some(_) => Refreshed::Busy(self.ports().clock.now() + REFRESH_POLL),
        })
    }

    /// Exchanges credentials, and keeps the new ones until they are stored.
    async fn exchange(
        &self,
        network: &dyn Network,
        account: &Account,
        stored: &StoredCredentials,
        sharing: &[(AccountId, i64)],
    ) -> Refreshed {
        let refreshed = AssertUnwindSafe(network.refresh(account, &stored.credentials));
        let credentials = match refreshed.catch_unwind().await {
            Ok(Ok(credentials)) => credentials,
            Ok(Err(error)) => return Refreshed::Failed(for_now(error)),
            Err(_) => return Refreshed::Failed(panicked(account.platform)),
        };
        let store = &self.ports().store;
        let replaced = self.until_stored(|| store.replace_credentials(sharing, &credentials)).await;
        if replaced.contains(&account.id) {
            let version = stored.version + 1;
            return Refreshed::New(StoredCredentials { credentials, version });
        }
        match self.with_retry(|| store.credentials(account.id)).await {
            Ok(Some(current)) => Refreshed::New(current),
            Ok(None) | Err(_) => Refreshed::Failed(disconnected(account)),
        }
    }

    /// Whoever has the same credentials as an account, itself among them, by id: networks open
    /// several accounts at once with one token, and may take a refresh token only once.
    async fn sharing(
        &self,
        account: &Account,
        stored: &StoredCredentials,
    ) -> Result<Vec<(AccountId, i64)>, StoreError> {
        let store = &self.ports().store;
        let mut sharing = vec![(account.id, stored.version)];
        for other in store.accounts(account.workspace_id).await? {
            if other.platform != account.platform || other.id == account.id {
                continue;
            }
            match store.credentials(other.id).await {
                Ok(Some(theirs)) if theirs.credentials.expose() == stored.credentials.expose() => {
                    sharing.push((other.id, theirs.version));
                }
                // What cannot be read of another account is told when that account is used.
                Ok(_) | Err(StoreError::Corrupt { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        sharing.sort_unstable();
        Ok(sharing)
    }
}

/// When to look again whether another holder, whose lease ends then, has new credentials: most have
/// them within a second, and one whose process was killed never has.
fn look_again(now: DateTime<Utc>, until: DateTime<Utc>) -> DateTime<Utc> {
    let taken = now - (until - REFRESH_LEASE);
    (now + taken.max(REFRESH_POLL)).min(until.max(now + REFRESH_POLL))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_takes_long_is_asked_ever_more_rarely() {
        let now = DateTime::UNIX_EPOCH;
        for (name, taken, want) in [
            ("at once", 0, 1),
            ("half a second later", 1, 1),
            ("after a while", 20, 20),
            ("near the end of the lease", 100, 50),
            ("at the end", 149, 1),
            ("a clock that was set back", -30, 1),
        ] {
            let until = now - TimeDelta::seconds(taken) + REFRESH_LEASE;
            assert_eq!(look_again(now, until) - now, TimeDelta::seconds(want), "{name}");
        }
    }
}
