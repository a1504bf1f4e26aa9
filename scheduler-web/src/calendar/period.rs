//! What part of the calendar a page shows.

use std::ops::RangeInclusive;

use chrono::{Datelike as _, Days, Months, NaiveDate, Weekday};

use crate::when;

/// The years that a calendar can step back and forth in without an end.
const YEARS: RangeInclusive<i32> = 1970..=9990;

/// A month, a week from Monday on, or a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Period {
    /// By its first day.
    Month(NaiveDate),
    /// By its Monday.
    Week(NaiveDate),
    Day(NaiveDate),
}

impl Period {
    /// Reads a period as addresses name it: `2026-10`, `2026-W42`, `2026-10-15`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (year, rest) = text.split_once('-')?;
        let year: i32 = year.parse().ok()?;
        if !YEARS.contains(&year) {
            return None;
        }
        if let Some(week) = rest.strip_prefix('W') {
            let week = week.parse().ok()?;
            return NaiveDate::from_isoywd_opt(year, week, Weekday::Mon).map(Self::Week);
        }
        match rest.split_once('-') {
            Some(_) => text.parse().ok().map(Self::Day),
            None => NaiveDate::from_ymd_opt(year, rest.parse().ok()?, 1).map(Self::Month),
        }
    }

    /// True when periods can have this day.
    pub(super) fn has(date: &NaiveDate) -> bool {
        YEARS.contains(&date.year())
    }

    /// As addresses name it.
    pub(super) fn name(self) -> String {
        match self {
            Self::Month(first) => first.format("%Y-%m").to_string(),
            Self::Week(monday) => monday.format("%G-W%V").to_string(),
            Self::Day(date) => date.to_string(),
        }
    }

    /// As people name it.
    pub(super) fn title(self) -> String {
        match self {
            Self::Month(first) => first.format("%B %Y").to_string(),
            Self::Week(monday) => {
                let sunday = monday + Days::new(6);
                let from = if monday.month() == sunday.month() { "%-d" } else { "%-d %B" };
                format!("{} – {}", monday.format(from), sunday.format("%-d %B %Y"))
            }
            Self::Day(date) => when::day(date),
        }
    }

    /// The days that the page shows, from the first to the one after the last.
    pub(super) fn days(self) -> (NaiveDate, NaiveDate) {
        match self {
            Self::Month(first) => {
                let next = first + Months::new(1);
                let last_week = when::monday(next - Days::new(1));
                (when::monday(first), last_week + Days::new(7))
            }
            Self::Week(monday) => (monday, monday + Days::new(7)),
            Self::Day(date) => (date, date + Days::new(1)),
        }
    }

    pub(super) fn earlier(self) -> Self {
        match self {
            Self::Month(first) => Self::Month(first - Months::new(1)),
            Self::Week(monday) => Self::Week(monday - Days::new(7)),
            Self::Day(date) => Self::Day(date - Days::new(1)),
        }
    }

    pub(super) fn later(self) -> Self {
        match self {
            Self::Month(first) => Self::Month(first + Months::new(1)),
            Self::Week(monday) => Self::Week(monday + Days::new(7)),
            Self::Day(date) => Self::Day(date + Days::new(1)),
        }
    }

    /// A period of the same kind with this day in it.
    pub(super) fn with(self, date: NaiveDate) -> Self {
        match self {
            Self::Month(_) => Self::month_of(date),
            Self::Week(_) => Self::Week(when::monday(date)),
            Self::Day(_) => Self::Day(date),
        }
    }

    pub(super) fn month_of(date: NaiveDate) -> Self {
        Self::Month(date.with_day(1).unwrap_or(date))
    }

    /// A day to change the kind of period by: today where the period has it, else its first.
    pub(super) fn anchor(self, today: NaiveDate) -> NaiveDate {
        let (from, to) = self.days();
        let first = match self {
            Self::Month(first) => first,
            Self::Week(_) | Self::Day(_) => from,
        };
        if from <= today && today < to { today } else { first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_and_named() {
        for (text, title, from, to) in [
            ("2026-10", "October 2026", "2026-09-28", "2026-11-02"),
            ("2026-02", "February 2026", "2026-01-26", "2026-03-02"),
            ("2026-W42", "12 – 18 October 2026", "2026-10-12", "2026-10-19"),
            ("2026-W53", "28 December – 3 January 2027", "2026-12-28", "2027-01-04"),
            ("2026-10-15", "Thursday 15 October 2026", "2026-10-15", "2026-10-16"),
        ] {
            let period = Period::parse(text).unwrap();
            assert_eq!(period.name(), text);
            assert_eq!(period.title(), title);
            let (first, end) = period.days();
            assert_eq!((first.to_string(), end.to_string()), (from.to_owned(), to.to_owned()));
            assert_eq!(period.earlier().later(), period, "{text}");
        }
        for text in ["", "list", "2026", "2026-13", "2026-W54", "2026-02-30", "0001-01", "99999-01"]
        {
            assert_eq!(Period::parse(text), None, "{text}");
        }
    }
}
