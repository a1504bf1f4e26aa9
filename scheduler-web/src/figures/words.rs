//! Numbers, days and comparisons in words.

use chrono::{Datelike as _, NaiveDate};
use scheduler_core::analytics::Change;

/// A comparison: what is set off, and the rest of the sentence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChangeWords {
    pub(super) strong: String,
    pub(super) rest: String,
    pub(super) is_more: bool,
}

/// A number, with its thousands set apart, such as `12 345`; at most one digit after the point.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{:.1}", value.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, "0"));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    let rest = if rest == "0" { String::new() } else { format!(".{rest}") };
    let is_nothing = grouped == "0" && rest.is_empty();
    let sign = if value < 0.0 && !is_nothing { "−" } else { "" };
    format!("{sign}{grouped}{rest}")
}

/// A count, as [`number`] writes it.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(super) fn count(count: u64) -> String {
    number(count as f64)
}

/// A range of days, such as `2 November to 29 November 2026`.
pub(super) fn days(first: NaiveDate, last: NaiveDate) -> String {
    let end = last.format("%-d %B %Y");
    if first.year() == last.year() {
        format!("{} to {end}", first.format("%-d %B"))
    } else {
        format!("{} to {end}", first.format("%-d %B %Y"))
    }
}

/// What a period is compared with.
pub(super) fn before(days: u32) -> String {
    if days == 365 { "the year before".to_owned() } else { format!("the {days} days before") }
}

/// How a number compares.
pub(super) fn change(change: Change, days: u32) -> ChangeWords {
    let before = before(days);
    let said = |strong: String, rest: String, is_more| ChangeWords { strong, rest, is_more };
    match change {
        Change::Unknown => said(String::new(), format!("No figures of {before}."), false),
        Change::Same => said(String::new(), format!("As many as in {before}."), false),
        Change::MorePercent(percent) => {
            said(format!("{}\u{202f}% more", number(percent)), format!(" than {before}."), true)
        }
        Change::FewerPercent(percent) => {
            said(format!("{}\u{202f}% fewer", number(percent)), format!(" than {before}."), false)
        }
        Change::More(count) => {
            said(format!("{} more", number(count)), format!(" than {before}."), true)
        }
        Change::Fewer(count) => {
            said(format!("{} fewer", number(count)), format!(" than {before}."), false)
        }
        Change::NotComparable(changed) => {
            let on = changed.on.format("%-d %B %Y");
            let rest = format!("Not comparable with {before}: {}, since {on}.", changed.since);
            said(String::new(), rest, false)
        }
    }
}

/// A cell of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula is not one.
pub(super) fn cell(text: &str) -> String {
    let is_number = text.parse::<f64>().is_ok();
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number;
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use scheduler_core::platform::{Metric, MetricChange};

    use super::*;

    #[test]
    fn numbers_are_set_apart() {
        for (value, want) in [
            (0.0, "0"),
            (-0.01, "0"),
            (999.0, "999"),
            (1_000.0, "1\u{202f}000"),
            (1_234_567.0, "1\u{202f}234\u{202f}567"),
            (-12_345.0, "−12\u{202f}345"),
            (12.5, "12.5"),
            (1_999.96, "2\u{202f}000"),
        ] {
            assert_eq!(number(value), want, "{value}");
        }
    }

    #[test]
    fn comparisons_name_the_days_before() {
        let broken =
            MetricChange::on(Metric::Views, (2026, 8, 27), "YouTube counts a view at the start");
        for (of, days, want) in [
            (Change::MorePercent(12.0), 28, "12\u{202f}% more than the 28 days before."),
            (Change::FewerPercent(3.0), 365, "3\u{202f}% fewer than the year before."),
            (Change::More(141.0), 7, "141 more than the 7 days before."),
            (Change::Fewer(2_000.0), 7, "2\u{202f}000 fewer than the 7 days before."),
            (Change::Same, 90, "As many as in the 90 days before."),
            (Change::Unknown, 28, "No figures of the 28 days before."),
            (
                Change::NotComparable(broken),
                90,
                "Not comparable with the 90 days before: YouTube counts a view at the start, since 27 August 2026.",
            ),
        ] {
            let words = change(of, days);
            assert_eq!(format!("{}{}", words.strong, words.rest), want);
            assert_eq!(words.strong.contains("more"), words.is_more, "{want}");
        }
    }

    #[test]
    fn cells_hold_no_formulas() {
        for (text, want) in [
            ("plain", "plain"),
            ("-5", "-5"),
            ("=1+1", "'=1+1"),
            ("@me", "'@me"),
            ("a, b", "\"a, b\""),
            ("say \"hi\"\n", "\"say \"\"hi\"\"\n\""),
            ("=\"x\",y", "\"'=\"\"x\"\",y\""),
        ] {
            assert_eq!(cell(text), want, "{text:?}");
        }
    }
}
