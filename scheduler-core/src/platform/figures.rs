//! The facts of a network that only the rules need: text and options.

use serde::{Deserialize, Serialize};

use super::disclosed::Disclosed;
use super::poll::PollFigures;
use super::shape::Shape;

/// What a network counts when it measures a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TextUnit {
    /// Unicode code points.
    CodePoints,
    /// UTF-16 code units: an emoji outside the basic plane is two.
    Utf16Units,
    /// Bytes of UTF-8.
    Bytes,
    /// Unicode code points, and bytes of UTF-8 in place of them for emoji.
    EmojiInBytes,
    /// Extended grapheme clusters of UAX 29: what a reader takes for one character.
    Graphemes,
    /// Grapheme clusters after Mastodon's discount for links and mentions.
    MastodonCharacters,
    /// Characters by the weights of X, links at one weight.
    TwitterCharacters,
}

impl TextUnit {
    /// What is counted, in the plural, for documentation.
    #[must_use]
    pub const fn definition(self) -> &'static str {
        match self {
            Self::CodePoints => "Unicode code points",
            Self::Utf16Units => "UTF-16 code units, 2 for most emoji",
            Self::Bytes => "bytes of UTF-8",
            Self::EmojiInBytes => {
                "Unicode code points, with emoji as their bytes of UTF-8, 4 and more for most"
            }
            Self::Graphemes => "grapheme clusters, 1 for an emoji of any kind",
            Self::MastodonCharacters => {
                "grapheme clusters, with links as 23 and mentions without their domain"
            }
            Self::TwitterCharacters => {
                "weighted characters: links 23, emoji and CJK 2, most other letters 1"
            }
        }
    }

    /// The unit in a sentence, in the plural.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::CodePoints
            | Self::Utf16Units
            | Self::EmojiInBytes
            | Self::Graphemes
            | Self::MastodonCharacters
            | Self::TwitterCharacters => "characters",
        }
    }
}

/// A length and what it is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextBound {
    /// Greatest length that is still within.
    pub limit: u32,
    /// What is counted.
    pub unit: TextUnit,
}

/// How long a comment may be on a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentLimit {
    /// The network sets no limit that is known, or has no comments that can be written.
    Unknown,
    /// As long as the text of a post without files, since it is one.
    AsPost,
    /// It has a limit of its own.
    Bound(TextBound),
}

/// A length above which a network may change or refuse a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextWarning {
    /// The length.
    pub bound: TextBound,
    /// What may happen above it, as a whole sentence.
    pub sentence: &'static str,
}

/// How the limit of a text changes with the files of the post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitWithMedia {
    /// It does not.
    Same,
    /// This limit holds as soon as the post has a file.
    AnyFile(u32),
    /// This limit holds when the post has files and all of them are images.
    OnlyImages(u32),
}

/// How many of something a text may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountBounds {
    /// More are refused.
    pub refused_above: Option<u32>,
    /// More are taken, but do not do what the writer expects.
    pub warned_above: Option<u32>,
}

impl CountBounds {
    /// Any number is fine.
    pub const NONE: Self = Self { refused_above: None, warned_above: None };
}

/// How a network counts text and what a text may not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFigures {
    /// Options that take the place of the post's text, the first that is given.
    pub own_text: &'static [&'static str],
    /// What counts as a hashtag, a mention and a cashtag.
    pub entities: EntitySyntax,
    /// What `char_limit` counts.
    pub unit: TextUnit,
    /// A second limit, in bytes of UTF-8, that holds at the same time.
    pub byte_limit: Option<u32>,
    /// How files change the limit.
    pub limit_with_media: LimitWithMedia,
    /// A length to warn above.
    pub warning: Option<TextWarning>,
    /// Characters that the network refuses.
    pub forbidden: &'static [char],
    /// Hashtags in the text.
    pub hashtags: CountBounds,
    /// Mentions in the text.
    pub mentions: CountBounds,
    /// Different links in the text.
    pub links: CountBounds,
    /// Cashtags in the text.
    pub cashtags: CountBounds,
    /// Whether a link in a field of its own makes a post without text or files.
    pub is_optional_beside_link: bool,
    /// What the network does to a text before it counts it.
    pub cleaning: TextCleaning,
}

