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

/// Every seed with the name of its file: the texts of the corpus, and pieces repeated to the most
/// characters that a post may have.
fn seeds() -> Vec<(String, String)> {
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
    let named = texts.into_iter().enumerate();
    let corpus = named.map(|(index, text)| (format!("corpus-{index:04}"), text));
    let long = REPEATED.iter().enumerate().map(|(index, piece)| {
        let text = piece.repeat(MOST_CHARACTERS / piece.chars().count());
        (format!("long-{index:02}"), text)
    });
    corpus.chain(long).collect()
}

/// With `SCHEDULER_SEEDS`, as `scripts/fuzz.sh` sets it, the seeds are also written into that
/// folder.
#[test]
fn seeds_are_many_and_as_long_as_a_post_may_be() {
    let seeds = seeds();
    assert!(seeds.len() > 300, "{}", seeds.len());
    let most = seeds.iter().map(|(_, text)| text.chars().count()).max();
    assert_eq!(most, Some(MOST_CHARACTERS));
    if let Some(folder) = std::env::var_os("SCHEDULER_SEEDS").map(PathBuf::from) {
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in seeds {
            fs::write(folder.join(name), text).unwrap();
        }
    }
}
