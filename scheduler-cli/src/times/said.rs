//! What people mean by the times that they say.

use std::fmt;

use chrono::{
    DateTime, Datelike as _, Days, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta,
    TimeZone as _, Utc, Weekday,
};
use chrono_tz::Tz;

use super::Reader;
use super::written::{clock, readings};

/// Days that somebody may look ahead or back at most, when they say how far.
const FARTHEST_DAYS: i64 = 3_650;

/// Why a text is no time that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoTime {
    /// It means nothing.
    Unknown,
    /// A day alone, where a time of day is needed.
    DayAlone(NaiveDate),
    /// It can be read in two ways.
    Ambiguous(String, String),
    /// Clocks skip it there.
    Skipped(NaiveDateTime, Tz),
}

impl fmt::Display for NoTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str(
                "write a time such as \"tomorrow 9:00\", \"fri 18:30\", \"2026-12-01 09:00\", \"in 2h\", or an instant such as 2026-12-01T09:00:00Z",
            ),
            Self::DayAlone(day) => write!(f, "say at what time of day, such as \"{day} 09:00\""),
            Self::Ambiguous(one, other) => {
                write!(f, "it can be read in two ways; write \"{one}\" or \"{other}\"")
            }
            Self::Skipped(local, zone) => write!(
                f,
                "clocks skip {} in {zone}; write another time",
                local.format("%Y-%m-%d %H:%M")
            ),
        }
    }
}

impl Reader {
    /// The instant that a person means.
    ///
    /// # Errors
    /// [`NoTime`] for a text that means nothing, or more than one thing.
    pub(crate) fn instant(self, text: &str) -> Result<DateTime<Utc>, NoTime> {
        self.read(text, None)
    }

    /// The same, where a day alone means its begin.
    ///
    /// # Errors
    /// As [`Reader::instant`].
    pub(crate) fn bound(self, text: &str) -> Result<DateTime<Utc>, NoTime> {
        self.read(text, Some(NaiveTime::MIN))
    }

    /// The instant so far from now as a text says, such as `2h`.
    ///
    /// # Errors
    /// [`NoTime::Unknown`]
    pub(crate) fn after(self, text: &str) -> Result<DateTime<Utc>, NoTime> {
        length(text).map(|length| self.now + length).ok_or(NoTime::Unknown)
    }

    fn read(self, text: &str, of_day: Option<NaiveTime>) -> Result<DateTime<Utc>, NoTime> {
        let text = text.trim();
        if let Ok(at) = DateTime::parse_from_rfc3339(text) {
            return Ok(at.to_utc());
        }
        if let Some(length) = text.strip_prefix("in ").or_else(|| text.strip_prefix('+')) {
            return self.after(length);
        }
        if let Some(time) = clock(text) {
            return self.next(time);
        }
        let (day, time) = text.split_once([' ', ',']).unwrap_or((text, ""));
        let time = time.trim_start_matches([' ', ',']);
        let time = time.strip_prefix("at ").unwrap_or(time);
        if let Some(days) = self.days_called(day) {
            let time = if time.is_empty() { of_day } else { clock(time) };
            return self.of_days(&days, time, text);
        }
        let has_time = text.contains(':') || text.to_ascii_lowercase().ends_with('m');
        match (readings(text)[..].to_vec(), has_time) {
            (readings, _) if readings.is_empty() => Err(NoTime::Unknown),
            (readings, _) if readings.len() > 1 => {
                let form = if has_time { "%Y-%m-%d %H:%M" } else { "%Y-%m-%d" };
                let [one, other] = [0, 1].map(|index| readings[index].format(form).to_string());
                Err(NoTime::Ambiguous(one, other))
            }
            (readings, false) if of_day.is_none() => Err(NoTime::DayAlone(readings[0].date())),
            (readings, _) => self.of_wall_clock(readings[0]),
        }
    }

    /// The days that a word may mean, the next ones first.
    fn days_called(self, word: &str) -> Option<Vec<NaiveDate>> {
        let today = self.now().date_naive();
        let after = |days| today.checked_add_days(Days::new(days));
        match word.to_lowercase().as_str() {
            "today" => Some(vec![today]),
            "tomorrow" => Some(vec![after(1)?]),
            "yesterday" => Some(vec![today.pred_opt()?]),
            word if word.len() >= 3 => {
                let weekday: Weekday = word.parse().ok()?;
                let ahead = (7 + weekday.num_days_from_monday()
                    - today.weekday().num_days_from_monday())
                    % 7;
                let first = after(ahead.into())?;
                Some(if ahead == 0 { vec![first, after(7)?] } else { vec![first] })
            }
            _ => None,
        }
    }

    /// A time on one of these days: on the first that is still to come, where a day is named by its
    /// weekday.
    fn of_days(
        self,
        days: &[NaiveDate],
        time: Option<NaiveTime>,
        text: &str,
    ) -> Result<DateTime<Utc>, NoTime> {
        let Some(time) = time else {
            let is_bare = !text.contains([' ', ',']);
            return Err(if is_bare { NoTime::DayAlone(days[0]) } else { NoTime::Unknown });
        };
        match days {
            [today, next] => {
                // On a Friday, "fri 18:30" is today to some and next week to others.
                let [first, second] = [*today, *next].map(|day| day.and_time(time));
                if self.now().naive_local() < first {
                    let [one, other] =
                        [first, second].map(|at| at.format("%Y-%m-%d %H:%M").to_string());
                    return Err(NoTime::Ambiguous(one, other));
                }
                self.of_wall_clock(second)
            }
            [day, ..] => self.of_wall_clock(day.and_time(time)),
            [] => Err(NoTime::Unknown),
        }
    }

