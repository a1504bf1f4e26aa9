//! The events, and the envelope in which they travel.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Name;
use super::data::{
    AccountData, ApprovalData, CommentData, FailedData, FeedData, MediaData, PublishedData,
    ScheduledData,
};
use crate::account::Account;
use crate::feeds::{Feed, FeedState};
use crate::ids::{EventId, PostId, WorkspaceId, derived};
use crate::inbox::ReceivedComment;
use crate::media::{Media, MediaStatus};
use crate::post::{ApprovalState, AskedTiming, Post, PostStatus};
use crate::target::Target;

/// What an event tells of.
///
/// Source: interface description, Events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum EventKind {
    /// A target is live.
    #[serde(rename = "post.published")]
    Published,
    /// A target failed and trying has stopped.
    #[serde(rename = "post.failed")]
    Failed,
    /// A post was given a time, or another one. An addition to the contract.
    #[serde(rename = "post.scheduled")]
    Scheduled,
    /// A client has approved a post, or asked for changes. An addition to the contract.
    #[serde(rename = "post.approval_decided")]
    ApprovalDecided,
    /// An account has to be connected again. An addition to the contract.
    #[serde(rename = "account.needs_reconnect")]
    NeedsReconnect,
    /// The credentials of an account end within a week, and only a person can renew them. An
    /// addition to the contract.
    #[serde(rename = "account.token_expiring")]
    TokenExpiring,
    /// A file can be used in a post. An addition to the contract.
    #[serde(rename = "media.ready")]
    MediaReady,
    /// A file can never be used. An addition to the contract.
    #[serde(rename = "media.failed")]
    MediaFailed,
    /// Somebody has written a comment under a live post. An addition to the contract.
    #[serde(rename = "comment.received")]
    CommentReceived,
    /// A feed whose items become posts keeps failing. An addition to the contract.
    #[serde(rename = "feed.failing")]
    FeedFailing,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Published,
        Self::Failed,
        Self::Scheduled,
        Self::ApprovalDecided,
        Self::NeedsReconnect,
        Self::TokenExpiring,
        Self::MediaReady,
        Self::MediaFailed,
        Self::CommentReceived,
        Self::FeedFailing,
    ];

    /// What a webhook receives that names no events: those of the contract.
    ///
    /// Source: interface description, Events.
    pub const UNNAMED: [Self; 2] = [Self::Published, Self::Failed];

    /// Each of these once, in the order in which they are named first.
    pub(crate) fn distinct(named: Vec<Self>) -> Vec<Self> {
        let mut distinct = Vec::with_capacity(named.len());
        for kind in named {
            if !distinct.contains(&kind) {
                distinct.push(kind);
            }
        }
        distinct
    }

    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Published => "post.published",
            Self::Failed => "post.failed",
            Self::Scheduled => "post.scheduled",
            Self::ApprovalDecided => "post.approval_decided",
            Self::NeedsReconnect => "account.needs_reconnect",
            Self::TokenExpiring => "account.token_expiring",
            Self::MediaReady => "media.ready",
            Self::MediaFailed => "media.failed",
            Self::CommentReceived => "comment.received",
            Self::FeedFailing => "feed.failing",
        }
    }
}

/// The text is not the name of an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an event; the events are {known}", known = EventKind::ALL.map(EventKind::as_str).join(", "))]
pub struct UnknownEvent(pub String);

impl FromStr for EventKind {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| UnknownEvent(text.to_owned()))
    }
}

/// Something that happened, written down once, sent until it is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its id, the same on every redelivery.
    pub id: EventId,
    /// The workspace in which it happened.
    pub workspace_id: WorkspaceId,
    /// What it tells of.
    pub kind: EventKind,
    /// When it happened.
    pub created_at: DateTime<Utc>,
    /// The envelope as it is sent, byte for byte the same on every redelivery.
    pub body: String,
}

/// The JSON body of a delivery.
///
/// Source: interface description, Events.
///
/// ```
/// use scheduler_core::webhook::{Envelope, EventKind, PublishedData};
///
/// let body = r#"{
///     "id": "019d3608-3200-7000-8000-000000000001",
///     "event": "post.published",
///     "createdAt": "2026-11-21T12:00:00Z",
///     "data": {
///         "postId": "019d3608-3200-7000-8000-000000000002",
///         "targetId": "019d3608-3200-7000-8000-000000000003",
///         "platform": "bluesky",
///         "remoteId": null,
///         "remoteUrl": null
///     }
/// }"#;
/// let envelope: Envelope = serde_json::from_str(body)?;
/// assert_eq!(envelope.event, EventKind::Published);
/// let data: PublishedData = serde_json::from_value(envelope.data)?;
/// assert_eq!(data.platform.as_str(), "bluesky");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Envelope {
    /// The event's id, the same on every redelivery: keep the ids you have handled, and ignore
    /// repeats.
    pub id: EventId,
    /// Its kind.
    #[cfg_attr(feature = "schema", schemars(with = "EventKind"))]
    pub event: Name<EventKind>,
    /// When it happened.
    pub created_at: DateTime<Utc>,
    /// [`PublishedData`], [`FailedData`], [`ScheduledData`], [`ApprovalData`], [`AccountData`],
    /// [`MediaData`], [`CommentData`] or [`FeedData`].
    pub data: Value,
}

