//! A strict reader of the text format that Prometheus scrapes.
//!
//! Source: <https://prometheus.io/docs/instrumenting/exposition_formats/>

use std::collections::{BTreeMap, BTreeSet};

/// One metric with all its series.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Family {
    pub(crate) kind: String,
    pub(crate) help: String,
    /// By the name of the sample and its labels.
    pub(crate) samples: BTreeMap<(String, BTreeMap<String, String>), f64>,
}

/// A whole page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scrape(pub(crate) BTreeMap<String, Family>);

impl Scrape {
    /// Reads a page; fails at anything that the format does not allow, or that would be misread.
    pub(crate) fn parse(page: &str) -> Self {
        assert!(page.ends_with('\n'), "the last line ends");
        let mut families: BTreeMap<String, Family> = BTreeMap::new();
        let mut helps: BTreeMap<String, String> = BTreeMap::new();
        let mut current: Option<String> = None;
        for line in page.lines().filter(|line| !line.is_empty()) {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, text) = help.split_once(' ').unwrap_or_else(|| panic!("{line}"));
                assert!(is_name(name) && !text.trim().is_empty(), "{line}");
                assert!(helps.insert(name.into(), text.into()).is_none(), "told twice: {line}");
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').unwrap_or_else(|| panic!("{line}"));
                assert!(matches!(kind, "counter" | "gauge" | "histogram"), "{line}");
                let help = helps.get(name).unwrap_or_else(|| panic!("no HELP before {line}"));
                let family = Family { kind: kind.into(), help: help.clone(), ..Family::default() };
                assert!(families.insert(name.into(), family).is_none(), "twice: {line}");
                current = Some(name.into());
            } else {
                assert!(!line.starts_with('#'), "{line}");
                let name = current.as_ref().unwrap_or_else(|| panic!("no TYPE before {line}"));
                let family = families.get_mut(name).unwrap();
                let (sample, labels, value) = sample(line);
                assert!(belongs(&sample, name, &family.kind), "{line} under {name}");
                let series = (sample, labels);
                assert!(family.samples.insert(series, value).is_none(), "twice: {line}");
            }
        }
        let scrape = Self(families);
        scrape.check();
        scrape
    }

    /// The value of a series, by its labels in the order of their names.
    pub(crate) fn value(&self, sample: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let labels: BTreeMap<String, String> =
            labels.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let series = (sample.to_owned(), labels);
        self.0.values().find_map(|family| family.samples.get(&series).copied())
    }

    /// All values of a sample by one of its labels, added up.
    pub(crate) fn by(&self, sample: &str, label: &str) -> BTreeMap<String, f64> {
        let mut sums = BTreeMap::new();
        for family in self.0.values() {
            for ((name, labels), value) in &family.samples {
                if name == sample {
                    *sums.entry(labels[label].clone()).or_default() += value;
                }
            }
        }
        sums
    }

    fn check(&self) {
        for (name, family) in &self.0 {
            assert!(!family.samples.is_empty(), "{name} has no samples");
            let labels = |sample: &BTreeMap<String, String>| -> BTreeSet<String> {
                sample.keys().filter(|label| *label != "le").cloned().collect()
            };
            let first = family.samples.keys().next().map(|(_, sample)| labels(sample));
            for ((sample, of), value) in &family.samples {
                assert_eq!(Some(labels(of)), first, "{sample}: one set of labels");
                if family.kind != "gauge" {
                    assert!(*value >= 0.0, "{sample} is {value}");
                }
            }
            if family.kind == "histogram" {
                check_histogram(name, family);
            }
        }
    }
}

/// Its buckets add up, end with `+Inf`, and agree with its count.
fn check_histogram(name: &str, family: &Family) {
    let mut buckets: BTreeMap<BTreeMap<String, String>, Vec<(f64, f64)>> = BTreeMap::new();
    for ((sample, labels), value) in &family.samples {
        if sample.ends_with("_bucket") {
            let mut labels = labels.clone();
            let bound = labels.remove("le").unwrap_or_else(|| panic!("{sample} has no le"));
            buckets.entry(labels).or_default().push((number(&bound), *value));
        }
    }
    let sample = |suffix: &str, labels: &BTreeMap<String, String>| {
        let series = (format!("{name}{suffix}"), labels.clone());
        *family.samples.get(&series).unwrap_or_else(|| panic!("{name}{suffix} is missing"))
    };
    assert!(!buckets.is_empty(), "{name} has no buckets");
    for (labels, mut buckets) in buckets {
        buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert!(buckets.windows(2).all(|pair| pair[0].1 <= pair[1].1), "{name}: {buckets:?}");
        let (last, count) = *buckets.last().unwrap();
        assert!(last.is_infinite(), "{name} ends at {last}");
        assert!((count - sample("_count", &labels)).abs() < 0.5, "{name}");
        assert!(sample("_sum", &labels) >= 0.0, "{name}");
    }
}

