//! Doing due work, one piece at a time.

use std::pin::pin;

use futures_util::future::{Either, select};

use super::observer::{NoObserver, RunEvent, RunObserver};
use super::outcome::{LEASE, RunError, RunOutcome};
use crate::app::Scheduler;
use crate::ids::{AccountId, MediaId};
use crate::ports::{Claim, ClaimRequest, WorkKind};

impl Scheduler {
    /// Does everything that is due now, one piece after the other, and says what came of each:
    /// for an app that wants no worker beside it. Work that has become due by it is done as well.
    ///
    /// Each piece is leased until it is done, however long it takes, and of several calls on one
    /// scheduler and its clones one runs at a time. A server does several pieces at once; that is
    /// what the worker of the crate `scheduler-worker` is for.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// use std::sync::Arc;
    ///
    /// use chrono::TimeDelta;
    /// use scheduler_core::app::{Scheduler, Settings};
    /// use scheduler_core::engine::RunOutcome;
    /// use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// use scheduler_core::platform::Platform;
    /// use scheduler_core::ports::{ConnectInput, Networks};
    /// use serde_json::json;
    ///
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// let network = Arc::new(MemoryNetwork::new());
    /// let mut ports = test_ports(clock.clone());
    /// ports.networks = Networks::default().with(Platform::Mastodon, network.clone());
    /// let scheduler = Scheduler::new(ports, Settings::default());
    ///
    /// let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// let me = ConnectInput::default();
    /// scheduler.connect_account(&caller.workspace, Platform::Mastodon, &me).await?;
    /// let post = serde_json::from_value(json!({
    ///     "content": "Good morning",
    ///     "scheduledAt": "2026-12-01T10:00:00Z",
    ///     "targets": [{"platform": "mastodon"}],
    /// }))?;
    /// scheduler.create_post(&caller, post, None).await?;
    ///
    /// assert!(!scheduler.run_due().await?.contains(&RunOutcome::Published), "it is 9 o'clock");
    /// clock.advance(TimeDelta::hours(1));
    /// assert!(scheduler.run_due().await?.contains(&RunOutcome::Published));
    /// assert_eq!(network.texts(), ["Good morning"]);
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// [`RunError`]: what was claimed and not finished is due again when its lease ends.
    pub async fn run_due(&self) -> Result<Vec<RunOutcome>, RunError> {
        let _turn = self.turns().lock().await;
        let mut ran = Vec::new();
        loop {
            let now = self.ports().clock.now();
            // One by one, so that no lease waits for the work of another.
            let request = ClaimRequest::new(now, now + LEASE, 1, 1);
            let claims = self.ports().store.claim(&request).await?;
            if claims.is_empty() {
                return Ok(ran);
            }
            for claim in &claims {
                ran.push(self.run_leased(claim).await?);
            }
        }
    }

    /// Does one piece of claimed work, and renews its lease until it is done.
    async fn run_leased(&self, claim: &Claim) -> Result<RunOutcome, RunError> {
        let until_lost = async {
            loop {
                self.ports().tasks.sleep(LEASE / 3).await;
                let until = self.ports().clock.now() + LEASE;
                // A store that is away renews nothing, and gives the work to nobody else either.
                let renewed = self.ports().store.renew(std::slice::from_ref(claim), until).await;
                if renewed.is_ok_and(|lost| !lost.is_empty()) {
                    return;
                }
            }
        };
        // Side by side: the work may hold what a renewal waits for.
        match select(pin!(self.run(claim)), pin!(until_lost)).await {
            Either::Left((ran, _)) => ran,
            Either::Right(((), _)) => Ok(RunOutcome::Lost),
        }
    }

    /// Does one piece of claimed work, as far as it goes now. Whoever calls this renews the lease
    /// meanwhile ([`WorkQueue::renew`](crate::ports::WorkQueue::renew)), as a worker does.
    ///
    /// # Errors
    /// [`RunError`]: nothing more was recorded, and the work is due again when its lease ends.
    pub async fn run(&self, claim: &Claim) -> Result<RunOutcome, RunError> {
        self.run_observed(claim, &NoObserver).await
    }

    /// The same, and tells an observer what happens meanwhile.
    ///
    /// # Errors
    /// As [`Scheduler::run`].
    pub async fn run_observed(
        &self,
        claim: &Claim,
        observer: &dyn RunObserver,
    ) -> Result<RunOutcome, RunError> {
        match claim.kind {
            // On the heap: it is far larger than the others, and who runs work holds it.
            WorkKind::Publish => Box::pin(self.publish(claim, observer)).await,
            WorkKind::Deliver => self.deliver(claim, observer).await,
            WorkKind::Fetch | WorkKind::Examine | WorkKind::Erase => {
                observer.on_event(RunEvent::File { media_id: MediaId(claim.subject) });
                Ok(self.work_on_media(claim).await?)
            }
            WorkKind::Read => {
                observer.on_event(RunEvent::Readings { account_id: AccountId(claim.subject) });
                Ok(self.read(claim).await?)
            }
        }
    }
}
