//! How far a publish to TikTok has come.

use chrono::{DateTime, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{JobFile, Live, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::api::Api;
use super::errors::of_reason;
use super::upload::Upload;
use super::wire::Status;
use crate::conversation::StoredProgress;

/// The privacy of posts that have a page for everybody.
const PUBLIC: &str = "PUBLIC_TO_EVERYONE";

/// What is done and what is left, with the text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// What is published.
    pub(super) post: Post,
    /// What the network allows the account; `None` for drafts, and before it was asked.
    pub(super) creator: Option<Allowed>,
    /// An upload has run out of its time, and another was begun without a failure.
    #[serde(default)]
    pub(super) has_begun_anew: bool,
    /// What is being done.
    pub(super) stage: Stage,
}

/// What is published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Post {
    /// The caption of a video, the description of photos.
    pub(super) text: String,
    /// Who may see it; drafts have none.
    pub(super) privacy: Option<String>,
    /// Comments are wanted.
    pub(super) allow_comments: bool,
    /// It goes to the inbox of the app, and is finished there.
    pub(super) is_draft: bool,
    /// One video, not photos.
    pub(super) is_video: bool,
    /// The files, in their order.
    pub(super) files: Vec<MediaId>,
    /// What else is asked for.
    #[serde(default, skip_serializing_if = "Extras::is_none")]
    pub(super) extras: Extras,
}

/// What an option alone asks for; nothing unless it is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub(super) struct Extras {
    /// Others may make duets with a video.
    pub(super) allow_duet: bool,
    /// Others may stitch a video.
    pub(super) allow_stitch: bool,
    /// It is labelled as made by AI.
    pub(super) ai_generated: bool,
    /// It promotes a brand of the creator's own.
    pub(super) own_brand: bool,
    /// It promotes somebody else's brand.
    pub(super) branded_content: bool,
    /// The frame of a video that is its cover, in milliseconds from its begin.
    pub(super) cover_timestamp_ms: Option<u64>,
    /// The photo that is the cover, from 0 on.
    pub(super) cover_index: u64,
    /// The title above the text of photos.
    pub(super) title: String,
    /// The network adds music to photos.
    pub(super) auto_music: bool,
}

impl Extras {
    fn of(options: &Map<String, Value>) -> Self {
        let flag = |key| options.get(key).and_then(Value::as_bool).unwrap_or(false);
        let number = |key| options.get(key).and_then(Value::as_u64);
        let promoted = options.get("commercialContent").and_then(Value::as_array);
        let promotes = |whose: &str| promoted.is_some_and(|all| all.iter().any(|one| one == whose));
        let text = |key| options.get(key).and_then(Value::as_str).map(str::trim);
        Self {
            allow_duet: flag("allowDuet"),
            allow_stitch: flag("allowStitch"),
            ai_generated: flag("aiGenerated"),
            own_brand: promotes("ownBrand"),
            branded_content: promotes("brandedContent"),
            cover_timestamp_ms: number("coverTimestampMs"),
            cover_index: number("coverIndex").unwrap_or(0),
            title: text("title").unwrap_or_default().to_owned(),
            auto_music: flag("autoMusic"),
        }
    }

    fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What the network allows the account, as far as it goes with the post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Allowed {
    pub(super) username: String,
    pub(super) comments_disabled: bool,
    #[serde(default)]
    pub(super) duets_disabled: bool,
    #[serde(default)]
    pub(super) stitches_disabled: bool,
}

/// What is being done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum Stage {
    /// The network is asked what it allows the account.
    Creator,
    /// A video is announced; nothing is published by that.
    Init,
    /// The bytes of the video are sent. The last of them publish it.
    Sending(Upload),
    /// The photos are named, which publishes them.
    Photos {
        /// They were not named before this instant.
        since: DateTime<Utc>,
        /// How often the post was looked for in vain.
        looks: u32,
    },
    /// The network works on the post.
    Processing {
        /// What the publish is called.
        publish_id: String,
        /// Since when.
        since: DateTime<Utc>,
    },
    /// The post is live, and its id is waited for.
    Posted {
        /// What the publish is called.
        publish_id: String,
        /// Since when.
        since: DateTime<Utc>,
        /// Before this instant it was not live.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begun_at: Option<DateTime<Utc>>,
    },
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on TikTok; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let has_files = !job.files.is_empty();
        let composed = compose(&job.content, link, has_files, Platform::Tiktok, &job.options);
        let flag = |key| job.options.get(key).and_then(Value::as_bool).unwrap_or(false);
        let is_draft = flag("asDraft");
        let privacy = job.options.get("privacy").and_then(Value::as_str);
        let post = Post {
            text: composed.text().to_owned(),
            privacy: privacy.filter(|_| !is_draft).map(str::to_owned),
            allow_comments: flag("allowComments"),
            is_draft,
            is_video: job.files.iter().any(|file| file.facts.kind == MediaKind::Video),
            files: job.files.iter().map(|file| file.id).collect(),
            extras: Extras::of(&job.options),
        };
        Self { post, creator: None, has_begun_anew: false, stage: Stage::Creator }
            .restarted(job.now)
    }

    fn is_visible(&self) -> bool {
        match &self.stage {
            Stage::Sending(upload) => upload.is_at_last_chunk(),
            Stage::Photos { .. } => true,
            Stage::Creator | Stage::Init | Stage::Processing { .. } | Stage::Posted { .. } => false,
        }
    }

    fn live_part(&self) -> Option<Remote> {
        match &self.stage {
            Stage::Posted { publish_id, .. } => Some(Remote::new(publish_id, None)),
            Stage::Creator
            | Stage::Init
            | Stage::Sending(_)
            | Stage::Photos { .. }
            | Stage::Processing { .. } => None,
        }
    }
}

