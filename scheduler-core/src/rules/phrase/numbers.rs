//! Figures for people.

use crate::platform::Measure;

/// Decimals of a number: as many as 9:16 has.
const DECIMALS: usize = 4;

/// Most decimals of a number, where fewer would show it as the bound that it is outside of.
const DECIMALS_MAX: usize = 9;

/// A value and the bound that it is outside of, with as many decimals as it takes to tell them
/// apart.
pub(super) fn shown_apart(measure: Measure, value: f64, bound: f64) -> (String, String) {
    let shown_with =
        |decimals| (with_unit(measure, value, decimals), with_unit(measure, bound, DECIMALS));
    let mut pairs = (DECIMALS..=DECIMALS_MAX).map(shown_with);
    pairs.find(|(value, bound)| value != bound).unwrap_or_else(|| shown_with(DECIMALS))
}

/// A value with its unit.
pub(in crate::rules) fn shown(measure: Measure, value: f64) -> String {
    with_unit(measure, value, DECIMALS)
}

fn with_unit(measure: Measure, value: f64, decimals: usize) -> String {
    let number = |value| grouped(value, decimals);
    match measure {
        Measure::Bytes => format!("{} bytes", number(value)),
        Measure::Seconds => format!("{} s", number(value)),
        Measure::Fps | Measure::WholeFps => format!("{} fps", number(value)),
        Measure::Frames => format!("{} frames", number(value)),
        Measure::BitRate => format!("{} Mbit/s", number(value / 1_000_000.0)),
        Measure::Width
        | Measure::LongSide
        | Measure::ShortSide
        | Measure::SideSum
        | Measure::Pixels => format!("{} pixels", number(value)),
        Measure::Ratio => number(value),
    }
}

/// A number with at most four decimals and commas between thousands.
pub(in crate::rules) fn number(value: f64) -> String {
    grouped(value, DECIMALS)
}

fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (sign, digits) = text.split_at(usize::from(text.starts_with('-')));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let mut grouped = String::with_capacity(text.len() + text.len() / 3);
    grouped.push_str(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let decimals = decimals.trim_end_matches('0');
    if decimals.is_empty() { grouped } else { format!("{grouped}.{decimals}") }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_for_people() {
        for (value, want) in [
            (0.0, "0"),
            (999.0, "999"),
            (1_000.0, "1,000"),
            (1_234_567.5, "1,234,567.5"),
            (0.5625, "0.5625"),
            (-123.0, "-123"),
            (-1_234.0, "-1,234"),
        ] {
            assert_eq!(number(value), want);
        }
    }
}
