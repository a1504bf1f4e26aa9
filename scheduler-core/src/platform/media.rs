//! Files as a network sees them: which go together, and the bounds of each.

use crate::media::{MediaKind, VideoCodec};

/// Which files go together in one post, and what they may be.
///
/// The bounds that the capability sheet shows (bytes, duration, frame rate, count) stand there;
/// `limits` holds all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MediaFigures {
    /// Most images in one post.
    pub max_images: u32,
    /// Most videos in one post.
    pub max_videos: u32,
    /// Whether images and videos may stand in one post.
    pub mixes_kinds: bool,
    /// Media types of images.
    pub image_types: FileTypes,
    /// Media types of videos.
    pub video_types: FileTypes,
    /// What becomes of an animated GIF.
    pub gif: GifPlay,
    /// What the files of a carousel must have in common.
    pub carousel: Alike,
    /// Codecs of videos.
    pub codecs: Codecs,
    /// How a frame rate is compared with its bounds.
    pub frame_rate: Measure,
    /// Bounds beside those of the sheet.
    pub limits: &'static [FileLimit],
    /// Longest alternative text, in code points.
    pub alt_text_limit: u32,
    /// The sum of all files of a post, in bytes.
    pub total_bytes: TotalBytes,
}

/// Where on a network the files of a post are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placement {
    /// An ordinary post.
    Post,
    /// An ordinary post of several files.
    Carousel,
    /// A short upright video.
    Reel,
    /// A post that is gone after a day.
    Story,
}

impl Placement {
    /// The placement on a network, for a sentence, such as `a story on Instagram`.
    #[must_use]
    pub fn on(self, network: &str) -> String {
        match self {
            Self::Post => network.to_owned(),
            Self::Carousel => format!("a carousel on {network}"),
            Self::Reel => format!("a reel on {network}"),
            Self::Story => format!("a story on {network}"),
        }
    }
}

/// What is measured of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Size, in bytes.
    Bytes,
    /// Length of a video, in seconds.
    Seconds,
    /// Frames a second of a video.
    Fps,
    /// Frames a second of a video, rounded down.
    WholeFps,
    /// Frames: those of an animation, or duration times frame rate of a video.
    Frames,
    /// Size divided by length of a video, in bits a second.
    BitRate,
    /// Width, in pixels.
    Width,
    /// The longer of the two sides, in pixels.
    LongSide,
    /// The shorter of the two sides, in pixels.
    ShortSide,
    /// Width plus height, in pixels.
    SideSum,
    /// Width times height, in pixels.
    Pixels,
    /// Width divided by height.
    Ratio,
}

/// What a network does with something outside a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// It refuses the post.
    Refuses,
    /// It takes the post and does what the sentence says, or may refuse it.
    Warns(&'static str),
}

/// A bound on one measure of the files of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileLimit {
    /// The files that it speaks of.
    pub kind: MediaKind,
    /// The placements that it holds in; empty for all.
    pub placements: &'static [Placement],
    /// The media types that it speaks of; empty for all.
    pub types: &'static [&'static str],
    /// What is measured.
    pub measure: Measure,
    /// Smallest value that is within.
    pub least: Option<f64>,
    /// Greatest value that is within.
    pub most: Option<f64>,
    /// How far outside a value may be before it counts, since measured values are rounded.
    pub tolerance: f64,
    /// What happens outside.
    pub reaction: Reaction,
}

impl FileLimit {
    /// A bound outside which the network refuses a file.
    #[must_use]
    pub const fn refused(
        kind: MediaKind,
        measure: Measure,
        least: Option<f64>,
        most: Option<f64>,
    ) -> Self {
        Self {
            kind,
            placements: &[],
            types: &[],
            measure,
            least,
            most,
            tolerance: 0.0,
            reaction: Reaction::Refuses,
        }
    }

    /// A bound outside which the network does what the sentence says.
    #[must_use]
    pub const fn warned(
        kind: MediaKind,
        measure: Measure,
        least: Option<f64>,
        most: Option<f64>,
        sentence: &'static str,
    ) -> Self {
        Self { reaction: Reaction::Warns(sentence), ..Self::refused(kind, measure, least, most) }
    }

    /// The same bound, in some placements only.
    #[must_use]
    pub const fn in_placements(self, placements: &'static [Placement]) -> Self {
        Self { placements, ..self }
    }

    /// The same bound, for some media types only.
    #[must_use]
    pub const fn for_types(self, types: &'static [&'static str]) -> Self {
        Self { types, ..self }
    }

    /// The same bound, for measured values that are rounded.
    #[must_use]
    pub const fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }
}

/// Media types, and what happens to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTypes {
    /// Those that are taken as they are.
    pub taken: &'static [&'static str],
    /// What happens to others.
    pub others: Reaction,
}

impl FileTypes {
    /// Only the given types.
    #[must_use]
    pub const fn only(taken: &'static [&'static str]) -> Self {
        Self { taken, others: Reaction::Refuses }
    }

    /// The given types, and others with a warning.
    #[must_use]
    pub const fn rather(taken: &'static [&'static str], sentence: &'static str) -> Self {
        Self { taken, others: Reaction::Warns(sentence) }
    }

    /// Whether a media type, without its parameters, is among those that are taken.
    #[must_use]
    pub fn has(&self, media_type: &str) -> bool {
        self.taken.iter().any(|taken| media_type.eq_ignore_ascii_case(taken))
    }
}

/// Codecs of videos, and what happens to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codecs {
    /// Those that are taken as they are; empty where nothing is said.
    pub taken: &'static [VideoCodec],
    /// What happens to others.
    pub others: Reaction,
}

impl Codecs {
    /// Any codec.
    pub const ANY: Self = Self { taken: &[], others: Reaction::Refuses };
}

/// What becomes of an animated GIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GifPlay {
    /// It plays, or is not taken at all.
    Plays,
    /// It stands still.
    StandsStill,
    /// It plays alone and stands still beside other files.
    StandsStillInCarousel,
}

/// What the files of a carousel must have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Nothing.
    No,
    /// Width and height, else the post is refused.
    Size,
    /// The ratio of width to height, else files are cropped to that of the first.
    Ratio,
}

/// Bounds on the sum of all files of a post, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalBytes {
    /// More are refused.
    pub refused_above: Option<u64>,
    /// More are a risk, which the sentence names.
    pub warned_above: Option<(u64, &'static str)>,
}

impl TotalBytes {
    /// Any sum.
    pub const ANY: Self = Self { refused_above: None, warned_above: None };
}
