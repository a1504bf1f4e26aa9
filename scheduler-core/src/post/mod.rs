//! A post: written once, with one target for each account it goes to.

mod annotations;
mod approval;
mod asked_timing;
mod bounds;
mod copy;
pub mod decide;
mod facets;
mod field;
mod files;
mod filter;
mod input;
mod list;
mod new_post;
mod options;
mod review;
mod seen;
mod state;
mod undo;
mod version;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::idempotency::IdempotencyKey;
use crate::ids::{MediaId, PostId, TargetId, WorkspaceId};
use crate::links::{LinkChange, LinkRules, Sent, ShortLink};
use crate::platform::Disclosure;
use crate::recurrence::OccurrenceOf;
use crate::target::{Target, TargetStatus};

pub use annotations::{
    Annotations, LABEL_MAX_CHARACTERS, LABELS_MAX_COUNT, METADATA_KEY_MAX_CHARACTERS,
    METADATA_MAX_COUNT, METADATA_VALUE_MAX_CHARACTERS, POST_NOTE_MAX_CHARACTERS, folded_label,
};
pub(crate) use annotations::{check_label, check_labels, distinct_labels};
pub use approval::{Approval, NOTE_MAX_CHARACTERS, REMARKS_MAX, Remark, RemarkBy, Verdict};
pub use asked_timing::AskedTiming;
pub use bounds::CONTENT_MAX_CHARACTERS;
pub(crate) use bounds::{Bounds, check_characters, check_content, check_text};
pub use facets::Facet;
pub use field::Field;
pub(crate) use files::check_described;
pub use filter::{ANY_OF_MAX, ListFilter, ListedState, SEARCH_MAX_CHARACTERS};
pub(crate) use filter::{begin_words, parse_labels, parse_search};
pub use input::{ALT_TEXT_MAX_CHARACTERS, MEDIA_MAX_COUNT, PostInput, TargetInput};
pub use list::{
    DAYS_DEFAULT, DAYS_MAX, LIMIT_DEFAULT, LIMIT_MAX, ListInput, ListOrder, ListQuery,
    PAGE_MAX_BYTES, PageInput, PageQuery, PageReader, Window,
};
pub(crate) use list::{parse_instant, parse_number, unreadable_cursor};
pub use new_post::NewPost;
pub use options::{OPTIONS_MAX_BYTES, OPTIONS_MAX_VALUES};
pub(crate) use options::{check as check_options, count_values, json_bytes};
pub use review::{Author, Review, ReviewView};
pub use seen::{Piece, Place, SEEN_MAX_BYTES, Seen, SeenTarget, compared};
pub use state::{PostEvent, PostRefused, PostStatus};
pub use undo::{Before, ChangeKind, LastChange, UNDO_WITHIN};
pub use version::{
    NewVersion, PostPart, PostVersion, VERSION_SPAN, VERSIONS_MAX, VERSIONS_MAX_BYTES, VersionKind,
};
pub use view::{LiveRights, PostPage, PostView, TargetView};

/// Bytes that a target takes in an answer beside its options, with its share of the post: names,
/// ids, instants, a result or an error.
///
/// Source: measured, some 700 bytes for a post with one target.
const TARGET_BYTES: usize = 1 << 10;

/// A post and its targets: what is decided on together and stored together.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// Its id.
    pub id: PostId,
    /// The workspace that owns it.
    pub workspace_id: WorkspaceId,
    /// How far it has come.
    pub status: PostStatus,
    /// The shared text.
    pub content: String,
    /// A link that goes with it.
    pub link_url: Option<String>,
    /// Its files, in order.
    pub media_ids: Vec<MediaId>,
    /// A description for each file, in the same order; may be shorter.
    pub alt_texts: Vec<Option<String>>,
    /// What it tells of how it came about.
    pub disclosure: Disclosure,
    /// What its people and programs have written down about it.
    pub annotations: Annotations,
    /// How its time was said.
    pub timing: AskedTiming,
    /// True for a draft that was stored although a network would refuse it.
    pub unfinished: bool,
    /// The earliest instant among its targets' own when it was scheduled; `None` for a draft.
    pub scheduled_at: Option<DateTime<Utc>>,
    /// What a client said of it, when it was shown to one.
    pub approval_state: Option<ApprovalState>,
    /// What it wants of its links; `None` for what its workspace wants.
    pub links: Option<LinkRules>,
    /// Of which recurrence it is an occurrence; `None` of a post that stands alone.
    pub occurrence: Option<OccurrenceOf>,
    /// Who was the last to say what it says; `None` where an earlier version has stored it.
    pub author: Option<Author>,
    /// What the team says of it; `None` where its workspace asks for no second pair of eyes.
    pub review: Option<Review>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When a person or the engine last changed it.
    pub updated_at: DateTime<Utc>,
    /// The key under which its creation may be repeated.
    pub idempotency_key: Option<IdempotencyKey>,
    /// From 1, raised by every change that a caller makes.
    pub revision: i64,
    /// Raised by every change; a change is applied only against the version it was decided on.
    pub version: i64,
    /// Where it goes; empty only for a draft that is unfinished.
    pub targets: Vec<Target>,
}

