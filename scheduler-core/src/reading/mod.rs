//! Readings of a live post's figures: what one is, when the next is due, and which are kept.

mod history;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ports::Figures;

pub use history::{HISTORY_MAX, superfluous};

/// The figures of a post at one instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// When they were read.
    pub at: DateTime<Utc>,
    /// The figures.
    pub figures: Figures,
}

impl Reading {
    /// The reading as callers see it: each figure under its name, and `fetchedAt`.
    ///
    /// Source: interface description, Target.metrics.
    #[must_use]
    pub fn view(&self) -> Map<String, Value> {
        let figures = self.figures.0.iter();
        let mut view: Map<String, Value> =
            figures.map(|(metric, value)| (metric.as_str().to_owned(), number(*value))).collect();
        view.insert("fetchedAt".to_owned(), serde_json::json!(self.at));
        view
    }
}

/// Counts are whole numbers, and are written as such.
#[expect(clippy::cast_possible_truncation, reason = "the range is looked at first")]
fn number(value: f64) -> Value {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT_MAX {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

/// How long after a post went live its figures are read for the first times.
///
/// Source: our decision.
const FIRST: [TimeDelta; 2] = [TimeDelta::hours(1), TimeDelta::hours(6)];

/// The last day on which figures are read without being asked for.
///
/// Source: our decision; the interface description lets a refresh cover a fortnight.
const LAST_DAY: i32 = 14;

/// When the figures of a post that went live at `published_at` are read next: the first instant
/// after `now` among 1 hour, 6 hours, and each day until the 14th; `None` after that.
///
/// ```
/// use scheduler_core::reading::next_due;
/// let published_at = "2026-11-21T12:00:00Z".parse()?;
/// let next = next_due(published_at, "2026-11-21T13:30:00Z".parse()?);
/// assert_eq!(next, Some("2026-11-21T18:00:00Z".parse()?), "six hours after");
/// assert_eq!(next_due(published_at, "2026-12-06T12:00:00Z".parse()?), None);
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn next_due(published_at: DateTime<Utc>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let days = (1..=LAST_DAY).map(|day| TimeDelta::days(1) * day);
    FIRST.into_iter().chain(days).map(|after| published_at + after).find(|due_at| *due_at > now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::Metric;
    use std::collections::BTreeMap;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn figures_are_read_often_at_first_and_daily_then() {
        let published_at = at("2026-11-01T12:00:00Z");
        for (name, now, want) in [
            ("at once", "2026-11-01T12:00:00Z", Some("2026-11-01T13:00:00Z")),
            ("the first is taken", "2026-11-01T13:00:00Z", Some("2026-11-01T18:00:00Z")),
            ("between two", "2026-11-01T20:00:00Z", Some("2026-11-02T12:00:00Z")),
            ("the first day is over", "2026-11-02T12:00:00Z", Some("2026-11-03T12:00:00Z")),
            ("many were missed", "2026-11-10T11:59:59Z", Some("2026-11-10T12:00:00Z")),
            ("the last", "2026-11-14T12:00:00Z", Some("2026-11-15T12:00:00Z")),
            ("afterwards", "2026-11-15T12:00:00Z", None),
        ] {
            assert_eq!(next_due(published_at, at(now)), want.map(at), "{name}");
        }
    }

    #[test]
    fn a_reading_as_callers_see_it() {
        let figures =
            BTreeMap::from([(Metric::Views, 12_345.0), (Metric::AverageViewDurationSeconds, 12.5)]);
        let reading = Reading { at: at("2026-11-01T12:00:00Z"), figures: Figures(figures) };
        assert_eq!(
            serde_json::to_string(&reading.view()).unwrap(),
            r#"{"averageViewDurationSeconds":12.5,"fetchedAt":"2026-11-01T12:00:00Z","views":12345}"#
        );
    }
}
