//! How far a publish to Pinterest has come.

use chrono::{DateTime, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, Live, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::api::Api;
use super::video::Upload;
use super::wire::Record;
use crate::conversation::StoredProgress;

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// The Pin.
    pub(super) pin: Pin,
    /// The files that it shows, in their order.
    pub(super) files: Vec<MediaId>,
    /// It shows a video.
    pub(super) is_video: bool,
    /// How its images go.
    #[serde(default)]
    pub(super) images: ImageForm,
    /// What went wrong, as far as it is counted.
    #[serde(default)]
    pub(super) refusals: Refusals,
    /// What is done next.
    pub(super) stage: Stage,
}

/// What a Pin says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Pin {
    pub(super) board_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) alt_text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) board_section_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) dominant_color: Option<String>,
}

/// How images go: within the call, which works on every installation and keeps them private until
/// they are published; or by links, which carries any number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ImageForm {
    /// Within the call.
    #[default]
    Bytes,
    /// By links, which the network fetches.
    Links,
}

/// What went wrong, as far as it is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Refusals {
    /// Places for the video that have ended before it was there.
    #[serde(default)]
    pub(super) places: u32,
    /// Links that could not be fetched.
    #[serde(default)]
    pub(super) links: u32,
    /// Conflicts with something else that changed.
    #[serde(default)]
    pub(super) conflicts: u32,
    /// Pins that were refused for their video.
    #[serde(default)]
    pub(super) videos: u32,
}

/// What is done next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Stage {
    /// The video is given a place.
    Register,
    /// Its bytes are sent.
    Upload(Upload),
    /// The network works on it.
    Processing(Video),
    /// It is noted which Pins look the same as this one will.
    Compare(Compare),
    /// The Pin is made.
    Create(Create),
}

/// A video at the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Video {
    pub(super) media_id: String,
    /// Since when the network works on it.
    pub(super) since: DateTime<Utc>,
}

/// Before a Pin is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Compare {
    /// The video that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) media_id: Option<String>,
    /// When the first call began that was lost, and whose Pin was not found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lost_since: Option<DateTime<Utc>>,
    /// Pins that were there before that call, and look the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) others: Vec<String>,
}

/// A Pin that is about to be made, or may have been.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Create {
    /// The video that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) media_id: Option<String>,
    /// When this call begins.
    pub(super) begun_at: DateTime<Utc>,
    /// When the first call began that was lost, and whose Pin was not found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lost_since: Option<DateTime<Utc>>,
    /// Pins that were there before, and look the same: those of other posts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) others: Vec<String>,
    /// The look that is due, after a call whose answer was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) look: Option<Look>,
    /// The Pin of the call that was lost may be there and cannot be told, so nothing is sent.
    #[serde(default)]
    pub(super) is_unclear: bool,
}

/// A look among the Pins of the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Look {
    /// Which it is, from 1 on.
    pub(super) number: u32,
    /// When it is due.
    pub(super) at: DateTime<Utc>,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str =
        "Look at the board on Pinterest; if the Pin is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let has_files = !job.files.is_empty();
        let composed = compose(&job.content, link, has_files, Platform::Pinterest, &job.options);
        let option = |name: &str| {
            let text = job.options.get(name).and_then(Value::as_str).map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let alt_text = job.files.first().and_then(|file| file.alt_text.clone());
        let is_video = job.files.iter().any(|file| file.facts.kind == MediaKind::Video);
        Self {
            pin: Pin {
                board_id: option("boardId").unwrap_or_default(),
                title: option("title"),
                description: Some(composed.text().to_owned()).filter(|text| !text.is_empty()),
                link: option("link").or(composed.link_card),
                alt_text: option("altText").or(alt_text.filter(|text| !text.is_empty())),
                board_section_id: option("boardSectionId"),
                dominant_color: option("dominantColor"),
            },
            files: job.files.iter().map(|file| file.id).collect(),
            is_video,
            images: ImageForm::Bytes,
            refusals: Refusals::default(),
            stage: match is_video {
                true => Stage::Register,
                false => Stage::Compare(Compare::default()),
            },
        }
    }

    /// True when the next step does what others can see.
    fn is_visible(&self) -> bool {
        matches!(self.stage, Stage::Create(_))
    }
}

impl Progress {
    /// True when the next step is a call with the bytes of the images.
    pub(super) const fn carries_images(&self) -> bool {
        match &self.stage {
            Stage::Create(create) => {
                create.media_id.is_none() && matches!(self.images, ImageForm::Bytes)
            }
            Stage::Register | Stage::Upload(_) | Stage::Processing(_) | Stage::Compare(_) => false,
        }
    }

    /// The same at another stage.
    pub(super) fn at(&self, stage: Stage) -> Self {
        Self { stage, ..self.clone() }
    }

    /// The file of a job that this publish began with.
    ///
    /// # Errors
    /// [`FailureCode::MediaUnusable`] when it is not part of the post any more, or there is none.
    pub(super) fn file<'a>(
        &self,
        job: &'a PublishJob,
        number: usize,
    ) -> Result<&'a JobFile, NetworkError> {
        let none = || NetworkError::unusable_media("Pinterest needs an image or a video.");
        job.file(*self.files.get(number).ok_or_else(none)?)
    }

    /// The Pin once it is live; nothing follows it.
    pub(super) fn live(&self, api: &Api, id: &str) -> Live<Progress> {
        let mut remote = Remote::new(id, Some(api.pin_page(id)));
        if self.is_video {
            remote.record = serde_json::to_value(Record { is_video: true }).unwrap_or_default();
        }
        remote.into()
    }
}

impl Create {
    /// When the first call began that may have made the Pin.
    pub(super) fn not_made_before(&self) -> DateTime<Utc> {
        self.lost_since.unwrap_or(self.begun_at)
    }

    /// What comes before another call, after one that did nothing.
    pub(super) fn refused(&self) -> Stage {
        self.compare(self.lost_since)
    }

    /// What comes before another call, after one that was lost and whose Pin was not found.
    pub(super) fn not_found(&self) -> Stage {
        self.compare(Some(self.not_made_before()))
    }

    fn compare(&self, lost_since: Option<DateTime<Utc>>) -> Stage {
        let Self { media_id, others, .. } = self.clone();
        Stage::Compare(Compare { media_id, lost_since, others })
    }
}
