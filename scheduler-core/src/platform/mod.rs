//! The networks: their names, and one file a network with everything that is fact about it.
//!
//! A figure of a network stands in its file and nowhere else; the rules and the composer read it
//! from the sheet.
//!
//! ```
//! use scheduler_core::platform::Platform;
//! for network in Platform::ALL {
//!     let sheet = network.sheet();
//!     println!("{}: {} characters, {} files", sheet.name, sheet.char_limit, sheet.max_media_per_post);
//! }
//! ```
//!
//! The options of a target are a type of their own for each network, in its module:
//!
//! ```
//! use scheduler_core::platform::youtube::{Youtube, YoutubePrivacy};
//! use serde_json::{Map, Value};
//!
//! let video = Youtube {
//!     title: Some("Bread in a day".to_owned()),
//!     privacy: Some(YoutubePrivacy::Unlisted),
//!     ..Youtube::default()
//! };
//! let options: Map<String, Value> = video.into();
//! assert_eq!(Value::from(options)["privacy"], "unlisted");
//! ```

pub mod bluesky;
mod checked;
mod connecting;
mod disclosed;
mod disclosure;
pub mod discord;
pub mod facebook;
mod figures;
mod file_details;
pub mod instagram;
mod limits;
mod link_card;
pub mod linkedin;
pub mod mastodon;
mod media;
mod media_types;
mod metric;
mod options;
mod own;
pub mod pinterest;
mod poll;
mod prices;
mod publishing;
mod readings;
mod redirect;
mod shape;
mod sheet;
mod subtitle;
pub mod telegram;
mod thread;
pub mod threads;
pub mod tiktok;
pub mod tumblr;
pub mod twitter;
pub mod youtube;

pub use checked::{CHECKED_WITHIN, Checked, to_check_again};
pub use connecting::{
    AppSettings, Argument, ArgumentKind, CommandFacts, ConnectingFacts, Field, Registration,
    TokenFacts, Way,
};
pub use disclosed::Disclosed;
pub use disclosure::Disclosure;
pub use figures::{
    CAPTION, CommentLimit, CountBounds, Effect, EntitySyntax, LimitWithMedia, OptionFact,
    OptionValue, Required, SIGNATURE, THREAD, TagBounds, TextBound, TextCleaning, TextFigures,
    TextUnit, TextWarning,
};
pub use file_details::{FileDetail, FileDetails, FocalPoint, UserTag};
pub use limits::{AccountLimits, PollLimits};
pub(crate) use link_card::CARD_IMAGE;
pub use link_card::LinkCard;
#[cfg(feature = "engine")]
pub(crate) use link_card::{IMAGE_LINK_MAX, LINK_CARD, LINK_READ_MAX, members as card_members};
pub use media::{
    Alike, Codecs, DocumentFigures, FileLimit, FileTypes, GifPlay, Measure, MediaFigures,
    PageFigures, Placement, PlacementChoice, Reaction, TotalBytes,
};
use media_types::DOCUMENTS;
pub(crate) use media_types::any_of;
pub use media_types::{canonical_media_type, media_type_name, media_type_names};
pub use metric::{Metric, MetricChange};
pub use own::{OwnNetwork, RegisterError};
pub use poll::{Poll, PollDuration, PollFigures};
pub use prices::{Amount, NotAnAmount, Prices};
pub use publishing::{Counted, LimitSpan, PublishingLimit};
pub use readings::{BudgetScope, FiguresCost, ReadingBudget, ReadingFigures, RequestLimit};
pub use redirect::{RedirectRefused, RedirectRule, is_loopback};
pub use shape::{Member, Shape, WEB};
pub use sheet::{AccountList, CapabilitySheet, LinkPlace, RequiredMedia};
pub use subtitle::Subtitle;
pub use thread::ThreadPart;

use std::fmt;
use std::str::FromStr;

use serde::de::{EnumAccess, Error as _, VariantAccess as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A social network that a post can go to.
///
/// Source: interface description, "What the service does"; the anonymised "the service" is TikTok.
///
/// ```
/// use scheduler_core::platform::Platform;
/// assert_eq!("tumblr".parse::<Platform>()?, Platform::Tumblr);
/// let largest = Platform::ALL.into_iter().max_by_key(|network| network.sheet().char_limit);
/// assert_eq!(largest.map(Platform::as_str), Some("tumblr"));
/// # Ok::<(), scheduler_core::platform::UnknownPlatform>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Platform {
    /// YouTube.
    Youtube,
    /// TikTok.
    Tiktok,
    /// Instagram.
    Instagram,
    /// Facebook pages.
    Facebook,
    /// Threads.
    Threads,
    /// X, under the name that the contract gives it.
    Twitter,
    /// LinkedIn.
    Linkedin,
    /// Pinterest.
    Pinterest,
    /// Bluesky.
    Bluesky,
    /// Mastodon and servers that speak its API.
    Mastodon,
    /// Telegram channels and groups.
    Telegram,
    /// Discord channels.
    Discord,
    /// Tumblr.
    Tumblr,
    /// A network of the program's own, made by [`Platform::register`].
    Own(OwnNetwork),
}

