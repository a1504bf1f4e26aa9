//! What the details of findings are made of.

use serde::{Deserialize, Serialize};

use super::Word;
use crate::media::VideoCodec;
use crate::rules::Figure;

/// What is said of a picture or a video that is converted; what stays the same is left out, but for
/// types.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its media type, or those that it may get.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<Word>,
    /// Its width in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Its height in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Its size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How a video is coded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codec: Option<VideoCodec>,
    /// Its frames a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fps: Option<Figure>,
}

/// What mends a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The ratio of width to height to crop it to, such as `4:5`.
    pub crop: Word,
}

/// Why a text may be too long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyLong {
    /// What the network's sheet says in English.
    Sheet(&'static str),
    /// The network may count the signs that escape others.
    Escaped,
    /// The network may count an emoji as two characters.
    EmojiAsTwo,
    /// The network may count bytes.
    InBytes,
}

impl Default for WhyLong {
    fn default() -> Self {
        Self::Sheet("")
    }
}

/// What is counted in a post or an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Counted {
    /// Files of a post.
    Files,
    /// Videos of a post.
    Videos,
    /// Documents of a post.
    Documents,
    /// Alternative texts of a post.
    AltTexts,
    /// Hashtags of a text.
    Hashtags,
    /// Mentions of a text.
    Mentions,
    /// Different links of a text.
    Links,
    /// Cashtags of a text.
    Cashtags,
    /// Posts of a thread after the first.
    Posts,
    /// Tags of a video or post.
    Tags,
    /// User names.
    Names,
    /// Items of a list that an option holds.
    Items,
}

/// What a plan limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PlanUnit {
    /// Posts in a month.
    Posts,
    /// Bytes of uploaded files.
    Bytes,
    /// Connected accounts.
    Accounts,
}

/// The form that a value must have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// That is not known.
    #[default]
    Unknown,
    /// A number in a string.
    Digits {
        /// Most digits.
        most: u32,
        /// How to give it, as the network's sheet says in English; may be empty.
        how: &'static str,
    },
    /// The id of a file, a UUID.
    FileId,
    /// A language tag.
    LanguageTag,
    /// An address that begins with `https://` or `http://`.
    Address {
        /// Most characters, where there is a bound.
        most: Option<u32>,
    },
    /// A user name.
    UserName {
        /// Most characters.
        most: u32,
    },
    /// An object with language, format and content.
    Subtitle,
    /// Its `language` a language tag.
    Language,
    /// Its `format` a known one.
    Format,
    /// Its `name` a string.
    Name,
    /// Its `name` no longer than this, in code points.
    NameUpTo(usize),
    /// Its `content` a text.
    Content,
    /// Its `content` not empty.
    SomeContent,
    /// Its `content` no larger than this, in bytes.
    ContentUpTo(usize),
}