impl Event {
    /// The event of a post that a client has just decided on.
    #[must_use]
    pub fn approval_decided(
        id: EventId,
        post: &Post,
        decision: ApprovalState,
        note: Option<String>,
        at: DateTime<Utc>,
    ) -> Self {
        let data = ApprovalData { post_id: post.id, scheduled_at: post.next_due(), decision, note };
        let kind = EventKind::ApprovalDecided;
        Self::new(id, post.workspace_id, kind, at, serde_json::to_value(data))
    }

    /// The event of a post that was given a time, or another one; `None` for a draft, for a post
    /// that keeps its time, and for one that goes out at once.
    ///
    /// Its id follows from the post and its version, so that stores need no source of ids for it.
    #[must_use]
    pub fn scheduled(before: Option<&Post>, post: &Post) -> Option<Self> {
        let scheduled_at = post.scheduled_at?;
        let is_news = before.and_then(|post| post.scheduled_at) != Some(scheduled_at);
        let is_to_come = post.status == PostStatus::Scheduled && post.timing != AskedTiming::Now;
        if !is_news || !is_to_come {
            return None;
        }
        let (kind, at) = (EventKind::Scheduled, post.updated_at);
        let id = EventId(derived(at, kind.as_str(), post.id.0, &post.version.to_be_bytes()));
        let data = ScheduledData { post_id: post.id, scheduled_at };
        Some(Self::new(id, post.workspace_id, kind, at, serde_json::to_value(data)))
    }

    /// The event of an account whose network has just refused its credentials for good; `reason` is
    /// what it has said.
    #[must_use]
    pub fn needs_reconnect(
        id: EventId,
        account: &Account,
        reason: String,
        at: DateTime<Utc>,
    ) -> Self {
        let data = AccountData { reason: Some(reason), ..AccountData::of(account) };
        let kind = EventKind::NeedsReconnect;
        Self::new(id, account.workspace_id, kind, at, serde_json::to_value(data))
    }

    /// The event of an account whose credentials of this version end soon.
    ///
    /// Its id follows from account and version, so that it is stored once however often it is
    /// noticed.
    #[must_use]
    pub fn token_expiring(
        account: &Account,
        version: i64,
        expires_at: DateTime<Utc>,
        at: DateTime<Utc>,
    ) -> Self {
        let kind = EventKind::TokenExpiring;
        let more = version.to_be_bytes();
        let id = EventId(derived(expires_at, kind.as_str(), account.id.0, &more));
        let data = AccountData { expires_at: Some(expires_at), ..AccountData::of(account) };
        Self::new(id, account.workspace_id, kind, at, serde_json::to_value(data))
    }

    /// The event of a file that has just become ready or has failed; `None` for one that has not.
    #[must_use]
    pub fn of_media(id: EventId, media: &Media, at: DateTime<Utc>) -> Option<Self> {
        let kind = match media.status {
            MediaStatus::Ready => EventKind::MediaReady,
            MediaStatus::Failed => EventKind::MediaFailed,
            MediaStatus::AwaitingUpload
            | MediaStatus::Ingesting
            | MediaStatus::Processing
            | MediaStatus::Deleted => return None,
        };
        let data = MediaData { media_id: media.id, kind: media.kind, error: media.error.clone() };
        Some(Self::new(id, media.workspace_id, kind, at, serde_json::to_value(data)))
    }

    /// The event of a comment that was found at `now`.
    ///
    /// Its id follows from the comment, so that stores need no source of ids for it.
    #[must_use]
    pub fn comment_received(comment: &ReceivedComment, now: DateTime<Utc>) -> Self {
        let kind = EventKind::CommentReceived;
        let id = EventId(derived(now, kind.as_str(), comment.id.0, &[]));
        let data = CommentData {
            post_id: comment.post_id,
            target_id: comment.target_id,
            platform: comment.platform.into(),
            comment_id: comment.remote_id.clone(),
            author: comment.author.clone(),
            text: comment.text.clone(),
            at: comment.at,
        };
        Self::new(id, comment.workspace_id, kind, now, serde_json::to_value(data))
    }

    /// The event of a feed that keeps failing, as its last poll has left it.
    #[must_use]
    pub fn feed_failing(id: EventId, feed: &Feed, state: &FeedState, at: DateTime<Utc>) -> Self {
        let (feed_id, name) = (feed.id, feed.input.name.clone());
        let error = state.error.clone().unwrap_or_default();
        let data = FeedData { feed_id, name, error, next_at: state.next_at };
        let kind = EventKind::FeedFailing;
        Self::new(id, feed.workspace_id, kind, at, serde_json::to_value(data))
    }

