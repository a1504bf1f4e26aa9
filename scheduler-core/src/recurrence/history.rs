//! What of a recurrence was published when: its cool-down, and whose turn it is.

use chrono::{DateTime, Days, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Entry, TextMark};
use crate::ids::{AccountId, EntryId, RecurrenceId, TargetId};
use crate::timing::Zone;

/// The texts of an entry whose last use is kept, latest first.
///
/// Source: our decision, twice as many as an entry has.
const TEXTS_KEPT: usize = 2 * super::TEXTS_MAX;

/// The last use of an entry on an account, which outlives the post that it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryUse {
    /// The recurrence.
    pub recurrence_id: RecurrenceId,
    /// Its entry.
    pub entry_id: EntryId,
    /// The account.
    pub account_id: AccountId,
    /// The target that was published, or has begun to be.
    pub target_id: TargetId,
    /// When it began, or went live.
    pub used_at: DateTime<Utc>,
    /// When each text was used last, latest first.
    pub texts: Vec<TextUse>,
}

/// The last use of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextUse {
    /// The text.
    pub text: TextMark,
    /// When it was used.
    pub at: DateTime<Utc>,
}

/// What became of a use that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseOutcome {
    /// It is stored.
    Stored,
    /// Another target has used the entry too late before, at this instant; nothing was stored.
    UsedAt(DateTime<Utc>),
    /// Another target has begun to use the entry, and has not ended; nothing was stored.
    UnderWay,
}

impl EntryUse {
    /// What is kept of this use of an entry on an account where another one was before.
    ///
    /// `forbidden_from` is the first instant of a use that forbids another one; `None` where none does.
    /// `is_under_way` tells whether the target of the other has not ended.
    ///
    /// # Errors
    /// Why it may not be used: [`UseOutcome::UsedAt`] or [`UseOutcome::UnderWay`].
    pub fn after(
        mut self,
        earlier: &Self,
        is_under_way: bool,
        forbidden_from: Option<DateTime<Utc>>,
    ) -> Result<Self, UseOutcome> {
        let is_same = earlier.target_id == self.target_id;
        if let Some(forbidden_from) = forbidden_from.filter(|_| !is_same) {
            if earlier.used_at >= forbidden_from {
                return Err(UseOutcome::UsedAt(earlier.used_at));
            }
            if is_under_way {
                return Err(UseOutcome::UnderWay);
            }
        }
        if is_same {
            self.used_at = self.used_at.max(earlier.used_at);
        }
        let used = self.texts.clone();
        let is_other = |use_: &&TextUse| used.iter().all(|one| one.text != use_.text);
        self.texts.extend(earlier.texts.iter().filter(is_other).cloned());
        self.texts.truncate(TEXTS_KEPT);
        Ok(self)
    }
}

/// True when so many days lie between two instants at least, by the calendar of a zone: what went
/// out at any time of a Monday may go out again at any time of the next with a cool-down of 7 days.
///
/// ```
/// use scheduler_core::recurrence::is_cooled_down;
/// use scheduler_core::timing::Zone;
///
/// let berlin: Zone = "Europe/Berlin".parse()?;
/// let (evening, morning) = ("2026-03-23T20:00:00Z".parse()?, "2026-03-30T05:00:00Z".parse()?);
/// assert!(is_cooled_down(berlin, 7, evening, morning));
/// assert!(!is_cooled_down(berlin, 8, morning, evening), "whichever is earlier");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_cooled_down(zone: Zone, days: u32, one: DateTime<Utc>, other: DateTime<Utc>) -> bool {
    let between = zone.local(one).date() - zone.local(other).date();
    between.num_days().unsigned_abs() >= u64::from(days)
}

/// The first instant whose use forbids another one at an instant: the beginning of the day after
/// the last that has cooled down, by the calendar of a zone.
#[must_use]
pub fn forbids_from(zone: Zone, days: u32, at: DateTime<Utc>) -> DateTime<Utc> {
    let day = zone.local(at).date().checked_sub_days(Days::new(u64::from(days.saturating_sub(1))));
    day.map_or(DateTime::<Utc>::MIN_UTC, |day| zone.instant(day.and_time(NaiveTime::MIN)))
}

/// The first instant at which so many days have passed since another, by the calendar of a zone.
#[must_use]
pub fn cooled_down_at(zone: Zone, days: u32, used_at: DateTime<Utc>) -> DateTime<Utc> {
    let day = zone.local(used_at).date().checked_add_days(Days::new(days.into()));
    day.map_or(DateTime::<Utc>::MAX_UTC, |day| zone.instant(day.and_time(NaiveTime::MIN)))
}

/// A use of an entry on an account, in the past or planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// The entry.
    pub entry: EntryId,
    /// The account.
    pub account: AccountId,
    /// The text.
    pub text: TextMark,
    /// When.
    pub at: DateTime<Utc>,
}

/// The uses of the entries of a recurrence.
#[derive(Clone, Debug, Default)]
pub struct History {
    uses: Vec<Used>,
}

impl History {
    /// What was published.
    #[must_use]
    pub fn of(uses: &[EntryUse]) -> Self {
        let of_texts = uses.iter().flat_map(|one| {
            let (entry, account) = (one.entry_id, one.account_id);
            let of_text =
                move |use_: &TextUse| Used { entry, account, text: use_.text.clone(), at: use_.at };
            let latest = one.texts.first().map(|first| Used {
                entry,
                account,
                text: first.text.clone(),
                at: one.used_at,
            });
            one.texts.iter().map(of_text).chain(latest)
        });
        Self { uses: of_texts.collect() }
    }

    /// Adds a use.
    pub fn add(&mut self, used: Used) {
        self.uses.push(used);
    }

    /// True when an entry may be published on an account at an instant: the cool-down lies between
    /// it and every other use, earlier or later.
    #[must_use]
    pub fn allows(
        &self,
        entry: EntryId,
        account: AccountId,
        zone: Zone,
        days: u32,
        at: DateTime<Utc>,
    ) -> bool {
        let mut of_entry = self.on(entry, account).map(|used| used.at);
        days == 0 || of_entry.all(|used| is_cooled_down(zone, days, used, at))
    }

    /// When an entry was used last on one of these accounts.
    pub(super) fn last(&self, entry: EntryId, accounts: &[AccountId]) -> Option<DateTime<Utc>> {
        accounts.iter().flat_map(|account| self.on(entry, *account)).map(|used| used.at).max()
    }

    /// The text of an entry whose turn it is on these accounts: the one that was used least
    /// recently, the first of those that never were.
    #[must_use]
    pub fn next_text<'a>(&self, entry: &'a Entry, accounts: &[AccountId]) -> &'a str {
        let last = |text: &str| {
            let mark = TextMark::of(text);
            let uses = accounts.iter().flat_map(|account| self.on(entry.id, *account));
            uses.filter(|used| used.text == mark).map(|used| used.at).max()
        };
        entry.texts().min_by_key(|text| last(text)).unwrap_or_default()
    }

    fn on(&self, entry: EntryId, account: AccountId) -> impl Iterator<Item = &Used> {
        self.uses.iter().filter(move |used| used.entry == entry && used.account == account)
    }
}
