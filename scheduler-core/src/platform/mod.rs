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

pub mod bluesky;
pub mod discord;
pub mod facebook;
mod figures;
pub mod instagram;
mod limits;
pub mod linkedin;
pub mod mastodon;
mod media;
mod media_types;
mod metric;
pub mod pinterest;
mod readings;
mod sheet;
pub mod telegram;
pub mod threads;
pub mod tiktok;
pub mod tumblr;
pub mod twitter;
pub mod youtube;

pub use figures::{
    CAPTION, CommentLimit, CountBounds, LimitWithMedia, OptionFact, OptionValue, Required, THREAD,
    TagBounds, TextBound, TextCleaning, TextFigures, TextUnit, TextWarning,
};
pub use limits::AccountLimits;
pub use media::{
    Alike, Codecs, FileLimit, FileTypes, GifPlay, Measure, MediaFigures, Placement, Reaction,
    TotalBytes,
};
pub use media_types::{canonical_media_type, media_type_name, media_type_names};
pub use metric::Metric;
pub use readings::{BudgetScope, FiguresCost, ReadingBudget, ReadingFigures, RequestLimit};
pub use sheet::{CapabilitySheet, LinkPlace, RequiredMedia};

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
}

impl Platform {
    /// Every network, in the order of the interface description. Tables in tests run over it.
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
        }
    }

    /// The network's capability sheet.
    #[must_use]
    pub const fn sheet(self) -> &'static CapabilitySheet {
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
        }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is not the wire name of a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a network; the networks are youtube, tiktok, instagram, facebook, threads, twitter, linkedin, pinterest, bluesky, mastodon, telegram, discord and tumblr"
)]
pub struct UnknownPlatform(pub String);

impl FromStr for Platform {
    type Err = UnknownPlatform;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|platform| platform.as_str() == text)
            .ok_or_else(|| UnknownPlatform(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
