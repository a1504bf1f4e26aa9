//! What the people of a workspace say of a file.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{FILE_NAME_MAX, Media};
use crate::error::Refusal;
use crate::post::{ALT_TEXT_MAX_CHARACTERS, Field, check_labels, check_text, distinct_labels};
use crate::text::words;

/// What the people of a workspace say of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaDescription {
    /// What it is called here, in place of the name it came with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Labels to find it by, each once, whatever its case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// What it shows, for those who do not see it: posts take it where they say nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt_text: Option<String>,
}

/// The body of a change of what is said of a file; only the fields sent change.
///
/// ```
/// use scheduler_core::media::{MediaChange, MediaDescription};
///
/// let change: MediaChange = serde_json::from_str(r#"{"labels": ["Cakes", "cakes"]}"#)?;
/// let mut description = MediaDescription { name: Some("Cake".into()), ..Default::default() };
/// change.check().unwrap();
/// change.apply_to(&mut description);
/// assert_eq!(description.labels, ["Cakes"]);
/// assert_eq!(description.name.as_deref(), Some("Cake"), "stays as it is");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MediaChange {
    /// What it is called here; `null` for the name it came with.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = FILE_NAME_MAX)))]
    pub name: Field<String>,
    /// Labels to find it by: up to 20 of 1 to 50 characters. Those that differ only in case count
    /// once.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    pub labels: Field<Vec<String>>,
    /// What it shows, for those who do not see it: posts take it where they say nothing else.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(max = ALT_TEXT_MAX_CHARACTERS)))]
    pub alt_text: Field<String>,
}

impl MediaChange {
    /// Checks every field on its own.
    ///
    /// # Errors
    /// `invalid_request` naming the field.
    pub fn check(&self) -> Result<(), Refusal> {
        if let Some(name) = self.name.value() {
            if name.trim().is_empty() {
                let message = "A name has a character that can be seen; send null for the name that the file came with.";
                return Err(Refusal::invalid("name", message));
            }
            check_text("name", name, FILE_NAME_MAX)?;
        }
        if let Some(labels) = self.labels.value() {
            check_labels(labels)?;
        }
        let alt_text = self.alt_text.value();
        alt_text.map_or(Ok(()), |text| check_text("altText", text, ALT_TEXT_MAX_CHARACTERS))
    }

    /// Changes a description to what was sent.
    pub fn apply_to(&self, description: &mut MediaDescription) {
        description.name = self.name.clone().or_current(description.name.take());
        if self.labels.is_sent() {
            let labels = self.labels.value().map(Vec::as_slice).unwrap_or_default();
            description.labels = distinct_labels(labels);
        }
        let alt_text = self.alt_text.clone().or_current(description.alt_text.take());
        description.alt_text = alt_text.filter(|text| !text.is_empty());
    }
}

impl Media {
    /// The words that it is found by: those of its names.
    #[must_use]
    pub fn search_words(&self) -> BTreeSet<String> {
        let names = [self.description.name.as_deref(), self.file_name.as_deref()];
        names.into_iter().flatten().flat_map(words_of_name).collect()
    }
}

/// The words of the name of a file, in which words are joined otherwise than in a sentence.
fn words_of_name(name: &str) -> Vec<String> {
    words(&name.replace(['_', '.', '-'], " ")).collect()
}
