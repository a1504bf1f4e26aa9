//! The one queue of everything that is due.

use std::fmt;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{Place, Places, StoreError};
use crate::account::Account;
use crate::ids::{TargetId, WorkId, WorkspaceId};
use crate::media::Media;
use crate::plan::Plan;
use crate::platform::Platform;
use crate::post::Post;
use crate::target::Target;
use crate::webhook::{Delivery, DeliveryAttempt, Event, Webhook};

/// What a piece of work does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkKind {
    /// Publishes a target; the subject is a target's id.
    Publish,
    /// Delivers an event; the subject is a delivery's id.
    Deliver,
    /// Fetches a file; the subject is a file's id.
    Fetch,
    /// Examines a file; the subject is a file's id.
    Examine,
    /// Gives up a file that was not sent in time, or removes bytes of one; the subject is a file's
    /// id.
    Erase,
    /// Reads the figures of an account's posts, its followers and its limits; the subject is an
    /// account's id.
    Read,
}

impl WorkKind {
    /// Every kind. Tables in tests run over it.
    pub const ALL: [Self; 6] =
        [Self::Publish, Self::Deliver, Self::Fetch, Self::Examine, Self::Erase, Self::Read];

    /// The name in storage and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Deliver => "deliver",
            Self::Fetch => "fetch",
            Self::Examine => "examine",
            Self::Erase => "erase",
            Self::Read => "read",
        }
    }
}

impl fmt::Display for WorkKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The right to do one piece of work until the lease ends.
///
/// Whoever claims the work after the lease has ended raises `number`; what an earlier holder then
/// tries to record is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The work.
    pub work_id: WorkId,
    /// What it does.
    pub kind: WorkKind,
    /// What it is done to.
    pub subject: Uuid,
    /// The fence: how often this work has been claimed.
    pub number: i64,
    /// Whose work it is.
    pub workspace_id: WorkspaceId,
    /// The network, for a publish and for readings.
    pub platform: Option<Platform>,
    /// Work of one lane is done in the order of its due times, by one holder at a time. A lane is
    /// an account, one of a webhook's few, a file, or the readings of an account.
    pub lane: String,
    /// When it was due; stays the same when a lease lapses, and so does its place in its lane.
    pub due_at: DateTime<Utc>,
}

impl Claim {
    /// What it takes a place of; `None` for a publish that names no network.
    #[must_use]
    pub const fn place(&self) -> Option<Place> {
        Place::of(self.kind, self.platform)
    }
}

/// What is to be claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimRequest {
    /// Work due at this instant or before.
    pub now: DateTime<Utc>,
    /// Until when the claimed work is leased.
    pub lease_until: DateTime<Utc>,
    /// From at most so many lanes.
    pub lanes: u32,
    /// At most so many of one lane.
    pub per_lane: u32,
    /// What is free for them, and who has what is taken: a lane is claimed only if it finds a
    /// place there beside those that are claimed with it.
    pub places: Places,
}

impl ClaimRequest {
    /// Work of every kind that is due at `now`, leased until `lease_until`: at most `per_lane`
    /// pieces from each of at most `lanes` lanes, with a place for all.
    #[must_use]
    pub fn new(now: DateTime<Utc>, lease_until: DateTime<Utc>, lanes: u32, per_lane: u32) -> Self {
        Self { now, lease_until, lanes, per_lane, places: Places::default() }
    }

    /// The same without what goes to these places.
    #[must_use]
    pub fn without(self, places: impl IntoIterator<Item = Place>) -> Self {
        let all = places.into_iter().fold(self.places, |all, place| all.with(place, 0));
        Self { places: all, ..self }
    }
}

/// What becomes of the work after something was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkAfter {
    /// The holder goes on; the lease is renewed until then.
    Held(DateTime<Utc>),
    /// Nobody holds it; it is due again then.
    DueAt(DateTime<Utc>),
    /// It is done and gone.
    Done,
}

/// Whether something was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is stored.
    Stored,
    /// The claim is not the current one: nothing was stored, and the holder must stop.
    Lost,
}

/// Everything that a publish needs, read in one operation.
#[derive(Clone, Debug)]
pub struct PublishContext {
    /// The post, with all its targets.
    pub post: Post,
    /// Which of them.
    pub target_id: TargetId,
    /// The account that it goes to, be it disconnected.
    pub account: Account,
    /// Its credentials; `None` when it is disconnected.
    pub credentials: Option<super::StoredCredentials>,
    /// Whether its workspace asks for a second pair of eyes now.
    pub second_pair: bool,
}

impl PublishContext {
    /// The target.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        self.post.target(self.target_id)
    }
}

/// Everything that a delivery needs, read in one operation.
#[derive(Clone, Debug)]
pub struct DeliveryContext {
    /// The delivery.
    pub delivery: Delivery,
    /// What is delivered.
    pub event: Event,
    /// The webhook that receives it.
    pub webhook: Webhook,
}

/// Everything that work on a file needs, read in one operation.
#[derive(Clone, Debug)]
pub struct MediaContext {
    /// The file.
    pub media: Media,
    /// What its workspace has subscribed to.
    pub plan: Plan,
}

/// How much work of one kind is due that nobody holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The kind.
    pub kind: WorkKind,
    /// How many pieces.
    pub count: u64,
    /// When the oldest of them was due, or when its lease ran out.
    pub oldest: DateTime<Utc>,
}

