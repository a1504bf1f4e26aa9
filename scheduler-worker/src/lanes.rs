//! Lanes: the work of one account, of one of a webhook's few rows, of one file, or the readings of
//! one account, in its order.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use futures_util::FutureExt as _;
use scheduler_core::app::Scheduler;
use scheduler_core::engine::{Impossible, RunError, RunOutcome};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Claim, Place, Places, StoreError, WorkKind};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::leases::Leases;
use crate::lines::{Line, Told};
use crate::observer::{Ended, WorkerObserver};
use crate::settings::WorkerSettings;

/// The claimed work of one lane, in its order.
#[derive(Debug)]
pub(crate) struct Lane {
    kind: WorkKind,
    platform: Option<Platform>,
    workspace_id: WorkspaceId,
    work: Vec<Held>,
}

/// One claim, and the token that is cancelled when its lease is lost.
#[derive(Debug)]
struct Held {
    claim: Claim,
    lost: CancellationToken,
}

/// Groups claims by lane, in the order in which each lane first appears.
pub(crate) fn group(
    claims: Vec<Claim>,
    mut hold: impl FnMut(&Claim) -> CancellationToken,
) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = Vec::new();
    let mut index_of: BTreeMap<(WorkKind, String), usize> = BTreeMap::new();
    for claim in claims {
        let lost = hold(&claim);
        let index = *index_of.entry((claim.kind, claim.lane.clone())).or_insert_with(|| {
            lanes.push(Lane {
                kind: claim.kind,
                platform: claim.platform,
                workspace_id: claim.workspace_id,
                work: Vec::new(),
            });
            lanes.len() - 1
        });
        if let Some(lane) = lanes.get_mut(index) {
            lane.work.push(Held { claim, lost });
        }
    }
    lanes
}

/// The places of a worker, and which of them lanes in flight have.
#[derive(Clone, Debug)]
pub(crate) struct Load(Arc<Mutex<Places>>);

impl Load {
    pub(crate) fn of(settings: &WorkerSettings) -> Self {
        Self(Arc::new(Mutex::new(settings.places())))
    }

    /// What else may be claimed.
    pub(crate) fn places(&self) -> Places {
        self.held().clone()
    }

    /// Takes the place that a lane was claimed for.
    pub(crate) fn take(&self, lane: &Lane) -> Taken {
        let place = Place::of(lane.kind, lane.platform);
        if let Some(place) = place {
            self.held().take(place, lane.workspace_id);
        }
        Taken { load: self.clone(), place, workspace_id: lane.workspace_id }
    }

    fn held(&self) -> MutexGuard<'_, Places> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a lane in flight; free again when it is dropped, however the lane ended.
#[derive(Debug)]
pub(crate) struct Taken {
    load: Load,
    place: Option<Place>,
    workspace_id: WorkspaceId,
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.load.held().give_back(place, self.workspace_id);
        }
    }
}

/// What the loop learns from a lane that has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaneEnd {
    /// Some of its work is due again later.
    pub(crate) comes_back: bool,
    /// The store failed.
    pub(crate) store_failed: bool,
}

/// Runs lanes.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    pub(crate) scheduler: Scheduler,
    pub(crate) leases: Leases,
    pub(crate) stopping: CancellationToken,
    pub(crate) observer: Arc<dyn WorkerObserver>,
}

/// How one piece of work ended.
enum Outcome {
    Ran(RunOutcome),
    Failed(StoreError),
    Impossible(Impossible),
    Panicked,
    LeaseLost,
}

impl Outcome {
    const fn ended(&self) -> Ended {
        match self {
            Self::Ran(ran) => Ended::Ran(*ran),
            Self::Failed(_) => Ended::StoreFailed,
            Self::Impossible(_) | Self::Panicked => Ended::Panicked,
            Self::LeaseLost => Ended::LeaseLost,
        }
    }
}

