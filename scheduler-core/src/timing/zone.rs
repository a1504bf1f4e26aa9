//! Time zones by their IANA names, and wall-clock time to instant.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, LocalResult, NaiveDate, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use serde::de::{Expected, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::spelling::distance;

/// The minutes of an hour at which clocks change: offsets are of whole quarters of an hour.
///
/// Source: IANA time zone database, rules since 1972.
const QUARTERS: [u32; 4] = [0, 15, 30, 45];

/// An IANA time zone, checked when it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone(chrono_tz::Tz);

/// Longest text that is compared with the names of zones, in bytes; all of them are shorter.
const COMPARED_MAX: usize = 64;

/// The text names no IANA time zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an IANA time zone, such as Europe/Berlin")]
pub struct UnknownZone(pub String);

impl UnknownZone {
    /// The zone that may be meant: the name that is like the text, else one whose city is, since
    /// people leave out the part of the world; `None` where more than a third of the letters differ.
    ///
    /// ```
    /// use scheduler_core::timing::Zone;
    ///
    /// let unknown = "New York".parse::<Zone>().unwrap_err();
    /// assert_eq!(unknown.nearest(), Some("America/New_York"));
    /// ```
    #[must_use]
    pub fn nearest(&self) -> Option<&'static str> {
        let Self(text) = self;
        if text.len() > COMPARED_MAX {
            return None;
        }
        let names = || chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name());
        let cities = names().filter_map(|name| Some((name.rsplit_once('/')?.1, name)));
        let plain = plain(text);
        like(&plain, names().map(|name| (name, name))).or_else(|| like(&plain, cities))
    }
}

/// The name whose spelling is nearest to a text, of those that are near enough.
fn like(
    text: &str,
    spelled: impl Iterator<Item = (&'static str, &'static str)>,
) -> Option<&'static str> {
    let near = spelled.filter_map(|(spelling, name)| {
        let changes = distance(text, &plain(spelling));
        let letters = text.chars().count().max(spelling.len());
        (changes * 3 <= letters).then_some((changes, name))
    });
    near.min_by_key(|(changes, _)| *changes).map(|(_, name)| name)
}

/// A name without what spellings differ in: case, spaces and `-` for `_`.
fn plain(name: &str) -> String {
    name.to_lowercase().replace([' ', '-'], "_")
}

/// What a text of a body has to be, with what may be meant.
impl Expected for UnknownZone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nearest() {
            Some(nearest) => write!(formatter, "an IANA time zone; the nearest is {nearest}"),
            None => formatter.write_str("an IANA time zone, such as Europe/Berlin"),
        }
    }
}

/// What a wall-clock time is in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// A clock shows it once, at this instant.
    Once(DateTime<Utc>),
    /// Clocks go over it; the instant is later by the length of the gap.
    Skipped(DateTime<Utc>),
    /// Clocks show it twice, at these two instants.
    Twice(DateTime<Utc>, DateTime<Utc>),
}

impl Resolved {
    /// The instant that is taken for it: of two the earlier.
    #[must_use]
    pub const fn instant(self) -> DateTime<Utc> {
        match self {
            Self::Once(at) | Self::Skipped(at) | Self::Twice(at, _) => at,
        }
    }
}

