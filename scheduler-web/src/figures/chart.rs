//! A chart as an SVG, and the table of the same numbers.

use chrono::{Datelike as _, NaiveDate};
use scheduler_core::analytics::{Line, Measure, Span};
use scheduler_core::app::Gains;
use scheduler_core::platform::{MetricChange, Platform};
use scheduler_core::ports::Retention;

use super::words;

/// Lines of a chart at most: each has a colour and a dash of its own.
const LINES: usize = 4;

/// The plot within an image of 820 by 270.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 684.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 240.0;

/// The least distance of two labels.
const APART: f64 = 15.0;

/// Letters of a label at the end of a line.
const LETTERS: usize = 18;

/// Marks on the axis of values, and of days, at most.
const MARKS: usize = 5;

/// A chart of up to four lines.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) id: String,
    /// What is shown, above it, and of what.
    pub(super) heading: String,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) grid: Vec<Mark>,
    /// The marks below it.
    pub(super) axis: Vec<Mark>,
    pub(super) changes: Vec<ChangeMark>,
    pub(super) lines: Vec<Drawn>,
    /// What stands in the first column of its table, and in the others.
    pub(super) first_head: &'static str,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<(String, Vec<String>)>,
}

/// A mark on an axis.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) at: String,
    pub(super) text: String,
}

/// The day from which something is counted in another way.
#[derive(Debug)]
pub(super) struct ChangeMark {
    pub(super) at: String,
    pub(super) text_at: String,
    pub(super) text_y: String,
    pub(super) anchor: &'static str,
    pub(super) text: String,
}

/// A line with its label.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) number: usize,
    pub(super) path: String,
    pub(super) name: String,
    pub(super) name_y: String,
}

/// The charts of what was gained: the four that gained most, and so on.
pub(super) fn charts(gains: &Gains, names: &[String]) -> Vec<Chart> {
    let Some(measure) = gains.asked.measure else { return Vec::new() };
    let spans = gains.asked.period.spans();
    let groups = gains.lines.chunks(LINES).zip(names.chunks(LINES)).enumerate();
    groups
        .map(|(index, (lines, names))| {
            let networks: Vec<Platform> = lines.iter().map(|line| line.of.platform()).collect();
            let changes = gains.changes.iter().filter(|(of, _)| networks.contains(of));
            let changes: Vec<MetricChange> = changes.map(|(_, change)| *change).collect();
            chart(index, measure, &spans, lines, names, &changes)
        })
        .collect()
}

fn chart(
    index: usize,
    measure: Measure,
    spans: &[Span],
    lines: &[Line],
    names: &[String],
    changes: &[MetricChange],
) -> Chart {
    let scale = Scale::of(lines.iter().flat_map(|line| line.values.iter().copied()));
    let count = spans.len();
    let ends: Vec<f64> =
        lines.iter().map(|line| scale.y(line.values.last().copied().unwrap_or_default())).collect();
    let labels = spread(&ends);
    let years =
        spans.first().zip(spans.last()).map(|(first, last)| (first.first.year(), last.last.year()));
    let unit = if spans.last().is_some_and(|span| span.days() > 1) { "a week" } else { "a day" };
    let day = if years.is_some_and(|(first, last)| first == last) { "%-d %b" } else { "%-d %b %Y" };
    Chart {
        id: format!("chart-{index}"),
        heading: format!("{} {unit}", measure.name()),
        title: names.join(", "),
        caption: caption(measure, spans, lines, names),
        grid: scale
            .marks
            .iter()
            .map(|value| mark(scale.y(*value), words::number(*value)))
            .collect(),
        axis: day_marks(count)
            .into_iter()
            .map(|at| mark(x(at, count), spans[at].first.format(day).to_string()))
            .collect(),
        changes: changes
            .iter()
            .enumerate()
            .filter_map(|(number, change)| change_mark(number, *change, spans))
            .collect(),
        lines: lines
            .iter()
            .zip(names)
            .zip(labels)
            .enumerate()
            .map(|(number, ((line, name), y))| Drawn {
                number: number + 1,
                path: path(
                    line.values
                        .iter()
                        .enumerate()
                        .map(|(at, value)| (x(at, count), scale.y(*value))),
                ),
                name: shortened(name),
                name_y: place(y + 4.0),
            })
            .collect(),
        first_head: "Day",
        heads: names.to_vec(),
        rows: spans
            .iter()
            .enumerate()
            .map(|(at, span)| {
                let values = lines.iter().map(|line| words::number(line.values[at])).collect();
                (span_words(span), values)
            })
            .collect(),
    }
}

/// The axis of values: from 0, or from below where something was lost.
struct Scale {
    low: f64,
    high: f64,
    marks: Vec<f64>,
}

impl Scale {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let high = values.clone().fold(0.0, f64::max).max(1.0);
        let low = values.fold(0.0, f64::min);
        let step = step(high - low);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let mut marks = Vec::new();
        let mut at = first;
        while at <= last {
            marks.push(at * step);
            at += 1.0;
        }
        Self { low: first * step, high: last * step, marks }
    }

    fn y(&self, value: f64) -> f64 {
        BOTTOM - (value - self.low) / (self.high - self.low) * (BOTTOM - TOP)
    }
}

