//! The picture of the demo shows what the demo prints.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use scheduler_core::platform::Platform;

use crate::support::scheduler;

/// The texts of a picture, a line for each.
fn shown(picture: &str) -> Vec<String> {
    let lines = picture.split("<text ").skip(1).filter_map(|rest| rest.split("</text>").next());
    let text = |line: &str| {
        let pieces = line.split('>').skip(1).filter_map(|piece| piece.split('<').next());
        let text: String = pieces.collect();
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    };
    lines.map(text).collect()
}

/// The words of the table's head, and the first column below it.
fn table(lines: &[String]) -> (Vec<String>, Vec<String>) {
    let head = lines.iter().position(|line| line.trim_start().starts_with("NETWORK "));
    let head = head.expect("there is a table");
    let words = lines[head].split_whitespace().map(str::to_owned).collect();
    let rows = lines[head + 1..].iter().take_while(|line| !line.trim().is_empty());
    // A name may hold a space; two of them end it.
    let first = |line: &String| line.trim_start().split("  ").next().unwrap_or_default().to_owned();
    (words, rows.map(first).collect())
}

#[test]
fn the_picture_shows_what_the_demo_prints() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = Command::new(scheduler());
    demo.arg("demo").current_dir(folder.path()).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = demo.output().expect("the demo starts");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let printed: Vec<String> = printed.lines().map(str::to_owned).collect();
    let (head, networks) = table(&printed);
    let reached: BTreeSet<&String> = networks.iter().collect();
    assert_eq!(reached.len(), Platform::ALL.len());

    let picture = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/images/demo.svg");
    let picture = std::fs::read_to_string(picture).unwrap();
    let (shown_head, shown_networks) = table(&shown(&picture));
    let advice = "renew it: scheduler demo 2>&1 | scripts/demo-picture.py > docs/images/demo.svg";
    assert_eq!(shown_head, head, "{advice}");
    assert_eq!(shown_networks, networks, "{advice}");
}
