//! Times as people and spreadsheets write them, and what to write instead.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::fault::Fault;

/// The day that spreadsheets call 0.
///
/// Source: ECMA-376 part 1, 18.17.4.1 (the 1900 date system, as it counts from 1900-03-01 on).
const SHEET_EPOCH: (i32, u32, u32) = (1899, 12, 30);

/// Numbers of days that are taken for the numbers of a spreadsheet: from 2009 to 2118.
const SHEET_DAYS: std::ops::Range<f64> = 40_000.0..80_000.0;

/// What is wrong with the text of an instant; `None` when it is one.
pub(super) fn instant_fault(line: u64, field: &str, text: &str) -> Option<Fault> {
    if DateTime::parse_from_rfc3339(text).is_ok() {
        return None;
    }
    let message = format!("\"{}\" is not an instant", shown(text));
    let fault = Fault::error(line, field, message);
    Some(fault.advised(match read(text) {
        Guess::Time(at) => {
            let at = at.format("%Y-%m-%dT%H:%M:%S");
            format!("write {at}Z if that is UTC, or {at}+01:00 with its offset; a time of each account's own zone goes into the column local")
        }
        Guess::Sheet(at) => {
            let at = at.format("%Y-%m-%dT%H:%M:%S");
            format!("a spreadsheet has made a number of the date; format the column as text and write {at}Z")
        }
        Guess::TwoWays(one, other) => {
            let (one, other) = (one.format("%Y-%m-%dT%H:%M:%SZ"), other.format("%Y-%m-%dT%H:%M:%SZ"));
            format!("it can be read in two ways; write {one} or {other}")
        }
        Guess::None => "write it with its offset or Z, such as 2026-12-01T09:00:00Z".to_owned(),
    }))
}

/// What is wrong with the text of a wall-clock time; `None` when it is one.
pub(super) fn local_fault(line: u64, field: &str, text: &str) -> Option<Fault> {
    if scheduler_core::timing::parse_local(text).is_ok() {
        return None;
    }
    let message = format!("\"{}\" is not a wall-clock time", shown(text));
    let fault = Fault::error(line, field, message);
    let form = "%Y-%m-%dT%H:%M";
    Some(fault.advised(match read(text) {
        Guess::Time(at) => format!("write {}", at.format(form)),
        Guess::Sheet(at) => format!(
            "a spreadsheet has made a number of the date; format the column as text and write {}",
            at.format(form)
        ),
        Guess::TwoWays(one, other) => format!(
            "it can be read in two ways; write {} or {}",
            one.format(form),
            other.format(form)
        ),
        Guess::None if DateTime::parse_from_rfc3339(text).is_ok() => {
            "a time with a zone goes into the column at; here it is without one, such as 2026-12-01T09:00".to_owned()
        }
        Guess::None => "write it without a zone, such as 2026-12-01T09:00".to_owned(),
    }))
}

/// What a text may mean.
#[derive(Debug, PartialEq)]
enum Guess {
    Time(NaiveDateTime),
    Sheet(NaiveDateTime),
    TwoWays(NaiveDateTime, NaiveDateTime),
    None,
}

fn read(text: &str) -> Guess {
    if let Some(at) = of_sheet(text) {
        return Guess::Sheet(at);
    }
    let (date, time) = match text.split_once(['T', ' ', ',']) {
        Some((date, rest)) => (date, rest.trim_start_matches([' ', ','])),
        None => (text, "00:00"),
    };
    let Some(time) = clock(time.trim()) else { return Guess::None };
    let parts: Vec<&str> = date.split(['-', '.', '/']).collect();
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let ([_, _, _], [first, second, third]) = (&parts[..], &numbers[..]) else {
        return Guess::None;
    };
    let day = |year: u32, month: u32, day: u32| {
        let year = i32::try_from(if year < 100 { 2000 + year } else { year }).ok()?;
        NaiveDate::from_ymd_opt(year, month, day).map(|date| date.and_time(time))
    };
    if parts[0].len() == 4 {
        return day(*first, *second, *third).map_or(Guess::None, Guess::Time);
    }
    let day_first = day(*third, *second, *first);
    // Dots are written where the day comes first.
    let month_first = if date.contains('.') { None } else { day(*third, *first, *second) };
    match (day_first, month_first) {
        (Some(one), Some(other)) if one != other => Guess::TwoWays(one, other),
        (Some(at), _) | (None, Some(at)) => Guess::Time(at),
        (None, None) => Guess::None,
    }
}

