//! The pages of `docs/networks` against the command: every line of it, and every setting.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use scheduler_core::platform::Platform;

use crate::running::run;

fn pages() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/networks");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let pages: Vec<_> =
        paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    assert_eq!(pages.len(), Platform::ALL.len() + 1, "a page for each network, and the index");
    pages
}

/// The words of a line, of which some stand in quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for sign in line.chars() {
        match (quote, sign) {
            (None, '"' | '\'') => quote = Some(sign),
            (None, ' ') => words.push(String::new()),
            (Some(open), _) if open == sign => quote = None,
            _ => words.last_mut().unwrap().push(sign),
        }
    }
    assert_eq!(quote, None, "a quote stays open: {line}");
    words
}

/// What asks for help after its arguments has them read first.
#[test]
fn every_command_of_the_pages_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = 0;
    for (path, text) in pages() {
        for line in text.lines().filter(|line| line.starts_with("scheduler ")) {
            let mut words = words(line);
            words[0] = "--json".to_owned();
            words.push("--help".to_owned());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let ran = run(folder.path(), &words);
            assert_eq!(ran.code, Some(0), "{}: {line}\n{}", path.display(), ran.stderr);
            lines += 1;
        }
    }
    assert!(lines >= 3 * Platform::ALL.len(), "{lines}");
}

#[test]
fn a_line_that_is_none_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        ["accounts", "connect", "friendster", "--help"].as_slice(),
        &["accounts", "connect", "bluesky", "--password", "x", "--help"],
        &["post", "x", "--to", "myspace", "--help"],
        &["post", "x", "--option", "facebook.asReel=perhaps", "--help"],
    ] {
        assert_eq!(run(folder.path(), line).code, Some(2), "{line:?}");
    }
}

#[test]
fn every_setting_of_the_pages_is_known() {
    let is_of_name = |sign: char| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_';
    let mut keys = BTreeSet::new();
    for (_, text) in pages() {
        for part in text.split("SCHEDULER_").skip(1) {
            let end = part.find(|sign| !is_of_name(sign)).unwrap_or(part.len());
            keys.insert(part[..end].to_ascii_lowercase());
        }
    }
    assert!(keys.contains("youtube_client_id") && keys.contains("public_url"), "{keys:?}");
    let folder = tempfile::tempdir().unwrap();
    let told_of = |keys: &BTreeSet<String>| {
        let file: String = keys.iter().map(|key| format!("{key} = \"x\"\n")).collect();
        fs::write(folder.path().join("scheduler.toml"), file).unwrap();
        run(folder.path(), &["platforms", "--rules"])
    };
    let ran = told_of(&keys);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    keys.insert("friendster_client_id".to_owned());
    let ran = told_of(&keys);
    assert!(ran.stderr.contains("friendster_client_id"), "{ran:?}");
}
