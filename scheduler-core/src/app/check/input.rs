//! What a dry run is asked to check.

use serde::{Deserialize, Serialize};

use crate::ids::MediaId;
use crate::links::LinkRules;
use crate::media::{MediaFacts, MediaKind, VideoCodec};
use crate::object::only_from_object;
use crate::platform::{Disclosure, LinkCard};
use crate::post::{NewPost, PostInput, TargetInput};
use crate::timing::TimingInput;

/// The body of a dry run.
///
/// Source: interface description, POST /platforms/validate.
///
/// The body of a create becomes one, as does a [`NewPost`]. A time is not needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PostToCheck"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckInput {
    /// The text. On YouTube it is the description, unless `description` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = crate::post::CONTENT_MAX_CHARACTERS)))]
    pub content: Option<String>,
    /// A link that goes with it.
    ///
    /// An addition to the contract, so that a dry run can say what a create would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(url))]
    pub link_url: Option<String>,
    /// Files that are uploaded already, in order; each must be `ready`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = crate::post::MEDIA_MAX_COUNT), extend("uniqueItems" = true)))]
    pub media_ids: Option<Vec<MediaId>>,
    /// Files that are not uploaded yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = crate::post::MEDIA_MAX_COUNT)))]
    pub media_items: Option<Vec<MediaItem>>,
    /// A description for each file, in the order of `mediaIds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(inner(length(max = crate::post::ALT_TEXT_MAX_CHARACTERS))))]
    pub alt_texts: Option<Vec<Option<String>>>,
    /// What it tells of how it came about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disclosure: Option<Disclosure>,
    /// What the card of the link would show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_card: Option<LinkCard>,
    /// Its labels, by which links can get other parameters.
    ///
    /// An addition to the contract, as is `links`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// What it would want of its links, in place of what its workspace wants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<LinkRules>,
    /// Where it would go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if, length(min = 1)))]
    pub targets: Option<Vec<TargetInput>>,
    /// The instant at which it would go out. With an offset or `Z`.
    ///
    /// The four are an addition to the contract, so that a dry run can say when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<chrono::DateTime<chrono::Utc>>"))]
    pub scheduled_at: Option<String>,
    /// The wall-clock time (`YYYY-MM-DDTHH:MM`, no zone) of each target's account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$")))]
    pub scheduled_local: Option<String>,
    /// Whether it would take the next free slots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<bool>,
    /// Whether it would be due at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish_now: Option<bool>,
}

/// A file that is not uploaded yet, as its owner describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct MediaItem {
    /// Picture or video.
    pub kind: MediaKind,
    /// Its size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// Its length in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_seconds: Option<f64>,
    /// Its frames a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fps: Option<f64>,
    /// Its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its width in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Its height in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// How its pictures are coded.
    ///
    /// An addition to the contract, as is `frame_count`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video_codec: Option<VideoCodec>,
    /// Its pictures: those of an animation or a video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame_count: Option<u32>,
}

only_from_object!(MediaItem);

impl MediaItem {
    /// What the rules read of it.
    #[must_use]
    pub fn facts(&self) -> MediaFacts {
        MediaFacts {
            kind: self.kind,
            ready: true,
            failure: None,
            mime_type: self.mime_type.clone(),
            size_bytes: self.size_bytes,
            duration_seconds: self.duration_seconds,
            fps: self.fps,
            width: self.width,
            height: self.height,
            video_codec: self.video_codec,
            frame_count: self.frame_count,
        }
    }
}

impl From<PostInput> for CheckInput {
    /// What a create would say of this body.
    fn from(input: PostInput) -> Self {
        Self {
            scheduled_at: input.scheduled_at.or_current(None),
            scheduled_local: input.scheduled_local.or_current(None),
            queue: input.queue.or_current(None),
            publish_now: input.publish_now.or_current(None),
            content: input.content.or_current(None),
            link_url: input.link_url.or_current(None),
            media_ids: input.media_ids.or_current(None),
            media_items: None,
            alt_texts: input.alt_texts.or_current(None),
            disclosure: input.disclosure.or_current(None),
            link_card: input.link_card.or_current(None),
            labels: input.labels.or_current(None),
            links: input.links.or_current(None),
            targets: input.targets.or_current(None),
        }
    }
}

impl From<NewPost> for CheckInput {
    fn from(post: NewPost) -> Self {
        PostInput::from(post).into()
    }
}

impl CheckInput {
    /// The timing fields alone.
    pub(super) fn timing(&self) -> TimingInput {
        TimingInput {
            scheduled_at: self.scheduled_at.clone(),
            scheduled_local: self.scheduled_local.clone(),
            queue: self.queue == Some(true),
            slot: None,
            publish_now: self.publish_now == Some(true),
            save_as_draft: false,
        }
    }

    pub(super) fn item_facts(&self) -> impl Iterator<Item = MediaFacts> {
        self.media_items.iter().flatten().map(MediaItem::facts)
    }
}