/// A round step, so that a range has at most [`MARKS`] of them: 1, 2 or 5 times a power of ten.
fn step(range: f64) -> f64 {
    let steps = (0..).flat_map(|power| [1.0, 2.0, 5.0].map(|of| of * 10_f64.powi(power)));
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let most = MARKS as f64;
    steps.take(60).find(|step| range / step <= most).unwrap_or(range)
}

#[expect(clippy::cast_precision_loss, reason = "at most 90 spans")]
fn x(index: usize, count: usize) -> f64 {
    LEFT + (RIGHT - LEFT) * index as f64 / (count.max(2) - 1) as f64
}

/// Which spans have a mark: the first, the last, and some between.
fn day_marks(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let mut marks: Vec<usize> = (0..MARKS).map(|part| part * last / (MARKS - 1)).collect();
    marks.dedup();
    marks
}

fn change_mark(number: usize, change: MetricChange, spans: &[Span]) -> Option<ChangeMark> {
    let index = spans.iter().position(|span| (span.first..=span.last).contains(&change.on))?;
    let span = spans[index];
    #[expect(clippy::cast_precision_loss, reason = "at most eight days")]
    let part = (change.on - span.first).num_days() as f64 / span.days() as f64;
    let count = spans.len();
    let at = x(index, count) + part * (x(1, count) - x(0, count));
    let is_late = at > f64::midpoint(LEFT, RIGHT);
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let line = number as f64 * APART;
    Some(ChangeMark {
        at: place(at),
        text_at: place(if is_late { at - 8.0 } else { at + 8.0 }),
        text_y: place(26.0 + line),
        anchor: if is_late { "end" } else { "start" },
        text: format!("{}: {}", change.on.format("%-d %b"), change.since),
    })
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points = points.enumerate().map(|(index, (x, y))| {
        let letter = if index == 0 { 'M' } else { 'L' };
        format!("{letter}{} {}", place(x), place(y))
    });
    points.collect()
}

/// How many still watch a video at each part of it.
pub(super) fn retention(id: &str, title: &str, network: &str, points: &[Retention]) -> Chart {
    let scale = Scale::of(points.iter().map(|point| point.watch_ratio * 100.0));
    let x = |share: f64| LEFT + (RIGHT - LEFT) * share;
    let y = |point: &Retention| scale.y(point.watch_ratio * 100.0);
    let last = points.last().map_or(BOTTOM, y);
    Chart {
        id: format!("stay-{id}"),
        heading: "Still watching".to_owned(),
        title: title.to_owned(),
        caption: stays(points),
        grid: scale.marks.iter().map(|value| mark(scale.y(*value), percent(*value))).collect(),
        axis: [0.0, 25.0, 50.0, 75.0, 100.0].map(|at| mark(x(at / 100.0), percent(at))).into(),
        changes: Vec::new(),
        lines: vec![Drawn {
            number: 1,
            path: path(points.iter().map(|point| (x(point.elapsed_ratio), y(point)))),
            name: shortened(network),
            name_y: place(last + 4.0),
        }],
        first_head: "Of the video",
        heads: vec!["Still watching".to_owned(), "Better than videos of its length".to_owned()],
        rows: points
            .iter()
            .map(|point| {
                let better = point.relative_performance;
                let better = better.map_or_else(|| "–".to_owned(), |share| percent(share * 100.0));
                let values = vec![percent(point.watch_ratio * 100.0), better];
                (percent(point.elapsed_ratio * 100.0), values)
            })
            .collect(),
    }
}

/// What the curve shows, in a sentence.
fn stays(points: &[Retention]) -> String {
    let said = |point: &Retention| percent(point.watch_ratio * 100.0);
    let middle = points.iter().find(|point| point.elapsed_ratio >= 0.5);
    let middle =
        middle.map(|point| format!("{} still watch at the middle of the video and ", said(point)));
    format!(
        "Of all views, {}{} at its end. More than {} at a part means that it is watched again.",
        middle.unwrap_or_default(),
        points.last().map_or_else(|| percent(0.0), said),
        percent(100.0)
    )
}

fn percent(value: f64) -> String {
    format!("{}\u{202f}%", words::number(value.round()))
}

/// Where labels stand, so that none covers another: as near as may be to where they belong.
fn spread(ends: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|one, other| ends[*one].total_cmp(&ends[*other]));
    let mut places = ends.to_vec();
    let mut lowest = f64::MIN;
    for index in &order {
        places[*index] = places[*index].max(lowest + APART);
        lowest = places[*index];
    }
    let mut highest = BOTTOM + APART;
    for index in order.iter().rev() {
        places[*index] = places[*index].min(highest - APART);
        highest = places[*index];
    }
    places
}

fn mark(at: f64, text: String) -> Mark {
    Mark { at: place(at), text }
}

fn place(at: f64) -> String {
    format!("{at:.2}")
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    let begin: String = name.chars().take(LETTERS - 1).collect();
    format!("{begin}…")
}

