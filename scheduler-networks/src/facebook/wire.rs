//! What goes over the wire, in the Graph API's own names.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/>, v26.0.

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::graph::id;
pub(super) use crate::graph::{Page, instant};

/// What is kept of a Page.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    /// The Page's token, which has no end of its own.
    pub(super) access_token: SecretString,
    /// The Page's id, below which its calls are.
    pub(super) page_id: String,
    /// What proves that the token is used by its application; `None` for a token that was given.
    #[serde(default)]
    pub(super) proof: Option<SecretString>,
}

impl Tokens {
    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        let mut tokens = json!({
            "accessToken": self.access_token.expose_secret(),
            "pageId": self.page_id,
        });
        if let Some(proof) = &self.proof {
            tokens["proof"] = proof.expose_secret().into();
        }
        tokens.to_string()
    }
}

/// What something new is called.
#[derive(Debug, Deserialize)]
pub(super) struct Created {
    #[serde(deserialize_with = "id")]
    pub(super) id: String,
}

/// Whether a change was made.
#[derive(Debug, Deserialize)]
pub(super) struct Done {
    pub(super) success: bool,
}

/// A video that was announced in the feed.
#[derive(Debug, Deserialize)]
pub(super) struct Announced {
    #[serde(deserialize_with = "id")]
    pub(super) upload_session_id: String,
    #[serde(deserialize_with = "id")]
    pub(super) video_id: String,
    #[serde(flatten)]
    pub(super) piece: Offsets,
}

/// Which bytes of a video the network wants next; none when both are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Offsets {
    #[serde(deserialize_with = "number")]
    pub(super) start_offset: u64,
    #[serde(deserialize_with = "number")]
    pub(super) end_offset: u64,
}

/// A reel that was announced.
#[derive(Debug, Deserialize)]
pub(super) struct AnnouncedReel {
    #[serde(deserialize_with = "id")]
    pub(super) video_id: String,
}

