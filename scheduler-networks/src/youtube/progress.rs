//! How far a publish to YouTube has come.

use chrono::{DateTime, Utc};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, Live, PublishJob};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::api::Api;
use super::video::Video;
use crate::conversation::StoredProgress;
use crate::redacted::Redacted;

/// Seconds that a Short lasts at most.
///
/// Source: <https://support.google.com/youtube/answer/15424877>.
const SHORT_SECONDS: f64 = 180.0;

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Progress {
    /// A session that takes the video is still to be opened.
    Opening(Opening),
    /// The video is being sent.
    Sending(Box<Upload>),
    /// The video is there, and something follows.
    Following(Following),
}

/// What a session is opened with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Opening {
    /// The video, without its bytes.
    pub(super) video: Video,
    /// What follows once it is there.
    pub(super) extras: Vec<Extra>,
    /// How often a session has ended early.
    #[serde(default)]
    pub(super) repeats: u32,
}

/// A session and how much of the video it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Upload {
    /// What another session would be opened with.
    pub(super) anew: Opening,
    /// Where the bytes go.
    pub(super) session: Redacted<String>,
    /// Before this instant the video was not there.
    pub(super) opened_at: DateTime<Utc>,
    /// Bytes of the video.
    pub(super) total: u64,
    /// Bytes that the session has.
    pub(super) offset: u64,
    /// Set before the last bytes go out: from then on the video may be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_at: Option<DateTime<Utc>>,
    /// Since when the session is known to have ended without a word on the video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) gone_at: Option<DateTime<Utc>>,
}

/// A video that is there, and what follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Following {
    /// The video.
    pub(super) remote: Remote,
    /// Since when it is there.
    pub(super) since: DateTime<Utc>,
    /// What is still to be done, in order.
    pub(super) extras: Vec<Extra>,
}

/// Something that follows once a video is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) enum Extra {
    /// Its thumbnail is set.
    Thumbnail,
    /// Subtitles are added: which of those of the settings.
    Subtitles(usize),
    /// It is put into a playlist of this id.
    Playlist(String),
    /// A comment is made below it.
    FirstComment(FirstComment),
    /// The network is asked whether it shows that the video promotes something for money.
    PaidPromotion,
    /// The network is asked whether it can use the video and keeps it.
    Watch,
    /// The network has not kept it, for this reason.
    NotKept(String),
}

/// The comment that follows a video.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct FirstComment {
    /// What it says.
    pub(super) text: String,
    /// Before this instant it was not sent; `None` while it is not about to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_sent_before: Option<DateTime<Utc>>,
    /// Set after a look that found nothing: when the next look is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) look_again_at: Option<DateTime<Utc>>,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on YouTube; if the video is missing, make the post anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let has_files = !job.files.is_empty();
        let composed = compose(&job.content, link, has_files, Platform::Youtube, &job.options);
        let video = Video::new(composed.text(), &job.options);
        let mut extras = extras(job);
        if video.is_paid_promotion() {
            extras.insert(0, Extra::PaidPromotion);
        }
        Self::Opening(Opening { video, extras, repeats: 0 })
    }

    /// True when the next step does what others can see: a video is there with its last byte.
    fn is_visible(&self) -> bool {
        match self {
            Self::Opening(_) => false,
            Self::Sending(upload) => upload.last_at.is_some(),
            Self::Following(following) => match following.extras.first() {
                Some(Extra::FirstComment(comment)) => comment.not_sent_before.is_some(),
                Some(
                    Extra::Thumbnail
                    | Extra::Subtitles(_)
                    | Extra::Playlist(_)
                    | Extra::PaidPromotion
                    | Extra::Watch
                    | Extra::NotKept(_),
                )
                | None => false,
            },
        }
    }

    fn live_part(&self) -> Option<Remote> {
        match self {
            Self::Following(following) => Some(following.remote.clone()),
            Self::Opening(_) | Self::Sending(_) => None,
        }
    }

    /// Nothing is left where the network has not kept the video.
    fn skip(self) -> Option<Self> {
        match self {
            Self::Following(following) => match following.extras.first() {
                Some(Extra::NotKept(_)) | None => None,
                Some(
                    Extra::Thumbnail
                    | Extra::Subtitles(_)
                    | Extra::Playlist(_)
                    | Extra::FirstComment(_)
                    | Extra::PaidPromotion
                    | Extra::Watch,
                ) => following.without_first().progress(),
            },
            Self::Opening(_) | Self::Sending(_) => None,
        }
    }
}

