//! A period up to now, the one that it is compared with, and the spans that it is drawn by.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};

use crate::error::Refusal;
use crate::timing::Zone;

/// How many days a period may have.
///
/// Source: our decision.
pub const PERIOD_DAYS: [u32; 4] = [7, 28, 90, 365];

/// The days of a period when a caller names no number.
const DEFAULT_DAYS: u32 = 28;

/// A period of more days is drawn by weeks.
const BY_DAY_MAX: u32 = 90;

const WEEK: u32 = 7;

/// The last days up to now, today included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many days, one of [`PERIOD_DAYS`].
    pub days: u32,
    /// The zone whose days they are.
    pub zone: Zone,
    /// The present instant.
    pub now: DateTime<Utc>,
}

/// A day of a period, or a week of one that is long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its first day.
    pub first: NaiveDate,
    /// Its last day.
    pub last: NaiveDate,
    /// Its first instant.
    pub from: DateTime<Utc>,
    /// The instant after its last.
    pub to: DateTime<Utc>,
}

impl Period {
    /// Reads how many days a caller asks for.
    ///
    /// ```
    /// use scheduler_core::analytics::Period;
    /// use scheduler_core::timing::Zone;
    ///
    /// let now = "2026-11-28T15:00:00Z".parse()?;
    /// let period = Period::parse(Some("7"), Zone::UTC, now).unwrap();
    /// assert_eq!(period.first().to_string(), "2026-11-22");
    /// assert_eq!(period.before().0.to_rfc3339(), "2026-11-15T00:00:00+00:00");
    /// assert_eq!(period.before().1.to_rfc3339(), "2026-11-21T15:00:00+00:00");
    /// # Ok::<(), chrono::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// `invalid_request` naming `days`.
    pub fn parse(days: Option<&str>, zone: Zone, now: DateTime<Utc>) -> Result<Self, Refusal> {
        let days = days.map_or(Some(DEFAULT_DAYS), |text| {
            PERIOD_DAYS.into_iter().find(|days| days.to_string() == text)
        });
        let message = "days must be 7, 28, 90 or 365.";
        let days = days.ok_or_else(|| Refusal::invalid("days", message))?;
        Ok(Self { days, zone, now })
    }

    /// The first day.
    #[must_use]
    pub fn first(&self) -> NaiveDate {
        earlier(self.last(), self.days - 1)
    }

    /// The last day, which is today.
    #[must_use]
    pub fn last(&self) -> NaiveDate {
        self.zone.local(self.now).date()
    }

    /// The first instant.
    #[must_use]
    pub fn from(&self) -> DateTime<Utc> {
        begin(self.first(), self.zone)
    }

    /// The instant after the last, which is the end of today.
    #[must_use]
    pub fn to(&self) -> DateTime<Utc> {
        begin(later(self.last(), 1), self.zone)
    }

    /// The first day of as many days before.
    #[must_use]
    pub fn first_before(&self) -> NaiveDate {
        earlier(self.first(), self.days)
    }

    /// The first instant of as many days before, and that at which they were as far as this period
    /// is now, so that the two are equally long.
    #[must_use]
    pub fn before(&self) -> (DateTime<Utc>, DateTime<Utc>) {
        let local = self.zone.local(self.now);
        let end = earlier(local.date(), self.days).and_time(local.time());
        (begin(self.first_before(), self.zone), self.zone.instant(end))
    }

    /// The spans of the period, the earliest first: days, or of a long period weeks, of which the
    /// first takes the days that are left over.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let step = if self.days > BY_DAY_MAX { WEEK } else { 1 };
        let mut spans = Vec::new();
        let (mut first, mut length) = (self.first(), step + self.days % step);
        while first <= self.last() {
            let next = later(first, length);
            let (from, to) = (begin(first, self.zone), begin(next, self.zone));
            spans.push(Span { first, last: earlier(next, 1), from, to });
            (first, length) = (next, step);
        }
        spans
    }
}

impl Span {
    /// How many days it has.
    #[must_use]
    pub fn days(&self) -> i64 {
        self.last.signed_duration_since(self.first).num_days() + 1
    }
}

