//! The publishing rules: one rule a file, and one function that runs them all.

mod issue;

pub use issue::{Severity, ValidationIssue};

/// Picture or video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaKind {
    /// A picture.
    Image,
    /// A video.
    Video,
}
