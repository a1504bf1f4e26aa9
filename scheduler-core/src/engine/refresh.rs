//! Exchanging credentials for new ones, once at a time for an account over all nodes.

use chrono::{DateTime, TimeDelta, Utc};

use super::attempt::for_now;
use crate::account::Account;
use crate::app::Scheduler;
use crate::ids::AccountId;
use crate::ports::{
    Network, NetworkError, NetworkErrorKind, RefreshClaim, StoreError, StoredCredentials,
};

/// How long one holder may take to refresh before another tries.
const REFRESH_LEASE: TimeDelta = TimeDelta::seconds(60);

/// Credentials that expire within this time are refreshed before they are used.
pub(super) const REFRESH_AHEAD: TimeDelta = TimeDelta::minutes(5);

/// How soon to look again while another holder refreshes.
const REFRESH_POLL: TimeDelta = TimeDelta::seconds(1);

/// What came of a refresh.
pub(super) enum Refreshed {
    /// There are new credentials, by this holder's own refresh or another's.
    New(StoredCredentials),
    /// Another holder is refreshing them; look again then.
    Busy(DateTime<Utc>),
    /// There are none.
    Failed(NetworkError),
}

impl Scheduler {
    /// Refreshes the credentials of an account, unless another holder does or has.
    pub(super) async fn refreshed(
        &self,
        network: &dyn Network,
        account: &Account,
        stored: &StoredCredentials,
    ) -> Result<Refreshed, StoreError> {
        let store = &self.ports().store;
        let now = self.ports().clock.now();
        let sharing = self.sharing(account, stored).await?;
        // The first stands for all, so that of several accounts one refreshes what they share.
        let (first, version) = sharing.first().copied().unwrap_or((account.id, stored.version));
        match store.claim_refresh(first, version, now, now + REFRESH_LEASE).await? {
            RefreshClaim::Granted => {}
            RefreshClaim::Newer(newer) if first == account.id => return Ok(Refreshed::New(newer)),
            RefreshClaim::Gone if first == account.id => {
                return Ok(Refreshed::Failed(disconnected(account)));
            }
            RefreshClaim::Busy => return Ok(Refreshed::Busy(now + REFRESH_POLL)),
            RefreshClaim::Newer(_) | RefreshClaim::Gone => {
                return Ok(match store.credentials(account.id).await? {
                    None => Refreshed::Failed(disconnected(account)),
                    Some(current) if current.version != stored.version => Refreshed::New(current),
                    // It shares with others now.
                    Some(_) => Refreshed::Busy(now + REFRESH_POLL),
                });
            }
        }
        let credentials = match network.refresh(account, &stored.credentials).await {
            Ok(credentials) => credentials,
            Err(error) => return Ok(Refreshed::Failed(for_now(error))),
        };
        let replaced = store.replace_credentials(&sharing, &credentials).await?;
        if replaced.contains(&account.id) {
            let version = stored.version + 1;
            return Ok(Refreshed::New(StoredCredentials { credentials, version }));
        }
        let current = store.credentials(account.id).await?;
        Ok(current.map_or_else(|| Refreshed::Failed(disconnected(account)), Refreshed::New))
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

pub(super) fn disconnected(account: &Account) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        format!("{} is not connected. Connect it again, then retry.", account.label()),
    )
}
