//! Recurrences as callers see them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Entry, Problem, RecurrenceState, RuleInput};
use crate::ids::{AccountId, EntryId, PostId, RecurrenceId};
use crate::platform::Platform;
use crate::post::PostInput;
use crate::rules::ValidationIssue;

/// A recurrence as callers see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Recurrence"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RecurrenceView {
    /// Its id.
    pub id: RecurrenceId,
    /// What people call it.
    pub name: String,
    /// Whether posts are made of it.
    pub state: RecurrenceState,
    /// When it comes again; absent of a pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleInput>,
    /// True of a pool that fills free slots.
    pub evergreen: bool,
    /// How many days lie at least between two publications of an entry on an account.
    pub cool_down_days: u32,
    /// What is repeated.
    pub entries: Vec<EntryView>,
    /// The next occurrences, soonest first: those whose post is made, and some that follow.
    pub upcoming: Vec<OccurrenceView>,
    /// Why a post could not be made as it was meant, the last time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// What is allowed and yet likely to go wrong.
    pub warnings: Vec<RecurrenceWarning>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// From 1, raised by every change.
    pub revision: i64,
}

/// An entry as callers see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RecurrenceEntry"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EntryView {
    /// Its id.
    pub id: EntryId,
    /// The post, without a time.
    pub post: PostInput,
    /// Texts that take turns; absent where the post has its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    /// When it was published last; `null` when it never was.
    pub last_used_at: Option<DateTime<Utc>>,
}

impl EntryView {
    pub(crate) fn new(entry: &Entry, last_used_at: Option<DateTime<Utc>>) -> Self {
        let Entry { id, post, texts } = entry.clone();
        Self { id, post, texts, last_used_at }
    }
}

/// An occurrence as callers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Occurrence"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OccurrenceView {
    /// When it goes out first.
    pub at: DateTime<Utc>,
    /// The local time that the rule gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local: Option<String>,
    /// The account whose slot it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Its entry.
    pub entry_id: EntryId,
    /// The place of the entry in the list, from 0.
    pub entry: usize,
    /// Its post; `null` while none is made.
    pub post_id: Option<PostId>,
}

/// What is allowed and yet likely to go wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RecurrenceWarning {
    /// The entry.
    pub entry_id: EntryId,
    /// The network that is likely to refuse it.
    pub platform: Platform,
    /// Why, and what to do, for a person.
    pub message: String,
}

/// What would come of a recurrence that is not stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RecurrencePreview")
)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RecurrencePreview {
    /// Its next occurrences, soonest first.
    pub upcoming: Vec<OccurrenceView>,
    /// What the rules say of its entries.
    pub issues: Vec<ValidationIssue>,
    /// What is allowed and yet likely to go wrong.
    pub warnings: Vec<RecurrenceWarning>,
}
