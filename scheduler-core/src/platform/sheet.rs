//! The shape of a capability sheet: what a network takes and what it offers afterwards.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::disclosed::Disclosed;
use super::{
    Checked, CommentLimit, ConnectingFacts, FileTypes, MediaFigures, Metric, MetricChange,
    OptionFact, Platform, Prices, PublishingLimit, ReadingFigures, TextFigures,
};
use crate::media::MediaKind;

/// What a network takes and offers. A bound that it does not set is left out. Limits that differ by
/// account are read from the network and override the sheet for that account.
///
/// It serialises to the PlatformCapabilities of the interface description. A numeric bound that
/// the network does not set is `None` and left out of the answer, since a 0 would read as a
/// limit. The fields marked "for the rules" are not part of the answer.
///
/// Source: interface description, PlatformCapabilities; the figures are sourced in each network's
/// file.
///
/// ```
/// use scheduler_core::media::MediaKind;
/// use scheduler_core::platform::Platform;
///
/// let sheet = Platform::Pinterest.sheet();
/// assert_eq!((sheet.name, sheet.max_media_per_post), ("Pinterest", 5));
/// assert!(sheet.takes(MediaKind::Video) && sheet.option("boardId").is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "PlatformCapabilities")
)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CapabilitySheet {
    /// The network that the sheet describes.
    pub platform: Platform,
    /// The network's name for people, such as `Bluesky`.
    pub name: &'static str,
    /// Longest text, as the network counts it; `notes` says how where that is not obvious.
    ///
    /// The unit is [`TextFigures::unit`].
    pub char_limit: u32,
    /// Which files a post cannot do without.
    pub requires_media: RequiredMedia,
    /// Whether a post may carry images.
    pub supports_image: bool,
    /// Whether a post may carry videos.
    pub supports_video: bool,
    /// Whether the text may be empty when the post has files.
    pub allows_empty_text: bool,
    /// Most files in one post, images and videos together.
    pub max_media_per_post: u32,
    /// Largest image, in bytes.
    pub max_image_bytes: u64,
    /// Largest video, in bytes.
    pub max_video_bytes: u64,
    /// Shortest video, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_video_duration_seconds: Option<u32>,
    /// Longest video, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_video_duration_seconds: Option<u32>,
    /// Lowest frame rate of a video, in frames a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_video_fps: Option<u32>,
    /// Highest frame rate of a video, in frames a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_video_fps: Option<u32>,
    /// Whether a post may be followed by more posts (option `thread`).
    pub supports_thread: bool,
    /// Whether the network keeps an alternative text of a file.
    pub supports_alt_text: bool,
    /// Whether a thumbnail can be chosen (option `thumbnailMediaId`).
    pub supports_thumbnail: bool,
    /// Whether a first comment can be given (option `firstComment`).
    pub supports_first_comment: bool,
    /// Whether the live post can be edited.
    pub can_edit_remote: bool,
    /// Whether the live post can be taken down.
    pub can_delete_remote: bool,
    /// How long a live post can be taken down after it went live; `None` for as long as it is
    /// live. For what is offered of a live post.
    #[serde(skip)]
    pub take_down_within: Option<TimeDelta>,
    /// Whether the permissions of an account decide if its posts can be taken down. For what is
    /// offered of a live post.
    #[serde(skip)]
    pub take_down_by_permission: bool,
    /// Whether comments can be read.
    pub can_read_comments: bool,
    /// How long a comment may be. For the rules.
    #[serde(skip)]
    pub comment_limit: CommentLimit,
    /// Whether the number of followers can be read.
    pub reports_followers: bool,
    /// Where viewers of a video come from, by the network's names and in words; empty for one that
    /// tells no more of a video than its figures. For what is offered of a live post.
    #[serde(skip)]
    pub traffic_sources: &'static [(&'static str, &'static str)],
    /// The figures that the network reports of a post.
    pub metric_fields: &'static [Metric],
    /// Since when it counts a figure in another way than before. For figures over time.
    #[serde(skip)]
    pub metric_changes: &'static [MetricChange],
    /// What a person should know besides the figures.
    pub notes: &'static str,
    /// The name used inside a sentence, such as `X`. For the rules.
    #[serde(skip)]
    pub short_name: &'static str,
    /// What people call it besides its names, such as `fb`. For the command line.
    #[serde(skip)]
    pub also_called: &'static [&'static str],
    /// What stands before the handle of an account in the address of its page; `None` where that
    /// cannot be told from the handle.
    #[serde(skip)]
    pub profile: Option<&'static str>,
    /// Why a live post may have no link, as a sentence; empty where that is not known to happen. For
    /// the command line.
    #[serde(skip)]
    pub without_link: &'static str,
    /// How people write there, for the assistant. Source: ours.
    #[serde(skip)]
    pub manner: &'static str,
    /// Where calls go unless an operator sets another address; `None` where each account has a
    /// server of its own.
    #[serde(skip)]
    pub api: Option<&'static str>,
    /// How accounts are connected.
    #[serde(skip)]
    pub connecting: &'static ConnectingFacts,
    /// What can be listed of an account.
    #[serde(skip)]
    pub lists: &'static [AccountList],
    /// Whether a video whose upload has begun stays with its account, so that a target that moves
    /// to another would upload it twice.
    #[serde(skip)]
    pub keeps_uploads: bool,
    /// Whether a text that an account has posted before is refused, however long ago. For posts that
    /// come again.
    #[serde(skip)]
    pub refuses_repeats: bool,
    /// What may be asked of the network besides publishing. For the engine.
    #[serde(skip)]
    pub readings: ReadingFigures,
    /// How much may be published. For the rehearsal.
    #[serde(skip)]
    pub publishing: &'static [PublishingLimit],
    /// Whether accounts have limits of their own, which are read again every day. For the engine.
    #[serde(skip)]
    pub limits_differ: bool,
    /// How text is counted and what it may not hold. For the rules.
    #[serde(skip)]
    pub text: TextFigures,
    /// Which files go together, and their types and shapes. For the rules.
    #[serde(skip)]
    pub media: MediaFigures,
    /// Where the link of a post goes. For the rules and for composing.
    #[serde(skip)]
    pub link: LinkPlace,
    /// When its figures were last held against their source. For people who run a server.
    #[serde(skip)]
    pub checked: &'static [Checked],
    /// The option keys that the network knows. For the rules.
    #[serde(skip)]
    pub options: &'static [OptionFact],
    /// What it charges for posts; `None` where it charges nothing.
    #[serde(skip)]
    pub prices: Option<&'static Prices>,
    /// The sheet that stands in for this one for an account with
    /// [`AccountLimits::takes_files`](super::AccountLimits::takes_files); `None` where files do not
    /// depend on the operator.
    #[serde(skip)]
    pub with_files: Option<&'static CapabilitySheet>,
}

