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

use crate::platform::{AccountLimits, Platform};
use serde_json::{Map, Value};

/// A post as it is checked.
#[derive(Debug)]
pub struct Draft<'a> {
    /// Text.
    pub content: &'a str,
    /// Link.
    pub link_url: Option<&'a str>,
    /// Files.
    pub media: &'a [MediaFacts],
    /// Alt texts.
    pub alt_texts: &'a [Option<String>],
    /// Targets.
    pub targets: &'a [DraftTarget<'a>],
}
/// A target as it is checked.
#[derive(Debug)]
pub struct DraftTarget<'a> {
    /// Network.
    pub platform: Platform,
    /// Options.
    pub options: &'a Map<String, Value>,
    /// Limits.
    pub limits: &'a AccountLimits,
}
/// A file as it is checked.
#[derive(Clone, Debug)]
pub struct MediaFacts {
    /// Kind.
    pub kind: MediaKind,
    /// Ready.
    pub ready: bool,
    /// Type.
    pub mime_type: Option<String>,
    /// Size.
    pub size_bytes: Option<u64>,
    /// Length.
    pub duration_seconds: Option<f64>,
    /// Frames.
    pub fps: Option<f64>,
    /// Width.
    pub width: Option<u32>,
    /// Height.
    pub height: Option<u32>,
}
/// Surroundings.
#[derive(Debug, Default)]
pub struct Context {}
/// Interim.
pub fn check(_draft: &Draft<'_>, _context: &Context) -> Vec<ValidationIssue> {
    Vec::new()
}
