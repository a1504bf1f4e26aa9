//! What posts and accounts have gained in a period, by its spans, and against the days before.

use chrono::{DateTime, TimeDelta, Utc};

use super::{Period, Span};
use crate::ids::AccountId;
use crate::platform::{MetricChange, Platform};

/// A count that grows, as it was read over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// What it was before anything was read: nothing for a post, which begins at 0; `None` for an
    /// account, of which the first reading is where its gains begin.
    pub start: Option<f64>,
    /// What was read, the earliest first.
    pub readings: Vec<(DateTime<Utc>, f64)>,
}

impl Counter {
    /// What it was at an instant; `None` when that is not known.
    #[must_use]
    pub fn at(&self, at: DateTime<Utc>) -> Option<f64> {
        let known = self.readings.partition_point(|(taken_at, _)| *taken_at < at);
        known.checked_sub(1).map_or(self.start, |last| Some(self.readings[last].1))
    }

    /// What it has gained from one instant to another, by what was read until then; less than 0
    /// where it has lost.
    #[must_use]
    pub fn gain(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> f64 {
        let first = self.readings.first().map(|(_, value)| *value);
        let begin = self.at(from).or(first);
        self.at(to).zip(begin).map_or(0.0, |(end, begin)| end - begin)
    }

    /// Until when its gain in the days before is counted, so that the two are equally long: as far as
    /// the period is now, and of a count that stands at one time of each day as far as the last one.
    fn compared_until(&self, period: &Period) -> DateTime<Utc> {
        let counted = self.readings.iter().rev().map(|(at, _)| *at);
        let last = counted.into_iter().find(|at| (period.from()..period.to()).contains(at));
        match (self.start, last) {
            (None, Some(last)) => {
                last - TimeDelta::days(i64::from(period.days)) + TimeDelta::microseconds(1)
            }
            _ => period.before().1,
        }
    }

    fn was_read(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> bool {
        self.readings.iter().any(|(at, _)| (from..to).contains(at))
    }
}

/// How a number compares with that of the days before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Nothing was read in the days before, or not from their begin on.
    Unknown,
    /// The network counts in another way since a day between.
    NotComparable(MetricChange),
    /// It is the same, to the nearest per cent.
    Same,
    /// More by so many per cent.
    MorePercent(f64),
    /// Fewer by so many per cent.
    FewerPercent(f64),
    /// More by so many, where a per cent would say nothing.
    More(f64),
    /// Fewer by so many, where a per cent would say nothing.
    Fewer(f64),
}

/// Compares a number with that of the days before.
///
/// ```
/// use scheduler_core::analytics::{Change, change};
///
/// assert_eq!(change(112.0, Some(100.0), None), Change::MorePercent(12.0));
/// assert_eq!(change(112.0, Some(0.0), None), Change::More(112.0));
/// assert_eq!(change(112.0, None, None), Change::Unknown);
/// ```
#[must_use]
pub fn change(now: f64, before: Option<f64>, broken: Option<MetricChange>) -> Change {
    if let Some(broken) = broken {
        return Change::NotComparable(broken);
    }
    let Some(before) = before else { return Change::Unknown };
    let more = now - before;
    if before > 0.0 && now >= 0.0 {
        let percent = (more / before * 100.0).round();
        return match percent {
            _ if percent > 0.0 => Change::MorePercent(percent),
            _ if percent < 0.0 => Change::FewerPercent(-percent),
            _ => Change::Same,
        };
    }
    match more {
        _ if more > 0.0 => Change::More(more),
        _ if more < 0.0 => Change::Fewer(-more),
        _ => Change::Same,
    }
}

/// Whose gains a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineOf {
    /// Those of all accounts on a network.
    Network(Platform),
    /// Those of one account.
    Account(Platform, AccountId),
}