impl TextFigures {
    /// What is counted in a text, with its bounds, in the order in which issues are listed.
    #[must_use]
    pub const fn counts(&self) -> [(&'static str, CountBounds); 4] {
        [
            ("hashtags", self.hashtags),
            ("mentions", self.mentions),
            ("links", self.links),
            ("cashtags", self.cashtags),
        ]
    }
}

/// What counts as a hashtag, a mention and a cashtag in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntitySyntax {
    /// A word after the sign, wherever it stands.
    Common,
    /// The same, but the fragment of a link is no hashtag.
    OutsideLinks,
    /// As X's library `twitter-text` finds them.
    TwitterText,
}

/// What happens to a text before it is counted and sent, besides CR LF becoming LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextCleaning {
    /// Nothing.
    Nothing,
    /// White space at both ends is dropped.
    Trim,
    /// ASCII white space at both ends is dropped; an ideographic space at the start stays.
    TrimAscii,
    /// Control characters, some marks and white space at both ends go, as on Telegram's server.
    Telegram,
}

/// What is known of one option key of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionFact {
    /// The key, as the interface description spells it.
    pub key: &'static str,
    /// The key in the id of a rule, such as `board_id`.
    pub subject: &'static str,
    /// What the value is called at the start of a sentence.
    pub label: &'static str,
    /// What it is for, as a sentence; empty where the label says it.
    pub about: &'static str,
    /// Whether a target cannot do without it.
    pub required: Required,
    /// In which posts it has an effect.
    pub effect: Effect,
    /// What the value may be.
    pub value: OptionValue,
    /// What the network shows to its readers as a label where it is set.
    pub discloses: &'static [Disclosed],
    /// Whether the network wants each author to set it for each post, so that nobody sets it
    /// beforehand.
    pub set_by_hand: bool,
    /// What is said of an empty list; empty where the network has no words of its own.
    pub when_empty: &'static str,
}

impl OptionFact {
    /// Whether its value is text that people read, or holds such.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        use OptionValue as V;
        match self.value {
            V::Text { .. } | V::Caption | V::Tags(_) | V::Texts { .. } | V::Poll(_) => true,
            V::Thread { .. } | V::Shaped(_) => true,
            V::OneOf(_) | V::SomeOf(_) | V::Flag | V::Digits { .. } | V::UserNames { .. } => false,
            V::Uuid | V::Integer { .. } | V::Language | V::Languages { .. } => false,
            V::Address { .. } | V::Subtitles { .. } => false,
        }
    }

    /// An option that may be left out and has an effect in every post.
    #[must_use]
    pub const fn new(
        key: &'static str,
        subject: &'static str,
        label: &'static str,
        value: OptionValue,
    ) -> Self {
        Self {
            key,
            subject,
            label,
            about: "",
            required: Required::No,
            effect: Effect::Always,
            value,
            discloses: &[],
            set_by_hand: false,
            when_empty: "",
        }
    }

    /// Says what it is for, as a sentence.
    #[must_use]
    pub const fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// Says what the network shows to its readers as a label where it is set.
    #[must_use]
    pub const fn discloses(mut self, what: &'static [Disclosed]) -> Self {
        self.discloses = what;
        self
    }

    /// Says that each author has to set it for each post.
    #[must_use]
    pub const fn set_by_hand(mut self) -> Self {
        self.set_by_hand = true;
        self
    }

    /// Says in the network's words what is wrong with an empty list.
    #[must_use]
    pub const fn when_empty(mut self, sentence: &'static str) -> Self {
        self.when_empty = sentence;
        self
    }

    /// Says when a target cannot do without it.
    #[must_use]
    pub const fn required(mut self, required: Required) -> Self {
        self.required = required;
        self
    }

    /// Says in which posts it has an effect; in others a value is answered with a warning.
    #[must_use]
    pub const fn effective(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }
}