impl Progress {
    /// Bytes of the video that the visible request of the next step carries.
    pub(super) fn visible_bytes(&self) -> u64 {
        match &self.stage {
            Stage::Sending(upload) if upload.is_at_last_chunk() => upload.bytes_of_next(),
            // Photos are fetched by links.
            Stage::Sending(_)
            | Stage::Photos { .. }
            | Stage::Creator
            | Stage::Init
            | Stage::Processing { .. }
            | Stage::Posted { .. } => 0,
        }
    }

    /// The same at another stage.
    pub(super) fn at(self, stage: Stage) -> Self {
        Self { stage, ..self }
    }

    /// The same from the beginning: a draft carries nothing that the account has to allow.
    pub(super) fn restarted(self, now: DateTime<Utc>) -> Self {
        match self.post.is_draft {
            true => self.allowed(None, now),
            false => self.at(Stage::Creator),
        }
    }

    /// The same once it is known what the account is allowed.
    pub(super) fn allowed(self, creator: Option<Allowed>, now: DateTime<Utc>) -> Self {
        let is_video = self.post.is_video;
        let stage = if is_video { Stage::Init } else { Stage::Photos { since: now, looks: 0 } };
        Self { creator, stage, ..self }
    }

    /// The end of an attempt whose publish has failed; the next one begins another.
    pub(super) fn failed(self, reason: &str, now: DateTime<Utc>) -> Step<Self> {
        Step::Failed { progress: self.restarted(now), error: of_reason(reason) }
    }

    /// True when the post has a page for everybody.
    pub(super) fn is_public(&self) -> bool {
        self.post.privacy.as_deref() == Some(PUBLIC)
    }

    /// The step to the network's work on a publish.
    pub(super) fn processing(self, publish_id: String, now: DateTime<Utc>) -> Step<Progress> {
        let until = now + super::status::FIRST_WAIT;
        let stage = Stage::Processing { publish_id, since: now };
        Step::Wait { progress: self.at(stage), until }
    }

    /// The post once it is live, and the wait for its id. It was not live before `begun_at`.
    pub(super) fn live(
        self,
        api: &Api,
        publish_id: &str,
        status: &Status,
        (begun_at, now): (DateTime<Utc>, DateTime<Utc>),
    ) -> Live<Progress> {
        if let Some(id) = status.post_id() {
            return self.named(api, publish_id, &id);
        }
        let remote = Some(Remote::new(publish_id, None));
        // Only what everybody can see ever gets an id.
        let is_awaited = self.is_public() && status.status == "PUBLISH_COMPLETE";
        let then = is_awaited.then(|| {
            let publish_id = publish_id.to_owned();
            self.at(Stage::Posted { publish_id, since: now, begun_at: Some(begun_at) })
        });
        Live { remote, then }
    }

    /// The post once its id is known.
    pub(super) fn named(&self, api: &Api, publish_id: &str, id: &str) -> Live<Progress> {
        let record = json!({ "publishId": publish_id });
        Live { remote: Some(Remote { record, ..self.remote(api, id) }), then: None }
    }

    /// The post by its id, with its page where everybody can open it.
    pub(super) fn remote(&self, api: &Api, id: &str) -> Remote {
        let creator = self.creator.as_ref().filter(|creator| !creator.username.is_empty());
        let creator = creator.filter(|_| self.is_public());
        let page = creator.map(|creator| api.page(&creator.username, self.post.is_video, id));
        Remote::new(id, page)
    }

    /// The files of the post, as the job has them.
    ///
    /// # Errors
    /// [`FailureCode::MediaUnusable`] when one is not part of it any more, or there is none.
    pub(super) fn files<'a>(&self, job: &'a PublishJob) -> Result<Vec<&'a JobFile>, NetworkError> {
        if self.post.files.is_empty() {
            return Err(NetworkError::unusable_media(
                "A file that this publish began with is not part of the post any more.",
            ));
        }
        self.post.files.iter().map(|id| job.file(*id)).collect()
    }
}
