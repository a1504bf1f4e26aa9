//! The refusals of each part of the service.

use chrono::{DateTime, TimeDelta, Utc};

use super::ErrorCode;
use crate::platform::Platform;
use crate::ports::NetworkError;
use crate::post::{PostRefused, PostStatus};
use crate::target::{FailureCode, TargetRefused, TargetStatus};

/// Why an account does not do, or none is connected. Accounts stand as people read them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AccountRefusal {
    /// No account of the network is connected.
    #[error("No {0} account is connected.")]
    NoneConnected(Platform),
    /// This one was disconnected.
    #[error("The account {0} is disconnected; connect it again.")]
    Disconnected(String),
    /// This one has to be connected again before it can publish.
    #[error("{0} has to be connected again before it can publish.")]
    NeedsReconnect(String),
    /// The one of the target was removed.
    #[error("The account of this target is gone; connect it again.")]
    Gone,
    /// A person has not allowed it at the network.
    #[error("You have not allowed it at {}. Nothing was connected.", .0.sheet().name)]
    Declined(Platform),
    /// The network has turned the request for it down.
    #[error("{} has not taken the request ({error}): {words}", .platform.sheet().name)]
    NotTaken {
        /// The network.
        platform: Platform,
        /// Its code.
        error: String,
        /// Its words.
        words: String,
    },
    /// The network has no page on which a person could allow it.
    #[error("{0} has no page that a browser could open.")]
    NoPage(Platform),
    /// The network opens no account.
    #[error("{}", .0.message)]
    NotOpened(NetworkError),
    /// Posts that are to come go through it, and nobody has said what becomes of them.
    #[error(
        "{} to come through {account}; say whether what is due is kept, cancelled, or moved to \
         another account.", counted(*.due)
    )]
    StillDue {
        /// The account.
        account: String,
        /// How many posts.
        due: u64,
    },
}

fn counted(posts: u64) -> String {
    if posts == 1 { "1 post is".to_owned() } else { format!("{posts} posts are") }
}

impl AccountRefusal {
    pub(super) const fn code(&self) -> ErrorCode {
        match self {
            Self::NotOpened(error) => match error.code {
                FailureCode::Unsupported => ErrorCode::Unsupported,
                _ => ErrorCode::AccountNotConnected,
            },
            Self::StillDue { .. } => ErrorCode::InUse,
            _ => ErrorCode::AccountNotConnected,
        }
    }
}

/// What a network or this server does not offer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// The network has nothing of the kind.
    #[error("{} does not offer {what}.", .platform.sheet().name)]
    Operation {
        /// The network.
        platform: Platform,
        /// What was asked for, as a person reads it.
        what: &'static str,
    },
    /// The network lets a program take a live post down for so long only.
    #[error(
        "{} lets us take a post down for {} hours only; delete it there.",
        .platform.sheet().name,
        .within.num_hours()
    )]
    TakeDownAfter {
        /// The network.
        platform: Platform,
        /// For so long.
        within: TimeDelta,
    },
    /// The account may not take live posts down.
    #[error(
        "{} does not let this account take posts down through us; delete it there, or connect the account again with the permission for it.",
        .0.sheet().name
    )]
    TakeDown(Platform),
    /// The network tells the account no figures of the post.
    #[error("{} tells this account no figures of this post.", .0.sheet().name)]
    Figures(Platform),
    /// This server does not know how to connect the network.
    #[error("{0} cannot be connected by this server.")]
    Connecting(Platform),
    /// The operator has not turned on new accounts of X.
    #[error("X is not offered to new accounts; an operator can turn it on in the configuration.")]
    NewAccounts,
    /// Nobody looks at what this server needs.
    #[error("Nobody examines the server from here; `scheduler doctor` does on its machine.")]
    Examination,
    /// Programs are not let in by OAuth at the address that this server has.
    #[error(
        "Programs cannot be connected here: that needs an address with https, which the operator sets as public_url, or one of this machine."
    )]
    OAuth,
    /// The store of this program has not the port that this needs.
    #[error("What this needs is not kept by the store of this program.")]
    NotStored,
}

/// Why a post or one of its targets does not take a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PostRefusal {
    /// Its targets cannot change any more.
    #[error("A target of this post has begun to go out; its targets cannot change any more.")]
    TargetsLocked,
    /// It cannot change any more.
    #[error("This post has begun to go out and cannot change any more.")]
    Started,
    /// It has ended so and cannot change any more.
    #[error("This post is {} and cannot change any more.", .0.as_str())]
    Ended(PostStatus),
    /// It has this status, in which nothing goes out.
    #[error("This post is {} and cannot go out any more.", .0.as_str())]
    CannotGoOut(PostStatus),
    /// Nothing of it has failed.
    #[error("No target of this post has failed.")]
    NothingToRetry,
    /// A target is going out.
    #[error("A target of this post is going out at this moment; try again when it has ended.")]
    InFlight,
    /// The post has no such move.
    #[error("This is not possible: {0}.")]
    NoSuchMove(PostRefused),
    /// The target has no such move.
    #[error("This is not possible: {0}.")]
    NoSuchTargetMove(TargetRefused),
    /// The target has this status and cannot move to another account any more.
    #[error("{}", match .0 {
        TargetStatus::Pending | TargetStatus::Failed => "The target has begun to go out.",
        TargetStatus::Publishing => "The target is going out at this moment.",
        TargetStatus::Published => "The target has gone out.",
        TargetStatus::Skipped => "The target was cancelled or taken down.",
    })]
    TargetStarted(TargetStatus),
    /// The network has begun to store the target's file.
    #[error(
        "{} has begun to store the video of this target; moving it would upload it twice.",
        .0.sheet().name
    )]
    Stored(Platform),
    /// The outcome of the last try is not known.
    #[error("It is not yet known whether the last attempt went out.")]
    Unsettled,
    /// The target, of this status, is not live.
    #[error("This needs a live post; the target {}.", match .0 {
        TargetStatus::Pending => "waits for its time",
        TargetStatus::Publishing => "is going out at this moment",
        TargetStatus::Published => "is live, but its network has not told its id",
        TargetStatus::Failed => "has failed",
        TargetStatus::Skipped => "was cancelled or taken down",
    })]
    NotLive(TargetStatus),
    /// The target is not live, so that there is nothing to review.
    #[error("This target is not live; only what is live can be reviewed.")]
    NothingToReview,
    /// It has begun to go out, so that nobody approves it any more.
    #[error("This post has begun to go out; it needs no approval any more.")]
    ApprovalTooLate,
    /// It has ended so, and nobody approves it any more.
    #[error("This post is {} and needs no approval any more.", .0.as_str())]
    NothingToApprove(PostStatus),
    /// Another target holds the slot.
    #[error("Another post holds the slot {0}; swap the two, or take a free slot.")]
    SlotTaken(DateTime<Utc>),
    /// It does not wait in the queue.
    #[error(
        "This target does not wait in the queue; only what waits for a slot can be moved there."
    )]
    NotQueued,
}

