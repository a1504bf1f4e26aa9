//! The files of expected answers against what is said now.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{corpus, render};

/// The head of every file.
const INTRODUCTION: &str = "\
What each network says to each post. <network> stands for its name; a figure after `=` is its own
limit, which the message has for <figure>. Posts of one file go to the networks that take such files.
Networks that cannot do without a file or an option get one, unless the post is about that.
";

const COMMAND: &str = "SCHEDULER_RENEW=1 cargo test -p scheduler-core --test snapshot";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshot/expected")
}

#[test]
fn every_network_answers_as_it_did() {
    let is_renewed = std::env::var_os("SCHEDULER_RENEW").is_some();
    let mut differing = Vec::new();
    for theme in corpus::themes() {
        let cases: Vec<String> = theme.cases.iter().map(render::of_case).collect();
        let rendered = format!("# {}\n\n{}\n{}", theme.title, INTRODUCTION, cases.join("\n"));
        let path = folder().join(format!("{}.txt", theme.name));
        if is_renewed {
            fs::write(&path, &rendered).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected != rendered {
            differing.push(first_difference(theme.name, &expected, &rendered));
        }
    }
    assert!(
        differing.is_empty(),
        "the answers have changed; if they should, renew the files with\n  {COMMAND}\nand review the difference\n\n{}",
        differing.join("\n")
    );
}

/// The first line that differs, below the name of its post.
fn first_difference(theme: &str, expected: &str, rendered: &str) -> String {
    let mut heading = "";
    let mut expected = expected.lines();
    for line in rendered.lines() {
        if line.starts_with("## ") {
            heading = line;
        }
        let was = expected.next().unwrap_or("(nothing)");
        if was != line {
            return format!("{theme}.txt, {heading}\n  was {was}\n  is  {line}");
        }
    }
    format!("{theme}.txt has lines that no post gives")
}

#[test]
fn every_file_belongs_to_a_theme() {
    let themes = corpus::themes();
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_known = themes.iter().any(|theme| format!("{}.txt", theme.name) == name);
        assert!(is_known, "{name} belongs to no theme");
    }
}
