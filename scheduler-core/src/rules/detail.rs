//! What a rule found, as data.

mod figures;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::place::{Figure, Place};
use super::{MediaKind, Unfit, VideoCodec};
use crate::platform::{Measure, Placement, TextUnit};

pub use figures::{Counted, Fix, Form, Picture, PlanUnit, WhyLong};

/// Words that are known when the program is built, or were read from JSON.
pub type Word = Cow<'static, str>;

/// What a rule found, with its figures: enough to say it in another language, or to mark the place
/// in an editor. `message` of the issue is the English sentence of the same data.
///
/// As JSON it is one object with `kind` and, where they apply, `unit`, `found`, `least`, `most`,
/// `file`, `part`, `option` and `allowed`. Fields that only the English sentence needs are not in
/// it; a detail that was read from JSON has their defaults.
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::{Context, Detail, Draft, DraftTarget, check};
///
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let target = DraftTarget::new(Platform::Bluesky, &options, &limits);
/// let draft = Draft {
///     content: &"é".repeat(301),
///     link_url: None,
///     media: &[],
///     alt_texts: &[],
///     targets: &[target],
/// };
/// let auf_deutsch = |detail: &Detail| match detail {
///     Detail::TooLong { found, most, .. } => format!("{found} Zeichen, erlaubt sind {most}."),
///     Detail::NotReady { .. } => "Die Datei ist noch nicht fertig.".to_owned(),
///     _ => "Das nimmt das Netzwerk nicht.".to_owned(),
/// };
/// let issues = check(&draft, &Context::default());
/// let sentence = issues[0].detail.as_ref().map(auf_deutsch);
/// assert_eq!(sentence.as_deref(), Some("301 Zeichen, erlaubt sind 300."));
/// assert_eq!(issues[0].message, "Text is 301 characters for Bluesky, the limit is 300.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Detail {
    /// A text is longer than it may be.
    TooLong {
        /// What is counted.
        unit: TextUnit,
        /// Its length.
        found: usize,
        /// Greatest length that is allowed.
        most: usize,
        /// The text that is too long.
        #[serde(flatten)]
        place: Place,
        /// Whether the content warning is counted with it.
        #[serde(skip)]
        with_warning: bool,
        /// Whether the limit is lower because the post has files.
        #[serde(skip)]
        beside_files: bool,
    },
    /// A text is longer than the network may take, or than it shows whole.
    Long {
        /// What is counted.
        unit: TextUnit,
        /// Its length.
        found: usize,
        /// Greatest length that is certain to be taken as it is.
        most: usize,
        /// The text that may be too long.
        #[serde(flatten)]
        place: Place,
        /// Why it may be too long.
        #[serde(skip)]
        why: WhyLong,
    },
    /// There are more of something than are allowed.
    TooMany {
        /// What is counted.
        unit: Counted,
        /// How many there are.
        found: usize,
        /// How many are allowed.
        most: usize,
        /// Where they are.
        #[serde(flatten)]
        place: Place,
    },
    /// There are more of something than the network uses.
    Many {
        /// What is counted.
        unit: Counted,
        /// How many there are.
        found: usize,
        /// How many are used.
        most: usize,
        /// Where they are.
        #[serde(flatten)]
        place: Place,
    },
    /// There are fewer of something than there should be.
    TooFew {
        /// What is counted.
        unit: Counted,
        /// How many there are.
        found: usize,
        /// How many there should be.
        least: usize,
        /// Where they are.
        #[serde(flatten)]
        place: Place,
    },
    /// A poll has too few or too many options.
    PollOptions {
        /// How many there are.
        found: usize,
        /// Fewest that are allowed.
        least: usize,
        /// Most that are allowed.
        most: usize,
        /// The option of the poll.
        #[serde(flatten)]
        place: Place,
    },
    /// A text makes more paragraphs than a post may have.
    Paragraphs {
        /// How many it makes.
        found: usize,
        /// How many blocks a post may have.
        most: usize,
        /// How many of them the files and the link take.
        #[serde(skip)]
        others: usize,
        /// Most characters of a paragraph; a longer one is cut into several.
        #[serde(skip)]
        length: u32,
    },
    /// A measure of a file is below or above its bounds.
    OutOfBounds {
        /// What is measured.
        unit: Measure,
        /// What it is.
        found: Figure,
        /// The bound that it is below.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        least: Option<Figure>,
        /// The bound that it is above.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<Figure>,
        /// Index of the file.
        file: usize,
        /// What mends it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fix: Option<Fix>,
        /// Where the post goes, for a bound of that place alone.
        #[serde(skip)]
        placement: Option<Placement>,
        /// Width and height of the file, in pixels.
        #[serde(skip)]
        size: (u32, u32),
        /// What the network does outside, as its sheet says in English; empty when it refuses.
        #[serde(skip)]
        outcome: Word,
    },
    /// Files have more bytes than they may have, one of them or all together.
    TooLarge {
        /// How many bytes there are.
        found: u64,
        /// How many are allowed.
        most: u64,
        /// Which file; that of the post means all together.
        #[serde(flatten)]
        place: Place,
        /// What the network does above, as its sheet says in English; empty when it refuses.
        #[serde(skip)]
        outcome: Word,
    },
    /// The plan allows no more.
    PlanLimit {
        /// What it allows.
        unit: PlanUnit,
        /// How much the post needs, where that is counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found: Option<u64>,
        /// How much is allowed: of one file, or what is left of a month.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<u64>,
        /// Index of the file, for a limit of one file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<usize>,
        /// How much is allowed in a month, used or not.
        #[serde(skip)]
        a_month: Option<u64>,
    },
    /// A network needs a text, or something in its place.
    MissingText {
        /// What would do: `text`, `file`, `link`.
        allowed: Vec<Word>,
        /// Whether there is one that shows nothing.
        #[serde(skip)]
        is_invisible: bool,
    },
    /// A network needs a file.
    MissingFile {
        /// Of which kind; one of them is enough.
        allowed: Vec<MediaKind>,
    },
    /// A network needs an option.
    MissingOption {
        /// Its key.
        option: Word,
        /// The values that it may have; empty for any.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        allowed: Vec<Word>,
        /// How to give it, as the network's sheet says in English.
        #[serde(skip)]
        how: Word,
    },
    /// A file is not ready to be sent.
    NotReady {
        /// The part, file or option that it is about.
        #[serde(flatten)]
        place: Place,
        /// Why it never will be, in a sentence for a person; absent where waiting may help.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Something has no content.
    Empty {
        /// The part, file or option that it is about.
        #[serde(flatten)]
        place: Place,
    },
    /// A text holds a character that the network refuses.
    ForbiddenCharacter {
        /// The first such character.
        found: char,
        /// The text that it stands in.
        #[serde(flatten)]
        place: Place,
    },
    /// The network takes characters out of the text.
    CharactersRemoved {
        /// Each of them once.
        found: Vec<char>,
    },
    /// A file is of a type that the network does not take, or changes.
    FileType {
        /// Its media type, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found: Option<Word>,
        /// The media types that are taken.
        allowed: Vec<Word>,
        /// The file that it is about.
        #[serde(flatten)]
        place: Place,
        /// What kind of file it is, such as `an image`.
        #[serde(skip)]
        kind: Word,
        /// What the network does, as its sheet says in English; empty when it refuses.
        #[serde(skip)]
        outcome: Word,
    },
    /// A picture or a video that the network would refuse is converted, and goes so.
    Converted {
        /// Which file.
        #[serde(flatten)]
        place: Place,
        /// What it is.
        from: Picture,
        /// What it will be: each type that it may get, and the most bytes.
        to: Picture,
        /// Whether it is an animation, of which the first picture goes.
        stands_still: bool,
        /// Whether transparent parts become white, if there are any.
        #[serde(rename = "flattened")]
        is_flattened: bool,
    },
    /// A picture or a video that the network refuses cannot be converted.
    NotConverted {
        /// Which file.
        #[serde(flatten)]
        place: Place,
        /// Why.
        reason: Unfit,
    },
    /// A video is coded in a way that the network does not take, or that is not known.
    Codec {
        /// Its codec, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        found: Option<VideoCodec>,
        /// The codecs that are taken.
        allowed: Vec<VideoCodec>,
        /// Index of the file.
        file: usize,
        /// What the network does, as its sheet says in English; empty when it refuses.
        #[serde(skip)]
        outcome: Word,
    },
    /// The network takes no files of a kind.
    FileKind {
        /// The kinds of the post that it does not take.
        found: Vec<MediaKind>,
    },
    /// The network takes images or videos, not both in one post.
    MixedKinds {
        /// How many files there are.
        found: usize,
        /// How many of them are images.
        #[serde(skip)]
        images: usize,
        /// Most images that it takes alone.
        #[serde(skip)]
        most_images: u32,
        /// Most videos that it takes alone.
        #[serde(skip)]
        most_videos: u32,
    },
    /// The images of a carousel must have one size, and one differs.
    DifferentSizes {
        /// Index of the first file that differs.
        file: usize,
        /// Its width and height, in pixels.
        #[serde(skip)]
        size: (u32, u32),
        /// The file that it differs from: its index, width and height.
        #[serde(skip)]
        first: (usize, (u32, u32)),
    },
    /// A file of a carousel has another ratio of width to height than the first.
    DifferentRatios {
        /// Index of the file.
        file: usize,
    },
    /// An animation will be a still picture.
    StillPicture {
        /// Index of the file.
        file: usize,
    },
    /// An animation has other files beside it.
    AnimationBesideOthers {
        /// Index of the file.
        file: usize,
    },
    /// The value of an option is none of those that are allowed.
    Option {
        /// Its key.
        option: Word,
        /// Its value, cut when it is long.
        found: Word,
        /// The values that are allowed.
        allowed: Vec<Word>,
        /// Whether the account says what is allowed, and not the network.
        #[serde(skip)]
        is_of_account: bool,
    },
    /// The value of an option is of the wrong type.
    OptionType {
        /// Its key.
        option: Word,
        /// What it is or has, in English, such as `is a number`; empty where that does not matter.
        #[serde(skip)]
        found: Word,
        /// What it must be, in English.
        #[serde(skip)]
        expected: Word,
    },
    /// The value of an option, or an item of it, has not the form that it must have.
    Malformed {
        /// The value that it is about.
        #[serde(flatten)]
        place: Place,
        /// The form that it must have.
        #[serde(skip)]
        form: Form,
    },
    /// The number of an option is below or above its bounds.
    OptionOutOfBounds {
        /// Its key; a value within it follows a dot.
        option: Word,
        /// What it is.
        found: i64,
        /// The smallest that is allowed.
        least: i64,
        /// The largest that is allowed.
        most: i64,
    },
    /// A network does not know the key of an option.
    UnknownOption {
        /// The key, cut when it is long.
        option: Word,
        /// The key of the network that is nearest to it.
        allowed: [Word; 1],
    },
    /// Something is the same as an earlier one.
    Repeated {
        /// The later one.
        #[serde(flatten)]
        place: Place,
        /// Index of the earlier one, where that is told.
        #[serde(skip)]
        earlier: Option<usize>,
    },
    /// No account of the network is connected.
    NotConnected,
    /// Something without figures that only this rule says; the id of the rule names it.
    Note {
        /// The key of the option that it speaks of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        option: Option<Word>,
        /// What it says in English, where `{name}` stands for the network.
        #[serde(skip)]
        sentence: Word,
    },
    /// A kind that this version does not know.
    #[serde(other)]
    Unknown,
}

