//! The texts of the corpus as files, from which fuzzing starts.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::corpus;

/// Longest text that is worth a seed, in bytes: longer ones only slow the start.
const LONGEST: usize = 8192;

/// Most characters of a text.
///
/// Source: interface description, "Limits".
const MOST_CHARACTERS: usize = 64_000;

/// Pieces that make a text hard to walk once when they fill it.
const REPEATED: &[&str] = &[
    "a",
    "a ",
    "a.",
    "@",
    "@a",
    "@a@b.",
    "@a@b.c ",
    "#",
    "#a",
    "$a ",
    "(",
    ")(",
    "http",
    "https://",
    "https://a.",
    "https://a.com/(",
    "https://a.com ",
    "a.com ",
    "www.",
    "の.",
    "https://の.",
    "xn--",
    "\r",
    "\r\n",
    "\n\n",
    "\u{301}",
    "\u{200d}",
    "\u{202e}",
    "क्",
    "👨\u{200d}",
    "🇺",
    "<",
    "\\",
    "[",
    "{",
];

/// Writes one file a text into the folder of `SCHEDULER_SEEDS`, as `scripts/fuzz.sh` asks.
#[test]
#[ignore = "writes files; scripts/fuzz.sh runs it"]
fn texts_are_written_as_seeds() {
    let folder =
        PathBuf::from(std::env::var_os("SCHEDULER_SEEDS").expect("SCHEDULER_SEEDS is set"));
    fs::create_dir_all(&folder).unwrap();
    let cases = corpus::themes().into_iter().flat_map(|theme| theme.cases);
    let mut texts: Vec<String> = Vec::new();
    for case in cases {
        texts.push(case.content);
        texts.extend(case.link_url);
        texts.extend(case.alt_texts.into_iter().flatten());
        for (_, options) in case.options {
            texts.push(Value::Object(options).to_string());
        }
    }
    texts.sort();
    texts.dedup();
    texts.retain(|text| text.len() <= LONGEST);
    for (index, text) in texts.iter().enumerate() {
        fs::write(folder.join(format!("corpus-{index:04}")), text).unwrap();
    }
    for (index, piece) in REPEATED.iter().enumerate() {
        let long = piece.repeat(MOST_CHARACTERS / piece.chars().count());
        fs::write(folder.join(format!("long-{index:02}")), long).unwrap();
    }
}