impl Opening {
    /// The video once it is there, and what follows.
    pub(super) fn live(&self, api: &Api, id: &str, now: DateTime<Utc>) -> Live<Progress> {
        let remote = Remote::new(id, Some(api.watch(id)));
        let extras = self.extras.clone();
        let following = Following { remote: remote.clone(), since: now, extras };
        Live { remote: Some(remote), then: following.progress() }
    }
}

impl Upload {
    /// The progress of sending it.
    pub(super) fn progress(self) -> Progress {
        Progress::Sending(Box::new(self))
    }
}

impl Following {
    /// The progress of what follows; `None` when nothing does any more.
    pub(super) fn progress(self) -> Option<Progress> {
        (!self.extras.is_empty()).then_some(Progress::Following(self))
    }

    /// The same without the first of what follows.
    pub(super) fn without_first(&self) -> Self {
        Self { extras: self.extras.iter().skip(1).cloned().collect(), ..self.clone() }
    }

    /// The same with another in the place of the first.
    pub(super) fn with_first(&self, extra: Extra) -> Self {
        let rest = self.extras.iter().skip(1).cloned();
        Self { extras: std::iter::once(extra).chain(rest).collect(), ..self.clone() }
    }

    /// What is told once the first is done.
    pub(super) fn after_first(&self) -> Live<Progress> {
        Live { remote: None, then: self.without_first().progress() }
    }
}

/// What follows the video of a job. The thumbnail of a Short can only be set once the network has
/// processed it.
///
/// Source: <https://developers.google.com/youtube/data/revision_history>, 2026-11-03.
fn extras(job: &PublishJob) -> Vec<Extra> {
    let text = |key: &str| {
        let text = job.options.get(key).and_then(Value::as_str);
        text.filter(|text| !text.trim().is_empty())
    };
    let thumbnail = job.thumbnail.as_ref().map(|_| Extra::Thumbnail);
    let is_short = job.files.first().is_some_and(is_short);
    let (early, late) = if is_short { (None, thumbnail) } else { (thumbnail, None) };
    let subtitles = job.options.get("subtitles").and_then(Value::as_array).map_or(0, Vec::len);
    let comment = text("firstComment").map(|text| {
        let text = text.replace("\r\n", "\n");
        Extra::FirstComment(FirstComment { text, not_sent_before: None, look_again_at: None })
    });
    let mut extras: Vec<Extra> = early.into_iter().collect();
    extras.extend((0..subtitles).map(Extra::Subtitles));
    let others = job.options.get("playlistIds").and_then(Value::as_array);
    let playlists = others.into_iter().flatten().filter_map(Value::as_str);
    for id in text("playlistId").into_iter().chain(playlists).map(str::trim) {
        let playlist = Extra::Playlist(id.to_owned());
        if !id.is_empty() && !extras.contains(&playlist) {
            extras.push(playlist);
        }
    }
    extras.extend(comment);
    extras.push(Extra::Watch);
    extras.extend(late);
    extras
}

/// Whether the network makes a Short of a video: upright or square, and at most three minutes.
fn is_short(file: &JobFile) -> bool {
    let facts = &file.facts;
    let is_upright = facts.width.zip(facts.height).is_some_and(|(width, height)| width <= height);
    is_upright && facts.duration_seconds.is_some_and(|seconds| seconds <= SHORT_SECONDS)
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