    /// The event of a target that has just gone live.
    ///
    /// ```
    /// use scheduler_core::ids::{AccountId, EventId, PostId, TargetId, WorkspaceId};
    /// use scheduler_core::platform::Platform;
    /// use scheduler_core::target::{Remote, Target};
    /// use scheduler_core::webhook::Event;
    /// use uuid::Uuid;
    ///
    /// let (id, account) = (TargetId(Uuid::nil()), AccountId(Uuid::nil()));
    /// let (event, workspace) = (EventId(Uuid::nil()), WorkspaceId(Uuid::nil()));
    /// let at = "2026-11-21T12:00:00Z".parse()?;
    /// let target = Target::new(id, Platform::Discord, account, Default::default(), Some(at), None);
    /// let target = target.start()?.succeed(at, Some(Remote::new("42", None)), None)?;
    /// let event = Event::published(event, workspace, PostId(Uuid::nil()), &target, at);
    /// assert!(event.body.contains(r#""event":"post.published""#));
    /// assert!(event.body.contains(r#""remoteId":"42""#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn published(
        id: EventId,
        workspace_id: WorkspaceId,
        post_id: PostId,
        target: &Target,
        at: DateTime<Utc>,
    ) -> Self {
        let data = PublishedData {
            post_id,
            target_id: target.id,
            platform: target.platform.into(),
            remote_id: target.remote().filter(|it| it.is_named()).map(|it| it.id.clone()),
            remote_url: target.remote().and_then(|remote| remote.url.clone()),
        };
        Self::new(id, workspace_id, EventKind::Published, at, serde_json::to_value(data))
    }

    /// The event of a target for which trying has stopped.
    #[must_use]
    pub fn failed(
        id: EventId,
        workspace_id: WorkspaceId,
        post_id: PostId,
        target: &Target,
        at: DateTime<Utc>,
    ) -> Self {
        let failure = target.failure();
        let data = FailedData {
            post_id,
            target_id: target.id,
            platform: target.platform.into(),
            error: failure.map(|failure| failure.message.clone()).unwrap_or_default(),
            permanent: failure.is_some_and(|failure| failure.permanent),
            attempts: target.attempts,
        };
        Self::new(id, workspace_id, EventKind::Failed, at, serde_json::to_value(data))
    }

    /// The event of a target whose post could not be given its time and was kept as a draft.
    #[must_use]
    pub(crate) fn kept_as_draft(
        id: EventId,
        post: &Post,
        target: &Target,
        error: String,
        at: DateTime<Utc>,
    ) -> Self {
        let data = FailedData {
            post_id: post.id,
            target_id: target.id,
            platform: target.platform.into(),
            error,
            permanent: true,
            attempts: 0,
        };
        Self::new(id, post.workspace_id, EventKind::Failed, at, serde_json::to_value(data))
    }

    fn new(
        id: EventId,
        workspace_id: WorkspaceId,
        kind: EventKind,
        at: DateTime<Utc>,
        data: serde_json::Result<Value>,
    ) -> Self {
        // Plain structs of strings and numbers always become JSON.
        let data = data.unwrap_or_default();
        let envelope = Envelope { id, event: kind.into(), created_at: at, data };
        let body = serde_json::to_string(&envelope).unwrap_or_default();
        Self { id, workspace_id, kind, created_at: at, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{AccountId, TargetId};
    use crate::platform::Platform;
    use crate::target::{Failure, FailureCode, Remote};
    use uuid::Uuid;

    fn target() -> Target {
        Target::new(
            TargetId(Uuid::from_u128(2)),
            Platform::Bluesky,
            AccountId(Uuid::from_u128(3)),
            serde_json::Map::new(),
            Some(at()),
            None,
        )
        .start()
        .unwrap()
    }

    fn at() -> DateTime<Utc> {
        "2026-11-21T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn the_bodies_are_those_of_the_contract() {
        let at = at();
        let (id, workspace, post) = (
            EventId(Uuid::from_u128(9)),
            WorkspaceId(Uuid::from_u128(8)),
            PostId(Uuid::from_u128(1)),
        );
        let live = target().succeed(at, Some(Remote::new("at://x", None)), None).unwrap();
        assert_eq!(
            Event::published(id, workspace, post, &live, at).body,
            r#"{"id":"00000000-0000-0000-0000-000000000009","event":"post.published","createdAt":"2026-11-21T12:00:00Z","data":{"platform":"bluesky","postId":"00000000-0000-0000-0000-000000000001","remoteId":"at://x","remoteUrl":null,"targetId":"00000000-0000-0000-0000-000000000002"}}"#
        );
        let failure =
            Failure { message: "no".into(), code: FailureCode::NetworkError, permanent: false };
        let failed = Target { attempts: 6, ..target().fail(failure).unwrap() };
        assert_eq!(
            Event::failed(id, workspace, post, &failed, at).body,
            r#"{"id":"00000000-0000-0000-0000-000000000009","event":"post.failed","createdAt":"2026-11-21T12:00:00Z","data":{"attempts":6,"error":"no","permanent":false,"platform":"bluesky","postId":"00000000-0000-0000-0000-000000000001","targetId":"00000000-0000-0000-0000-000000000002"}}"#
        );
    }
}
