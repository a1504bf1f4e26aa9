//! What the people and programs of a workspace write down about a post, for themselves.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::check_text;
use crate::error::Refusal;

/// Labels that a post has at most.
///
/// Source: our decision.
pub const LABELS_MAX_COUNT: usize = 20;

/// Characters that a label has at most.
///
/// Source: our decision.
pub const LABEL_MAX_CHARACTERS: usize = 50;

/// Characters that the note of a post has at most.
///
/// Source: our decision.
pub const POST_NOTE_MAX_CHARACTERS: usize = 2_000;

/// Entries that the metadata of a post have at most.
///
/// Source: our decision.
pub const METADATA_MAX_COUNT: usize = 20;

/// Characters that a key of the metadata has at most, of `A-Za-z0-9_.-`.
///
/// Source: our decision.
pub const METADATA_KEY_MAX_CHARACTERS: usize = 40;

/// Characters that a value of the metadata has at most.
///
/// Source: our decision.
pub const METADATA_VALUE_MAX_CHARACTERS: usize = 500;

/// What is written down about a post; no part of what is published, but for labels that the
/// parameters of links name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotations {
    /// Labels to find it by, each once, whatever its case.
    pub labels: Vec<String>,
    /// A note, for people.
    pub note: Option<String>,
    /// Strings by their keys, for programs.
    pub metadata: BTreeMap<String, String>,
}

impl Annotations {
    /// Nothing.
    pub const NONE: Self = Self { labels: Vec::new(), note: None, metadata: BTreeMap::new() };
}

/// A label as labels are compared: without case.
#[must_use]
pub fn folded_label(label: &str) -> String {
    label.to_lowercase()
}

/// Labels without space around them, and without those that repeat an earlier one; of each the
/// first spelling stays.
pub(crate) fn distinct_labels(labels: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let trimmed = labels.iter().map(|label| label.trim());
    trimmed.filter(|label| seen.insert(folded_label(label))).map(str::to_owned).collect()
}

/// Checks labels: how many there are, and that each says something and is not too long.
///
/// # Errors
/// `invalid_request` naming the label.
pub(crate) fn check_labels(labels: &[String]) -> Result<(), Refusal> {
    for (index, label) in labels.iter().enumerate() {
        check_label(&format!("labels[{index}]"), label)?;
    }
    let count = distinct_labels(labels).len();
    if count > LABELS_MAX_COUNT {
        let message = format!("There are {count} labels, the limit is {LABELS_MAX_COUNT}.");
        return Err(Refusal::invalid("labels", message));
    }
    Ok(())
}

/// Checks one label; space around it does not count.
///
/// # Errors
/// `invalid_request` naming the field.
pub(crate) fn check_label(field: &str, label: &str) -> Result<(), Refusal> {
    let label = label.trim();
    if label.is_empty() {
        let message =
            format!("A label has 1 to {LABEL_MAX_CHARACTERS} characters that can be seen.");
        return Err(Refusal::invalid(field, message));
    }
    check_text(field, label, LABEL_MAX_CHARACTERS)
}

/// Checks the note.
///
/// # Errors
/// `invalid_request` naming `note`.
pub(super) fn check_note(note: &str) -> Result<(), Refusal> {
    check_text("note", note, POST_NOTE_MAX_CHARACTERS)
}

/// Checks the metadata: how many entries there are, their keys and values.
///
/// # Errors
/// `invalid_request` naming the entry.
pub(super) fn check_metadata(metadata: &BTreeMap<String, String>) -> Result<(), Refusal> {
    let count = metadata.len();
    if count > METADATA_MAX_COUNT {
        let message = format!("There are {count} entries, the limit is {METADATA_MAX_COUNT}.");
        return Err(Refusal::invalid("metadata", message));
    }
    for (key, value) in metadata {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        if !(1..=METADATA_KEY_MAX_CHARACTERS).contains(&key.len()) || !key.bytes().all(is_plain) {
            let message = format!(
                "{:?} is not a key; a key has 1 to {METADATA_KEY_MAX_CHARACTERS} characters of A-Z, a-z, 0-9, _, . and -.",
                key.chars().take(METADATA_KEY_MAX_CHARACTERS + 1).collect::<String>()
            );
            return Err(Refusal::invalid("metadata", message));
        }
        check_text(&format!("metadata.{key}"), value, METADATA_VALUE_MAX_CHARACTERS)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_without_the_space_around_them() {
        let sent = ["a", " b ", "B", "\tc d\n", "b"].map(str::to_owned);
        assert_eq!(distinct_labels(&sent), ["a", "b", "c d"]);
        let longest = "x".repeat(LABEL_MAX_CHARACTERS);
        for (label, is_taken) in [
            (format!(" {longest} "), true),
            (format!("{longest}x"), false),
            (" ".to_owned(), false),
        ] {
            assert_eq!(check_label("label", &label).is_ok(), is_taken, "{label:?}");
        }
    }
}
