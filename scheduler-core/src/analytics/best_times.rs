//! When posts of an account do well: by weekday and four hours of the day.

use chrono::{DateTime, Datelike as _, NaiveDateTime, TimeDelta, Timelike as _, Utc, Weekday};

use crate::timing::Zone;

/// The hours of a day that posts are told apart by, each from one up to another.
///
/// Source: our decision.
pub const HOURS: [(u32, u32); 4] = [(6, 10), (10, 14), (14, 18), (18, 22)];

/// Posts that a field needs before it tells anything.
///
/// Source: our decision.
pub const ENOUGH_POSTS: usize = 20;

/// The age at which posts are compared.
pub const FIRST_DAY: TimeDelta = TimeDelta::hours(24);

/// How far from that age a reading may be taken. Between, the product reads at 24 hours, and at 6
/// before that.
const AROUND: TimeDelta = TimeDelta::hours(6);

const WEEKDAYS: [Weekday; 7] = [
    Weekday::Mon,
    Weekday::Tue,
    Weekday::Wed,
    Weekday::Thu,
    Weekday::Fri,
    Weekday::Sat,
    Weekday::Sun,
];

/// How many steps tell medians apart.
const LEVELS: f64 = 4.0;

/// What a post had in its first day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When it went live.
    pub published_at: DateTime<Utc>,
    /// What it had then.
    pub value: f64,
}

/// The posts of a weekday and four hours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The day.
    pub weekday: Weekday,
    /// The first hour, and the one after the last.
    pub hours: (u32, u32),
    /// How many posts.
    pub count: usize,
    /// The median of what they had in their first day; `None` with fewer than [`ENOUGH_POSTS`].
    pub median: Option<f64>,
    /// Where that lies between the lowest and the highest median, 1 to 4.
    pub level: Option<u8>,
}

/// When posts do well.
#[derive(Clone, Debug, PartialEq)]
pub struct BestTimes {
    /// A field for each weekday from Monday on, and within it for each of [`HOURS`].
    pub fields: Vec<Field>,
    /// The one with the highest median.
    pub best: Option<Field>,
    /// The one with the most posts, when none has enough; `None` without any post.
    pub nearest: Option<Field>,
    /// Posts at other hours.
    pub outside: usize,
}

/// What a post had in its first 24 hours: by the reading that is nearest to that age, if one was
/// taken between 18 and 30 hours after it went live.
#[must_use]
pub fn first_day(published_at: DateTime<Utc>, readings: &[(DateTime<Utc>, f64)]) -> Option<Sample> {
    let distance = |at: DateTime<Utc>| (at - published_at - FIRST_DAY).abs();
    let near = readings.iter().filter(|(at, _)| distance(*at) <= AROUND);
    let (_, value) = near.min_by_key(|(at, _)| distance(*at))?;
    Some(Sample { published_at, value: *value })
}

/// Finds when posts do well, by the clocks of a zone.
#[must_use]
pub fn best_times(samples: &[Sample], zone: Zone) -> BestTimes {
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); WEEKDAYS.len() * HOURS.len()];
    let mut outside = 0;
    for sample in samples {
        match place(zone.local(sample.published_at)) {
            Some(place) => values[place].push(sample.value),
            None => outside += 1,
        }
    }
    let days = WEEKDAYS.into_iter().flat_map(|day| HOURS.map(|hours| (day, hours)));
    let mut fields: Vec<Field> = days
        .zip(values)
        .map(|((weekday, hours), values)| Field {
            weekday,
            hours,
            count: values.len(),
            median: if values.len() < ENOUGH_POSTS { None } else { median(values) },
            level: None,
        })
        .collect();
    let medians = || fields.iter().filter_map(|field| field.median);
    let (low, high) = (medians().fold(f64::MAX, f64::min), medians().fold(f64::MIN, f64::max));
    for field in &mut fields {
        field.level = field.median.map(|median| level(median, low, high));
    }
    // Of several that are alike, the first.
    let first_of_most = |best: Option<Field>, field: &Field| match best {
        Some(best) if best.median >= field.median => Some(best),
        _ => field.median.map(|_| *field).or(best),
    };
    let best = fields.iter().fold(None, first_of_most);
    let most = fields.iter().map(|field| field.count).max().filter(|count| *count > 0);
    let nearest = fields.iter().find(|field| best.is_none() && Some(field.count) == most).copied();
    BestTimes { fields, best, nearest, outside }
}

/// The number of the field that a local time belongs to.
fn place(local: NaiveDateTime) -> Option<usize> {
    let hours = HOURS.iter().position(|(from, to)| (*from..*to).contains(&local.hour()))?;
    let day = usize::try_from(local.weekday().num_days_from_monday()).ok()?;
    Some(day * HOURS.len() + hours)
}

/// The middle value, or what lies halfway between the two in the middle; `None` of nothing.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *values.get((values.len() / 2).checked_sub(1)?)?;
    Some(f64::midpoint(lower, upper))
}

