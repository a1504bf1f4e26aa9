//! Acting as an account outside of a publish: one call with fresh credentials, repeated once when
//! its token has run out.

use std::sync::Arc;

use chrono::TimeDelta;

use super::fault::disconnected;
use super::token::{Need, Refreshed, Then, Token};
use crate::account::Account;
use crate::app::Scheduler;
use crate::ports::{
    Access, AfterPublishing, Metered, NetworkError, NetworkErrorKind, StoreError,
    StoredCredentials, unsupported,
};

/// Why a call did not happen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NetworkCallError {
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
    /// [`NetworkCallError::Network`]: [`NetworkErrorKind::Reconnect`] for an account that is
    /// disconnected or has to be connected again; unsupported where its network is not built in;
    /// what the call itself answers. [`NetworkCallError::Store`].
    pub(crate) async fn call_network<T, F>(
        &self,
        account: &Account,
        meter: Metered,
        call: impl Fn(Arc<dyn AfterPublishing>, Access) -> F + Send,
    ) -> Result<T, NetworkCallError>
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
        let mut token = Token::Original;
        let expires_at = stored.credentials.expires_at;
        let mut need = Need::before_use(expires_at, self.ports().clock.now());
        loop {
            let failed = match self.renewed(account, &mut stored, &mut token, need.take()).await? {
                Then::GoOn => {
                    let access = Access {
                        account: account.clone(),
                        credentials: stored.credentials.clone(),
                        now: self.ports().clock.now(),
                        meter: meter.clone(),
                    };
                    match call(Arc::clone(after), access).await {
                        Ok(done) => return Ok(done),
                        Err(error) => error,
                    }
                }
                Then::Wait(until) => being_refreshed(until - self.ports().clock.now()),
                Then::Fail(error) => error,
            };
            if !token.can_mend(&failed) {
                self.mark_refused(account, stored.version, &failed).await?;
                return Err(failed.into());
            }
            need = Some(Need::Now);
        }
    }

    /// Exchanges credentials where there is need.
    async fn renewed(
        &self,
        account: &Account,
        stored: &mut StoredCredentials,
        token: &mut Token,
        need: Option<Need>,
    ) -> Result<Then, StoreError> {
        let Some(need) = need else { return Ok(Then::GoOn) };
        let refreshed = match self.ports().networks.network(account.platform) {
            Some(network) => self.refreshed(network, account, stored).await?.replace(stored),
            None => Refreshed::Failed(unsupported(account.platform)),
        };
        let (after, then) = token.refreshed(need, refreshed);
        *token = after;
        Ok(then)
    }
}

fn being_refreshed(wait: TimeDelta) -> NetworkError {
    let kind = NetworkErrorKind::RateLimited { wait: Some(wait.max(TimeDelta::seconds(1))) };
    let message = "The token of the account is being refreshed; try again in a moment.";
    NetworkError::new(kind, message)
}
