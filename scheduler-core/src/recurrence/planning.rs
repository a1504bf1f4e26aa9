//! Which occurrences are made, of which entry, with which text.

use std::collections::BTreeSet;
use std::fmt;

use chrono::{DateTime, NaiveDateTime, SecondsFormat, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{Entry, History, Terms, TextMark, Used};
use crate::ids::{AccountId, EntryId};
use crate::platform::Platform;
use crate::post::TargetInput;
use crate::timing::{SLOT_LEAD, WeeklySchedule, Zone, format_local};

/// No zone is further from UTC than this, and no clock change moves a time further.
///
/// Source: IANA time zone database, rules since 1972, rounded up.
const ZONES_WITHIN: TimeDelta = TimeDelta::days(2);

/// Where an occurrence belongs: no two of a recurrence have the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OccurrencePlace {
    /// A local time that a rule gives.
    Local(NaiveDateTime),
    /// A slot of an account.
    Slot {
        /// The account.
        account: AccountId,
        /// The slot.
        at: DateTime<Utc>,
    },
}

impl fmt::Display for OccurrencePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(local) => formatter.write_str(&format_local(*local)),
            Self::Slot { account, at } => {
                let at = at.to_rfc3339_opts(SecondsFormat::Secs, true);
                write!(formatter, "{account}/{at}")
            }
        }
    }
}

/// An account that entries go to.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its id.
    pub account: AccountId,
    /// Its network.
    pub platform: Platform,
    /// Its zone.
    pub zone: Zone,
    /// Its weekly slots.
    pub schedule: WeeklySchedule,
    /// The slots that are taken.
    pub taken: BTreeSet<DateTime<Utc>>,
}

impl Candidate {
    /// True when a target means it: by its id, or by its network alone.
    fn is_meant_by(&self, target: &TargetInput) -> bool {
        target.platform == self.platform && target.account_id.is_none_or(|id| id == self.account)
    }
}

/// A post that is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Where it belongs.
    pub place: OccurrencePlace,
    /// When it goes out first.
    pub at: DateTime<Utc>,
    /// Its entry.
    pub entry: EntryId,
    /// Its text.
    pub text: String,
}

/// What decides which occurrences there are.
#[derive(Clone, Debug)]
pub struct Planner<'a> {
    /// What is repeated, and when.
    pub terms: &'a Terms,
    /// The accounts of all entries, each once.
    pub candidates: Vec<Candidate>,
    /// The accounts of each entry; of one that can go nowhere none.
    pub accounts: Vec<Vec<AccountId>>,
    /// The first entry that can go nowhere, and why, for a person.
    pub unreachable: Option<(EntryId, String)>,
    /// The zone where no account has one.
    pub zone: Zone,
    /// The time.
    pub now: DateTime<Utc>,
}