fn span_words(span: &Span) -> String {
    let day = |day: NaiveDate| day.format("%-d %b %Y").to_string();
    match span.days() {
        1 => day(span.first),
        _ => format!("{} to {}", span.first.format("%-d %b"), day(span.last)),
    }
}

/// What the chart shows, in a few sentences.
fn caption(measure: Measure, spans: &[Span], lines: &[Line], names: &[String]) -> String {
    let pairs = lines.iter().zip(names);
    let gained: Vec<String> =
        pairs.map(|(line, name)| format!("{name} {}", words::number(line.total))).collect();
    let apart = if lines.iter().any(|line| line.of.platform() != lines[0].of.platform()) {
        " Each network counts in its own way, so the lines are not added up."
    } else {
        ""
    };
    let most = lines.first().zip(names.first()).and_then(|(line, name)| most(spans, line, name));
    let most = most.unwrap_or_default();
    format!("{} gained: {}.{most}{apart}", measure.name(), gained.join(", "))
}

/// When a line gained most.
fn most(spans: &[Span], line: &Line, name: &str) -> Option<String> {
    let value = line.values.iter().copied().fold(0.0, f64::max);
    let span = spans.iter().zip(&line.values).find(|(_, of)| **of > 0.0 && **of >= value)?.0;
    let when = if span.days() == 1 { "on" } else { "from" };
    Some(format!(" {name} gained most {when} {}: {}.", span_words(span), words::number(value)))
}

#[cfg(test)]
mod tests {
    use scheduler_core::analytics::{Change, LineOf, Period};
    use scheduler_core::platform::Metric;
    use scheduler_core::timing::Zone;

    use super::*;

    fn line(platform: Platform, values: &[f64]) -> Line {
        Line {
            of: LineOf::Network(platform),
            values: values.to_vec(),
            total: values.iter().sum(),
            before: None,
            change: Change::Unknown,
            counted: 1,
            read_at: None,
        }
    }

    fn week(now: &str) -> Vec<Span> {
        Period { days: 7, zone: Zone::UTC, now: now.parse().unwrap() }.spans()
    }

    #[test]
    fn steps_are_round_and_the_axis_begins_at_nothing() {
        for (values, want) in [
            (vec![0.0], vec![0.0, 1.0]),
            (vec![3.0], vec![0.0, 1.0, 2.0, 3.0]),
            (vec![9.0], vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
            (vec![23_698.0], vec![0.0, 5_000.0, 10_000.0, 15_000.0, 20_000.0, 25_000.0]),
            (vec![-3.0, 6.0], vec![-4.0, -2.0, 0.0, 2.0, 4.0, 6.0]),
        ] {
            let scale = Scale::of(values.iter().copied());
            assert_eq!(scale.marks, want, "{values:?}");
        }
    }

    #[test]
    fn labels_do_not_cover_each_other() {
        for ends in
            [vec![100.0], vec![100.0, 101.0, 99.0, 240.0], vec![240.0; 4], vec![40.0, 40.0, 41.0]]
        {
            let mut places = spread(&ends);
            assert!(places.iter().all(|y| (TOP..=BOTTOM).contains(y)), "{places:?}");
            places.sort_by(f64::total_cmp);
            assert!(places.windows(2).all(|two| two[1] - two[0] >= APART - 0.001), "{places:?}");
        }
    }

    #[test]
    fn a_line_is_drawn_through_the_numbers_of_its_table() {
        let values = [0.0, 12.0, 1_234.0, 7.0, 0.0, 900.0, 450.0];
        let lines = [line(Platform::Youtube, &values), line(Platform::Instagram, &[5.0; 7])];
        let names = ["YouTube".to_owned(), "Instagram".to_owned()];
        let changed = MetricChange::on(Metric::Views, (2026, 8, 27), "it changed");
        let views = Measure::Metric(Metric::Views);
        let spans = week("2026-08-29T12:00:00Z");
        let chart = chart(0, views, &spans, &lines, &names, &[changed]);
        let scale = Scale::of(values.iter().copied());
        let drawn: Vec<f64> = chart.lines[0]
            .path
            .split(['M', 'L'])
            .skip(1)
            .map(|point| point.split_once(' ').unwrap().1.parse().unwrap())
            .collect();
        for (at, y) in drawn.iter().enumerate() {
            let value = (BOTTOM - y) / (BOTTOM - TOP) * scale.high;
            assert!((value - values[at]).abs() < scale.high / 10_000.0, "{value} {}", values[at]);
            assert_eq!(chart.rows[at].1, [words::number(values[at]), "5".to_owned()]);
        }
        assert_eq!(drawn.len(), chart.rows.len());
        assert_eq!(chart.changes[0].text, "27 Aug: it changed");
        assert_eq!(chart.changes[0].at, place(x(4, 7)));
        let caption = "Views gained: YouTube 2\u{202f}603, Instagram 35. YouTube gained most on 25 Aug 2026: 1\u{202f}234. Each network counts in its own way, so the lines are not added up.";
        assert_eq!(chart.caption, caption);
    }
}
