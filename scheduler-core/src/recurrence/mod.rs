//! Posts that come again: at the times of a rule, or from a pool that fills the free slots of
//! weekly schedules.
//!
//! A recurrence has entries, each of which is a post without a time and may have several texts that
//! take turns. The engine makes its occurrences ahead as ordinary posts
//! (`Scheduler::plan_recurrences`); which, when and of what is decided here.

mod history;
mod input;
mod planned;
mod planning;
#[cfg(test)]
mod planning_tests;
mod rule;
#[cfg(test)]
mod rule_tests;
mod view;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::ids::{EntryId, RecurrenceId, WorkspaceId};
use crate::post::{Field, PostInput};
use crate::session::Person;

pub use history::{
    EntryUse, History, TextUse, UseOutcome, Used, cooled_down_at, forbids_from, is_cooled_down,
};
pub use input::{EntryInput, RecurrenceChange, RecurrenceInput};
pub(crate) use input::{checked_cool_down, checked_entries, checked_name, checked_rule, within};
pub use planned::{Planned, PlannedStage, Problem, Progress};
pub use planning::{Candidate, Occurrence, OccurrencePlace, Planner};
pub use rule::{
    EXCLUDED_MAX, RRULE_MAX_BYTES, RRULE_MAX_NUMBER, Rule, RuleInput, TIMES_OF_DAY_MAX,
};
pub use view::{EntryView, OccurrenceView, RecurrencePreview, RecurrenceView, RecurrenceWarning};

/// The most recurrences of a workspace.
///
/// Source: our decision.
pub const RECURRENCES_MAX: u32 = 100;

/// The most entries of a recurrence.
///
/// Source: our decision.
pub const ENTRIES_MAX: usize = 100;

/// The most texts of an entry.
///
/// Source: our decision.
pub const TEXTS_MAX: usize = 20;

/// The most texts of all entries of a recurrence: each is checked when it is saved.
///
/// Source: our decision.
pub const TEXTS_IN_ALL_MAX: usize = 300;

/// Days of the longest cool-down.
///
/// Source: our decision.
pub const COOL_DOWN_MAX_DAYS: u32 = 3_650;

/// Characters of the name of a recurrence.
///
/// Source: our decision.
pub const RECURRENCE_NAME_MAX_CHARACTERS: usize = 100;

/// How far ahead the posts of a rule are made.
///
/// Source: our decision.
pub const AHEAD_BY_RULE: TimeDelta = TimeDelta::days(14);

/// How far ahead free slots are filled: what people queue meanwhile finds the later ones free.
///
/// Source: our decision.
pub const AHEAD_IN_SLOTS: TimeDelta = TimeDelta::hours(24);

/// The most posts of a recurrence that wait at a time.
///
/// Source: our decision.
pub const PLANNED_MAX: usize = 50;

/// How often it is looked whether posts are to be made.
///
/// Source: our decision.
pub const PLAN_EVERY: TimeDelta = TimeDelta::hours(1);

/// Posts that come again.
#[derive(Clone, Debug, PartialEq)]
pub struct Recurrence {
    /// Its id.
    pub id: RecurrenceId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// What people call it.
    pub name: String,
    /// Whether posts are made of it.
    pub state: RecurrenceState,
    /// What is repeated, and when.
    pub terms: Terms,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// From 1, raised by every change.
    pub revision: i64,
}

/// Whether posts are made of a recurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RecurrenceState {
    /// Posts are made.
    Active,
    /// None are made, and those that wait were taken back, until it is active again.
    Paused,
    /// None are made any more.
    Ended,
}

impl RecurrenceState {
    /// Every state. Tables in tests run over it.
    pub const ALL: [Self; 3] = [Self::Active, Self::Paused, Self::Ended];

    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Ended => "ended",
        }
    }
}

/// What is repeated, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// When it comes again; `None` for a pool that fills the free slots of its accounts.
    pub rule: Option<Rule>,
    /// How many days lie at least between two publications of an entry on an account, by the
    /// calendar of the account's zone; 0 for no bound.
    pub cool_down_days: u32,
    /// What is repeated; the one that was published least recently is next.
    pub entries: Vec<Entry>,
    /// Who has written it last, where a session named somebody: the author of its posts.
    pub written_by: Option<Person>,
}

impl Terms {
    /// How far ahead posts are made.
    #[must_use]
    pub const fn ahead(&self) -> TimeDelta {
        if self.rule.is_some() { AHEAD_BY_RULE } else { AHEAD_IN_SLOTS }
    }

    /// The entry with this id.
    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}

/// A post that is repeated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id, which it keeps when it is changed.
    pub id: EntryId,
    /// The post, without a time.
    pub post: PostInput,
    /// Its texts, which take turns; empty for the one of the post.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
}

impl Entry {
    /// Its texts: one at least.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let own = self.post.content.value().map_or("", String::as_str);
        let own = self.texts.is_empty().then_some(own);
        self.texts.iter().map(String::as_str).chain(own)
    }

    /// The post with one of its texts.
    #[must_use]
    pub fn with_text(&self, text: &str) -> PostInput {
        PostInput { content: Field::Value(text.to_owned()), ..self.post.clone() }
    }
}

/// What tells one text of an entry from another: the first half of its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextMark(String);

impl TextMark {
    /// The mark of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(hex::encode(&Sha256::digest(text.trim())[..16]))
    }
}

/// Of which entry a post is an occurrence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OccurrenceOf {
    /// The recurrence.
    pub recurrence_id: RecurrenceId,
    /// Its entry.
    pub entry_id: EntryId,
    /// Which of the entry's texts it was made with.
    pub text: TextMark,
}
