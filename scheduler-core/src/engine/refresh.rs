//! Exchanging credentials for new ones, once at a time for an account over all nodes.

use chrono::TimeDelta;

use super::publish::for_now;
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

impl Scheduler {
    /// New credentials for an account, by this holder's own refresh or another's.
    pub(super) async fn refreshed(
        &self,
        network: &dyn Network,
        account: &Account,
        stored: &StoredCredentials,
    ) -> Result<Result<StoredCredentials, NetworkError>, StoreError> {
        let store = &self.ports().store;
        let now = self.ports().clock.now();
        let claim =
            store.claim_refresh(account.id, stored.version, now, now + REFRESH_LEASE).await?;
        match claim {
            RefreshClaim::Granted => {}
            RefreshClaim::Newer(newer) => return Ok(Ok(newer)),
            RefreshClaim::Busy => {
                let kind = NetworkErrorKind::RateLimited { wait: Some(REFRESH_POLL) };
                let message = "The account's access is being renewed.";
                return Ok(Err(NetworkError::new(kind, message)));
            }
            RefreshClaim::Gone => return Ok(Err(disconnected(account))),
        }
        let credentials = match network.refresh(account, &stored.credentials).await {
            Ok(credentials) => credentials,
            Err(error) => return Ok(Err(for_now(error))),
        };
        let version = stored.version;
        if store.replace_credentials(account.id, version, &credentials).await? {
            return Ok(Ok(StoredCredentials { credentials, version: version + 1 }));
        }
        let current = store.credentials(account.id).await?;
        Ok(current.ok_or_else(|| disconnected(account)))
    }
}

pub(super) fn disconnected(account: &Account) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        format!("{} is not connected. Connect it again, then retry.", account.label()),
    )
}