impl Detail {
    /// Where in the post it is; [`Place::Post`] for what names no place.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Self::TooLong { place, .. }
            | Self::Long { place, .. }
            | Self::TooMany { place, .. }
            | Self::Many { place, .. }
            | Self::TooFew { place, .. }
            | Self::PollOptions { place, .. }
            | Self::TooLarge { place, .. }
            | Self::NotReady { place, .. }
            | Self::Empty { place }
            | Self::ForbiddenCharacter { place, .. }
            | Self::FileType { place, .. }
            | Self::Converted { place, .. }
            | Self::NotConverted { place, .. }
            | Self::Malformed { place, .. }
            | Self::Repeated { place, .. } => place.clone(),
            Self::OutOfBounds { file, .. }
            | Self::PlanLimit { file: Some(file), .. }
            | Self::Codec { file, .. }
            | Self::DifferentSizes { file, .. }
            | Self::DifferentRatios { file }
            | Self::StillPicture { file }
            | Self::AnimationBesideOthers { file } => Place::File(*file),
            Self::MissingOption { option, .. }
            | Self::Option { option, .. }
            | Self::OptionType { option, .. }
            | Self::OptionOutOfBounds { option, .. }
            | Self::UnknownOption { option, .. }
            | Self::Note { option: Some(option), .. } => Place::Option(option.clone()),
            Self::Paragraphs { .. } | Self::MissingText { .. } | Self::CharactersRemoved { .. } => {
                Place::Text
            }
            Self::PlanLimit { file: None, .. }
            | Self::MissingFile { .. }
            | Self::FileKind { .. }
            | Self::MixedKinds { .. }
            | Self::NotConnected
            | Self::Note { option: None, .. }
            | Self::Unknown => Place::Post,
        }
    }

    /// Something without figures; `{name}` in the sentence stands for the network.
    pub(super) const fn note(sentence: &'static str) -> Self {
        Self::Note { option: None, sentence: Cow::Borrowed(sentence) }
    }

    /// Something without figures that an option asks for.
    pub(super) const fn note_of(option: &'static str, sentence: &'static str) -> Self {
        Self::Note { option: Some(Cow::Borrowed(option)), sentence: Cow::Borrowed(sentence) }
    }

    /// Something of a file, which the sentence names.
    pub(super) const fn note_of_file(sentence: String) -> Self {
        Self::Note { option: None, sentence: Cow::Owned(sentence) }
    }

    /// A text that is longer than it may be, by itself.
    pub(super) const fn too_long(unit: TextUnit, found: usize, most: usize, place: Place) -> Self {
        Self::TooLong { unit, found, most, place, with_warning: false, beside_files: false }
    }
}