/// Where a median lies between the lowest and the highest; where all are alike, in the middle.
fn level(median: f64, low: f64, high: f64) -> u8 {
    if high <= low {
        return 2;
    }
    let step = ((median - low) / (high - low) * LEVELS).floor();
    match step {
        _ if step >= 3.0 => 4,
        _ if step >= 2.0 => 3,
        _ if step >= 1.0 => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    /// So many posts at the same clock of consecutive weeks, with values from 1 on.
    fn posts(first: &str, count: u32) -> Vec<Sample> {
        let weekly = |week: u32| at(first) + TimeDelta::weeks(1) * i32::try_from(week).unwrap();
        (0..count)
            .map(|week| Sample { published_at: weekly(week), value: f64::from(week + 1) })
            .collect()
    }

    #[test]
    fn the_reading_nearest_to_a_day_counts() {
        let published_at = at("2026-11-03T18:00:00Z");
        let hours = |hours: i64| published_at + TimeDelta::hours(hours);
        for (name, readings, want) in [
            ("none", vec![], None),
            ("only early ones", vec![(1, 1.0), (6, 2.0), (17, 3.0)], None),
            ("the one of the day", vec![(1, 1.0), (6, 2.0), (24, 5.0), (48, 9.0)], Some(5.0)),
            ("a little late", vec![(6, 2.0), (30, 6.0), (48, 9.0)], Some(6.0)),
            ("too late", vec![(6, 2.0), (31, 6.0)], None),
            ("the nearer one", vec![(18, 3.0), (29, 6.0)], Some(6.0)),
        ] {
            let readings: Vec<_> =
                readings.into_iter().map(|(age, value)| (hours(age), value)).collect();
            let found = first_day(published_at, &readings);
            assert_eq!(found.map(|sample| sample.value), want, "{name}");
        }
    }

    #[test]
    fn a_field_is_filled_with_twenty_posts_and_no_fewer() {
        for (count, median) in [(19, None), (20, Some(10.5)), (21, Some(11.0))] {
            // A Tuesday, 18:30 in Stockholm.
            let samples = posts("2026-01-06T17:30:00Z", count);
            let times = best_times(&samples, Zone::UTC);
            let field = times.fields[4 + 2];
            assert_eq!((field.weekday, field.hours), (Weekday::Tue, (14, 18)));
            assert_eq!((field.count, field.median), (samples.len(), median), "{count}");
            assert_eq!(times.best.is_some(), median.is_some());
            assert_eq!(times.nearest.is_some(), median.is_none());
            let elsewhere = best_times(&samples, "Europe/Stockholm".parse().unwrap());
            assert_eq!(elsewhere.fields[4 + 2].count, 0, "by the clocks of the zone");
            assert_eq!(elsewhere.fields[4 + 3].count + elsewhere.outside, samples.len());
        }
        let nothing = best_times(&[], Zone::UTC);
        assert_eq!((nothing.best, nothing.nearest, nothing.fields.len()), (None, None, 28));
    }

    #[test]
    fn hours_begin_and_end_on_the_hour() {
        for (clock, want) in [
            ("05:59:59", None),
            ("06:00:00", Some((6, 10))),
            ("09:59:59", Some((6, 10))),
            ("10:00:00", Some((10, 14))),
            ("21:59:59", Some((18, 22))),
            ("22:00:00", None),
            ("00:00:00", None),
        ] {
            let sample = Sample { published_at: at(&format!("2026-11-02T{clock}Z")), value: 1.0 };
            let times = best_times(&[sample], Zone::UTC);
            assert_eq!(times.nearest.map(|field| field.hours), want, "{clock}");
            assert_eq!(times.outside, usize::from(want.is_none()), "{clock}");
        }
    }

    #[test]
    fn the_best_is_the_highest_median_and_not_the_most_posts() {
        let mut samples = posts("2026-01-06T07:00:00Z", 40);
        samples.extend(
            posts("2026-01-07T19:00:00Z", 20)
                .into_iter()
                .map(|sample| Sample { value: sample.value + 100.0, ..sample }),
        );
        let times = best_times(&samples, Zone::UTC);
        let best = times.best.unwrap();
        assert_eq!((best.weekday, best.hours, best.count), (Weekday::Wed, (18, 22), 20));
        assert_eq!((best.median, best.level), (Some(110.5), Some(4)));
        assert_eq!(times.fields[4].level, Some(1));
    }

    proptest! {
        #[test]
        fn no_field_is_filled_with_too_few(
            posts in prop::collection::vec((0_i64..31_536_000, 0_u32..1_000), 0..900),
        ) {
            let samples: Vec<Sample> = posts
                .into_iter()
                .map(|(seconds, value)| Sample {
                    published_at: at("2026-01-01T00:00:00Z") + TimeDelta::seconds(seconds),
                    value: value.into(),
                })
                .collect();
            let times = best_times(&samples, "America/New_York".parse().unwrap());
            let count: usize = times.fields.iter().map(|field| field.count).sum();
            prop_assert_eq!(count + times.outside, samples.len());
            for field in &times.fields {
                prop_assert_eq!(field.median.is_some(), field.count >= ENOUGH_POSTS);
                prop_assert_eq!(field.level.is_some(), field.median.is_some());
            }
        }

        #[test]
        fn half_of_the_values_lie_on_either_side_of_the_median(
            values in prop::collection::vec(0_u32..1_000, 1..60),
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let middle = median(values.clone()).unwrap();
            let below = values.iter().filter(|value| **value < middle).count();
            let above = values.iter().filter(|value| **value > middle).count();
            prop_assert!(below * 2 <= values.len() && above * 2 <= values.len());
        }
    }
}
