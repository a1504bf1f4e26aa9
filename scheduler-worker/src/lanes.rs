//! Lanes: the work of one account, of one of a webhook's few rows, of one file, or the readings of
//! one account, in its order.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use futures_util::FutureExt as _;
use scheduler_core::app::Scheduler;
use scheduler_core::engine::Ran;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Claim, StoreError, WorkKind};
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
    work: Vec<Held>,
}

/// One claim, and the token that is cancelled when its lease is lost.
#[derive(Debug)]
struct Held {
    claim: Claim,
    lost: CancellationToken,
}

impl Lane {
    /// Every claim of a lane that was not begun.
    pub(crate) fn into_claims(self) -> Vec<Claim> {
        self.work.into_iter().map(|held| held.claim).collect()
    }
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
            lanes.push(Lane { kind: claim.kind, platform: claim.platform, work: Vec::new() });
            lanes.len() - 1
        });
        if let Some(lane) = lanes.get_mut(index) {
            lane.work.push(Held { claim, lost });
        }
    }
    lanes
}

/// How many lanes are in flight, by kind and by network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Load(Arc<Mutex<Counts>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    deliveries: u32,
    media: u32,
    readings: u32,
    publishes: BTreeMap<Platform, u32>,
}

/// What else may be claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// So many lanes find a place, whatever they turn out to be of what is not full; but files and
    /// readings, of which few have a place, may have to wait for one, so that they hold up nothing
    /// else.
    pub(crate) lanes: u32,
    pub(crate) full_platforms: Vec<Platform>,
    pub(crate) is_full_of_deliveries: bool,
    pub(crate) is_full_of_media: bool,
    pub(crate) is_full_of_readings: bool,
}

impl Load {
    /// The places that neither lanes in flight nor waiting ones take.
    pub(crate) fn room(&self, settings: &WorkerSettings, waiting: &[Lane]) -> Room {
        let mut counts = self.counts().clone();
        for lane in waiting {
            counts.add(lane.kind, lane.platform);
        }
        let publishes = settings.publishes.saturating_sub(counts.publishes.values().sum());
        let deliveries = settings.deliveries.saturating_sub(counts.deliveries);
        let mut full_platforms = Vec::new();
        let mut lanes = (deliveries > 0).then_some(deliveries);
        for platform in Platform::ALL {
            let free = settings.per_network.saturating_sub(counts.of(platform)).min(publishes);
            if free == 0 {
                full_platforms.push(platform);
            } else {
                lanes = Some(lanes.map_or(free, |lanes| lanes.min(free)));
            }
        }
        let lanes = lanes.unwrap_or_default();
        Room {
            lanes,
            full_platforms,
            is_full_of_deliveries: deliveries == 0,
            is_full_of_media: counts.media >= settings.media,
            is_full_of_readings: counts.readings >= settings.readings,
        }
    }

    /// Takes the place of a lane that may begin; `None` while its network or kind is full.
    pub(crate) fn take_place(&self, settings: &WorkerSettings, lane: &Lane) -> Option<Place> {
        let mut counts = self.counts();
        let is_free = match (lane.kind, lane.platform) {
            (WorkKind::Deliver, _) => counts.deliveries < settings.deliveries,
            (WorkKind::Media, _) => counts.media < settings.media,
            (WorkKind::Read, _) => counts.readings < settings.readings,
            (WorkKind::Publish, platform) => {
                counts.publishes.values().sum::<u32>() < settings.publishes
                    && platform.is_none_or(|platform| counts.of(platform) < settings.per_network)
            }
        };
        is_free.then(|| {
            counts.add(lane.kind, lane.platform);
            Place { load: self.clone(), kind: lane.kind, platform: lane.platform }
        })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn of(&self, platform: Platform) -> u32 {
        self.publishes.get(&platform).copied().unwrap_or_default()
    }

    fn slot(&mut self, kind: WorkKind, platform: Option<Platform>) -> Option<&mut u32> {
        match (kind, platform) {
            (WorkKind::Deliver, _) => Some(&mut self.deliveries),
            (WorkKind::Media, _) => Some(&mut self.media),
            (WorkKind::Read, _) => Some(&mut self.readings),
            (WorkKind::Publish, Some(platform)) => {
                Some(self.publishes.entry(platform).or_default())
            }
            (WorkKind::Publish, None) => None,
        }
    }

    fn add(&mut self, kind: WorkKind, platform: Option<Platform>) {
        if let Some(count) = self.slot(kind, platform) {
            *count += 1;
        }
    }
}

/// The place of a lane in flight; free again when it is dropped, however the lane ended.
#[derive(Debug)]
pub(crate) struct Place {
    load: Load,
    kind: WorkKind,
    platform: Option<Platform>,
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(count) = self.load.counts().slot(self.kind, self.platform) {
            *count = count.saturating_sub(1);
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
    Ran(Ran),
    Failed(StoreError),
    Panicked,
    LeaseLost,
}

impl Outcome {
    const fn ended(&self) -> Ended {
        match self {
            Self::Ran(ran) => Ended::Ran(*ran),
            Self::Failed(_) => Ended::StoreFailed,
            Self::Panicked => Ended::Panicked,
            Self::LeaseLost => Ended::LeaseLost,
        }
    }
}

impl Runner {
    /// Does the work of a lane, piece after piece; gives back what is left when the worker stops.
    pub(crate) async fn run(self, lane: Lane, place: Place) -> LaneEnd {
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
                    Ran::Published
                    | Ran::PublishDeferred
                    | Ran::PublishWaits
                    | Ran::PublishWithheld
                    | Ran::FollowDeferred
                    | Ran::DeliveryDeferred
                    | Ran::FileFetched
                    | Ran::FileExamined
                    | Ran::FileGivenUp
                    | Ran::FileErased
                    | Ran::FileDeferred
                    | Ran::Read
                    | Ran::ReadDeferred,
                ) => end.comes_back = true,
                Outcome::Ran(
                    Ran::PublishFailed
                    | Ran::Followed
                    | Ran::Delivered
                    | Ran::DeliveryFailed
                    | Ran::Lost,
                )
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
    pub(crate) async fn give_back(&self, claims: Vec<Claim>) {
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
                let line = Line { kind, late, took: self.now() - begun_at, report: &report };
                line.write(*ran);
            }
            Outcome::Failed(error) => {
                tracing::error!(error = crate::chain(error), "{kind}: the store failed");
            }
            // What a panic says may quote a caption, so it is not logged.
            Outcome::Panicked => tracing::error!("{kind}: panicked"),
            Outcome::LeaseLost => tracing::warn!("{kind}: the lease is lost"),
        }
        outcome
    }

    async fn attempt(&self, held: &Held, told: &Told) -> Outcome {
        let work = self.scheduler.run_watched(&held.claim, told);
        let work = AssertUnwindSafe(Box::pin(work)).catch_unwind();
        tokio::select! {
            biased;
            result = work => match result {
                Ok(Ok(ran)) => Outcome::Ran(ran),
                Ok(Err(error)) => Outcome::Failed(error),
                Err(_) => Outcome::Panicked,
            },
            () = held.lost.cancelled() => Outcome::LeaseLost,
        }
    }

    fn now(&self) -> DateTime<Utc> {
        self.scheduler.ports().clock.now()
    }
}