impl LineOf {
    /// The network, which is one: figures of several are not added up.
    #[must_use]
    pub const fn platform(self) -> Platform {
        match self {
            Self::Network(platform) | Self::Account(platform, _) => platform,
        }
    }
}

/// What a network or an account has gained.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Whose gains.
    pub of: LineOf,
    /// The gain of each span of the period.
    pub values: Vec<f64>,
    /// Their sum.
    pub total: f64,
    /// The gain of the days before; `None` when it is not known.
    pub before: Option<f64>,
    /// How the two compare.
    pub change: Change,
    /// How many posts or accounts were read in the period.
    pub counted: usize,
    /// When anything of it was last read.
    pub read_at: Option<DateTime<Utc>>,
}

/// Adds up what counters of one network or account have gained. `broken` is a day from which the
/// network counts in another way, if one lies between the first of the days before and today.
#[must_use]
pub fn line(
    of: LineOf,
    counters: &[Counter],
    period: &Period,
    broken: Option<MetricChange>,
) -> Line {
    let gain = |from, to| counters.iter().map(|counter| counter.gain(from, to)).sum::<f64>();
    let values: Vec<f64> =
        period.spans().into_iter().map(|Span { from, to, .. }| gain(from, to)).collect();
    let (from, to) = (period.from(), period.to());
    let total = gain(from, to);
    let (before_from, before_to) = period.before();
    let is_known = counters.iter().any(|counter| counter.was_read(before_from, before_to))
        && counters.iter().all(|counter| counter.at(before_from).is_some());
    let before = is_known.then(|| {
        let gains = counters.iter();
        gains.map(|counter| counter.gain(before_from, counter.compared_until(period))).sum()
    });
    Line {
        of,
        values,
        total,
        before,
        change: change(total, before, broken),
        counted: counters.iter().filter(|counter| counter.was_read(from, to)).count(),
        read_at: counters
            .iter()
            .filter_map(|counter| counter.readings.last())
            .map(|last| last.0)
            .max(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Metric;
    use crate::timing::Zone;
    use proptest::prelude::*;

    const CHANGED: MetricChange = MetricChange::on(Metric::Views, (2026, 8, 27), "otherwise");

    fn period() -> Period {
        Period { days: 7, zone: Zone::UTC, now: "2026-11-28T12:00:00Z".parse().unwrap() }
    }

    /// Hours after the first instant of the period.
    fn counter(start: Option<f64>, readings: &[(i64, f64)]) -> Counter {
        let at = |hours: i64| period().from() + TimeDelta::hours(hours);
        Counter {
            start,
            readings: readings.iter().map(|(hours, value)| (at(*hours), *value)).collect(),
        }
    }

    fn drawn(counters: &[Counter], broken: Option<MetricChange>) -> Line {
        line(LineOf::Network(Platform::Youtube), counters, &period(), broken)
    }

    #[test]
    fn changes_in_words_of_the_comparison() {
        for (now, before, want) in [
            (112.0, Some(100.0), Change::MorePercent(12.0)),
            (88.0, Some(100.0), Change::FewerPercent(12.0)),
            (0.0, Some(4.0), Change::FewerPercent(100.0)),
            (100.4, Some(100.0), Change::Same),
            (0.0, Some(0.0), Change::Same),
            (5.0, Some(0.0), Change::More(5.0)),
            (-5.0, Some(3.0), Change::Fewer(8.0)),
            (5.0, Some(-3.0), Change::More(8.0)),
            (5.0, None, Change::Unknown),
        ] {
            assert_eq!(change(now, before, None), want, "{now} {before:?}");
            assert_eq!(change(now, before, Some(CHANGED)), Change::NotComparable(CHANGED));
        }
    }

    #[test]
    fn gains_are_counted_where_they_were_read() {
        // A post of the day before the period, and one within it.
        let old = counter(Some(0.0), &[(-20, 10.0), (-1, 30.0), (1, 40.0), (50, 45.0)]);
        let new = counter(Some(0.0), &[(26, 3.0), (49, 8.0)]);
        let line = drawn(&[old, new], None);
        assert_eq!(line.values, [10.0, 3.0, 10.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!((line.total, line.before, line.counted), (23.0, Some(10.0), 2));
        assert_eq!(line.change, Change::MorePercent(130.0));
        assert_eq!(line.read_at, Some(period().from() + TimeDelta::hours(50)));
    }

    #[test]
    fn an_account_gains_from_its_first_reading_on() {
        let week = 7 * 24;
        let short = counter(None, &[(30, 100.0), (60, 120.0)]);
        let line = drawn(&[short], None);
        assert_eq!(line.values, [0.0, 0.0, 20.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!((line.total, line.before, line.change), (20.0, None, Change::Unknown));
        let long = counter(None, &[(-week - 1, 50.0), (60 - week, 60.0), (60, 80.0)]);
        let line = drawn(&[long], None);
        assert_eq!((line.total, line.before), (20.0, Some(10.0)));
        assert_eq!(line.change, Change::MorePercent(100.0));
    }

    #[test]
    fn an_account_that_gains_as_many_each_day_gains_the_same() {
        for (name, hour, last) in [
            ("before noon, without the count of today", 9, 5),
            ("before noon, with it", 9, 6),
            ("after noon, without it", 15, 5),
            ("after noon, with it", 15, 6),
        ] {
            let readings: Vec<(i64, f64)> =
                (-9..=last).map(|day| (day * 24 + 12, (day * 10) as f64)).collect();
            let now = period().from() + TimeDelta::hours(6 * 24 + hour);
            let of = LineOf::Network(Platform::Youtube);
            let counters = [counter(None, &readings)];
            let line = line(of, &counters, &Period { now, ..period() }, None);
            assert_eq!(line.change, Change::Same, "{name}: {line:?}");
        }
    }

    #[test]
    fn nothing_is_compared_across_a_change() {
        let line = drawn(&[counter(Some(0.0), &[(-20, 30.0), (1, 40.0)])], Some(CHANGED));
        assert_eq!((line.total, line.before), (10.0, Some(30.0)));
        assert_eq!(line.change, Change::NotComparable(CHANGED));
    }

    #[test]
    fn what_the_days_before_gained_later_in_the_day_is_not_compared() {
        // The period is 6 days and 12 hours long by now.
        let line = drawn(&[counter(Some(0.0), &[(-13, 30.0), (-11, 40.0)])], None);
        assert_eq!(line.before, Some(30.0));
    }

    proptest! {
        #[test]
        fn days_add_up_to_the_total_and_order_does_not_matter(
            readings in prop::collection::vec(
                prop::collection::btree_map(-400_i64..200, 0_u32..1_000, 0..12), 0..8),
        ) {
            let mut counters: Vec<Counter> = readings
                .into_iter()
                .map(|of| {
                    let of: Vec<(i64, f64)> = of.into_iter().map(|(at, value)| (at, value.into())).collect();
                    counter(Some(0.0), &of)
                })
                .collect();
            let forth = drawn(&counters, None);
            prop_assert!((forth.values.iter().sum::<f64>() - forth.total).abs() < 1e-6);
            counters.reverse();
            prop_assert_eq!(drawn(&counters, None).total, forth.total);
        }

        #[test]
        fn a_percentage_is_of_what_was_before(now in 0_u32..10_000, before in 1_u32..10_000) {
            let (now, before) = (f64::from(now), f64::from(before));
            let said = match change(now, Some(before), None) {
                Change::MorePercent(percent) => before * (1.0 + percent / 100.0),
                Change::FewerPercent(percent) => before * (1.0 - percent / 100.0),
                Change::Same => before,
                other => return Err(TestCaseError::fail(format!("{other:?}"))),
            };
            prop_assert!((said - now).abs() <= before * 0.005 + 1e-6);
        }
    }
}
