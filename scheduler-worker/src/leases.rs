//! What the worker holds, and keeping it held.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::app::Scheduler;
use scheduler_core::engine::LEASE;
use scheduler_core::ids::WorkId;
use scheduler_core::ports::Claim;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How often leases are renewed: two renewals may fail before a lease ends.
const RENEW_EVERY: TimeDelta = TimeDelta::milliseconds(LEASE.num_milliseconds() / 3);

/// How soon a renewal that failed is tried again.
const RENEW_AGAIN: TimeDelta = TimeDelta::milliseconds(500);

/// Every lease that the worker holds, of work in flight and of work that waits its turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leases {
    held: Arc<Mutex<BTreeMap<WorkId, Lease>>>,
}

#[derive(Debug)]
struct Lease {
    claim: Claim,
    until: DateTime<Utc>,
    lost: CancellationToken,
}

impl Leases {
    /// Keeps a new claim; the token is cancelled as soon as its lease is lost.
    pub(crate) fn add(&self, claim: &Claim, until: DateTime<Utc>) -> CancellationToken {
        let lost = CancellationToken::new();
        let lease = Lease { claim: claim.clone(), until, lost: lost.clone() };
        if let Some(older) = self.held().insert(claim.work_id, lease) {
            // The same work was claimed anew, so the lease on its earlier claim had ended.
            older.lost.cancel();
        }
        lost
    }

    /// Forgets a claim: it is done, given back or lost.
    pub(crate) fn remove(&self, claim: &Claim) {
        let mut held = self.held();
        if held.get(&claim.work_id).is_some_and(|lease| lease.claim.number == claim.number) {
            held.remove(&claim.work_id);
        }
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.held().is_empty()
    }

    /// Renews everything that is held, for ever.
    pub(crate) async fn keep(self, scheduler: Scheduler) {
        let mut pause = RENEW_EVERY;
        loop {
            sleep(pause.to_std().unwrap_or_default()).await;
            pause = self.renew(&scheduler).await;
        }
    }

    /// Renews once, and says when to renew again.
    async fn renew(&self, scheduler: &Scheduler) -> TimeDelta {
        let ports = scheduler.ports();
        let claims: Vec<Claim> = self.held().values().map(|lease| lease.claim.clone()).collect();
        if claims.is_empty() {
            return RENEW_EVERY;
        }
        let now = ports.clock.now();
        let until = now + LEASE;
        let time_limit = RENEW_EVERY;
        let renewal = ports.store.renew(&claims, until);
        match timeout(time_limit.to_std().unwrap_or(Duration::ZERO), renewal).await {
            Ok(Ok(lost)) => {
                self.renewed(&claims, &lost, until);
                return RENEW_EVERY;
            }
            Ok(Err(error)) => tracing::error!(
                error = crate::chain(&error),
                held = claims.len(),
                "leases cannot be renewed"
            ),
            Err(_) => tracing::error!(held = claims.len(), "leases are not renewed in time"),
        }
        RENEW_AGAIN
    }

    /// Renews what has ended by the clock, before anything else is claimed: a process that was
    /// stopped for a while, or whose clock was set forward, must not claim what it holds. What
    /// another holder has meanwhile is lost. False when it cannot be renewed.
    pub(crate) async fn renew_ended(&self, scheduler: &Scheduler) -> bool {
        let clock = &scheduler.ports().clock;
        let has_ended = || {
            let now = clock.now();
            self.held().values().any(|lease| lease.until <= now)
        };
        if !has_ended() {
            return true;
        }
        self.renew(scheduler).await;
        !has_ended()
    }

    fn renewed(&self, claims: &[Claim], lost: &[WorkId], until: DateTime<Utc>) {
        let mut held = self.held();
        for claim in claims {
            let Some(lease) = held.get_mut(&claim.work_id) else { continue };
            if lease.claim.number != claim.number {
                continue;
            }
            if lost.contains(&claim.work_id) {
                lease.lost.cancel();
                held.remove(&claim.work_id);
            } else {
                lease.until = until;
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<WorkId, Lease>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