impl Platform {
    /// The networks of the service, in the order of the interface description, without a program's
    /// own. Tables in tests run over it.
    pub const ALL: [Self; 13] = [
        Self::Youtube,
        Self::Tiktok,
        Self::Instagram,
        Self::Facebook,
        Self::Threads,
        Self::Twitter,
        Self::Linkedin,
        Self::Pinterest,
        Self::Bluesky,
        Self::Mastodon,
        Self::Telegram,
        Self::Discord,
        Self::Tumblr,
    ];

    /// The wire name, such as `bluesky`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Youtube => "youtube",
            Self::Tiktok => "tiktok",
            Self::Instagram => "instagram",
            Self::Facebook => "facebook",
            Self::Threads => "threads",
            Self::Twitter => "twitter",
            Self::Linkedin => "linkedin",
            Self::Pinterest => "pinterest",
            Self::Bluesky => "bluesky",
            Self::Mastodon => "mastodon",
            Self::Telegram => "telegram",
            Self::Discord => "discord",
            Self::Tumblr => "tumblr",
            Self::Own(network) => network.name(),
        }
    }

    /// The network's capability sheet.
    #[must_use]
    pub fn sheet(self) -> &'static CapabilitySheet {
        match self {
            Self::Youtube => &youtube::SHEET,
            Self::Tiktok => &tiktok::SHEET,
            Self::Instagram => &instagram::SHEET,
            Self::Facebook => &facebook::SHEET,
            Self::Threads => &threads::SHEET,
            Self::Twitter => &twitter::SHEET,
            Self::Linkedin => &linkedin::SHEET,
            Self::Pinterest => &pinterest::SHEET,
            Self::Bluesky => &bluesky::SHEET,
            Self::Mastodon => &mastodon::SHEET,
            Self::Telegram => &telegram::SHEET,
            Self::Discord => &discord::SHEET,
            Self::Tumblr => &tumblr::SHEET,
            Self::Own(network) => network.sheet(),
        }
    }

    /// The capability sheet that holds for an account: the one with files, where the operator
    /// decides about them and the account has what they need.
    ///
    /// ```
    /// use scheduler_core::platform::{AccountLimits, Platform};
    ///
    /// let with_files = AccountLimits { takes_files: Some(true), ..AccountLimits::default() };
    /// assert_eq!(Platform::Twitter.sheet().max_media_per_post, 0);
    /// assert_eq!(Platform::Twitter.sheet_for(&with_files).max_media_per_post, 4);
    /// ```
    #[must_use]
    pub fn sheet_for(self, limits: &AccountLimits) -> &'static CapabilitySheet {
        let sheet = self.sheet();
        sheet.with_files.filter(|_| limits.takes_files == Some(true)).unwrap_or(sheet)
    }

    /// The networks that this program knows: [`Platform::ALL`], then its own in the order in which
    /// they were registered.
    pub fn known() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(own::registered())
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for Platform {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Platform {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Platform", &NAMES, ByName)
    }
}

/// Reads a network as a derived implementation would, but for the names of a program's own.
struct ByName;

impl<'de> Visitor<'de> for ByName {
    type Value = Platform;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a network")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Platform, A::Error> {
        let (name, variant) = data.variant::<String>()?;
        variant.unit_variant()?;
        name.parse().map_err(|_: UnknownPlatform| A::Error::unknown_variant(&name, &NAMES))
    }
}

/// The wire names of [`Platform::ALL`].
pub(crate) const NAMES: [&str; 13] = {
    let mut names = [""; 13];
    let mut index = 0;
    while index < names.len() {
        names[index] = Platform::ALL[index].as_str();
        index += 1;
    }
    names
};

/// The text is not the wire name of a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a network; the networks are {names}", names = listed())]
pub struct UnknownPlatform(pub String);

/// The names of all networks of the service.
fn listed() -> String {
    let [others @ .., last] = &NAMES;
    format!("{} and {last}", others.join(", "))
}

impl FromStr for Platform {
    type Err = UnknownPlatform;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::known()
            .find(|platform| platform.as_str() == text)
            .ok_or_else(|| UnknownPlatform(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
