//! Which readings of a post are kept: all of the latest, and of the older ones fewer the older
//! they are.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

/// How many readings of a post are kept, at most.
///
/// Source: interface description, Limits: a history shows at most the latest 500.
pub const HISTORY_MAX: usize = LATEST + HOURS + QUARTERS + DAYS + MONTHS;

/// So many of the latest are kept, however close to each other they were taken.
const LATEST: usize = 100;
/// One an hour in the first day after the post went live.
const HOURS: usize = 24;
/// One in six hours until the end of the 14th day.
const QUARTERS: usize = 13 * 4;
/// One a day for so many days after that.
const DAYS: usize = 288;
/// One in 30 days for so many times after that; the last of them has no end.
const MONTHS: usize = 36;

/// The instants among `taken_at`, oldest first, whose readings are not needed any more.
///
/// At most [`HISTORY_MAX`] are left. Beyond the latest 100, the last reading of each span is kept:
/// of an hour in the first day, of six hours until the 14th, of a day for 288 days, of 30 days
/// then.
///
/// ```
/// use chrono::{DateTime, TimeDelta, Utc};
/// use scheduler_core::reading::{HISTORY_MAX, superfluous};
///
/// let published_at: DateTime<Utc> = "2026-11-21T12:00:00Z".parse()?;
/// let minutes: Vec<_> = (1..=1_000).map(|n| published_at + TimeDelta::minutes(n)).collect();
/// assert!(minutes.len() - superfluous(published_at, &minutes).len() <= HISTORY_MAX);
/// assert!(superfluous(published_at, &minutes[..100]).is_empty(), "the latest 100 are kept");
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn superfluous(published_at: DateTime<Utc>, taken_at: &[DateTime<Utc>]) -> Vec<DateTime<Utc>> {
    let older = taken_at.get(..taken_at.len().saturating_sub(LATEST)).unwrap_or_default();
    let mut kept: BTreeMap<usize, DateTime<Utc>> = BTreeMap::new();
    let replaced = older.iter().filter_map(|at| kept.insert(span(*at - published_at), *at));
    replaced.collect()
}

/// The number of the span that a reading of a post of this age falls into.
fn span(age: TimeDelta) -> usize {
    let hours = usize::try_from(age.num_hours()).unwrap_or_default();
    let day = hours / 24;
    let first_month_day = 14 + DAYS;
    match day {
        0 => hours,
        1..14 => HOURS + (hours - 24) / 6,
        14.. if day < first_month_day => HOURS + QUARTERS + (day - 14),
        14.. => HOURS + QUARTERS + DAYS + ((day - first_month_day) / 30).min(MONTHS - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn published_at() -> DateTime<Utc> {
        "2026-11-01T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn spans_follow_each_other_without_a_hole() {
        let mut last = 0;
        for hour in 0..24 * 2_000 {
            let span = span(TimeDelta::hours(hour));
            assert!(span == last || span == last + 1, "hour {hour}: {last} then {span}");
            last = span;
        }
        assert_eq!(last, HISTORY_MAX - LATEST - 1);
        assert_eq!(HISTORY_MAX, 500);
        assert_eq!(span(TimeDelta::hours(-3)), 0, "a clock that was set back");
    }

    #[test]
    fn the_latest_stay_and_the_older_are_thinned() {
        // One a minute for three hours.
        let taken: Vec<_> =
            (0..180).map(|minute| published_at() + TimeDelta::minutes(minute)).collect();
        let gone = superfluous(published_at(), &taken);
        let kept: Vec<i64> = taken
            .iter()
            .filter(|at| !gone.contains(at))
            .map(|at| (*at - published_at()).num_minutes())
            .collect();
        let want: Vec<i64> = [59, 79].into_iter().chain(80..180).collect();
        assert_eq!(kept, want, "the last of the first hour, the last before the latest 100");
    }

    proptest! {
        #[test]
        fn what_is_kept_is_bounded_and_thinning_again_removes_nothing(
            minutes in proptest::collection::btree_set(0_i64..3_000_000, 0..2_000),
        ) {
            let taken: Vec<_> =
                minutes.into_iter().map(|minute| published_at() + TimeDelta::minutes(minute)).collect();
            let gone = superfluous(published_at(), &taken);
            let kept: Vec<_> = taken.iter().copied().filter(|at| !gone.contains(at)).collect();
            prop_assert!(kept.len() <= HISTORY_MAX);
            prop_assert_eq!(kept.last(), taken.last());
            prop_assert!(superfluous(published_at(), &kept).is_empty());
        }
    }
}
