//! Times as people say them and read them: in the zone of whoever sits at the terminal.

mod said;
mod written;

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use scheduler_core::ports::Clock as _;
use scheduler_worker::SystemClock;

pub(crate) use said::{NoTime, length};
pub(crate) use written::readings;

/// Whoever sits at the terminal: their zone, and what their clock says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    zone: Tz,
    now: DateTime<Utc>,
}

impl Reader {
    /// Whoever sits at this machine: the zone is that of `TZ`, else the machine's.
    pub(crate) fn here() -> Self {
        let named = std::env::var("TZ").ok();
        // A colon stands before a name in some systems: <https://www.gnu.org/software/libc/manual/html_node/TZ-Variable.html>
        let named = named.as_deref().map(|name| name.trim_start_matches(':'));
        let named = named.and_then(|name| name.parse().ok());
        let machine = || iana_time_zone::get_timezone().ok()?.parse().ok();
        Self { zone: named.or_else(machine).unwrap_or(Tz::UTC), now: SystemClock::new().now() }
    }

    /// The zone.
    pub(crate) const fn zone(self) -> Tz {
        self.zone
    }

    /// An instant on the clock of the reader.
    pub(crate) fn local(self, at: DateTime<Utc>) -> DateTime<Tz> {
        at.with_timezone(&self.zone)
    }

    /// What the clock of the reader says.
    pub(crate) fn now(self) -> DateTime<Tz> {
        self.local(self.now)
    }

    /// An instant for people: weekday, day, time and zone.
    pub(crate) fn show(self, at: DateTime<Utc>) -> String {
        self.local(at).format("%a %Y-%m-%d %H:%M %Z").to_string()
    }

    /// The same, and how far it is from now.
    pub(crate) fn show_from_now(self, at: DateTime<Utc>) -> String {
        format!("{}, {}", self.show(at), self.distance(at))
    }

    /// How far an instant is from now: `in 3 h`, `2 days ago`.
    pub(crate) fn distance(self, at: DateTime<Utc>) -> String {
        let distance = at - self.now;
        let (words, is_past) = (in_words(distance.abs()), distance < TimeDelta::zero());
        match (words, is_past) {
            (None, _) => "now".to_owned(),
            (Some(words), false) => format!("in {words}"),
            (Some(words), true) => format!("{words} ago"),
        }
    }
}

/// A length of time, to about a tenth of it; `None` for less than a minute.
fn in_words(length: TimeDelta) -> Option<String> {
    let (minutes, hours, days) = (length.num_minutes(), length.num_hours(), length.num_days());
    let rest = |number: i64, unit: &str| match number {
        0 => String::new(),
        number => format!(" {number} {unit}"),
    };
    Some(match (days, hours, minutes) {
        (0, 0, 0) => return None,
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours @ ..6, minutes) => format!("{hours} h{}", rest(minutes % 60, "min")),
        (0, hours, _) => format!("{hours} h"),
        (1, hours, _) => format!("1 day{}", rest(hours % 24, "h")),
        (days, ..) => format!("{days} days"),
    })
}

#[cfg(test)]
impl Reader {
    /// One in this zone at this instant.
    pub(crate) fn at(zone: Tz, now: &str) -> Self {
        Self { zone, now: now.parse().unwrap() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let reader = Reader::at(Tz::UTC, "2026-11-28T12:00:00Z");
        for (at, want) in [
            ("2026-11-28T12:00:20Z", "now"),
            ("2026-11-28T11:59:10Z", "now"),
            ("2026-11-28T12:05:00Z", "in 5 min"),
            ("2026-11-28T14:00:00Z", "in 2 h"),
            ("2026-11-28T14:30:00Z", "in 2 h 30 min"),
            ("2026-11-28T22:30:00Z", "in 10 h"),
            ("2026-11-29T15:00:00Z", "in 1 day 3 h"),
            ("2026-12-08T12:00:00Z", "in 10 days"),
            ("2026-11-28T09:00:00Z", "3 h ago"),
        ] {
            assert_eq!(reader.distance(at.parse().unwrap()), want, "{at}");
        }
    }

    #[test]
    fn instants_are_shown_in_the_zone_of_the_reader() {
        let reader = Reader::at(Tz::Europe__Berlin, "2026-11-28T12:00:00Z");
        let shown = reader.show_from_now("2026-12-01T08:00:00Z".parse().unwrap());
        assert_eq!(shown, "Tue 2026-12-01 09:00 CET, in 2 days");
    }
}
