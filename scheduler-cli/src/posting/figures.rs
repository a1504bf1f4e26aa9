//! The figures of posts as columns of a table.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use comfy_table::Cell;
use scheduler_core::platform::Metric;
use serde_json::{Map, Value};

use super::view::instant;
use crate::printer::{Column, cell, number};

/// Where the instant stands at which figures were read.
const FETCHED_AT: &str = "fetchedAt";

/// The names of the figures that at least one reading has: ours in the order of their vocabulary,
/// then what a newer server may know.
pub(crate) fn figure_names<'a>(
    readings: impl Iterator<Item = &'a Map<String, Value>>,
) -> Vec<String> {
    let found: BTreeSet<&str> = readings
        .flat_map(Map::iter)
        .filter(|(_, value)| value.is_number())
        .map(|(name, _)| name.as_str())
        .collect();
    let known = Metric::ALL.map(Metric::as_str);
    let ours = known.iter().filter(|name| found.contains(*name));
    let others = found.iter().filter(|name| !known.contains(name));
    ours.chain(others).map(|name| (*name).to_owned()).collect()
}

/// A column for each figure, and one for the instant at which they were read.
pub(crate) fn figure_columns(names: &[String]) -> impl Iterator<Item = Column> {
    let figures = names.iter().map(|name| Column::numbers(&words(name)));
    figures.chain([Column::words("fetched")])
}

/// The cells under [`figure_columns`]; a network does not report every figure.
pub(crate) fn figure_cells(names: &[String], reading: Option<&Map<String, Value>>) -> Vec<Cell> {
    let figure = |name: &String| {
        let value = reading.and_then(|reading| reading.get(name)).and_then(Value::as_f64);
        cell(value.map(number).unwrap_or_default())
    };
    let fetched = match reading {
        Some(reading) => cell(fetched_at(reading)),
        None => cell("not yet"),
    };
    names.iter().map(figure).chain([fetched]).collect()
}

/// To the second where it is an instant, else as it came.
fn fetched_at(reading: &Map<String, Value>) -> String {
    let text = reading.get(FETCHED_AT).and_then(Value::as_str).unwrap_or_default();
    text.parse::<DateTime<Utc>>().map_or_else(|_| text.to_owned(), instant)
}

/// A name of the wire, such as `videoViews`, in words.
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for sign in name.chars() {
        if sign.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(sign.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::table;
    use serde_json::json;

    fn reading(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn a_column_for_each_figure_that_somebody_reports() {
        let bluesky = reading(&json!({
            "likes": 1_234, "reposts": 5, "fetchedAt": "2026-11-22T01:02:03.456Z", "zaps": 2,
        }));
        let youtube = reading(&json!({
            "averageViewDurationSeconds": 12.5, "likes": 7, "views": 1_000_000,
            "fetchedAt": "2026-11-22T01:02:04Z",
        }));
        let names = figure_names([&bluesky, &youtube].into_iter());
        assert_eq!(names, ["views", "likes", "reposts", "averageViewDurationSeconds", "zaps"]);
        let columns: Vec<Column> =
            [Column::words("network")].into_iter().chain(figure_columns(&names)).collect();
        let row = |network: &str, reading| {
            [cell(network)].into_iter().chain(figure_cells(&names, reading)).collect::<Vec<_>>()
        };
        let rows =
            [row("bluesky", Some(&bluesky)), row("youtube", Some(&youtube)), row("tumblr", None)];
        let shown = table(&columns, rows).unwrap();
        let cells: Vec<Vec<&str>> = shown
            .lines()
            .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
            .collect();
        let headings = [
            "NETWORK",
            "VIEWS",
            "LIKES",
            "REPOSTS",
            "AVERAGE VIEW DURATION SECONDS",
            "ZAPS",
            "FETCHED",
        ];
        assert_eq!(cells[0], headings, "{shown}");
        let fetched = instant("2026-11-22T01:02:03Z".parse().unwrap());
        assert_eq!(cells[1], ["bluesky", "1,234", "5", "2", &fetched]);
        assert_eq!(cells[2], ["youtube", "1,000,000", "7", "12.5", &fetched]);
        assert_eq!(cells[3], ["tumblr", "not yet"]);
        let end = |line: usize, text: &str| {
            let line = shown.lines().nth(line).unwrap();
            line.find(text).unwrap() + text.len()
        };
        assert_eq!(end(1, "1,234"), end(2, " 7"), "numbers end under each other:\n{shown}");
        assert_eq!(end(0, "LIKES"), end(1, "1,234"), "and under their heading:\n{shown}");
    }

    #[test]
    fn names_in_words() {
        for (name, want) in [
            ("likes", "likes"),
            ("outboundClicks", "outbound clicks"),
            ("averageViewDurationSeconds", "average view duration seconds"),
        ] {
            assert_eq!(words(name), want);
        }
    }
}
