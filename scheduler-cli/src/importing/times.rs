//! Times as people and spreadsheets write them, and what to write instead.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::fault::Fault;
use crate::printer::excerpt;
use crate::times::readings;

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
    let of_time = |at: NaiveDateTime| {
        let at = at.format("%Y-%m-%dT%H:%M:%S");
        format!(
            "write {at}Z if that is UTC, or {at}+01:00 with its offset; a time of each account's own zone goes into the column local"
        )
    };
    let advice = meant(text, "%Y-%m-%dT%H:%M:%SZ", of_time).unwrap_or_else(|| {
        "write it with its offset or Z, such as 2026-12-01T09:00:00Z".to_owned()
    });
    Some(fault(line, field, text, "an instant").advised(advice))
}

/// What is wrong with the text of a wall-clock time; `None` when it is one.
pub(super) fn local_fault(line: u64, field: &str, text: &str) -> Option<Fault> {
    if scheduler_core::timing::parse_local(text).is_ok() {
        return None;
    }
    let form = "%Y-%m-%dT%H:%M";
    let advice = meant(text, form, |at| format!("write {}", at.format(form)));
    let advice = advice.unwrap_or_else(|| {
        let is_instant = DateTime::parse_from_rfc3339(text).is_ok();
        let rule = match is_instant {
            true => "a time with a zone goes into the column at; here it is without one",
            false => "write it without a zone",
        };
        format!("{rule}, such as 2026-12-01T09:00")
    });
    Some(fault(line, field, text, "a wall-clock time").advised(advice))
}

fn fault(line: u64, field: &str, text: &str, what: &str) -> Fault {
    Fault::error(line, field, format!("\"{}\" is not {what}", excerpt(text, 40)))
}

/// What to write for what a text may mean; `None` when it means no time.
fn meant(text: &str, form: &str, of_time: impl Fn(NaiveDateTime) -> String) -> Option<String> {
    if let Some(at) = of_sheet(text) {
        let at = at.format(form);
        return Some(format!(
            "a spreadsheet has made a number of the date; format the column as text and write {at}"
        ));
    }
    match readings(text)[..] {
        [] => None,
        [at] => Some(of_time(at)),
        [one, other, ..] => {
            let (one, other) = (one.format(form), other.format(form));
            Some(format!("it can be read in two ways; write {one} or {other}"))
        }
    }
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
