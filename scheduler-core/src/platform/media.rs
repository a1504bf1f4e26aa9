//! Files as a network sees them: which go together, and the bounds of each.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::FileDetail;
use crate::media::{MediaKind, Recipe, VideoCodec};

/// Which files go together in one post, and what they may be.
///
/// The bounds that the capability sheet shows (bytes, duration, frame rate, count) stand there;
/// `limits` holds all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MediaFigures {
    /// What decides where on the network the files are shown.
    pub placement: PlacementChoice,
    /// Whether the network fetches files by their addresses, some of them at least.
    pub fetched_by_address: bool,
    /// Most images in one post.
    pub max_images: u32,
    /// Most videos in one post.
    pub max_videos: u32,
    /// The documents of a post.
    pub documents: DocumentFigures,
    /// Whether images and videos may stand in one post.
    pub mixes_kinds: bool,
    /// Media types of images.
    pub image_types: FileTypes,
    /// Media types of videos.
    pub video_types: FileTypes,
    /// What is made of a picture that the network would refuse as it is; `None` where nothing is.
    pub picture_recipe: Option<Recipe>,
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
    /// Whether videos and documents keep an alternative text, where images do.
    pub alt_text_of_videos: bool,
    /// What is shown of [`FileDetails`](super::FileDetails) beside alternative texts.
    pub details: &'static [FileDetail],
    /// The sum of all files of a post, in bytes.
    pub total_bytes: TotalBytes,
}

impl MediaFigures {
    /// No files.
    pub const NONE: Self = Self {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 0,
        max_videos: 0,
        documents: DocumentFigures::NONE,
        mixes_kinds: false,
        image_types: FileTypes::only(&[]),
        video_types: FileTypes::only(&[]),
        picture_recipe: None,
        gif: GifPlay::Plays,
        carousel: Alike::No,
        codecs: Codecs::ANY,
        frame_rate: Measure::Fps,
        limits: &[],
        alt_text_limit: 0,
        alt_text_of_videos: false,
        details: &[],
        total_bytes: TotalBytes::ANY,
    };
}

/// What a network takes of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentFigures {
    /// Most of them in one post.
    pub most: u32,
    /// Largest one, in bytes.
    pub max_bytes: u64,
    /// Their media types.
    pub types: FileTypes,
    /// Whether images and videos may stand beside them.
    pub go_beside_others: bool,
    /// How images become the pages of one; `None` where that is not offered.
    pub pages: Option<PageFigures>,
}

/// How images become the pages of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageFigures {
    /// The option that asks for it.
    pub option: &'static str,
    /// Most pages.
    pub most: u32,
    /// What each image is made into first: JPEG.
    pub recipe: Recipe,
}

impl DocumentFigures {
    /// No documents.
    pub const NONE: Self = Self {
        most: 0,
        max_bytes: 0,
        types: FileTypes::only(&[]),
        go_beside_others: false,
        pages: None,
    };

    /// How the images of a post become a document; `None` where its options do not ask for it.
    #[must_use]
    pub fn pages_for(&self, options: &Map<String, Value>) -> Option<PageFigures> {
        self.pages.filter(|pages| options.get(pages.option) == Some(&Value::Bool(true)))
    }
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

/// What decides where on a network the files of a post are shown.
///
/// Several files are a carousel, and one is a post, unless an option or the files say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementChoice {
    /// The files alone.
    ByFiles,
    /// An option that names a story or a reel.
    Named {
        /// Key of the option.
        option: &'static str,
        /// Where a single video goes that is not asked to be a story, also when it was asked for
        /// the feed.
        video_alone: Placement,
    },
    /// An option that names a story or a reel, and a flag that makes a reel where it is not given.
    NamedOrReelFlag {
        /// Key of the option.
        option: &'static str,
        /// Key of the flag.
        flag: &'static str,
    },
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
///
/// Of the bounds that refuse, one for a media type stands in for those of the same measure that
/// hold for every type; with neither a least nor a greatest value it lifts them.
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
    /// Whether what the network says for an account leaves it as it is.
    pub is_fixed: bool,
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
            is_fixed: false,
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

    /// The same bound, for every account whatever the network says for it.
    #[must_use]
    pub const fn for_every_account(self) -> Self {
        Self { is_fixed: true, ..self }
    }
}

/// Media types, and what happens to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTypes {
    /// Those that are taken as they are.
    pub taken: &'static [&'static str],
    /// Those that are taken, and what the sentence says is done to them.
    pub changed: &'static [(&'static str, &'static str)],
    /// What happens to others.
    pub others: Reaction,
}

impl FileTypes {
    /// Only the given types.
    #[must_use]
    pub const fn only(taken: &'static [&'static str]) -> Self {
        Self { taken, changed: &[], others: Reaction::Refuses }
    }

    /// The given types, and others with a warning.
    #[must_use]
    pub const fn rather(taken: &'static [&'static str], sentence: &'static str) -> Self {
        Self { taken, changed: &[], others: Reaction::Warns(sentence) }
    }

    /// These types as well, each with a sentence of what is done to it.
    #[must_use]
    pub const fn changing(self, changed: &'static [(&'static str, &'static str)]) -> Self {
        Self { changed, ..self }
    }

    /// Whether a canonical media type is among those that are taken as they are.
    #[must_use]
    pub fn has(&self, media_type: &str) -> bool {
        self.taken.contains(&media_type)
    }

    /// What is done to files of a canonical media type that is not taken as it is.
    #[must_use]
    pub fn change_of(&self, media_type: &str) -> Option<&'static str> {
        let found = self.changed.iter().find(|(changed, _)| *changed == media_type);
        found.map(|(_, sentence)| *sentence)
    }
}

/// Codecs of videos, and what happens to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codecs {
    /// Those that are taken as they are; empty where nothing is said.
    pub taken: &'static [VideoCodec],
    /// What happens to others.
    pub others: Reaction,
    /// Whether a codec that is not known is worth a warning.
    pub warns_of_unknown: bool,
}

impl Codecs {
    /// Any codec.
    pub const ANY: Self = Self::only(&[]);

    /// Only the given codecs.
    #[must_use]
    pub const fn only(taken: &'static [VideoCodec]) -> Self {
        Self { taken, others: Reaction::Refuses, warns_of_unknown: false }
    }

    /// The given codecs, and others with a warning.
    #[must_use]
    pub const fn rather(taken: &'static [VideoCodec], sentence: &'static str) -> Self {
        Self { taken, others: Reaction::Warns(sentence), warns_of_unknown: false }
    }

    /// The same codecs, with a warning of a video whose codec is not known.
    #[must_use]
    pub const fn warning_of_unknown(self) -> Self {
        Self { warns_of_unknown: true, ..self }
    }
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
    /// It plays; the network asks for no other file beside it, but takes some.
    RatherAlone,
    /// It plays; the network takes no other file beside it.
    Alone,
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
