//! Exchanging credentials for new ones, once at a time for an account over all nodes.

use chrono::{DateTime, TimeDelta, Utc};

use super::attempt::for_now;
use crate::account::Account;
use crate::app::Scheduler;
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
        let claim =
            store.claim_refresh(account.id, stored.version, now, now + REFRESH_LEASE).await?;
        match claim {
            RefreshClaim::Granted => {}
            RefreshClaim::Newer(newer) => return Ok(Refreshed::New(newer)),
            RefreshClaim::Busy => return Ok(Refreshed::Busy(now + REFRESH_POLL)),
            RefreshClaim::Gone => return Ok(Refreshed::Failed(disconnected(account))),
        }
        let credentials = match network.refresh(account, &stored.credentials).await {
            Ok(credentials) => credentials,
            Err(error) => return Ok(Refreshed::Failed(for_now(error))),
        };
        let version = stored.version;
        if store.replace_credentials(account.id, version, &credentials).await? {
            let version = version + 1;
            return Ok(Refreshed::New(StoredCredentials { credentials, version }));
        }
        let current = store.credentials(account.id).await?;
        Ok(current.map_or_else(|| Refreshed::Failed(disconnected(account)), Refreshed::New))
    }
}

pub(super) fn disconnected(account: &Account) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        format!("{} is not connected. Connect it again, then retry.", account.label()),
    )
}