/// How far the network is with a video.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Video {
    pub(super) status: VideoStatus,
    pub(super) published: Option<bool>,
    pub(super) permalink_url: Option<String>,
    #[serde(deserialize_with = "optional_text")]
    pub(super) post_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VideoStatus {
    pub(super) video_status: Option<String>,
    pub(super) uploading_phase: Phase,
    pub(super) processing_phase: Phase,
    pub(super) publishing_phase: Phase,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Phase {
    pub(super) status: Option<String>,
    /// The spelling of the documentation.
    bytes_transfered: Option<u64>,
    /// The spelling of newer answers.
    ///
    /// Source: <https://github.com/fbsamples/reels_publishing_apis/pull/47>.
    bytes_transferred: Option<u64>,
    pub(super) publish_status: Option<String>,
    errors: Vec<PhaseError>,
    error: Option<PhaseError>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PhaseError {
    pub(super) code: Option<i64>,
    pub(super) message: String,
}

impl Phase {
    /// How many bytes the network has; 0 where it does not say.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes_transferred.or(self.bytes_transfered).unwrap_or_default()
    }

    fn is(&self, status: &str) -> bool {
        self.status.as_deref() == Some(status)
    }

    fn error(&self) -> Option<&PhaseError> {
        self.errors.first().or(self.error.as_ref())
    }
}

impl VideoStatus {
    fn is(&self, status: &str) -> bool {
        self.video_status.as_deref() == Some(status)
    }

    fn publishes_as(&self, status: &str) -> bool {
        self.publishing_phase.publish_status.as_deref() == Some(status)
    }

    /// True when the network has all bytes.
    pub(super) fn is_uploaded(&self) -> bool {
        self.uploading_phase.is("complete")
            || ["upload_complete", "processing", "ready"].iter().any(|status| self.is(status))
    }

    /// True when it could not be shown.
    pub(super) fn has_failed_to_publish(&self) -> bool {
        self.publishes_as("error") || self.publishing_phase.is("error")
    }

    /// What went wrong; `None` while nothing did.
    pub(super) fn failed(&self) -> Option<Option<&PhaseError>> {
        let phases = [&self.uploading_phase, &self.processing_phase, &self.publishing_phase];
        let has_failed = ["error", "expired", "upload_failed"].iter().any(|status| self.is(status))
            || self.has_failed_to_publish()
            || phases.iter().any(|phase| phase.is("error"));
        has_failed.then(|| phases.iter().find_map(|phase| phase.error()))
    }
}

impl Video {
    /// True when others can see it.
    pub(super) fn is_live(&self) -> bool {
        let is_told = self.published != Some(false);
        self.status.publishing_phase.is("complete") || (self.status.is("ready") && is_told)
    }

    /// True once it was said to be finished: it is published, or will be.
    pub(super) fn is_finished(&self) -> bool {
        let is_under_way = ["in_progress", "complete"]
            .iter()
            .any(|status| self.status.publishing_phase.is(status));
        self.published == Some(true)
            || is_under_way
            || self.status.publishes_as("published")
            || (self.status.is("ready") && self.published.is_none())
    }
}

/// A post, as far as it is read.
#[derive(Debug, Deserialize)]
pub(super) struct Post {
    #[serde(default)]
    pub(super) id: String,
    pub(super) message: Option<String>,
    #[serde(default, deserialize_with = "instant")]
    pub(super) created_time: Option<DateTime<Utc>>,
    pub(super) permalink_url: Option<String>,
    pub(super) application: Option<Application>,
    pub(super) attachments: Option<Page<Attachment>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Application {
    pub(super) id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Attachment {
    target: Option<Target>,
    subattachments: Option<Box<Page<Attachment>>>,
}

#[derive(Debug, Deserialize)]
struct Target {
    id: Option<String>,
}

impl Post {
    /// A post of which only the id is known.
    pub(super) const fn named(id: String) -> Self {
        let (message, created_time, permalink_url) = (None, None, None);
        Self { id, message, created_time, permalink_url, application: None, attachments: None }
    }

    /// True when it shows a photo of this id.
    pub(super) fn shows(&self, photo: &str) -> bool {
        self.attachments.iter().flat_map(|page| &page.data).any(|shown| shown.is_of(photo))
    }
}

impl Attachment {
    fn is_of(&self, photo: &str) -> bool {
        let own = self.target.as_ref().and_then(|target| target.id.as_deref());
        own == Some(photo)
            || self.subattachments.iter().flat_map(|page| &page.data).any(|part| part.is_of(photo))
    }
}

/// What is published as a story. Its post goes without the Page in front.
#[derive(Debug, Deserialize)]
pub(super) struct PublishedStory {
    pub(super) success: bool,
    #[serde(default, deserialize_with = "optional_text")]
    pub(super) post_id: Option<String>,
}

/// A story of the Page.
///
/// Source: <https://developers.facebook.com/docs/page-stories-api>, "Get stories".
#[derive(Debug, Deserialize)]
pub(super) struct Story {
    #[serde(default, deserialize_with = "optional_text")]
    pub(super) post_id: Option<String>,
    /// The photo or the video that it shows.
    #[serde(default, deserialize_with = "optional_text")]
    pub(super) media_id: Option<String>,
    pub(super) url: Option<String>,
}

/// A Page of a person.
#[derive(Debug, Deserialize)]
pub(super) struct PageAccount {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) username: Option<String>,
    pub(super) access_token: Option<SecretString>,
    pub(super) tasks: Option<Vec<String>>,
    pub(super) picture: Option<Picture>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Picture {
    pub(super) data: PictureData,
}

#[derive(Debug, Deserialize)]
pub(super) struct PictureData {
    pub(super) url: Option<String>,
}

/// What videos a person may bring.
#[derive(Debug, Deserialize)]
pub(super) struct Person {
    pub(super) video_upload_limits: Option<VideoLimits>,
}

#[derive(Debug, Deserialize)]
pub(super) struct VideoLimits {
    /// Seconds.
    pub(super) length: Option<f64>,
    /// Bytes.
    pub(super) size: Option<u64>,
}

/// How many follow a Page.
#[derive(Debug, Deserialize)]
pub(super) struct Followers {
    pub(super) followers_count: Option<u64>,
    pub(super) fan_count: Option<u64>,
}

/// The same where it may not be known.
pub(super) fn optional_text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Id(#[serde(deserialize_with = "id")] String);
    let id: Option<Id> = Option::deserialize(deserializer)?;
    Ok(id.map(|id| id.0))
}

/// A number that may be written as a text.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let read = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    read.ok_or_else(|| serde::de::Error::custom("an offset is a number"))
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
