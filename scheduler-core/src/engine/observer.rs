//! Who is told of what happens while a piece of work is done.

use chrono::{DateTime, TimeDelta, Utc};

use crate::ids::{AccountId, EventId, MediaId, PostId, TargetId, WebhookId};
use crate::ports::{NetworkError, NetworkErrorKind};
use crate::target::FailureCode;

/// What happens while a piece of work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEvent {
    /// It publishes this target, or does what follows once it is live.
    Publish {
        /// The post.
        post_id: PostId,
        /// The target.
        target_id: TargetId,
        /// The account that it goes to.
        account_id: AccountId,
        /// The number of the attempt over all retries, from 1.
        attempt: u32,
    },
    /// It delivers this event; the delivery is the subject of the claim.
    Delivery {
        /// The event.
        event_id: EventId,
        /// The webhook that received it.
        webhook_id: WebhookId,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// It works on this file.
    File {
        /// The file.
        media_id: MediaId,
    },
    /// It reads the figures of this account.
    Readings {
        /// The account.
        account_id: AccountId,
    },
    /// A target went live, so long after it was due, or after its first attempt began where it was
    /// tried before.
    Live {
        /// How long.
        after: TimeDelta,
    },
    /// A step failed. The last such event is what the run ended with.
    Failed {
        /// What the failure means for what comes next.
        kind: NetworkErrorKind,
        /// What a person is told that it was.
        code: FailureCode,
    },
    /// The receiver of an event answered, or did not.
    Answered {
        /// With this status; `None` when there was no answer.
        status: Option<u16>,
        /// How long it took.
        took: TimeDelta,
    },
    /// It is not over: it will be tried again then.
    Again {
        /// When it is tried again.
        at: DateTime<Utc>,
    },
}

impl RunEvent {
    /// A failure as the network put it.
    pub(super) const fn failed(error: &NetworkError) -> Self {
        Self::Failed { kind: error.kind, code: error.code }
    }
}

/// Is told what happens while a piece of work is done, such as for a log. It must be quick
/// and never wait.
pub trait RunObserver: Send + Sync {
    /// Something happened.
    fn on_event(&self, event: RunEvent);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl RunObserver for NoObserver {
    fn on_event(&self, _: RunEvent) {}
}
