//! Days and times in words.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use scheduler_core::timing::{Resolved, Zone};

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

/// An instant by the clock of a zone, such as `Fri 16 Oct 2026, 09:00`.
pub(crate) fn instant(at: DateTime<Utc>, zone: Zone) -> String {
    zone.local(at).format("%a %-d %b %Y, %H:%M").to_string()
}

/// A zone at an instant, such as `Stockholm (UTC+2)`.
pub(crate) fn zone(zone: Zone, at: DateTime<Utc>) -> String {
    let name = zone.name().rsplit('/').next().unwrap_or_default().replace('_', " ");
    let offset = offset(zone, at);
    if name == offset { name } else { format!("{name} ({offset})") }
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
    let hours = (begin(date.succ_opt()?, zone) - begin(date, zone)).num_hours();
    (0..24).find_map(|hour| {
        let at = date.and_hms_opt(hour, 0, 0)?;
        match zone.resolve(at) {
            Resolved::Once(_) => None,
            Resolved::Twice(..) => Some(format!("{hours} hours: {} comes twice", clock(at))),
            Resolved::Skipped(_) => Some(format!("{hours} hours: {} does not exist", clock(at))),
        }
    })
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
            ("Europe/Stockholm", "2026-03-29", Some("23 hours: 02:00 does not exist")),
            ("Europe/Stockholm", "2026-03-28", None),
            ("Asia/Tokyo", "2026-03-29", None),
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
        for (seconds, want) in
            [(0, "now"), (90, "in 1 min"), (-3_600, "1 h ago"), (86_400 * 3, "in 3 days")]
        {
            assert_eq!(distance(at + TimeDelta::seconds(seconds), at), want);
        }
    }
}
