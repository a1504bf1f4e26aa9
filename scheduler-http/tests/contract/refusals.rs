//! The body of every refusal that the scenarios meet, against the files of `refusals/`.
//!
//! `SCHEDULER_RENEW=1 cargo test -p scheduler-http --test contract` writes the files again; the
//! difference is then reviewed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::table::TABLE;

const COMMAND: &str = "SCHEDULER_RENEW=1 cargo test -p scheduler-http --test contract each_status_is_reached_on_sqlite";

/// The head of every file.
const INTRODUCTION: &str = "\
Every refusal of these endpoints that the scenarios of the contract meet: status and code, and the
bodies under them. <id> stands for a uuid, <time> for an instant, <day> for a date, <n> for seconds to
wait, … for what is repeated.
";

/// Bodies by row, status and code.
#[derive(Debug, Default)]
pub(crate) struct Refusals(BTreeMap<(usize, u16, String), BTreeSet<String>>);

impl Refusals {
    pub(crate) fn add(&mut self, row: usize, status: u16, body: &Value) {
        let code = body["error"]["code"].as_str().unwrap_or_default().to_owned();
        let body = redacted(&body["error"].to_string());
        self.0.entry((row, status, code)).or_default().insert(body);
    }

    /// The text of each file.
    fn files(&self) -> BTreeMap<&'static str, String> {
        let mut files = BTreeMap::new();
        let mut last = None;
        for ((index, status, code), bodies) in &self.0 {
            let row = &TABLE[*index];
            let text: &mut String = files
                .entry(resource(row.path))
                .or_insert_with(|| format!("# Refusals: {}\n\n{INTRODUCTION}", resource(row.path)));
            if last != Some(*index) {
                text.push_str(&format!("\n## {}\n", row.name()));
                last = Some(*index);
            }
            text.push_str(&format!("\n{status} {code}\n"));
            for body in bodies {
                text.push_str(&format!("  {body}\n"));
            }
        }
        files
    }
}

/// The name of the file that has a path.
fn resource(path: &str) -> &'static str {
    if path.contains("/targets/") {
        return "targets";
    }
    let first = path.split('/').nth(1).unwrap_or_default();
    let known = [("platforms", "platforms"), ("posts", "posts"), ("media", "media")];
    let more =
        [("oauth", "accounts"), ("ai", "ai"), ("workspace", "webhooks"), ("snippets", "snippets")];
    let all = known.into_iter().chain(more);
    all.into_iter().find(|(begin, _)| *begin == first).map_or("others", |(_, name)| name)
}

/// A body without what differs from run to run.
fn redacted(body: &str) -> String {
    let mut text = String::new();
    let mut rest = body;
    while let Some(sign) = rest.chars().next() {
        let (found, length) = if is_uuid(rest) {
            ("<id>", 36)
        } else if let Some(length) = instant_length(rest) {
            (if length > 10 { "<time>" } else { "<day>" }, length)
        } else if let Some(length) = seconds_length(&text, rest) {
            ("<n>", length)
        } else {
            text.push(sign);
            rest = &rest[sign.len_utf8()..];
            continue;
        };
        text.push_str(found);
        rest = &rest[length..];
    }
    // A text of many equal signs says no more than a few of them.
    for sign in ['x', '0'] {
        let many = sign.to_string().repeat(40);
        while let Some(at) = text.find(&many) {
            let end =
                text[at..].find(|other| other != sign).map_or(text.len(), |length| at + length);
            text.replace_range(at..end, "…");
        }
    }
    text
}

fn is_uuid(text: &str) -> bool {
    text.get(..36).is_some_and(|begin| uuid::Uuid::try_parse(begin).is_ok())
}

/// How many bytes at the begin of a text are a date, or an instant.
fn instant_length(text: &str) -> Option<usize> {
    let date =
        text.get(..10).filter(|date| date.starts_with(|sign: char| sign.is_ascii_digit()))?;
    chrono::NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    let of_time = |sign: char| sign.is_ascii_digit() || matches!(sign, 'T' | ':' | '.' | 'Z' | '+');
    Some(text[10..].find(|sign| !of_time(sign)).map_or(text.len(), |length| 10 + length))
}

/// How many bytes at the begin of a text are the seconds to wait, after what was read before: a
/// limit counts down while the scenarios run.
fn seconds_length(before: &str, text: &str) -> Option<usize> {
    let digits = text.find(|sign: char| !sign.is_ascii_digit())?;
    (digits > 0 && before.ends_with("try again in ")).then_some(digits)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract/refusals")
}

/// Where the files and the refusals differ.
pub(crate) fn differences(refusals: &Refusals) -> Vec<String> {
    let is_renewed = std::env::var_os("SCHEDULER_RENEW").is_some();
    let files = refusals.files();
    let mut differences = Vec::new();
    for (name, text) in &files {
        let path = folder().join(format!("{name}.txt"));
        if is_renewed {
            fs::write(&path, text).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected != *text {
            differences.push(first_difference(name, &expected, text));
        }
    }
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_known = name.strip_suffix(".txt").is_some_and(|name| files.contains_key(name));
        if !is_known {
            differences.push(format!("refusals/{name} is a file of no resource"));
        }
    }
    if !differences.is_empty() {
        differences.push(format!(
            "the refusals have changed; if they should, renew the files with\n  {COMMAND}\nand review the difference"
        ));
    }
    differences
}

/// The first line that differs, below the name of its endpoint.
fn first_difference(name: &str, expected: &str, text: &str) -> String {
    let mut heading = "";
    let mut expected = expected.lines();
    for line in text.lines() {
        if line.starts_with("## ") {
            heading = line;
        }
        let was = expected.next().unwrap_or("(nothing)");
        if was != line {
            return format!("refusals/{name}.txt, {heading}\n  was {was}\n  is  {line}");
        }
    }
    format!("refusals/{name}.txt has lines that no scenario gives")
}

#[test]
fn what_differs_from_run_to_run_is_redacted() {
    for (body, want) in [
        ("post 01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8d90.", "post <id>."),
        ("until 2026-11-10T12:00:00Z, not", "until <time>, not"),
        ("on 2026-11-10 12", "on <day> 12"),
        ("2026 é 12-11", "2026 é 12-11"),
    ] {
        assert_eq!(redacted(body), want);
    }
    assert_eq!(redacted(&format!("a {} b", "x".repeat(300))), "a … b");
}