impl PostRefusal {
    pub(super) const fn code(&self) -> ErrorCode {
        match self {
            Self::TargetsLocked => ErrorCode::TargetsLocked,
            Self::NothingToRetry => ErrorCode::NothingToRetry,
            Self::InFlight => ErrorCode::InFlight,
            Self::Stored(_) => ErrorCode::VideoOnYoutube,
            Self::NotLive(_) | Self::NothingToReview => ErrorCode::NotPublished,
            Self::Started
            | Self::Ended(_)
            | Self::CannotGoOut(_)
            | Self::NoSuchMove(_)
            | Self::NoSuchTargetMove(_)
            | Self::TargetStarted(_)
            | Self::Unsettled
            | Self::ApprovalTooLate
            | Self::NothingToApprove(_)
            | Self::NotQueued => ErrorCode::AlreadyStarted,
            Self::SlotTaken(_) => ErrorCode::SlotTaken,
        }
    }
}

/// Why a file does not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MediaRefusal {
    /// The server fetches it itself.
    #[error("The server fetches this file; there is nothing to upload.")]
    Fetched,
    /// It was given up, for this reason.
    #[error("This file has failed: {0}")]
    Failed(String),
    /// It was deleted.
    #[error("This file was deleted.")]
    Deleted,
    /// A file of the post was deleted.
    #[error("A file of this post was deleted; replace it first.")]
    DeletedOfPost,
    /// Nothing of it has arrived.
    #[error("No bytes have arrived; send the file to the upload address first.")]
    NothingArrived,
    /// It has another size than was declared.
    #[error("{found} bytes have arrived, but {declared} were declared; send the file again.")]
    WrongSize {
        /// What has arrived.
        found: u64,
        /// What was declared.
        declared: u64,
    },
    /// The store of files does not join its parts.
    #[error("{0}")]
    PartsRefused(String),
    /// It is not ready yet.
    #[error("This file is not ready yet; wait until its status is ready.")]
    NotReady,
    /// It is no picture of which others can be made.
    #[error("Versions are made of pictures of a type that this server reads.")]
    NoPicture,
    /// A post that has not finished going out needs it.
    #[error("A post that has not finished going out needs this file.")]
    InUse,
    /// It is larger than the server takes.
    #[error("The file is {found} bytes; this server takes at most {most}.")]
    TooLarge {
        /// What it has.
        found: u64,
        /// What the server takes.
        most: u64,
    },
}

impl MediaRefusal {
    pub(super) const fn code(&self) -> ErrorCode {
        match self {
            Self::InUse => ErrorCode::InUse,
            Self::TooLarge { .. } => ErrorCode::FileTooLarge,
            _ => ErrorCode::MediaUnusable,
        }
    }
}

/// Why the assistant gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssistantRefusal {
    /// The server has none.
    #[error("This server has no assistant; its operator can configure one.")]
    NotConfigured,
    /// It answers nothing that could be used.
    #[error("The assistant gave no answer that could be used; try again later.")]
    Unusable,
    /// It does not answer, for this reason.
    #[error("The assistant is unavailable: {0}.")]
    Unavailable(String),
    /// It would not write the captions; with its words, if it had any.
    #[error(
        "The assistant would not write these captions.{}",
        .0.as_ref().map_or_else(String::new, |words| format!(" It says: {words}"))
    )]
    Declined(Option<String>),
}

impl AssistantRefusal {
    pub(super) const fn code(&self) -> ErrorCode {
        match self {
            Self::Declined(_) => ErrorCode::AiDeclined,
            Self::NotConfigured | Self::Unusable | Self::Unavailable(_) => ErrorCode::AiUnavailable,
        }
    }
}

/// Why a request that was sent before has no answer to repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepeatRefusal {
    /// The first one is not answered yet.
    #[error(
        "The first request with this Idempotency-Key is still under way; send this one again, with the same key, in a few seconds."
    )]
    UnderWay,
    /// Nobody knows whether the first one was done.
    #[error(
        "The network's answer to the first request with this Idempotency-Key was lost, so it may have been done. Nothing was sent again. Look at the network; if it is not there, send it with another key."
    )]
    InDoubt,
}

impl RepeatRefusal {
    pub(super) const fn code(self) -> ErrorCode {
        match self {
            Self::UnderWay => ErrorCode::InFlight,
            Self::InDoubt => ErrorCode::InDoubt,
        }
    }
}
