//! Acting as an account outside of a publish: one call with fresh credentials, repeated once when
//! its token has run out.

use std::sync::Arc;

use chrono::TimeDelta;

use super::refresh::{REFRESH_AHEAD, Refreshed, disconnected};
use crate::account::Account;
use crate::app::Scheduler;
use crate::ports::{
    Access, AfterPublishing, Metered, NetworkError, NetworkErrorKind, StoreError,
    StoredCredentials, unsupported,
};

/// Why an act did not happen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ActError {
    /// The network, or what keeps us from it.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Scheduler {
    /// Does something as an account, whose requests a meter counts. An account that its network has
    /// refused for good is marked.
    ///
    /// # Errors
    /// [`ActError::Network`]: [`NetworkErrorKind::Reconnect`] for an account that is disconnected
    /// or has to be connected again; unsupported where its network is not built in; what the act
    /// itself answers. [`ActError::Store`].
    pub(crate) async fn act<T, F>(
        &self,
        account: &Account,
        meter: Metered,
        act: impl Fn(Arc<dyn AfterPublishing>, Access) -> F + Send,
    ) -> Result<T, ActError>
    where
        F: Future<Output = Result<T, NetworkError>> + Send,
    {
        let platform = account.platform;
        let Some(after) = self.ports().after.network(platform) else {
            return Err(unsupported(platform).into());
        };
        let stored = self.ports().store.credentials(account.id).await?;
        let Some(mut stored) = stored.filter(|_| !account.needs_reconnect) else {
            return Err(disconnected(account).into());
        };
        let now = self.ports().clock.now();
        let mut has_refreshed = false;
        if stored.credentials.expires_at.is_some_and(|at| at <= now + REFRESH_AHEAD) {
            let has_ended = stored.credentials.expires_at.is_some_and(|at| at <= now);
            match self.renewed(account, &stored).await {
                Ok(new) => stored = new,
                // The old token may still do until it has run out.
                Err(ActError::Network(error))
                    if !has_ended && error.kind != NetworkErrorKind::Reconnect => {}
                Err(error) => return Err(error),
            }
            has_refreshed = true;
        }
        loop {
            let access = Access {
                account: account.clone(),
                credentials: stored.credentials.clone(),
                now: self.ports().clock.now(),
                meter: meter.clone(),
            };
            match act(Arc::clone(after), access).await {
                Err(error) if error.kind == NetworkErrorKind::TokenExpired && !has_refreshed => {
                    has_refreshed = true;
                    stored = self.renewed(account, &stored).await?;
                }
                Err(error) => {
                    if error.kind == NetworkErrorKind::Reconnect {
                        let store = &self.ports().store;
                        store.mark_needs_reconnect(account.id, stored.version).await?;
                    }
                    return Err(error.into());
                }
                Ok(done) => return Ok(done),
            }
        }
    }

    async fn renewed(
        &self,
        account: &Account,
        stored: &StoredCredentials,
    ) -> Result<StoredCredentials, ActError> {
        let Some(network) = self.ports().networks.network(account.platform) else {
            return Err(unsupported(account.platform).into());
        };
        match self.refreshed(network, account, stored).await? {
            Refreshed::New(new) => Ok(new),
            Refreshed::Busy(until) => {
                let wait = (until - self.ports().clock.now()).max(TimeDelta::seconds(1));
                let kind = NetworkErrorKind::RateLimited { wait: Some(wait) };
                let message = "The token of the account is being refreshed; try again in a moment.";
                Err(NetworkError::new(kind, message).into())
            }
            Refreshed::Failed(error) => {
                if error.kind == NetworkErrorKind::Reconnect {
                    let store = &self.ports().store;
                    store.mark_needs_reconnect(account.id, stored.version).await?;
                }
                Err(error.into())
            }
        }
    }
}
