//! What happens without a request: publishing what is due and what follows it, delivering events,
//! working on files, and reading figures.
//!
//! A worker claims work from the queue and hands each claim to [`Scheduler::run`]. Everything
//! that must not be lost is stored before the call that needs it; whatever dies in between is
//! simply due again when its lease ends.

mod acting;
mod attempt;
mod budget;
mod charge;
mod covered;
mod deliver;
mod follow;
mod history;
mod idle;
mod media;
mod panics;
mod patience;
mod publish;
mod read;
mod refresh;
mod watch;

use std::pin::pin;

use chrono::TimeDelta;
use futures_util::future::{Either, select};

use crate::app::Scheduler;
use crate::ids::{AccountId, MediaId};
use crate::ports::{Claim, ClaimRequest, StoreError, WorkKind};

pub(crate) use acting::ActError;
pub use history::HistoryRemoved;
pub(crate) use refresh::Refreshes;
pub use watch::{Fact, Unwatched, Watch};

/// How long claimed work is leased before another worker may take it.
///
/// Source: our decision; a worker renews what it still holds well before.
pub const LEASE: TimeDelta = TimeDelta::seconds(10);

/// What came of one piece of work.
///
/// ```
/// use scheduler_core::engine::Ran;
/// assert_eq!(Ran::PublishDeferred.as_str(), "publish_deferred");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ran {
    /// A target is live.
    Published,
    /// A target failed and trying has stopped.
    PublishFailed,
    /// A target failed and will be tried again.
    PublishDeferred,
    /// A network needs time; the target goes on later.
    PublishWaits,
    /// A target's time has come, and its client has not approved it.
    PublishWithheld,
    /// All that follows a live target is done, or was given up.
    Followed,
    /// A step that follows a live target failed and will be tried again, or left out.
    FollowDeferred,
    /// An event was acknowledged.
    Delivered,
    /// An event was not acknowledged and trying has stopped.
    DeliveryFailed,
    /// An event was not acknowledged and will be sent again.
    DeliveryDeferred,
    /// A file was fetched.
    FileFetched,
    /// A file was examined and is ready.
    FileExamined,
    /// The bytes of a file were removed.
    FileErased,
    /// A file could not be used, or was not uploaded in time.
    FileGivenUp,
    /// Work on a file failed and will be tried again.
    FileDeferred,
    /// Readings of an account were taken, or are not due yet.
    Read,
    /// Readings of an account failed and will be taken later.
    ReadDeferred,
    /// Somebody else holds the work, or it is gone.
    Lost,
}

impl Ran {
    /// Everything that can come of work. Tables in tests run over it.
    pub const ALL: [Self; 18] = [
        Self::Published,
        Self::PublishFailed,
        Self::PublishDeferred,
        Self::PublishWaits,
        Self::PublishWithheld,
        Self::Followed,
        Self::FollowDeferred,
        Self::Delivered,
        Self::DeliveryFailed,
        Self::DeliveryDeferred,
        Self::FileFetched,
        Self::FileExamined,
        Self::FileErased,
        Self::FileGivenUp,
        Self::FileDeferred,
        Self::Read,
        Self::ReadDeferred,
        Self::Lost,
    ];

    /// The name in logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::PublishFailed => "publish_failed",
            Self::PublishDeferred => "publish_deferred",
            Self::PublishWaits => "publish_waits",
            Self::PublishWithheld => "publish_withheld",
            Self::Followed => "followed",
            Self::FollowDeferred => "follow_deferred",
            Self::Delivered => "delivered",
            Self::DeliveryFailed => "delivery_failed",
            Self::DeliveryDeferred => "delivery_deferred",
            Self::FileFetched => "file_fetched",
            Self::FileExamined => "file_examined",
            Self::FileErased => "file_erased",
            Self::FileGivenUp => "file_given_up",
            Self::FileDeferred => "file_deferred",
            Self::Read => "read",
            Self::ReadDeferred => "read_deferred",
            Self::Lost => "lost",
        }
    }
}

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
    /// use scheduler_core::engine::Ran;
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
    /// assert!(!scheduler.run_due().await?.contains(&Ran::Published), "it is 9 o'clock");
    /// clock.advance(TimeDelta::hours(1));
    /// assert!(scheduler.run_due().await?.contains(&Ran::Published));
    /// assert_eq!(network.texts(), ["Good morning"]);
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// [`StoreError`]: what was claimed and not finished is due again when its lease ends.
    pub async fn run_due(&self) -> Result<Vec<Ran>, StoreError> {
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
    async fn run_leased(&self, claim: &Claim) -> Result<Ran, StoreError> {
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
            Either::Right(((), _)) => Ok(Ran::Lost),
        }
    }

    /// Does one piece of claimed work, as far as it goes now. Whoever calls this renews the lease
    /// meanwhile ([`WorkQueue::renew`](crate::ports::WorkQueue::renew)), as a worker does.
    ///
    /// # Errors
    /// [`StoreError`]: nothing more was recorded, and the work is due again when its lease ends.
    pub async fn run(&self, claim: &Claim) -> Result<Ran, StoreError> {
        self.run_watched(claim, &Unwatched).await
    }

    /// The same, and tells what is learnt of the work while it is done.
    ///
    /// # Errors
    /// As [`Scheduler::run`].
    pub async fn run_watched(&self, claim: &Claim, watch: &dyn Watch) -> Result<Ran, StoreError> {
        match claim.kind {
            WorkKind::Publish => self.publish(claim, watch).await,
            WorkKind::Deliver => self.deliver(claim, watch).await,
            WorkKind::Fetch | WorkKind::Examine | WorkKind::Erase => {
                watch.learn(Fact::File { media_id: MediaId(claim.subject) });
                self.work_on_media(claim).await
            }
            WorkKind::Read => {
                watch.learn(Fact::Readings { account_id: AccountId(claim.subject) });
                self.read(claim).await
            }
        }
    }
}
