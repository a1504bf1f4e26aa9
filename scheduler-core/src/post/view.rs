//! A post as callers see it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{ApprovalState, AskedTiming, Post, PostStatus, ReviewView};
use crate::ids::{AccountId, MediaId, PostId, TargetId};
use crate::links::{LinkChange, LinkRules};
use crate::platform::{Disclosure, FileDetails, Platform};
use crate::reading::Reading;
use crate::rules::ValidationIssue;
use crate::target::{FailedAttempt, FailureCode, Remote, Target, TargetStatus};

/// A post as callers see it.
///
/// Source: interface description, Post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Post"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PostView {
    /// Its id.
    pub id: PostId,
    /// How far it has come.
    pub status: PostStatus,
    /// The shared text.
    pub content: String,
    /// A link that goes with it.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub link_url: Option<String>,
    /// Its files, in order.
    pub media_ids: Vec<MediaId>,
    /// A description for each file.
    pub alt_texts: Vec<Option<String>>,
    /// What it tells of how it came about; left out where it tells nothing.
    #[serde(default, skip_serializing_if = "Disclosure::is_none")]
    pub disclosure: Disclosure,
    /// What it wants of its links; left out where that is what its workspace wants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<LinkRules>,
    /// Labels to find it by.
    #[serde(default)]
    pub labels: Vec<String>,
    /// A note for the people of the workspace; never sent.
    #[serde(default)]
    pub note: Option<String>,
    /// Strings for programs, by their keys; never sent.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
    /// How its time was said; `None` from a server that does not tell.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "AskedTiming"))]
    pub timing: Option<AskedTiming>,
    /// The earliest instant among the targets' own; `None` for a draft.
    pub scheduled_at: Option<DateTime<Utc>>,
    /// What was said of it by those whose approval it needs, a client or the team; `None` when it
    /// needs none.
    pub approval_state: Option<ApprovalState>,
    /// What the team says of it; left out where its workspace asks for no second pair of eyes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewView>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    pub updated_at: DateTime<Utc>,
    /// From 1, raised by every change that a caller makes.
    #[serde(default)]
    pub revision: i64,
    /// Where it goes.
    pub targets: Vec<TargetView>,
    /// What the rules say of it as it is stored: warnings, and of an unfinished draft the errors
    /// too; nothing once it has begun to go out. Left out in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<ValidationIssue>>,
}

/// A target as callers see it.
///
/// Source: interface description, Target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Target"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TargetView {
    /// Its id.
    pub id: TargetId,
    /// The network.
    pub platform: Platform,
    /// The account.
    pub account_id: AccountId,
    /// How far it has come.
    pub status: TargetStatus,
    /// The network's id of the post.
    pub remote_id: Option<String>,
    /// A link to the live post; `None` where the network reports none.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub remote_url: Option<String>,
    /// When it went live.
    pub published_at: Option<DateTime<Utc>>,
    /// Why the last attempt failed, or what it waits for, for a person.
    pub error: Option<String>,
    /// Why the last attempt failed, for a program; `None` when none has.
    pub error_code: Option<FailureCode>,
    /// True when trying again cannot succeed without changing something.
    pub error_permanent: bool,
    /// How often it was attempted.
    pub attempts: u32,
    /// The latest attempts that failed, the first of them first; left out when none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<FailedAttempt>,
    /// When it is due, while it is pending.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// True when the live post can be edited now.
    pub can_edit_remote: bool,
    /// True when the live post can be taken down now.
    pub can_delete_remote: bool,
    /// Settings for the network, as they were sent.
    pub options: Map<String, Value>,
    /// Its files, in order; left out where they are those of the post.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_ids: Option<Vec<MediaId>>,
    /// What it says of files, by their ids; left out where it says nothing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<MediaId, FileDetails>,
    /// What its network gets in place of its links; left out where they are sent as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkChange>,
    /// The latest figures.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Reading>"))]
    pub metrics: Option<Map<String, Value>>,
}

/// A page of posts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PostPage {
    /// The posts, most recent first.
    pub data: Vec<PostView>,
    /// Send it as `before` for the next page; `None` on the last.
    pub next_cursor: Option<String>,
}

/// What a view of live posts has to know besides them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRights {
    /// The present instant.
    pub now: DateTime<Utc>,
    /// The accounts whose posts cannot be taken down, of the networks where permissions decide.
    pub barred: BTreeSet<AccountId>,
}

impl LiveRights {
    /// The rights at an instant at which every account may do what its network offers.
    #[must_use]
    pub const fn at(now: DateTime<Utc>) -> Self {
        Self { now, barred: BTreeSet::new() }
    }

    /// True when permissions decide what may be done with the target, as far as it is live.
    #[must_use]
    pub fn depend_on_account(target: &Target) -> bool {
        is_live(target) && target.platform.sheet().take_down_by_permission
    }

    /// True when the live post of a target can be edited now.
    #[must_use]
    pub fn can_edit(&self, target: &Target) -> bool {
        is_live(target) && target.platform.sheet().can_edit_remote
    }

    /// True when the live post of a target can be taken down now.
    #[must_use]
    pub fn can_take_down(&self, target: &Target) -> bool {
        let sheet = target.platform.sheet();
        let is_in_time = sheet.take_down_within.is_none_or(|within| {
            target.published_at().is_some_and(|published_at| self.now - published_at < within)
        });
        is_live(target)
            && sheet.can_delete_remote
            && is_in_time
            && !self.barred.contains(&target.account_id)
    }
}

fn is_live(target: &Target) -> bool {
    target.status() == TargetStatus::Published && target.remote().is_some_and(Remote::is_named)
}

impl PostView {
    /// The post as callers see it.
    #[must_use]
    pub fn new(post: &Post, rights: &LiveRights) -> Self {
        Self {
            id: post.id,
            status: post.status,
            content: post.content.clone(),
            link_url: post.link_url.clone(),
            media_ids: post.media_ids.clone(),
            alt_texts: post.alt_texts.clone(),
            disclosure: post.disclosure,
            links: post.links.clone(),
            labels: post.annotations.labels.clone(),
            note: post.annotations.note.clone(),
            metadata: post.annotations.metadata.clone(),
            timing: Some(post.timing),
            scheduled_at: post.scheduled_at,
            approval_state: post.approval(),
            review: ReviewView::of(post),
            created_at: post.created_at,
            updated_at: post.updated_at,
            revision: post.revision,
            targets: post.targets.iter().map(|target| TargetView::new(target, rights)).collect(),
            issues: None,
        }
    }
}

impl TargetView {
    /// The target as callers see it.
    #[must_use]
    pub fn new(target: &Target, rights: &LiveRights) -> Self {
        Self {
            id: target.id,
            platform: target.platform,
            account_id: target.account_id,
            status: target.status(),
            remote_id: target.remote().filter(|it| it.is_named()).map(|it| it.id.clone()),
            remote_url: target.remote().and_then(|remote| remote.url.clone()),
            published_at: target.published_at(),
            error: target.message().map(str::to_owned),
            error_code: target.failure().map(|failure| failure.code),
            error_permanent: target.failure().is_some_and(|failure| failure.permanent),
            attempts: target.attempts,
            failed_attempts: target.failed_attempts.clone(),
            next_attempt_at: target.next_attempt_at(),
            can_edit_remote: rights.can_edit(target),
            can_delete_remote: rights.can_take_down(target),
            options: target.options.clone(),
            media_ids: target.files.media_ids.clone(),
            files: target.files.details.clone(),
            links: target.links.clone(),
            metrics: target.reading.as_ref().map(Reading::view),
        }
    }
}
