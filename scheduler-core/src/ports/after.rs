//! What can be done with a post once it is live, and what a network tells of an account.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Metered, NetworkError, NetworkErrorKind};
use crate::account::{Account, Credentials};
use crate::ids::TargetId;
use crate::platform::{AccountLimits, Metric, Platform};
use crate::post::Post;
use crate::target::{FailureCode, Remote, Stage};

/// An account, and what opens it.
#[derive(Clone, Debug)]
pub struct Access {
    /// The account.
    pub account: Account,
    /// What opens it.
    pub credentials: Credentials,
    /// The present instant.
    pub now: DateTime<Utc>,
    /// Whom to ask before each request.
    pub meter: Metered,
}

/// A live post, for an adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct LivePost {
    /// The target that it was published for.
    pub target_id: TargetId,
    /// What the network calls it.
    pub remote: Remote,
    /// The shared text of the post, as the network got it.
    pub content: String,
    /// The link that went with it.
    pub link_url: Option<String>,
    /// How many files went with it.
    pub file_count: usize,
    /// Settings for this network.
    pub options: Map<String, Value>,
    /// When it went live.
    pub published_at: DateTime<Utc>,
}

impl LivePost {
    /// A target of a post that is live; `None` for any other.
    #[must_use]
    pub fn of(post: &Post, id: TargetId) -> Option<Self> {
        let target = post.target(id)?;
        let Stage::Published(live) = &target.stage else { return None };
        let sent = post.sent_to(target);
        Some(Self {
            target_id: id,
            remote: live.remote.clone().filter(Remote::is_named)?,
            content: sent.content.into_owned(),
            link_url: sent.link_url.map(Cow::into_owned),
            file_count: post.media_of(target).len(),
            options: post.disclosure.fill(target.platform.sheet(), &sent.options).into_owned(),
            published_at: live.published_at,
        })
    }
}

/// What is to become of a live post; at least one is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteEdit {
    /// The new text.
    pub content: Option<String>,
    /// The new title, where the network has one.
    pub title: Option<String>,
}

/// The figures of a post that its network reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Figures(pub BTreeMap<Metric, f64>);

/// A comment on a live post.
///
/// Source: interface description, Comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// The network's id, made safe for one segment of a path.
    pub id: String,
    /// Who wrote it, as the network shows it.
    pub author: Option<String>,
    /// What it says.
    pub text: String,
    /// When it was written.
    pub created_at: Option<DateTime<Utc>>,
    /// True when the connected account wrote it.
    pub own: bool,
    /// True when others cannot see it.
    pub hidden: bool,
    /// How many like it.
    pub like_count: Option<u64>,
}

/// What may be done with the comments of a post.
///
/// Source: interface description, GET /posts/{id}/targets/{targetId}/comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct CommentRights {
    /// Answering them.
    pub reply: bool,
    /// Changing one's own.
    pub edit: bool,
    /// Hiding and showing them.
    pub hide: bool,
    /// Liking them.
    pub like: bool,
    /// Deleting some of them.
    pub delete: bool,
}

/// The comments of a live post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// The comments, as the network orders them.
    pub comments: Vec<Comment>,
    /// What may be done with them.
    pub rights: CommentRights,
}

/// What is to be done with a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommentAction {
    /// Answers it with a text.
    Reply(String),
    /// Gives it another text.
    Edit(String),
    /// Hides it from others.
    Hide,
    /// Shows it to others again.
    Unhide,
    /// Likes it.
    Like,
    /// Takes a like back.
    Unlike,
    /// Deletes it.
    Delete,
}

/// A board that pictures are pinned to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Board {
    /// The network's id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// Who sees a playlist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlaylistPrivacy {
    /// Everybody.
    #[default]
    Public,
    /// Whoever has the link.
    Unlisted,
    /// Its owner.
    Private,
}

/// A playlist of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Playlist {
    /// The network's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Who sees it.
    pub privacy: PlaylistPrivacy,
}

/// A playlist that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CreatedPlaylist"))]
pub struct NewPlaylist {
    /// The playlist.
    #[serde(flatten)]
    pub playlist: Playlist,
    /// True when one of that name was there and nothing was made.
    pub duplicate: bool,
}

/// What TikTok allows a creator at present.
///
/// Source: interface description, GET /oauth/accounts/{id}/tiktok/creator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Creator {
    /// The values that `privacy` may have for this account.
    pub privacy_levels: Vec<String>,
    /// Nobody may comment.
    pub comment_disabled: bool,
    /// Nobody may make duets.
    pub duet_disabled: bool,
    /// Nobody may make stitches.
    pub stitch_disabled: bool,
    /// Longest video, in seconds.
    pub max_video_duration_seconds: u64,
    /// The name that people see.
    ///
    /// An addition to the contract, as is `username`; both are left out where they are not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
    /// The name without its `@`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Where their picture is at present; such addresses end.
    ///
    /// An addition to the contract; left out where it is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(url))]
    pub avatar_url: Option<String>,
}