    /// The next time that the reader's clock shows this.
    fn next(self, time: NaiveTime) -> Result<DateTime<Utc>, NoTime> {
        let now = self.now().naive_local();
        let today = now.date().and_time(time);
        let next = if today > now { Some(today) } else { today.checked_add_days(Days::new(1)) };
        next.map_or(Err(NoTime::Unknown), |next| self.of_wall_clock(next))
    }

    fn of_wall_clock(self, local: NaiveDateTime) -> Result<DateTime<Utc>, NoTime> {
        match self.zone.from_local_datetime(&local) {
            MappedLocalTime::Single(at) => Ok(at.to_utc()),
            MappedLocalTime::None => Err(NoTime::Skipped(local, self.zone)),
            MappedLocalTime::Ambiguous(first, second) => {
                Err(NoTime::Ambiguous(first.to_rfc3339(), second.to_rfc3339()))
            }
        }
    }
}

/// A length of time such as `2h`, `30 min`, `1h 30m` or `3 days`.
pub(crate) fn length(text: &str) -> Option<TimeDelta> {
    let mut rest = text.trim();
    let mut sum = TimeDelta::zero();
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        let number: i64 = rest[..digits].parse().ok()?;
        let unit_and_rest = rest[digits..].trim_start();
        let end = unit_and_rest.find(|character: char| !character.is_ascii_alphabetic());
        let (unit, after) = unit_and_rest.split_at(end.unwrap_or(unit_and_rest.len()));
        sum += match unit {
            "m" | "min" | "mins" | "minute" | "minutes" => TimeDelta::try_minutes(number)?,
            "h" | "hour" | "hours" => TimeDelta::try_hours(number)?,
            "d" | "day" | "days" => TimeDelta::try_days(number)?,
            "w" | "week" | "weeks" => TimeDelta::try_weeks(number)?,
            _ => return None,
        };
        rest = after.trim_start();
        if sum > TimeDelta::days(FARTHEST_DAYS) {
            return None;
        }
    }
    (sum > TimeDelta::zero()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Saturday in Berlin, shortly after one.
    fn reader() -> Reader {
        Reader::at(Tz::Europe__Berlin, "2026-11-28T12:10:00Z")
    }

    #[test]
    fn times_as_people_say_them() {
        for (text, want) in [
            ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
            ("2026-12-01T09:00:00+05:00", "2026-12-01T04:00:00Z"),
            ("2026-12-01 09:00", "2026-12-01T08:00:00Z"),
            ("2026-12-01T09:00", "2026-12-01T08:00:00Z"),
            ("2027-06-01 09:00", "2027-06-01T07:00:00Z"),
            ("1.12.2026 9:00", "2026-12-01T08:00:00Z"),
            ("13/12/2026 9:00 pm", "2026-12-13T20:00:00Z"),
            ("tomorrow 9:00", "2026-11-29T08:00:00Z"),
            ("Tomorrow at 9am", "2026-11-29T08:00:00Z"),
            ("today 18:30", "2026-11-28T17:30:00Z"),
            ("fri 18:30", "2026-12-04T17:30:00Z"),
            ("Friday, 18:30", "2026-12-04T17:30:00Z"),
            ("sat 9:00", "2026-12-05T08:00:00Z"),
            ("18:30", "2026-11-28T17:30:00Z"),
            ("9:00", "2026-11-29T08:00:00Z"),
            ("9 pm", "2026-11-28T20:00:00Z"),
            ("in 2h", "2026-11-28T14:10:00Z"),
            ("in 1 h 30 min", "2026-11-28T13:40:00Z"),
            ("in 3 days", "2026-12-01T12:10:00Z"),
            ("+1w", "2026-12-05T12:10:00Z"),
        ] {
            let want: DateTime<Utc> = want.parse().unwrap();
            assert_eq!(reader().instant(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_or_two() {
        let two = |one: &str, other: &str| NoTime::Ambiguous(one.to_owned(), other.to_owned());
        for (text, want) in [
            ("", NoTime::Unknown),
            ("soon", NoTime::Unknown),
            ("tomorrow noonish", NoTime::Unknown),
            ("in 2", NoTime::Unknown),
            ("in 0h", NoTime::Unknown),
            ("in 99999999999999999999h", NoTime::Unknown),
            ("in 9999999 days", NoTime::Unknown),
            ("2026-13-01 09:00", NoTime::Unknown),
            ("tomorrow", NoTime::DayAlone("2026-11-29".parse().unwrap())),
            ("2026-12-01", NoTime::DayAlone("2026-12-01".parse().unwrap())),
            ("12/1/2026 9:00", two("2026-01-12 09:00", "2026-12-01 09:00")),
            ("sat 18:30", two("2026-11-28 18:30", "2026-12-05 18:30")),
            (
                "2027-03-28 02:30",
                NoTime::Skipped("2027-03-28T02:30:00".parse().unwrap(), Tz::Europe__Berlin),
            ),
            ("2027-10-31 02:30", two("2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00")),
        ] {
            assert_eq!(reader().instant(text), Err(want), "{text}");
        }
    }

    #[test]
    fn a_day_alone_bounds_a_range() {
        for (text, want) in [
            ("2026-12-01", "2026-11-30T23:00:00Z"),
            ("tomorrow", "2026-11-28T23:00:00Z"),
            ("yesterday", "2026-11-26T23:00:00Z"),
            ("2026-12-01 12:00", "2026-12-01T11:00:00Z"),
        ] {
            let want: DateTime<Utc> = want.parse().unwrap();
            assert_eq!(reader().bound(text), Ok(want), "{text}");
        }
    }
}
