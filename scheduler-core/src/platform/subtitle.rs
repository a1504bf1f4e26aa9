//! Subtitles of a video, in the form that several networks share.

use serde::{Deserialize, Serialize};

/// Subtitles in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subtitle {
    /// The language, as a tag such as `de` or `pt-BR`.
    pub language: String,
    /// What they are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Their format, such as `srt`.
    pub format: String,
    /// The whole file.
    pub content: String,
}