/// How many pieces of due work a look at the backlog passes at most, so that it costs little
/// however much is due.
///
/// Source: our decision.
pub const BACKLOG_MAX: u32 = 10_000;

/// What a heartbeat has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// What the clock of the store says. Where the store is a server, this is the clock that all
    /// nodes share; else it is the instant that the heartbeat was given.
    pub store_time: DateTime<Utc>,
    /// By how much that clock was set back since the latest heartbeat of any node, if it was by
    /// more than [`SET_BACK_MIN`]. Of several heartbeats at once, one says so.
    pub set_back: Option<TimeDelta>,
}

/// A clock that is behind the latest instant that was seen on it by more than this was set back.
///
/// Source: our decision; clocks are slewed by less, and no wait is so short that it matters.
pub const SET_BACK_MIN: TimeDelta = TimeDelta::seconds(1);

/// The queue of everything that is due.
#[async_trait]
pub trait WorkQueue: Send + Sync {
    /// Writes, and so proves that the store can be written to; and compares the clock of the store
    /// with the latest instant that was seen on it. `at` is the time of this node.
    ///
    /// Where the clock was set back, waits move back by as much, in the same transaction: what is in
    /// this queue and the ends of its leases, when deliveries, work on files, readings and polls of
    /// feeds are due, retries and waits of publishes that have begun, and claims to refresh
    /// credentials. The instant that a post is scheduled for stays where it is; where somebody has
    /// claimed it, has not begun, and it is not due any more, the claim is lost. A feed that is
    /// being polled, or was within a minute, keeps its times, since a poll is recorded by them, and so
    /// do recurring posts and notifiers. A clock that was set forward changes nothing.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn heartbeat(&self, at: DateTime<Utc>) -> Result<Heartbeat, StoreError> {
        Ok(Heartbeat { store_time: at, set_back: None })
    }

    /// Claims due work that finds a place, in the order in which it is due, for each place
    /// workspace by workspace in turn.
    ///
    /// No work is given to two live leases, and no lane to two holders. The answer is sorted by
    /// turn; the work of one lane stands in the order of its due times.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claim>, StoreError>;

    /// Renews leases, and returns those that are lost. No lease becomes shorter: one that ends
    /// later than `lease_until` stays as it is.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn renew(
        &self,
        claims: &[Claim],
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<WorkId>, StoreError>;

    /// Gives work back: it is due at `due_at`, and nobody holds it.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn release(&self, claim: &Claim, due_at: DateTime<Utc>) -> Result<Recorded, StoreError>;

    /// When the earliest work that is not leased is due; `None` when there is none. A lease that
    /// has run out at `now` counts as due work.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn next_due(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// The earliest instant after `now` at which any work is due or any lease ends; `None` when
    /// there is none. Looks past what is due already but held up, such as by its lane.
    ///
    /// Left out, there is another look a second later.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn next_due_after(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(Some(now + TimeDelta::seconds(1)))
    }

    /// How much is due at `now` that nobody holds, by kind; kinds of which nothing is due are left
    /// out. A lease that has run out counts as due work. Looks at the oldest [`BACKLOG_MAX`] pieces
    /// of all kinds together, so that more than these are not counted.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn backlog(&self, _now: DateTime<Utc>) -> Result<Vec<Backlog>, StoreError> {
        Ok(Vec::new())
    }

    /// Reads what a publish needs; `None` when the claim is not the current one or its target is
    /// gone.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn publish_context(&self, claim: &Claim) -> Result<Option<PublishContext>, StoreError>;

    /// Stores a target as it now is but for its options, which callers may have changed since they
    /// were read, and in the same transaction the post's status as its targets
    /// make it ([`PostStatus::of_targets`](crate::post::PostStatus::of_targets)), its version
    /// raised by one and `updated_at` set to `at` when a target's status changed, the event with
    /// one pending delivery (and its work, due at `at`) for every webhook of the workspace that
    /// subscribes to its kind, and the fate of the work.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn record_publish(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>,
    ) -> Result<Recorded, StoreError>;

    /// Reads what a delivery needs; `None` when the claim is not the current one, or the delivery
    /// or its webhook is gone.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn delivery_context(
        &self,
        _claim: &Claim,
    ) -> Result<Option<DeliveryContext>, StoreError> {
        Ok(None)
    }

    /// Stores a delivery as it now is, the log of its latest attempt, and the fate of the work.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn record_delivery(
        &self,
        _claim: &Claim,
        _delivery: &Delivery,
        _attempt: &DeliveryAttempt,
        _after: WorkAfter,
    ) -> Result<Recorded, StoreError> {
        Ok(Recorded::Lost)
    }

    /// Reads what work on a file needs; `None` when the claim is not the current one or the file
    /// is gone.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn media_context(&self, _claim: &Claim) -> Result<Option<MediaContext>, StoreError> {
        Ok(None)
    }

    /// Stores a file as it now is, raises its version by one, and lets its work be due at the
    /// file's `due_at`; without one the work is done. The event is stored in the same transaction,
    /// as [`Self::record_publish`] does, with deliveries due at once.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn record_media(
        &self,
        _claim: &Claim,
        _media: &Media,
        _event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        Ok(Recorded::Lost)
    }
}