/// A time of day, of 24 hours or with AM and PM.
fn clock(text: &str) -> Option<NaiveTime> {
    let upper = text.to_ascii_uppercase();
    let forms = ["%H:%M:%S%.f", "%H:%M", "%I:%M:%S %p", "%I:%M %p", "%I:%M%p"];
    forms.iter().find_map(|form| NaiveTime::parse_from_str(&upper, form).ok())
}

/// The time that a spreadsheet means by a number.
fn of_sheet(text: &str) -> Option<NaiveDateTime> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let days: f64 = text.replace(',', ".").parse().ok().filter(|_| is_number)?;
    if !SHEET_DAYS.contains(&days) {
        return None;
    }
    let (year, month, day) = SHEET_EPOCH;
    let start = NaiveDate::from_ymd_opt(year, month, day)?.and_time(NaiveTime::MIN);
    // To the minute: a fraction of a day is not exact.
    #[expect(clippy::cast_possible_truncation, reason = "bounded by the range above")]
    let minutes = (days * 24.0 * 60.0).round() as i64;
    start.checked_add_signed(TimeDelta::minutes(minutes))
}

fn shown(text: &str) -> String {
    crate::printer::excerpt(text, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_and_what_to_write_instead() {
        for (text, want) in [
            ("2026-12-01T09:00:00Z", None),
            ("2026-12-01T09:00:00+01:00", None),
            ("2026-12-01 09:00", Some("write 2026-12-01T09:00:00Z if that is UTC")),
            ("2026-12-01", Some("write 2026-12-01T00:00:00Z if that is UTC")),
            ("01.12.2026 09:00", Some("write 2026-12-01T09:00:00Z if that is UTC")),
            ("13/12/2026 9:30", Some("write 2026-12-13T09:30:00Z if that is UTC")),
            ("12/13/26 9:30 PM", Some("write 2026-12-13T21:30:00Z if that is UTC")),
            ("12/1/2026 9:00", Some("write 2026-01-12T09:00:00Z or 2026-12-01T09:00:00Z")),
            ("5/5/2026 9:00", Some("write 2026-05-05T09:00:00Z if that is UTC")),
            (
                "46357.375",
                Some(
                    "a number of the date; format the column as text and write 2026-12-01T09:00:00Z",
                ),
            ),
            ("46357,375", Some("write 2026-12-01T09:00:00Z")),
            ("tomorrow", Some("such as 2026-12-01T09:00:00Z")),
            ("31.02.2026", Some("such as 2026-12-01T09:00:00Z")),
        ] {
            let advice = instant_fault(1, "at", text).map(|fault| fault.advice.unwrap());
            match (advice, want) {
                (None, None) => {}
                (Some(advice), Some(want)) => assert!(advice.contains(want), "{text}: {advice}"),
                (advice, want) => panic!("{text}: {advice:?}, not {want:?}"),
            }
        }
    }

    #[test]
    fn wall_clock_times_and_what_to_write_instead() {
        for (text, want) in [
            ("2026-12-01T09:00", None),
            ("2026-12-01 09:00", Some("write 2026-12-01T09:00")),
            ("1.12.2026, 9:00", Some("write 2026-12-01T09:00")),
            ("12/1/2026 9:00", Some("write 2026-01-12T09:00 or 2026-12-01T09:00")),
            ("46357.375", Some("write 2026-12-01T09:00")),
            ("2026-12-01T09:00:00+01:00", Some("goes into the column at")),
            ("09:00", Some("such as 2026-12-01T09:00")),
        ] {
            let advice = local_fault(1, "local", text).map(|fault| fault.advice.unwrap());
            match (advice, want) {
                (None, None) => {}
                (Some(advice), Some(want)) => assert!(advice.contains(want), "{text}: {advice}"),
                (advice, want) => panic!("{text}: {advice:?}, not {want:?}"),
            }
        }
    }
}