impl Post {
    /// A draft that holds nothing yet.
    #[must_use]
    pub const fn new(id: PostId, workspace_id: WorkspaceId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            workspace_id,
            status: PostStatus::Draft,
            content: String::new(),
            link_url: None,
            media_ids: Vec::new(),
            alt_texts: Vec::new(),
            disclosure: Disclosure::NONE,
            annotations: Annotations::NONE,
            timing: AskedTiming::Draft,
            unfinished: false,
            scheduled_at: None,
            approval_state: None,
            links: None,
            occurrence: None,
            author: None,
            review: None,
            created_at: now,
            updated_at: now,
            idempotency_key: None,
            revision: 1,
            version: 0,
            targets: Vec::new(),
        }
    }

    /// Notes that a caller has changed it.
    pub(crate) const fn touch(&mut self, now: DateTime<Utc>) {
        self.updated_at = now;
        self.revision += 1;
    }

    /// The time by which it is listed: when its first target went out, else when it is due, else
    /// when it was created.
    #[must_use]
    pub fn sort_at(&self) -> DateTime<Utc> {
        self.targets
            .iter()
            .filter_map(Target::published_at)
            .min()
            .or(self.scheduled_at)
            .unwrap_or(self.created_at)
    }

    /// The target with this id.
    #[must_use]
    pub fn target(&self, id: TargetId) -> Option<&Target> {
        self.targets.iter().find(|target| target.id == id)
    }

    /// What the network of one of its targets gets of its text, its link and the target's options.
    #[must_use]
    pub fn sent_to<'a>(&'a self, target: &'a Target) -> Sent<'a> {
        Sent::of(&self.content, self.link_url.as_deref(), &target.options, &target.links)
    }

    /// The short links that stand in it, each once.
    #[must_use]
    pub fn short_links(&self) -> Vec<ShortLink> {
        let changes = self.targets.iter().flat_map(|target| &target.links);
        let links: BTreeMap<_, _> = changes.filter_map(LinkChange::short).collect();
        let link = |(code, destination): (&str, &str)| ShortLink {
            code: code.to_owned(),
            workspace_id: self.workspace_id,
            destination: destination.to_owned(),
            created_at: self.updated_at,
        };
        links.into_iter().map(link).collect()
    }

    /// Every file that it uses: its own, and those that its targets name. Each once.
    #[must_use]
    pub fn files(&self) -> BTreeSet<MediaId> {
        let of_targets = self.targets.iter().flat_map(Target::named_files);
        self.media_ids.iter().copied().chain(of_targets).collect()
    }

    /// The files of one of its targets, in order: the target's own, else those of the post.
    #[must_use]
    pub fn media_of<'a>(&'a self, target: &'a Target) -> &'a [MediaId] {
        target.files.media_ids.as_deref().unwrap_or(&self.media_ids)
    }

    /// What a file of one of its targets shows, for those who cannot see it: in the words of the
    /// target, else in those of the post.
    #[must_use]
    pub fn alt_text_of<'a>(&'a self, target: &'a Target, id: MediaId) -> Option<&'a str> {
        target.files.alt_text_of(id, (&self.media_ids, &self.alt_texts))
    }

    /// The files that are needed for what may still go out: its own, and those that its unfinished
    /// targets name; none when it is finished.
    #[must_use]
    pub fn needed_files(&self) -> BTreeSet<MediaId> {
        if !self.status.is_unfinished() {
            return BTreeSet::new();
        }
        let unfinished = self.targets.iter().filter(|target| !target.status().has_ended());
        let of_targets = unfinished.flat_map(Target::named_files);
        self.media_ids.iter().copied().chain(of_targets).collect()
    }

    /// Bytes that it takes in an answer: the JSON of its texts and options, about as much as the
    /// rest of its targets takes, and the memory of the values of options, of which the smallest
    /// take far more than their text.
    #[must_use]
    pub(crate) fn held_bytes(&self) -> usize {
        let options = self.targets.iter().map(|target| {
            let values = target.options.values().map(count_values).sum::<usize>();
            let values = values * size_of::<serde_json::Value>();
            TARGET_BYTES
                + json_bytes(&target.options)
                + json_bytes(&target.files)
                + json_bytes(&target.links)
                + json_bytes(&target.failed_attempts)
                + values
        });
        let annotations = &self.annotations;
        let own = json_bytes(&annotations.labels)
            + json_bytes(&annotations.note)
            + json_bytes(&annotations.metadata);
        json_bytes(&self.content) + json_bytes(&self.alt_texts) + own + options.sum::<usize>()
    }

    /// True when one of its targets is going out at this moment.
    #[must_use]
    pub fn is_in_flight(&self) -> bool {
        self.targets.iter().any(|target| target.status() == TargetStatus::Publishing)
    }

    /// The calendar month (UTC) whose allowance of posts it uses: the month in which it goes
    /// out. `None` for a draft, and for a post cancelled before anything of it went out.
    #[must_use]
    pub fn allowance_month(&self) -> Option<Month> {
        let counts = match self.status {
            PostStatus::Draft => false,
            PostStatus::Scheduled | PostStatus::Publishing | PostStatus::Done => true,
            PostStatus::Canceled => {
                self.targets.iter().any(|target| target.published_at().is_some())
            }
        };
        counts.then_some(self.scheduled_at).flatten().map(Month::of)
    }
}

