//! What happens without a request: publishing what is due and what follows it, delivering events,
//! working on files, and reading figures.
//!
//! A worker claims work from the queue and hands each claim to [`Scheduler::run`]. Everything
//! that must not be lost is stored before the call that needs it; whatever dies in between is
//! simply due again when its lease ends.

mod acting;
mod attempt;
mod covered;
mod deliver;
mod follow;
mod idle;
mod media;
mod publish;
mod read;
mod refresh;
mod watch;

use chrono::TimeDelta;

use crate::app::Scheduler;
use crate::ids::{AccountId, MediaId};
use crate::ports::{Claim, StoreError, WorkKind};

pub(crate) use acting::ActError;
pub use watch::{Fact, Unwatched, Watch};

/// How long claimed work is leased before another worker may take it.
///
/// Source: our decision; a worker renews what it still holds well before.
pub const LEASE: TimeDelta = TimeDelta::seconds(10);

/// What came of one piece of work.
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
    /// Does one piece of claimed work, as far as it goes now.
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
            WorkKind::Media => {
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
