//! How long the texts of a dry run are.

use serde::{Deserialize, Serialize};

use crate::platform::TextUnit;
use crate::rules::{Draft, Measured, Place, measure};

/// How long one text of a target is, as its network counts it. A network that bounds characters and
/// bytes has two for each text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextCount {
    /// The index of the target.
    pub target: usize,
    /// `text`, or the index of an item of the option `thread`.
    pub part: String,
    /// What is counted.
    pub unit: TextUnit,
    /// How much the text counts, with what the network counts beside it.
    pub used: usize,
    /// How much it may count.
    pub limit: usize,
    /// Where the text that is sent begins to be too much, in UTF-16 code units, as JavaScript
    /// counts; absent where all of it fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_at: Option<usize>,
    /// The text that is counted, as it would be sent; not a part of the answer.
    #[serde(skip)]
    pub text: String,
}

impl TextCount {
    /// The counts of all texts of a draft.
    pub(super) fn all(draft: &Draft<'_>) -> Vec<Self> {
        measure(draft).iter().map(Self::of).collect()
    }

    fn of(measured: &Measured) -> Self {
        let before = measured.overflow.as_ref().map(|range| &measured.text[..range.start]);
        Self {
            target: measured.target,
            part: match &measured.place {
                Place::Item(_, index) => index.to_string(),
                _ => "text".to_owned(),
            },
            unit: measured.unit,
            used: measured.used,
            limit: measured.limit,
            over_at: before.map(|text| text.encode_utf16().count()),
            text: measured.text.to_string(),
        }
    }
}
