//! One attempt at one target: does what the machine says, and tells it what came of that.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::machine::{Action, End, Event, Machine};
use crate::app::Scheduler;
use crate::engine::outcome::RunError;
use crate::engine::token::Refreshed;
use crate::ports::{
    Claim, Network, NetworkError, NetworkErrorKind, PublishJob, Recorded, StoreError,
    StoredCredentials, WorkAfter,
};
use crate::target::Target;

/// One attempt at one target, while a claim on it is held.
pub(super) struct Attempt<'a> {
    pub(super) scheduler: &'a Scheduler,
    pub(super) claim: &'a Claim,
    pub(super) network: Arc<dyn Network>,
    pub(super) job: PublishJob,
    pub(super) credentials: StoredCredentials,
    pub(super) target: Target,
    pub(super) machine: Machine,
}

impl Attempt<'_> {
    /// Takes step after step until the post is live, the network wants time, or a step fails.
    pub(super) async fn run(&mut self, first: Action) -> Result<End, RunError> {
        let mut action = first;
        loop {
            let event = match action {
                Action::Refresh => Event::Refreshed(self.refresh().await?),
                Action::Look => self.look().await,
                Action::Prepare => self.prepare(),
                Action::Store { lease } => self.store(lease).await?,
                Action::Step => {
                    let state = &self.machine.progress.state;
                    Event::Stepped(self.network.advance(&self.job, state).await)
                }
                Action::End(end) => return Ok(end),
            };
            action = self.machine.next(event)?;
        }
    }

    async fn refresh(&mut self) -> Result<Refreshed<()>, StoreError> {
        let (scheduler, network, account) = (self.scheduler, &self.network, &self.job.account);
        let stored = &self.credentials;
        let refreshed = scheduler.with_retry(|| scheduler.refreshed(network, account, stored));
        let refreshed = refreshed.await?.replace(&mut self.credentials);
        self.job.credentials = self.credentials.credentials.clone();
        Ok(refreshed)
    }

    async fn look(&mut self) -> Event {
        let asked_at = self.now();
        self.job.now = asked_at;
        let found = self.network.locate(&self.job, &self.machine.progress.state).await;
        Event::Looked { asked_at, answered_at: self.now(), found }
    }

    fn prepare(&mut self) -> Event {
        let at = self.now();
        self.job.now = at;
        let state = &self.machine.progress.state;
        let is_visible = self.network.is_visible(state);
        let visible_for = is_visible.then(|| self.network.call_within(&self.job, state));
        Event::Prepared { at, visible_for }
    }

    async fn store(&mut self, lease: TimeDelta) -> Result<Event, StoreError> {
        self.target.keep_progress(self.machine.progress.clone());
        let (claim, target, ports) = (self.claim, &self.target, self.scheduler.ports());
        let stored = self.scheduler.with_retry(|| {
            // A store that was away for a while would end the lease at once otherwise.
            let now = ports.clock.now();
            let after = WorkAfter::Held(now + lease);
            ports.store.record_publish(claim, target, None, after, now)
        });
        Ok(match stored.await? {
            Recorded::Stored => Event::Stored { at: self.now() },
            Recorded::Lost => Event::Lost,
        })
    }

    /// Marks an account whose credentials were refused. Where a person has connected it again
    /// meanwhile, the refusal was of the old ones and the next attempt will do.
    pub(super) async fn unless_reconnected(
        &self,
        error: NetworkError,
    ) -> Result<NetworkError, StoreError> {
        let (scheduler, version) = (self.scheduler, self.credentials.version);
        let (id, account) = (self.target.account_id, &self.job.account);
        if error.kind != NetworkErrorKind::Reconnect
            || scheduler.with_retry(|| scheduler.mark_refused(account, version, &error)).await?
        {
            return Ok(error);
        }
        let store = &scheduler.ports().store;
        let current = scheduler.with_retry(|| store.credentials(id)).await?;
        let is_newer = current.is_some_and(|current| current.version != version);
        Ok(if is_newer {
            NetworkError::new(NetworkErrorKind::Temporary, error.message)
        } else {
            error
        })
    }

    fn now(&self) -> DateTime<Utc> {
        self.scheduler.ports().clock.now()
    }
}