fn belongs(sample: &str, family: &str, kind: &str) -> bool {
    match sample.strip_prefix(family) {
        Some("") => kind != "histogram",
        Some("_bucket" | "_sum" | "_count") => kind == "histogram",
        Some(_) | None => false,
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_some_and(is_letter)
        && name.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

fn number(text: &str) -> f64 {
    match text {
        "+Inf" => f64::INFINITY,
        text => text.parse().unwrap_or_else(|_| panic!("{text} is no number")),
    }
}

/// Splits `name{label="value",…} value`; no time stands behind it.
fn sample(line: &str) -> (String, BTreeMap<String, String>, f64) {
    let end = line.find(['{', ' ']).unwrap_or_else(|| panic!("{line}"));
    let (name, mut rest) = line.split_at(end);
    assert!(is_name(name), "{line}");
    let mut labels = BTreeMap::new();
    if let Some(mut inside) = rest.strip_prefix('{') {
        loop {
            let (label, after) = inside.split_once("=\"").unwrap_or_else(|| panic!("{line}"));
            assert!(is_name(label), "{line}");
            let (value, after) = quoted(after, line);
            assert!(labels.insert(label.to_owned(), value).is_none(), "{line}");
            match after.strip_prefix(',') {
                Some(more) => inside = more,
                None => {
                    rest = after.strip_prefix('}').unwrap_or_else(|| panic!("{line}"));
                    break;
                }
            }
        }
    }
    let value = rest.strip_prefix(' ').unwrap_or_else(|| panic!("{line}"));
    assert!(!value.contains(' '), "{line}");
    (name.to_owned(), labels, number(value))
}

/// A value up to its quote, with `\\`, `\"` and `\n` in place of what they stand for.
fn quoted<'a>(text: &'a str, line: &str) -> (String, &'a str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return (value, &text[index + 1..]),
            '\\' => match characters.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, escaped @ ('\\' | '"'))) => value.push(escaped),
                Some(_) | None => panic!("{line}"),
            },
            other => value.push(other),
        }
    }
    panic!("{line}")
}

#[test]
fn a_page_is_read_and_a_wrong_one_refused() {
    let page = "# HELP a_total What.\n# TYPE a_total counter\na_total{b=\"c\\\"d\",e=\"\"} 3\n\n\
        # HELP t Times.\n# TYPE t histogram\nt_bucket{le=\"1\"} 1\nt_bucket{le=\"+Inf\"} 2\n\
        t_sum 7.5\nt_count 2\n";
    let scrape = Scrape::parse(page);
    assert_eq!(scrape.value("a_total", &[("b", "c\"d"), ("e", "")]), Some(3.0));
    assert_eq!(scrape.value("t_bucket", &[("le", "+Inf")]), Some(2.0));
    for (name, from, to) in [
        ("no HELP", "# HELP a_total What.\n", ""),
        ("no TYPE", "# TYPE a_total counter\n", ""),
        ("of another", "t_sum 7.5", "u_sum 7.5"),
        ("twice", "t_sum 7.5", "t_sum 7.5\nt_sum 7.5"),
        ("not whole", "t_count 2\n", ""),
        ("does not add up", "t_count 2", "t_count 3"),
        ("buckets fall", "le=\"1\"} 1", "le=\"1\"} 5"),
        ("no last bucket", "+Inf", "9"),
        ("no number", "} 3", "} three"),
        ("a time", "} 3", "} 3 1395066363000"),
        ("open", "e=\"\"}", "e=\"\""),
        ("a name", "b=\"c", "b-b=\"c"),
        ("no end", "t_count 2\n", "t_count 2"),
    ] {
        let wrong = page.replace(from, to);
        assert_ne!(wrong, page, "{name}");
        let read = std::panic::catch_unwind(|| Scrape::parse(&wrong));
        assert!(read.is_err(), "{name} was taken");
    }
}
