//! `scheduler insights`: what a network tells of a video beyond its figures.

use std::io;

use scheduler_core::ports::{Retention, TrafficSource};
use serde::Deserialize;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::AskedArguments;
use crate::printer::{Column, Printer, Shows, cell, count, number};

pub(super) const EXAMPLE: &str =
    "Example:\n  scheduler insights 01993b5c-2b7e-7000-8000-000000000001 youtube";

/// Rows of a retention curve that are shown; `--json` has all of its points.
const CURVE_ROWS: usize = 20;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    supported: bool,
    #[serde(default)]
    retention: Vec<Retention>,
    #[serde(default)]
    traffic_sources: Vec<TrafficSource>,
}

pub(crate) async fn run(context: Context, arguments: AskedArguments) -> Result<Exit, Failure> {
    let answer = arguments.ask(&context, "insights").await?;
    let shown: Shown = answer.read()?;
    context.show(&answer.body, |printer| show(printer, &shown))
}

fn show(printer: Printer, shown: &Shown) -> io::Result<()> {
    if !shown.supported {
        return printer.line("The network reports nothing beyond the figures of this post.");
    }
    let columns: [Shows<&Retention>; 3] = [
        (Column::numbers("video passed"), |point| cell(percent(point.elapsed_ratio))),
        (Column::numbers("still watching"), |point| cell(percent(point.watch_ratio))),
        (Column::numbers("better than"), |point| {
            cell(point.relative_performance.map(percent).unwrap_or_default())
        }),
    ];
    let points = thinned(&shown.retention);
    printer.list(&points, &columns, "How long viewers stay is not known yet.")?;
    printer.line("")?;
    let columns: [Shows<TrafficSource>; 3] = [
        (Column::words("came from"), |source| cell(&source.source)),
        (Column::numbers("views"), |source| cell(count(source.views))),
        (Column::numbers("minutes watched"), |source| cell(number(source.watch_time_minutes))),
    ];
    printer.list(&shown.traffic_sources, &columns, "Where viewers came from is not known yet.")
}

/// Points at equal distances along a curve, its last one among them.
fn thinned(curve: &[Retention]) -> Vec<&Retention> {
    let step = curve.len().div_ceil(CURVE_ROWS).max(1);
    let mut points: Vec<&Retention> = curve.iter().rev().step_by(step).collect();
    points.reverse();
    points
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: usize) -> Vec<Retention> {
        let point = |place: usize| Retention {
            elapsed_ratio: f64::from(u32::try_from(place).unwrap()) / 100.0,
            watch_ratio: 1.0,
            relative_performance: None,
        };
        (1..=points).map(point).collect()
    }

    #[test]
    fn a_long_curve_is_thinned_and_keeps_its_end() {
        for (points, rows, first) in
            [(0, 0, 0.0), (1, 1, 0.01), (20, 20, 0.01), (21, 11, 0.01), (100, 20, 0.05)]
        {
            let curve = curve(points);
            let thinned = thinned(&curve);
            assert_eq!(thinned.len(), rows, "{points} points");
            assert_eq!(thinned.last().copied(), curve.last(), "{points} points");
            if let Some(point) = thinned.first() {
                assert!((point.elapsed_ratio - first).abs() < 1e-9, "{points} points");
            }
        }
    }

    #[test]
    fn shares() {
        assert_eq!((percent(0.05), percent(1.0)), ("5 %".to_owned(), "100 %".to_owned()));
    }
}