/// How often the clocks of a zone go through an hour of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// Once, as nearly always.
    Once,
    /// Twice, if only through a part of it.
    Twice,
    /// Never: they go over all of it.
    Never,
}

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(chrono_tz::UTC);

    /// The IANA name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The instant at which a clock on the wall shows `local`.
    ///
    /// A time that the zone skips is shifted later by the length of the gap; of one that it has
    /// twice, the earlier instant is taken. (The rule that calendars use, RFC 5545 3.3.5.)
    ///
    /// ```
    /// use scheduler_core::timing::{Zone, parse_local};
    ///
    /// let berlin: Zone = "Europe/Berlin".parse()?;
    /// // On this day clocks go from 2:00 to 3:00.
    /// let skipped = berlin.instant(parse_local("2026-03-29T02:30")?);
    /// assert_eq!(skipped.to_rfc3339(), "2026-03-29T01:30:00+00:00");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn instant(self, local: NaiveDateTime) -> DateTime<Utc> {
        self.resolve(local).instant()
    }

    /// The instant at which a clock on the wall shows `local`, and whether it does so once.
    ///
    /// ```
    /// use scheduler_core::timing::{Resolved, Zone, parse_local};
    ///
    /// let berlin: Zone = "Europe/Berlin".parse()?;
    /// let skipped = berlin.resolve(parse_local("2026-03-29T02:30")?);
    /// assert!(matches!(skipped, Resolved::Skipped(_)));
    /// let twice = berlin.resolve(parse_local("2026-10-25T02:30")?);
    /// assert!(matches!(twice, Resolved::Twice(first, second) if first < second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn resolve(self, local: NaiveDateTime) -> Resolved {
        match self.0.from_local_datetime(&local) {
            LocalResult::Single(at) => Resolved::Once(at.with_timezone(&Utc)),
            LocalResult::Ambiguous(one, other) => {
                let (one, other) = (one.with_timezone(&Utc), other.with_timezone(&Utc));
                Resolved::Twice(one.min(other), one.max(other))
            }
            LocalResult::None => Resolved::Skipped(self.after_gap(local)),
        }
    }

    /// The instant at which a clock on the wall shows `local`; of two the later where it is to be
    /// the second time.
    #[must_use]
    pub fn instant_of(self, local: NaiveDateTime, is_again: bool) -> DateTime<Utc> {
        match self.resolve(local) {
            Resolved::Twice(_, second) if is_again => second,
            resolved => resolved.instant(),
        }
    }

    /// True when clocks have shown the time of this instant before, and show it again.
    #[must_use]
    pub fn is_again(self, at: DateTime<Utc>) -> bool {
        matches!(self.resolve(self.local(at)), Resolved::Twice(_, second) if second == at)
    }

    /// How often clocks go through an hour of a day.
    ///
    /// ```
    /// use scheduler_core::timing::{Passes, Zone};
    ///
    /// let stockholm: Zone = "Europe/Stockholm".parse()?;
    /// assert_eq!(stockholm.passes("2026-10-25".parse()?, 2), Passes::Twice);
    /// assert_eq!(stockholm.passes("2026-03-29".parse()?, 2), Passes::Never);
    /// assert_eq!(stockholm.passes("2026-03-29".parse()?, 3), Passes::Once);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn passes(self, date: NaiveDate, hour: u32) -> Passes {
        let minutes = QUARTERS.into_iter().filter_map(|minute| date.and_hms_opt(hour, minute, 0));
        let resolved: Vec<Resolved> = minutes.map(|local| self.resolve(local)).collect();
        if resolved.iter().any(|one| matches!(one, Resolved::Twice(..))) {
            Passes::Twice
        } else if resolved.iter().all(|one| matches!(one, Resolved::Skipped(_))) {
            Passes::Never
        } else {
            Passes::Once
        }
    }

    /// The wall-clock time at an instant.
    #[must_use]
    pub fn local(self, at: DateTime<Utc>) -> NaiveDateTime {
        at.with_timezone(&self.0).naive_local()
    }

    /// Reading the skipped time with the offset that held before the gap moves it later by
    /// exactly the gap's length.
    fn after_gap(self, local: NaiveDateTime) -> DateTime<Utc> {
        // Zones have skipped at most one whole day (Samoa, 2011-12-30).
        let before = self.0.offset_from_utc_datetime(&(local - TimeDelta::hours(36))).fix();
        let read = local - TimeDelta::seconds(i64::from(before.local_minus_utc()));
        read.and_utc()
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Zone {
    type Err = UnknownZone;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| UnknownZone(text.to_owned()))
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|unknown: UnknownZone| {
            serde::de::Error::invalid_value(Unexpected::Str(&text), &unknown)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_and_overlaps() {
        // Source: IANA time zone database, 2026 rules of each zone.
        for (name, zone, local, want) in [
            ("plain", "Europe/Berlin", "2026-07-01T09:00", "2026-07-01T07:00:00Z"),
            ("gap, one hour", "Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00Z"),
            (
                "last minute before the gap",
                "Europe/Berlin",
                "2026-03-29T01:59",
                "2026-03-29T00:59:00Z",
            ),
            (
                "first minute after the gap",
                "Europe/Berlin",
                "2026-03-29T03:00",
                "2026-03-29T01:00:00Z",
            ),
            ("overlap, the earlier", "Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00Z"),
            ("gap, New York", "America/New_York", "2026-03-08T02:15", "2026-03-08T07:15:00Z"),
            ("overlap, New York", "America/New_York", "2026-11-01T01:15", "2026-11-01T05:15:00Z"),
            (
                "gap of half an hour",
                "Australia/Lord_Howe",
                "2026-10-04T02:15",
                "2026-10-03T15:45:00Z",
            ),
            ("a whole day skipped", "Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00Z"),
            ("quarter-hour offset", "Asia/Kathmandu", "2026-01-01T00:00", "2025-12-31T18:15:00Z"),
            ("UTC", "UTC", "2026-01-01T00:00", "2026-01-01T00:00:00Z"),
        ] {
            let zone: Zone = zone.parse().unwrap();
            let local = NaiveDateTime::parse_from_str(local, "%Y-%m-%dT%H:%M").unwrap();
            assert_eq!(zone.instant(local), want.parse::<DateTime<Utc>>().unwrap(), "{name}");
        }
    }

    #[test]
    fn hours_that_come_twice_or_never() {
        for (zone, date, hour, want) in [
            ("Europe/Stockholm", "2026-10-25", 2, Passes::Twice),
            ("Europe/Stockholm", "2026-10-25", 3, Passes::Once),
            ("Europe/Stockholm", "2026-03-29", 2, Passes::Never),
            ("Asia/Tokyo", "2026-03-29", 2, Passes::Once),
            ("Australia/Lord_Howe", "2026-04-05", 1, Passes::Twice),
            ("Australia/Lord_Howe", "2026-10-04", 2, Passes::Once),
        ] {
            let named: Zone = zone.parse().unwrap();
            assert_eq!(named.passes(date.parse().unwrap(), hour), want, "{zone} {date} {hour}");
        }
        let stockholm: Zone = "Europe/Stockholm".parse().unwrap();
        let local = "2026-10-25T02:30:00".parse().unwrap();
        for is_again in [false, true] {
            assert_eq!(stockholm.is_again(stockholm.instant_of(local, is_again)), is_again);
        }
    }

    #[test]
    fn names_are_checked() {
        for (text, ok) in [
            ("Europe/Berlin", true),
            ("UTC", true),
            ("Berlin", false),
            ("+01:00", false),
            ("", false),
        ] {
            assert_eq!(text.parse::<Zone>().is_ok(), ok, "{text:?}");
        }
    }

    #[test]
    fn the_zone_that_may_be_meant() {
        let long = "Europe/Berlin".repeat(10);
        for (text, want) in [
            ("Berlin", Some("Europe/Berlin")),
            ("Europe/Berln", Some("Europe/Berlin")),
            ("europe/berlin", Some("Europe/Berlin")),
            ("New York", Some("America/New_York")),
            ("Asia/Tokio", Some("Asia/Tokyo")),
            ("+01:00", None),
            ("", None),
            (long.as_str(), None),
        ] {
            assert_eq!(UnknownZone(text.to_owned()).nearest(), want, "{text:?}");
        }
        let longest = chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name().len()).max();
        assert!(longest.is_some_and(|longest| longest < COMPARED_MAX));
    }

    proptest! {
        /// The instant shows the asked time again, or, in a gap, a later one by the gap's length.
        #[test]
        fn a_local_time_comes_back(seconds in 1_500_000_000_i64..2_000_000_000, index in 0_usize..chrono_tz::TZ_VARIANTS.len()) {
            let zone = Zone(chrono_tz::TZ_VARIANTS[index]);
            let local = DateTime::from_timestamp(seconds, 0).unwrap().naive_utc();
            let shown = zone.local(zone.instant(local));
            prop_assert!(shown == local || (shown > local && shown - local <= TimeDelta::hours(26)), "{zone} {local} {shown}");
            match zone.resolve(local) {
                Resolved::Once(at) => prop_assert_eq!(zone.local(at), local),
                Resolved::Skipped(at) => prop_assert!(zone.local(at) > local),
                Resolved::Twice(first, second) => {
                    prop_assert!(first < second);
                    prop_assert_eq!((zone.local(first), zone.local(second)), (local, local));
                }
            }
        }

        /// Later wall-clock times never come earlier, except inside an overlap.
        #[test]
        fn every_instant_reads_back_to_itself_or_its_twin(seconds in 1_500_000_000_i64..2_000_000_000, index in 0_usize..chrono_tz::TZ_VARIANTS.len()) {
            let zone = Zone(chrono_tz::TZ_VARIANTS[index]);
            let at = DateTime::from_timestamp(seconds, 0).unwrap();
            let back = zone.instant(zone.local(at));
            prop_assert!(back <= at && zone.local(back) == zone.local(at));
        }
    }
}