impl CapabilitySheet {
    /// Whether the network tells more of a live video than its figures: how long viewers stay, and
    /// where they come from.
    #[must_use]
    pub const fn reports_insights(&self) -> bool {
        !self.traffic_sources.is_empty()
    }

    /// Where viewers come from, in words; the network's own name where no words are known.
    #[must_use]
    pub fn traffic_source<'a>(&self, name: &'a str) -> &'a str {
        let known = self.traffic_sources.iter().find(|(source, _)| *source == name);
        known.map_or(name, |(_, words)| words)
    }

    /// Finds what is known of an option key; `None` for a key that the network does not know.
    #[must_use]
    pub fn option(&self, key: &str) -> Option<&'static OptionFact> {
        self.options.iter().find(|option| option.key == key)
    }

    /// The option that shows a label for something; `None` where the network has none.
    #[must_use]
    pub fn label_of(&self, what: Disclosed) -> Option<&'static OptionFact> {
        self.options.iter().find(|option| option.discloses.contains(&what))
    }

    /// Whether a post may carry files of a kind.
    #[must_use]
    pub const fn takes(&self, kind: MediaKind) -> bool {
        match kind {
            MediaKind::Image => self.supports_image,
            MediaKind::Video => self.supports_video,
            MediaKind::Document => self.media.documents.most > 0,
        }
    }

    /// The media types of a kind.
    #[must_use]
    pub const fn types_of(&self, kind: MediaKind) -> &FileTypes {
        match kind {
            MediaKind::Image => &self.media.image_types,
            MediaKind::Video => &self.media.video_types,
            MediaKind::Document => &self.media.documents.types,
        }
    }

    /// Most files of a kind in one post.
    #[must_use]
    pub const fn most_of(&self, kind: MediaKind) -> u32 {
        match kind {
            MediaKind::Image => self.media.max_images,
            MediaKind::Video => self.media.max_videos,
            MediaKind::Document => self.media.documents.most,
        }
    }
}

/// What a network can list of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountList {
    /// The boards that posts go to.
    Boards,
    /// The playlists that videos go to.
    Playlists,
    /// What the network allows the account at present.
    CreatorSettings,
}

impl AccountList {
    /// The list in a sentence.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Boards => "boards",
            Self::Playlists => "playlists",
            Self::CreatorSettings => "creator settings",
        }
    }
}

/// Which files a post cannot do without.
///
/// Source: interface description, PlatformCapabilities `requiresMedia`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum RequiredMedia {
    /// Text alone is a post.
    None,
    /// At least one image.
    Image,
    /// A video.
    Video,
    /// At least one image or video.
    ImageOrVideo,
}

/// Where the link of a post goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPlace {
    /// On a line of its own at the end of the text, unless the text holds it already.
    Text,
    /// In a field of its own, with or without files.
    OwnField,
    /// In a field of its own while the post has no files, else in the text.
    OwnFieldWithoutMedia,
}
