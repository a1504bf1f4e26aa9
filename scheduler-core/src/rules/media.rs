//! What the rules know of a file.

use serde::{Deserialize, Serialize};

/// Whether a file is a picture or a film.
///
/// Source: interface description, Media `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaKind {
    /// An image.
    Image,
    /// A video.
    Video,
}

impl MediaKind {
    /// Whether it is an image.
    #[must_use]
    pub const fn is_image(self) -> bool {
        matches!(self, Self::Image)
    }
}

/// What is known of a file of a post; `None` is not known yet and not checked.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaFacts {
    /// Image or video.
    pub kind: MediaKind,
    /// Whether the file can be sent; true for a file that a dry run only describes.
    pub ready: bool,
    /// Its media type, such as `image/png`.
    pub mime_type: Option<String>,
    /// Its size, in bytes.
    pub size_bytes: Option<u64>,
    /// Its length, in seconds.
    pub duration_seconds: Option<f64>,
    /// Its frame rate, in frames a second.
    pub fps: Option<f64>,
    /// Its width, in pixels.
    pub width: Option<u32>,
    /// Its height, in pixels.
    pub height: Option<u32>,
}