/// The first instant of a day.
fn begin(day: NaiveDate, zone: Zone) -> DateTime<Utc> {
    zone.instant(day.and_time(NaiveTime::MIN))
}

fn earlier(day: NaiveDate, days: u32) -> NaiveDate {
    day.checked_sub_days(Days::new(days.into())).unwrap_or(NaiveDate::MIN)
}

fn later(day: NaiveDate, days: u32) -> NaiveDate {
    day.checked_add_days(Days::new(days.into())).unwrap_or(NaiveDate::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn period(days: u32, zone: &str, now: &str) -> Period {
        Period { days, zone: zone.parse().unwrap(), now: now.parse().unwrap() }
    }

    #[test]
    fn only_some_numbers_of_days_are_taken() {
        let now = DateTime::UNIX_EPOCH;
        for (text, want) in [
            (None, Some(28)),
            (Some("7"), Some(7)),
            (Some("365"), Some(365)),
            (Some("30"), None),
            (Some("07"), None),
            (Some(""), None),
            (Some("x"), None),
        ] {
            let found = Period::parse(text, Zone::UTC, now);
            assert_eq!(found.as_ref().ok().map(|period| period.days), want, "{text:?}");
            if let Err(refusal) = found {
                assert_eq!(refusal.field.as_deref(), Some("days"));
            }
        }
    }

    #[test]
    fn days_are_those_of_the_zone() {
        for (zone, first, last, from) in [
            ("UTC", "2026-11-02", "2026-11-29", "2026-11-02T00:00:00Z"),
            ("Pacific/Auckland", "2026-11-03", "2026-11-30", "2026-11-02T11:00:00Z"),
            ("America/New_York", "2026-11-02", "2026-11-29", "2026-11-02T05:00:00Z"),
            ("Asia/Kolkata", "2026-11-03", "2026-11-30", "2026-11-02T18:30:00Z"),
        ] {
            let period = period(28, zone, "2026-11-29T20:00:00Z");
            assert_eq!(
                (period.first().to_string(), period.last().to_string()),
                (first.into(), last.into()),
                "{zone}"
            );
            assert_eq!(period.from(), from.parse::<DateTime<Utc>>().unwrap(), "{zone}");
        }
    }

    #[test]
    fn a_long_period_is_drawn_by_weeks() {
        for (days, count, first) in [(7, 7, 1), (28, 28, 1), (90, 90, 1), (365, 52, 8)] {
            let spans = period(days, "Europe/Stockholm", "2026-11-29T12:00:00Z").spans();
            assert_eq!((spans.len(), spans[0].days()), (count, first), "{days}");
        }
    }

    #[test]
    fn the_days_before_end_at_the_same_time_of_the_day() {
        // Clocks went back on 25 October.
        let period = period(28, "Europe/Stockholm", "2026-11-10T09:00:00Z");
        let (from, to) = period.before();
        assert_eq!(from.to_rfc3339(), "2026-09-15T22:00:00+00:00");
        assert_eq!(to.to_rfc3339(), "2026-10-13T08:00:00+00:00");
    }

    proptest! {
        #[test]
        fn spans_make_up_the_period(
            days in prop::sample::select(PERIOD_DAYS.to_vec()),
            zone in prop::sample::select(vec!["UTC", "Europe/Stockholm", "America/New_York", "Asia/Kolkata", "Pacific/Apia"]),
            seconds in 0_i64..4_000_000_000,
        ) {
            let now = DateTime::from_timestamp(seconds, 0).unwrap();
            let period = Period { days, zone: zone.parse().unwrap(), now };
            let spans = period.spans();
            prop_assert_eq!(spans[0].from, period.from());
            prop_assert_eq!(spans[spans.len() - 1].to, period.to());
            prop_assert!(spans.windows(2).all(|pair| pair[0].to == pair[1].from));
            prop_assert_eq!(spans.iter().map(Span::days).sum::<i64>(), i64::from(days));
            prop_assert!(period.from() <= now && now < period.to());
            let (from, to) = period.before();
            prop_assert!(from <= to && to < now);
        }
    }
}