/// In which posts an option has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// In all of them.
    Always,
    /// In posts with a file.
    WithFiles,
    /// In posts with an image.
    WithImages,
    /// In posts with a video.
    WithVideo,
    /// In posts with an image or a video.
    WithImageOrVideo,
    /// In posts with a document.
    WithDocument,
    /// In posts without files.
    WithoutFiles,
    /// In posts with a link and without files.
    WithLinkAlone,
}

/// Whether a target cannot do without an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Required {
    /// It may be left out.
    No,
    /// It is always needed; the sentence says how to give it.
    Always(&'static str),
    /// It is needed unless the named flag is true.
    Unless {
        /// Key of the flag.
        flag: &'static str,
        /// How to give the option.
        sentence: &'static str,
    },
}

/// What the value of an option may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A text.
    Text {
        /// Its length.
        bound: Option<TextBound>,
        /// Whether it needs a visible character.
        needs_text: bool,
        /// Characters that it may not hold.
        forbidden: &'static [char],
    },
    /// The text of the post; its length is checked with the text.
    Caption,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// An array of one or more of these.
    SomeOf(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A number in a string.
    Digits {
        /// Most digits.
        max_length: u32,
    },
    /// An array of strings, or one string with commas.
    Tags(TagBounds),
    /// An array of user names.
    UserNames {
        /// Most names.
        max_items: u32,
        /// Longest name, in characters.
        max_length: u32,
    },
    /// The id of a file.
    Uuid,
    /// A whole number.
    Integer {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// A language tag, such as `en` or `pt-BR`.
    Language,
    /// An array of language tags.
    Languages {
        /// Most languages.
        max_items: u32,
    },
    /// An address that begins with `https://` or `http://`.
    Address {
        /// Longest address, in characters.
        max_length: Option<u32>,
    },
    /// An array of texts.
    Texts {
        /// Fewest texts.
        min_items: u32,
        /// Most texts.
        max_items: u32,
        /// The length of each.
        bound: TextBound,
    },
    /// `{"options": [string, …], "question"?, "durationMinutes"?, "multiple"?, "hideResults"?}`.
    Poll(PollFigures),
    /// An object, a list of them, or a text of another form.
    Shaped(&'static Shape),
    /// An array of [`ThreadPart`](super::ThreadPart)s, the posts that follow the first.
    Thread {
        /// Most parts.
        max_items: u32,
    },
    /// An array of `{"language", "name"?, "format", "content"}`.
    Subtitles {
        /// Longest name, in code points.
        max_name_length: u32,
        /// Largest content, in bytes.
        max_content_bytes: u32,
    },
}

/// How many tags, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagBounds {
    /// Most tags.
    pub max_items: Option<u32>,
    /// More tags are taken but not used for search.
    pub warned_above: Option<u32>,
    /// Longest tag, in code points.
    pub max_length: Option<u32>,
    /// Longest sum, in code points, with one for each comma between and two for a tag with a space.
    pub max_total: Option<u32>,
    /// Characters that a tag may not hold.
    pub forbidden: &'static [char],
    /// The only tags that are taken; empty where any is.
    pub words: &'static [&'static str],
}

/// The `caption` option, which every network has.
///
/// Source: interface description, TargetInput, "any network".
pub const CAPTION: OptionFact =
    OptionFact::new("caption", "caption", "Caption", OptionValue::Caption);

/// The `signature` option, which every network has.
///
/// Source: our decision.
pub const SIGNATURE: OptionFact = OptionFact::new(
    "signature",
    "signature",
    "Signature",
    OptionValue::Text { bound: None, needs_text: false, forbidden: &[] },
)
.about("What stands under the text after an empty line; under the last post of a thread.");

/// The `thread` option of the networks that have it.
///
/// Source: interface description, TargetInput; that it is an array of 1 to 24 strings, or of objects
/// with files, is ours.
pub const THREAD: OptionFact =
    OptionFact::new("thread", "thread", "Thread", OptionValue::Thread { max_items: 24 });