/// A calendar month in UTC, counted from the year 0.
///
/// ```
/// use scheduler_core::post::Month;
/// let month = Month::of("2026-11-30T23:59:59Z".parse()?);
/// assert_eq!(month.end().to_rfc3339(), "2026-12-01T00:00:00+00:00");
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(pub i32);

impl Month {
    /// The month that holds an instant.
    #[must_use]
    pub fn of(at: DateTime<Utc>) -> Self {
        Self(at.year() * 12 + at.month0().cast_signed())
    }

    /// The instant at which it begins; for a month beyond the calendar, the last instant there is.
    #[must_use]
    pub fn begin(self) -> DateTime<Utc> {
        u32::try_from(self.0.rem_euclid(12) + 1)
            .ok()
            .and_then(|month| NaiveDate::from_ymd_opt(self.0.div_euclid(12), month, 1))
            .map_or(DateTime::<Utc>::MAX_UTC, |day| day.and_time(NaiveTime::MIN).and_utc())
    }

    /// The instant at which it is over, which belongs to the next one.
    #[must_use]
    pub fn end(self) -> DateTime<Utc> {
        Self(self.0.saturating_add(1)).begin()
    }
}

/// What was said of a post by those whose approval it needs.
///
/// Source: interface description, Post.approvalState.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// Not answered yet.
    Pending,
    /// May go out.
    Approved,
    /// Wants changes.
    Changes,
}

impl ApprovalState {
    /// Every state. Tables in tests run over it.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Approved, Self::Changes];

    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Changes => "changes",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_meet() {
        for (name, at, begin, end) in [
            (
                "first instant",
                "2026-11-01T00:00:00Z",
                "2026-11-01T00:00:00Z",
                "2026-12-01T00:00:00Z",
            ),
            ("december", "2026-12-31T23:59:59Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
            ("leap day", "2028-02-29T12:00:00Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"),
        ] {
            let instant = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
            let month = Month::of(instant(at));
            assert_eq!((month.begin(), month.end()), (instant(begin), instant(end)), "{name}");
        }
    }

    #[test]
    fn a_month_beyond_the_calendar_is_no_panic() {
        assert_eq!(Month(i32::MAX).end(), DateTime::<Utc>::MAX_UTC);
        assert_eq!(Month(i32::MIN).begin(), DateTime::<Utc>::MAX_UTC);
    }
}
