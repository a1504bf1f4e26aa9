//! How far a recurrence has come: the posts that were made of it.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{Entry, OccurrencePlace, TextMark};
use crate::ids::{EntryId, PostId};
use crate::post::{Post, PostStatus};

/// How long what was made is remembered after its time, so that a clock that is set back makes
/// nothing again.
///
/// Source: our decision.
const REMEMBERED: TimeDelta = TimeDelta::days(3);

/// How far a recurrence has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What was made of it, or is about to be.
    pub planned: Vec<Planned>,
    /// Why a post could not be made, the last time.
    pub problem: Option<Problem>,
    /// When it is looked next whether posts are to be made.
    pub next_at: DateTime<Utc>,
    /// The revision of the recurrence that the posts were made of.
    pub revision: i64,
}

impl Progress {
    /// Of a recurrence of which nothing was made.
    #[must_use]
    pub const fn new(now: DateTime<Utc>) -> Self {
        Self { planned: Vec::new(), problem: None, next_at: now, revision: 0 }
    }
}

/// An occurrence that was made a post, or is about to be.
///
/// It is stored before its post is made, changed or removed, and again afterwards: whoever finds it
/// in between goes on with that, and does nothing twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// Where it belongs.
    pub place: OccurrencePlace,
    /// When it goes out first.
    pub at: DateTime<Utc>,
    /// Its entry.
    pub entry: EntryId,
    /// Its text.
    pub text: TextMark,
    /// How far it has come.
    pub stage: PlannedStage,
    /// Its post, once it is made.
    pub post: Option<PostId>,
    /// The revision of the post that was made: another one was changed by hand, and is left alone.
    pub revision: i64,
    /// What it was made of, as a hash.
    pub body: String,
}

/// How far an occurrence has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlannedStage {
    /// Its post is being made.
    Making,
    /// Its post is made, or was changed or taken away by somebody since.
    Made,
    /// Its post is being changed as the recurrence was.
    Changing,
    /// Its post is being taken back.
    Removing,
}

impl Planned {
    /// Its text, where the entry still has it.
    #[must_use]
    pub fn text_of<'a>(&self, entry: &'a Entry) -> Option<&'a str> {
        entry.texts().find(|text| TextMark::of(text) == self.text)
    }

    /// True when nothing is made of it: it is only remembered in case somebody slow still makes it.
    #[must_use]
    pub fn is_unmade(&self) -> bool {
        self.stage == PlannedStage::Removing && self.post.is_none()
    }

    /// True when its post waits as it was made: nobody has changed, cancelled or removed it, and
    /// nothing of it has begun to go out.
    #[must_use]
    pub fn is_untouched(&self, post: &Post) -> bool {
        matches!(post.status, PostStatus::Draft | PostStatus::Scheduled)
            && post.revision == self.revision
            && !post.targets.iter().any(|target| target.attempts > 0)
    }

    /// True while it has to be remembered.
    #[must_use]
    pub fn is_remembered(&self, post: Option<&Post>, now: DateTime<Utc>) -> bool {
        let goes_out =
            |post: &Post| matches!(post.status, PostStatus::Scheduled | PostStatus::Publishing);
        self.stage != PlannedStage::Made || now < self.at + REMEMBERED || post.is_some_and(goes_out)
    }
}

/// Why a post of a recurrence could not be made as it was meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "RecurrenceProblem")
)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// When that was found.
    pub at: DateTime<Utc>,
    /// When the post was to go out.
    pub due_at: DateTime<Utc>,
    /// The entry.
    pub entry_id: EntryId,
    /// What was found, for a person.
    pub message: String,
    /// The draft that was made in its place; `None` where none could be.
    pub post_id: Option<PostId>,
}