impl Planner<'_> {
    /// The places from now on until an instant, soonest first, with when each goes out first. Of a
    /// rule those that lie ahead in the zone of every account; what has passed anywhere is over. Of
    /// a pool every slot, taken or free.
    #[must_use]
    pub fn places(&self, until: DateTime<Utc>) -> Vec<(OccurrencePlace, DateTime<Utc>)> {
        let mut places: Vec<_> = match &self.terms.rule {
            Some(rule) => {
                let from = (self.now - ZONES_WITHIN).naive_utc();
                let to = (until + ZONES_WITHIN).naive_utc();
                let of_rule = rule.between(from, to).into_iter().map(|local| {
                    let place = OccurrencePlace::Local(local);
                    let instants = self.candidates.iter().map(|one| self.instant(place, one.zone));
                    let first = instants.min();
                    (place, first.unwrap_or_else(|| self.instant(place, self.zone)))
                });
                of_rule.filter(|(_, at)| *at > self.now && *at <= until).collect()
            }
            None => {
                let of_accounts = self.candidates.iter().flat_map(|one| {
                    let slots = one.schedule.upcoming(one.zone, self.now + SLOT_LEAD);
                    slots
                        .take_while(|at| *at <= until)
                        .map(|at| (OccurrencePlace::Slot { account: one.account, at }, at))
                });
                of_accounts.collect()
            }
        };
        places.sort_by_key(|(place, at)| (*at, *place));
        places
    }

    /// What is made of these places, at most so many, where nothing is yet: the entry that was used
    /// least recently of those that have cooled down, and of its texts the one whose turn it is. A
    /// slot that is taken is left alone, and a place for which no entry has cooled down is left free.
    /// Adds what it plans to the history.
    pub fn fill(
        &self,
        places: impl IntoIterator<Item = (OccurrencePlace, DateTime<Utc>)>,
        history: &mut History,
        most: usize,
    ) -> Vec<Occurrence> {
        let occurrences = places.into_iter().filter_map(|(place, at)| {
            let (entry, text) = self.choose(place, history)?;
            let occurrence = Occurrence { place, at, entry: entry.id, text: text.to_owned() };
            for used in self.uses(place, entry.id, &TextMark::of(text)) {
                history.add(used);
            }
            Some(occurrence)
        });
        occurrences.take(most).collect()
    }

    /// The target of an entry that an account is meant by.
    #[must_use]
    pub fn target_of<'b>(&self, entry: &'b Entry, account: AccountId) -> Option<&'b TargetInput> {
        let candidate = self.candidates.iter().find(|one| one.account == account)?;
        let targets = entry.post.targets.value().into_iter().flatten();
        targets.into_iter().find(|target| candidate.is_meant_by(target))
    }

    /// True when somebody is connected for a target.
    #[must_use]
    pub fn reaches(&self, target: &TargetInput) -> bool {
        self.candidates.iter().any(|one| one.is_meant_by(target))
    }

    /// True when a place is one that an entry goes to: of a slot, when its account is one of its.
    #[must_use]
    pub fn goes_there(&self, place: OccurrencePlace, entry: EntryId) -> bool {
        let Some(entry) = self.terms.entry(entry) else { return false };
        match place {
            OccurrencePlace::Local(_) => true,
            OccurrencePlace::Slot { account, .. } => self.target_of(entry, account).is_some(),
        }
    }

    /// The uses that an occurrence is.
    #[must_use]
    pub fn uses(&self, place: OccurrencePlace, entry: EntryId, text: &TextMark) -> Vec<Used> {
        let accounts = self.terms.entries.iter().zip(&self.accounts);
        let of_entry = accounts.filter(|(one, _)| one.id == entry).flat_map(|(_, all)| all);
        let at_place = self.at_place(place, of_entry);
        at_place
            .map(|one| Used {
                entry,
                account: one.account,
                text: text.clone(),
                at: self.instant(place, one.zone),
            })
            .collect()
    }

    fn choose<'b>(
        &'b self,
        place: OccurrencePlace,
        history: &History,
    ) -> Option<(&'b Entry, &'b str)> {
        if self.is_taken(place) {
            return None;
        }
        let days = self.terms.cool_down_days;
        let entries = self.terms.entries.iter().zip(&self.accounts);
        let cooled_down = entries.filter_map(|(entry, accounts)| {
            let at_place: Vec<_> = self.at_place(place, accounts).collect();
            let allows = |one: &&Candidate| {
                let at = self.instant(place, one.zone);
                history.allows(entry.id, one.account, one.zone, days, at)
            };
            let accounts: Vec<AccountId> = at_place.iter().map(|one| one.account).collect();
            (!accounts.is_empty() && at_place.iter().all(allows)).then_some((entry, accounts))
        });
        let (entry, accounts) =
            cooled_down.min_by_key(|(entry, accounts)| history.last(entry.id, accounts))?;
        Some((entry, history.next_text(entry, &accounts)))
    }

    fn is_taken(&self, place: OccurrencePlace) -> bool {
        let OccurrencePlace::Slot { account, at } = place else { return false };
        self.candidates.iter().any(|one| one.account == account && one.taken.contains(&at))
    }

    /// Those of an entry's accounts that a place is of.
    fn at_place<'b>(
        &'b self,
        place: OccurrencePlace,
        accounts: impl IntoIterator<Item = &'b AccountId>,
    ) -> impl Iterator<Item = &'b Candidate> {
        let named = accounts.into_iter().filter(move |id| match place {
            OccurrencePlace::Local(_) => true,
            OccurrencePlace::Slot { account, .. } => **id == account,
        });
        named.filter_map(|id| self.candidates.iter().find(|one| one.account == *id))
    }

    /// When something goes out at a place, on an account of a zone.
    fn instant(&self, place: OccurrencePlace, zone: Zone) -> DateTime<Utc> {
        match place {
            OccurrencePlace::Local(local) => {
                let of_rule = self.terms.rule.as_ref().and_then(|rule| rule.zone);
                of_rule.unwrap_or(zone).instant(local)
            }
            OccurrencePlace::Slot { at, .. } => at,
        }
    }
}