impl Creator {
    /// Puts what it says in the place of what was known of the account.
    pub(crate) fn add_to(&self, limits: &mut AccountLimits) {
        limits.privacy_levels = Some(self.privacy_levels.clone());
        limits.comments_disabled = Some(self.comment_disabled);
        limits.duets_disabled = Some(self.duet_disabled);
        limits.stitches_disabled = Some(self.stitch_disabled);
        // Whole seconds, far below where they would be rounded.
        let seconds = u32::try_from(self.max_video_duration_seconds).ok();
        limits.max_video_duration_seconds = seconds.map(f64::from);
    }
}

/// A name that can be mentioned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Mention {
    /// What is written into the text.
    pub handle: String,
    /// What people see.
    pub name: String,
}

/// A point of a retention curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Retention {
    /// The share of the video that has passed, 0 to 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub elapsed_ratio: f64,
    /// How many still watch, as a share of the views; above 1 where it is watched again.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub watch_ratio: f64,
    /// How that compares with other videos of its length, 0 to 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub relative_performance: Option<f64>,
}

/// Where viewers came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct TrafficSource {
    /// The network's name for it.
    pub source: String,
    /// Views from there.
    pub views: u64,
    /// Minutes that they watched.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub watch_time_minutes: f64,
}

/// What a network tells of a video beyond its figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Insights {
    /// How many still watch, from its begin to its end.
    pub retention: Vec<Retention>,
    /// Where viewers came from, most views first.
    pub traffic_sources: Vec<TrafficSource>,
    /// The first and the last day that they speak of.
    #[cfg_attr(feature = "schema", schemars(with = "Option<[NaiveDate; 2]>"))]
    pub days: Option<(NaiveDate, NaiveDate)>,
}

/// A network's side after publishing.
///
/// What a network does not offer is [`FailureCode::Unsupported`], which is what every call answers
/// unless an adapter says otherwise.
#[async_trait]
pub trait AfterPublishing: Send + Sync {
    /// Changes a live post. A repeat changes nothing more.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn edit(
        &self,
        access: &Access,
        _: &LivePost,
        _: &RemoteEdit,
    ) -> Result<(), NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// Takes a live post down, with all its parts. One that is gone is no error.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn take_down(&self, access: &Access, _: &LivePost) -> Result<(), NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// How many posts one call for figures may name.
    fn figures_at_once(&self) -> usize {
        1
    }

    /// The figures of posts, in their order; `None` for one of which the network has none. At
    /// most [`Self::figures_at_once`] posts are asked for.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn figures(
        &self,
        access: &Access,
        _: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// The comments of a post; `None` where this account cannot read them.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn comments(&self, _: &Access, _: &LivePost) -> Result<Option<Comments>, NetworkError> {
        Ok(None)
    }

    /// Does something with a comment; the new comment for a reply.
    ///
    /// # Errors
    /// [`NetworkError`] by kind; [`NetworkErrorKind::InDoubt`] when a reply left and its answer
    /// was lost.
    async fn act_on_comment(
        &self,
        access: &Access,
        _: &LivePost,
        _: &str,
        _: &CommentAction,
    ) -> Result<Option<Comment>, NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// What the network tells of a video beyond its figures; `None` where it tells nothing.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn insights(&self, _: &Access, _: &LivePost) -> Result<Option<Insights>, NetworkError> {
        Ok(None)
    }

    /// How many follow the account; `None` where the network does not say.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn followers(&self, _: &Access) -> Result<Option<u64>, NetworkError> {
        Ok(None)
    }

    /// What the network allows this account, where that differs from its sheet; `None` where it
    /// never does.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn limits(&self, _: &Access) -> Result<Option<AccountLimits>, NetworkError> {
        Ok(None)
    }

    /// The account's boards.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn boards(&self, access: &Access) -> Result<Vec<Board>, NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// The channel's playlists.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn playlists(&self, access: &Access) -> Result<Vec<Playlist>, NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// Makes a playlist, unless one of that title is there.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn create_playlist(
        &self,
        access: &Access,
        _: &str,
        _: PlaylistPrivacy,
    ) -> Result<NewPlaylist, NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// What the network allows the creator at present.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn creator(&self, access: &Access) -> Result<Creator, NetworkError> {
        Err(unsupported(access.account.platform))
    }

    /// Names that can be mentioned and match `query`; none where the network offers no look-up.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    async fn mentions(&self, _: &Access, _query: &str) -> Result<Vec<Mention>, NetworkError> {
        Ok(Vec::new())
    }
}

/// The failure of a call that a network does not offer.
#[must_use]
pub fn unsupported(platform: Platform) -> NetworkError {
    let message = format!("{} does not offer this.", platform.sheet().name);
    NetworkError::new(NetworkErrorKind::Permanent, message).with_code(FailureCode::Unsupported)
}

/// The sides after publishing of the networks that have one, by platform.
#[derive(Clone, Default)]
pub struct After(BTreeMap<Platform, Arc<dyn AfterPublishing>>);

impl After {
    /// Adds or replaces a network.
    #[must_use]
    pub fn with(mut self, platform: Platform, network: Arc<dyn AfterPublishing>) -> Self {
        self.0.insert(platform, network);
        self
    }

    /// The side of a platform, when there is one.
    #[must_use]
    pub fn network(&self, platform: Platform) -> Option<&Arc<dyn AfterPublishing>> {
        self.0.get(&platform)
    }
}

impl fmt::Debug for After {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}