impl Runner {
    /// Does the work of a lane, piece after piece; gives back what is left when the worker stops.
    pub(crate) async fn run(self, lane: Lane, place: Taken) -> LaneEnd {
        let mut end = LaneEnd::default();
        // Also when an observer panics.
        let _held = scopeguard::guard(
            lane.work.iter().map(|held| held.claim.clone()).collect::<Vec<Claim>>(),
            |claims| claims.iter().for_each(|claim| self.leases.remove(claim)),
        );
        let _in_flight = self.observer.lane_begun(lane.kind, lane.platform);
        let mut work = lane.work.into_iter();
        while let Some(held) = work.next() {
            if self.stopping.is_cancelled() {
                let rest = std::iter::once(held).chain(work).map(|held| held.claim).collect();
                self.give_back(rest).await;
                break;
            }
            if held.lost.is_cancelled() {
                continue;
            }
            let outcome = self.run_one(&held).await;
            self.leases.remove(&held.claim);
            match outcome {
                Outcome::Ran(
                    RunOutcome::Published
                    | RunOutcome::PublishDeferred
                    | RunOutcome::PublishWaits
                    | RunOutcome::PublishWithheld
                    | RunOutcome::PublishCoolsDown
                    | RunOutcome::FollowDeferred
                    | RunOutcome::DeliveryDeferred
                    | RunOutcome::FileFetched
                    | RunOutcome::FileExamined
                    | RunOutcome::FileGivenUp
                    | RunOutcome::FileErased
                    | RunOutcome::FileDeferred
                    | RunOutcome::Read
                    | RunOutcome::ReadDeferred,
                ) => end.comes_back = true,
                Outcome::Ran(
                    RunOutcome::PublishFailed
                    | RunOutcome::Followed
                    | RunOutcome::Delivered
                    | RunOutcome::DeliveryFailed
                    | RunOutcome::Lost,
                )
                | Outcome::Impossible(_)
                | Outcome::Panicked
                | Outcome::LeaseLost
                // The store is well; this one thing cannot be read, and holds up nothing else.
                | Outcome::Failed(StoreError::Corrupt { .. }) => {}
                Outcome::Failed(_) => end.store_failed = true,
            }
        }
        drop(place);
        end
    }

    /// Gives claims back as they were: due when they were due. Once the store fails, the rest is
    /// left to be due again when its leases end.
    async fn give_back(&self, claims: Vec<Claim>) {
        let mut claims = claims.into_iter();
        while let Some(claim) = claims.next() {
            let released = self.scheduler.ports().store.release(&claim, claim.due_at).await;
            self.leases.remove(&claim);
            if let Err(error) = released {
                let error = crate::chain(&error);
                let left = claims.len() + 1;
                tracing::warn!(work_id = %claim.work_id, left, error, "work cannot be given back");
                break;
            }
        }
        for claim in claims {
            self.leases.remove(&claim);
        }
    }

    /// Does one piece of work, counts it and writes its line.
    async fn run_one(&self, held: &Held) -> Outcome {
        let claim = &held.claim;
        let begun_at = self.now();
        let late = begun_at - claim.due_at;
        self.observer.begun(claim, late);
        let told = Told::new(claim);
        let outcome = self.attempt(held, &told).instrument(told.span().clone()).await;
        let (span, report) = told.into_parts();
        self.observer.ended(claim, outcome.ended(), &report);
        let _within = span.enter();
        let kind = claim.kind;
        match &outcome {
            Outcome::Ran(ran) => {
                let line = Line { late, took: self.now() - begun_at, report: &report };
                line.write(*ran);
            }
            Outcome::Failed(error) => {
                tracing::error!(error = crate::chain(error), "{kind}: the store failed");
            }
            Outcome::Impossible(bug) => {
                tracing::error!(error = crate::chain(bug), "{kind}: a bug of this program");
            }
            // What a panic says may quote a caption, so it is not logged.
            Outcome::Panicked => tracing::error!("{kind}: panicked"),
            Outcome::LeaseLost => tracing::warn!("{kind}: the lease is lost"),
        }
        outcome
    }

    async fn attempt(&self, held: &Held, told: &Told) -> Outcome {
        let work = self.scheduler.run_observed(&held.claim, told);
        let work = AssertUnwindSafe(Box::pin(work)).catch_unwind();
        tokio::select! {
            biased;
            result = work => match result {
                Ok(Ok(ran)) => Outcome::Ran(ran),
                Ok(Err(RunError::Store(error))) => Outcome::Failed(error),
                Ok(Err(RunError::Impossible(bug))) => Outcome::Impossible(bug),
                Err(_) => Outcome::Panicked,
            },
            () = held.lost.cancelled() => Outcome::LeaseLost,
        }
    }

    fn now(&self) -> DateTime<Utc> {
        self.scheduler.ports().clock.now()
    }
}
