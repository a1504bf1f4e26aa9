//! What is known of a file.

use serde::{Deserialize, Serialize};

/// Whether a file is a picture or a film.
///
/// Source: interface description, Media `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// How the pictures of a video are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum VideoCodec {
    /// H.264, also called AVC.
    H264,
    /// H.265, also called HEVC.
    Hevc,
    /// VP8.
    Vp8,
    /// VP9.
    Vp9,
    /// AV1.
    Av1,
    /// Apple ProRes.
    ProRes,
    /// MPEG-4 Part 2.
    Mpeg4,
    /// Another one.
    Other,
}

impl VideoCodec {
    /// Every codec. Tables in tests run over it.
    pub const ALL: [Self; 8] = [
        Self::H264,
        Self::Hevc,
        Self::Vp8,
        Self::Vp9,
        Self::Av1,
        Self::ProRes,
        Self::Mpeg4,
        Self::Other,
    ];

    /// The codec's name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::H264 => "H.264",
            Self::Hevc => "HEVC",
            Self::Vp8 => "VP8",
            Self::Vp9 => "VP9",
            Self::Av1 => "AV1",
            Self::ProRes => "ProRes",
            Self::Mpeg4 => "MPEG-4",
            Self::Other => "an uncommon codec",
        }
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
    /// How its pictures are coded, for a video.
    pub video_codec: Option<VideoCodec>,
    /// Its pictures: 1 for a still image, more for an animation.
    pub frame_count: Option<u32>,
}

impl MediaFacts {
    /// A file of which only its kind is known, ready to be sent.
    #[must_use]
    pub const fn of_kind(kind: MediaKind) -> Self {
        Self {
            kind,
            ready: true,
            mime_type: None,
            size_bytes: None,
            duration_seconds: None,
            fps: None,
            width: None,
            height: None,
            video_codec: None,
            frame_count: None,
        }
    }
}
