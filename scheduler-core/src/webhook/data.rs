//! What events tell.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Name;
use crate::account::Account;
use crate::ids::{AccountId, FeedId, MediaId, PostId, TargetId};
use crate::media::MediaKind;
use crate::platform::Platform;
use crate::post::ApprovalState;

/// The data of `post.published`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PublishedData {
    /// The post.
    pub post_id: PostId,
    /// The target.
    pub target_id: TargetId,
    /// The network.
    #[cfg_attr(feature = "schema", schemars(with = "Platform"))]
    pub platform: Name<Platform>,
    /// The network's id of the post.
    pub remote_id: Option<String>,
    /// A link to it.
    pub remote_url: Option<String>,
}

/// The data of `post.failed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FailedData {
    /// The post.
    pub post_id: PostId,
    /// The target.
    pub target_id: TargetId,
    /// The network.
    #[cfg_attr(feature = "schema", schemars(with = "Platform"))]
    pub platform: Name<Platform>,
    /// Why it failed, for a person.
    pub error: String,
    /// True when trying again cannot succeed without changing something.
    pub permanent: bool,
    /// How often it was attempted.
    pub attempts: u32,
}

/// The data of `post.scheduled`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ScheduledData {
    /// The post.
    pub post_id: PostId,
    /// When it goes out first.
    pub scheduled_at: DateTime<Utc>,
}

/// The data of `post.approval_decided`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalData {
    /// The post.
    pub post_id: PostId,
    /// When it goes out first, where a time is set.
    pub scheduled_at: Option<DateTime<Utc>>,
    /// What the client has decided: `approved` or `changes`.
    pub decision: ApprovalState,
    /// What the client has written.
    pub note: Option<String>,
}

/// The data of `account.needs_reconnect` and `account.token_expiring`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AccountData {
    /// The account.
    pub account_id: AccountId,
    /// The network.
    #[cfg_attr(feature = "schema", schemars(with = "Platform"))]
    pub platform: Name<Platform>,
    /// Its handle, where it has one.
    pub handle: Option<String>,
    /// What the network has said when it refused the credentials, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When the credentials end, where they have not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
}

/// The data of `media.ready` and `media.failed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MediaData {
    /// The file.
    pub media_id: MediaId,
    /// Picture, video or document.
    pub kind: MediaKind,
    /// Why it failed, for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The data of `comment.received`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CommentData {
    /// The post.
    pub post_id: PostId,
    /// The target.
    pub target_id: TargetId,
    /// The network.
    #[cfg_attr(feature = "schema", schemars(with = "Platform"))]
    pub platform: Name<Platform>,
    /// The network's id of the comment, by which it is answered.
    pub comment_id: String,
    /// Who wrote it, as the network shows it.
    pub author: Option<String>,
    /// What it says. It comes from outside: show it as text, and trust nothing in it.
    pub text: String,
    /// When it was written; where the network does not say, when it was found.
    pub at: DateTime<Utc>,
}

/// The data of `feed.failing`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FeedData {
    /// The feed.
    pub feed_id: FeedId,
    /// What it is called.
    pub name: String,
    /// Why its last poll has failed, for a person.
    pub error: String,
    /// When it is polled next.
    pub next_at: DateTime<Utc>,
}

impl AccountData {
    pub(super) fn of(account: &Account) -> Self {
        Self {
            account_id: account.id,
            platform: account.platform.into(),
            handle: account.username.clone(),
            reason: None,
            expires_at: None,
        }
    }
}
