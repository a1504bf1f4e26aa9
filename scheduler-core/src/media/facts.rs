//! What is known of a file.

use serde::{Deserialize, Serialize};

/// Whether a file is a picture, a film or a document.
///
/// Source: interface description, Media `kind`; documents are an addition of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MediaKind {
    /// An image.
    Image,
    /// A video.
    Video,
    /// A document, such as a PDF.
    Document,
}

impl MediaKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Image, Self::Video, Self::Document];

    /// Its name, such as `image`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Video => "video",
            Self::Document => "document",
        }
    }

    /// One of them inside a sentence, such as `an image`.
    #[must_use]
    pub const fn one(self) -> &'static str {
        match self {
            Self::Image => "an image",
            Self::Video => "a video",
            Self::Document => "a document",
        }
    }

    /// One of them at the beginning of a sentence, such as `An image`.
    #[must_use]
    pub const fn one_at_start(self) -> &'static str {
        match self {
            Self::Image => "An image",
            Self::Video => "A video",
            Self::Document => "A document",
        }
    }

    /// Several of them, such as `images`.
    #[must_use]
    pub const fn several(self) -> &'static str {
        match self {
            Self::Image => "images",
            Self::Video => "videos",
            Self::Document => "documents",
        }
    }

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
    /// Image, video or document.
    pub kind: MediaKind,
    /// Whether the file can be sent; true for a file that a dry run only describes.
    pub ready: bool,
    /// Why it never will be, in a sentence for a person; `None` where waiting may help.
    pub failure: Option<String>,
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
            failure: None,
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
