//! What comes of a piece of work, and why it can come to nothing.

use chrono::TimeDelta;

use crate::ports::StoreError;
use crate::target::TargetRefused;
use crate::webhook::DeliveryStatus;

/// How long claimed work is leased before another worker may take it.
///
/// Source: our decision; a worker renews what it still holds well before.
pub const LEASE: TimeDelta = TimeDelta::seconds(10);

/// What came of one piece of work.
///
/// ```
/// use scheduler_core::engine::RunOutcome;
/// assert_eq!(RunOutcome::PublishDeferred.as_str(), "publish_deferred");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunOutcome {
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
    /// A target's entry was used not long enough ago, or is going out in another post; the target goes
    /// on later.
    PublishCoolsDown,
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

impl RunOutcome {
    /// Everything that can come of work. Tables in tests run over it.
    pub const ALL: [Self; 19] = [
        Self::Published,
        Self::PublishFailed,
        Self::PublishDeferred,
        Self::PublishWaits,
        Self::PublishWithheld,
        Self::PublishCoolsDown,
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
            Self::PublishCoolsDown => "publish_cools_down",
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

/// Why a piece of work was not done. Nothing more was recorded, and it is due again when its lease
/// ends.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// This program has a bug.
    #[error(transparent)]
    Impossible(#[from] Impossible),
}

impl From<TargetRefused> for RunError {
    fn from(refused: TargetRefused) -> Self {
        Self::Impossible(refused.into())
    }
}

/// A state and an event that never meet: a bug of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// Work on a target that cannot have any, or an end of a publish that had not begun.
    #[error(transparent)]
    Target(#[from] TargetRefused),
    /// Work on a delivery that has ended.
    #[error("a delivery that is {} is sent", .0.as_str())]
    Delivery(DeliveryStatus),
    /// An attempt to publish was told something that it had not asked for.
    #[error("an attempt that is {stage} takes no {event}")]
    Attempt {
        /// How far it had come.
        stage: &'static str,
        /// What it was told.
        event: &'static str,
    },
}
