//! When the figures of the sheets were last held against what their networks say.

use chrono::{NaiveDate, TimeDelta};

use super::Platform;

/// How old a check may be before it is to be done again. Source: our decision.
pub const CHECKED_WITHIN: TimeDelta = TimeDelta::days(90);

/// Figures of a sheet that were held against their source on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Which figures, such as `posts`; `all` where one day is true of all of them.
    pub what: &'static str,
    /// The newest day as of which the source is known to say so.
    pub on: NaiveDate,
}

impl Checked {
    /// Figures that were checked on a day of the calendar.
    ///
    /// # Panics
    /// There is no such day; in a constant that is an error of the compiler.
    #[must_use]
    pub const fn on(what: &'static str, year: i32, month: u32, day: u32) -> Self {
        match NaiveDate::from_ymd_opt(year, month, day) {
            Some(on) => Self { what, on },
            None => panic!("the calendar has no such day"),
        }
    }

    /// Whether the check is to be done again: more than [`CHECKED_WITHIN`] lies between.
    #[must_use]
    pub fn is_old(&self, today: NaiveDate) -> bool {
        today.signed_duration_since(self.on) > CHECKED_WITHIN
    }
}

/// Lists what is to be checked again of some networks, the oldest first.
///
/// ```
/// use scheduler_core::platform::{Platform, to_check_again};
///
/// let long_after = "2100-01-01".parse()?;
/// assert!(!to_check_again(&Platform::ALL, long_after).is_empty());
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn to_check_again(platforms: &[Platform], today: NaiveDate) -> Vec<(Platform, Checked)> {
    let of = |platform: Platform| {
        let checked = platform.sheet().checked.iter();
        checked.map(move |checked| (platform, *checked))
    };
    let mut old: Vec<(Platform, Checked)> = platforms.iter().copied().flat_map(of).collect();
    old.retain(|(_, checked)| checked.is_old(today));
    old.sort_by_key(|(_, checked)| checked.on);
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_check_is_old_after_ninety_days() {
        let checked = Checked::on("posts", 2026, 8, 20);
        for (today, want) in [
            ("2026-08-19", false),
            ("2026-08-20", false),
            ("2026-11-18", false),
            ("2026-11-19", true),
            ("2030-01-01", true),
        ] {
            assert_eq!(checked.is_old(day(today)), want, "{today}");
        }
    }

    #[test]
    fn every_network_says_when_its_figures_were_checked() {
        for platform in Platform::ALL {
            let checked = platform.sheet().checked;
            assert!(!checked.is_empty(), "{platform}");
            for (at, one) in checked.iter().enumerate() {
                assert!(!one.what.is_empty() && one.on > day("2024-01-01"), "{platform} {one:?}");
                let is_told = |other: &Checked| other.what == one.what;
                assert!(!checked[..at].iter().any(is_told), "{platform}: {} twice", one.what);
            }
        }
    }

    #[test]
    fn what_is_old_is_listed_by_age() {
        let first = Platform::ALL.iter().flat_map(|platform| platform.sheet().checked);
        let first = first.map(|checked| checked.on).min().unwrap();
        assert_eq!(to_check_again(&Platform::ALL, first), []);
        assert_eq!(to_check_again(&Platform::ALL, first + CHECKED_WITHIN), []);
        let next = to_check_again(&Platform::ALL, first + CHECKED_WITHIN + TimeDelta::days(1));
        assert!(!next.is_empty() && next.iter().all(|(_, checked)| checked.on == first));
        let all = to_check_again(&Platform::ALL, day("2100-01-01"));
        assert!(all.is_sorted_by_key(|(_, checked)| checked.on));
        assert!(Platform::ALL.iter().all(|one| all.iter().any(|(platform, _)| platform == one)));
    }
}
