//! Days and times in words.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use scheduler_core::timing::{Passes, Zone};

/// A day, such as `Friday 16 October 2026`.
pub(crate) fn day(date: NaiveDate) -> String {
    date.format("%A %-d %B %Y").to_string()
}

/// A day without its year, such as `Friday 16 October`.
pub(crate) fn day_of_year(date: NaiveDate) -> String {
    date.format("%A %-d %B").to_string()
}

/// A clock, such as `09:00`.
pub(crate) fn clock(local: NaiveDateTime) -> String {
    local.format("%H:%M").to_string()
}

/// A day and a time, such as `Friday 16 October, 09:00`.
pub(crate) fn moment(local: NaiveDateTime) -> String {
    format!("{}, {}", day_of_year(local.date()), clock(local))
}

/// An instant by the clock of a zone, such as `Fri 16 Oct 2026, 09:00`.
pub(crate) fn instant(at: DateTime<Utc>, zone: Zone) -> String {
    zone.local(at).format("%a %-d %b %Y, %H:%M").to_string()
}

/// A zone at an instant, such as `Stockholm (UTC+2)`.
pub(crate) fn zone(zone: Zone, at: DateTime<Utc>) -> String {
    let name = place(zone);
    let offset = offset(zone, at);
    if name == offset { name } else { format!("{name} ({offset})") }
}

/// A zone now, with its offset in a range where that is another, such as
/// `Stockholm (UTC+2), here UTC+1`.
pub(crate) fn zone_in(
    zone: Zone,
    now: DateTime<Utc>,
    (from, to): (DateTime<Utc>, DateTime<Utc>),
) -> String {
    let name = self::zone(zone, now);
    let today = offset(zone, now);
    let (first, last) = (offset(zone, from), offset(zone, to - TimeDelta::minutes(1)));
    if first != last {
        format!("{name}, here first {first}, then {last}")
    } else if first != today {
        format!("{name}, here {first}")
    } else {
        name
    }
}

/// What people call a zone, such as `Stockholm`.
pub(crate) fn place(zone: Zone) -> String {
    zone.name().rsplit('/').next().unwrap_or_default().replace('_', " ")
}

fn offset(zone: Zone, at: DateTime<Utc>) -> String {
    let minutes = (zone.local(at) - at.naive_utc()).num_minutes();
    let sign = if minutes < 0 { '−' } else { '+' };
    match (minutes.abs() / 60, minutes.abs() % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}

/// How long ago or ahead an instant is, such as `in 3 h` or `20 min ago`.
pub(crate) fn distance(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let apart = (at - now).abs();
    if apart < TimeDelta::minutes(1) {
        return "now".to_owned();
    }
    let amount = length(apart);
    if at > now { format!("in {amount}") } else { format!("{amount} ago") }
}

/// A span of time, such as `20 min` or `3 h`.
pub(crate) fn length(span: TimeDelta) -> String {
    if span < TimeDelta::hours(1) {
        format!("{} min", span.num_minutes())
    } else if span < TimeDelta::days(2) {
        format!("{} h", span.num_hours())
    } else {
        format!("{} days", span.num_days())
    }
}

/// The first instant of a day in a zone.
pub(crate) fn begin(date: NaiveDate, zone: Zone) -> DateTime<Utc> {
    zone.instant(date.and_time(NaiveTime::MIN))
}

/// What is special about the clocks of a day, such as `25 hours: 02:00 comes twice`.
pub(crate) fn clock_change(date: NaiveDate, zone: Zone) -> Option<String> {
    let (first, next) = (begin(date, zone), begin(date.succ_opt()?, zone));
    let minutes = (next - first).num_minutes();
    if minutes == 24 * 60 {
        return None;
    }
    let length = match (minutes / 60, minutes % 60) {
        (hours, 0) => format!("{hours} hours"),
        (hours, minutes) => format!("{hours} hours {minutes} minutes"),
    };
    let special = (0..24).find_map(|hour| match zone.passes(date, hour) {
        Passes::Once => None,
        Passes::Twice => Some(format!("{length}: {hour:02}:00 comes twice")),
        Passes::Never => Some(format!("{length}: {} does not exist", hours(hour))),
    });
    special.or(Some(length))
}

/// An hour from its beginning to its end, such as `02:00–03:00`.
pub(crate) fn hours(hour: u32) -> String {
    format!("{hour:02}:00–{:02}:00", hour + 1)
}

/// The Monday of the week of a day.
pub(crate) fn monday(date: NaiveDate) -> NaiveDate {
    date - TimeDelta::days(i64::from(date.weekday().num_days_from_monday()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_changes() {
        for (zone, date, want) in [
            ("Europe/Stockholm", "2026-10-25", Some("25 hours: 02:00 comes twice")),
            ("Europe/Stockholm", "2026-03-29", Some("23 hours: 02:00–03:00 does not exist")),
            ("Europe/Stockholm", "2026-03-28", None),
            ("Asia/Tokyo", "2026-03-29", None),
            ("Australia/Lord_Howe", "2026-04-05", Some("24 hours 30 minutes: 01:00 comes twice")),
        ] {
            let found = clock_change(date.parse().unwrap(), zone.parse().unwrap());
            assert_eq!(found.as_deref(), want, "{zone} {date}");
        }
    }

    #[test]
    fn zones_and_distances() {
        let at: DateTime<Utc> = "2026-10-16T07:00:00Z".parse().unwrap();
        for (name, want) in [
            ("Europe/Stockholm", "Stockholm (UTC+2)"),
            ("America/New_York", "New York (UTC−4)"),
            ("Asia/Kolkata", "Kolkata (UTC+5:30)"),
            ("UTC", "UTC"),
            ("Etc/UTC", "UTC"),
        ] {
            assert_eq!(zone(name.parse().unwrap(), at), want);
        }
        let stockholm = "Europe/Stockholm".parse().unwrap();
        for (from, to, want) in [
            ("2026-10-01", "2026-10-08", "Stockholm (UTC+2)"),
            ("2026-11-02", "2026-11-09", "Stockholm (UTC+2), here UTC+1"),
            ("2026-09-28", "2026-11-02", "Stockholm (UTC+2), here first UTC+2, then UTC+1"),
        ] {
            let begins = |date: &str| begin(date.parse().unwrap(), stockholm);
            assert_eq!(zone_in(stockholm, at, (begins(from), begins(to))), want);
        }
        for (seconds, want) in
            [(0, "now"), (90, "in 1 min"), (-3_600, "1 h ago"), (86_400 * 3, "in 3 days")]
        {
            assert_eq!(distance(at + TimeDelta::seconds(seconds), at), want);
        }
    }
}
