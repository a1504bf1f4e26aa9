//! What is asked of Instagram besides text, files and those who are named.

use scheduler_core::ids::MediaId;
use scheduler_core::ports::PublishJob;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::progress::Form;

/// What is asked of the network besides text, files and those who are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Extras {
    /// The picture that a reel is shown by until it plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cover: Option<MediaId>,
    /// The frame of a reel that stands for it, in milliseconds from its begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    cover_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// Who ends the trial of a reel, in the network's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    trial: Option<String>,
    is_ai_generated: bool,
    /// What only accounts take that are connected through a Page.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_paid_partnership: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sponsors: Vec<String>,
    /// Music of a reel, as it is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<Value>,
}

impl Extras {
    pub(super) fn of(job: &PublishJob, form: Form) -> Self {
        let text = |key| job.options.get(key).and_then(Value::as_str);
        let trial = match text("trial") {
            Some("manual") => Some("MANUAL"),
            Some("auto") => Some("SS_PERFORMANCE"),
            _ => None,
        };
        let is_ai = job.options.get("aiGenerated").and_then(Value::as_bool);
        let cover = job.thumbnail.as_ref().map(|file| file.id).filter(|_| form == Form::Reel);
        let cover_at = job.options.get("coverTimestampMs").and_then(Value::as_u64);
        Self {
            cover,
            cover_at: cover_at.filter(|_| form == Form::Reel && cover.is_none()),
            place: text("locationId")
                .filter(|id| form != Form::Story && !id.is_empty())
                .map(str::to_owned),
            trial: trial.filter(|_| form == Form::Reel).map(str::to_owned),
            is_ai_generated: is_ai.unwrap_or(false),
            is_paid_partnership: form != Form::Story
                && job.options.get("paidPartnership").and_then(Value::as_bool) == Some(true),
            sponsors: sponsors(job).filter(|_| form != Form::Story).map(str::to_owned).collect(),
            audio: job.options.get("audio").filter(|_| form == Form::Reel).and_then(audio),
        }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The fields of the container that is published.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let place = self.place.clone().map(|place| ("location_id", place));
        let trial = self.trial.as_ref().map(|who| {
            let params = json!({ "graduation_strategy": who }).to_string();
            ("trial_params", params)
        });
        let label = self.is_ai_generated.then(|| ("is_ai_generated", "true".to_owned()));
        let frame = self.cover_at.map(|at| ("thumb_offset", at.to_string()));
        let paid = self.is_paid_partnership.then(|| ("is_paid_partnership", "true".to_owned()));
        let sponsors = (!self.sponsors.is_empty())
            .then(|| ("branded_content_sponsor_ids", json!(self.sponsors).to_string()));
        let audio = self.audio.as_ref().map(|audio| ("audio_configuration", audio.to_string()));
        let fields = [frame, place, trial, label, paid, sponsors, audio];
        fields.into_iter().flatten().collect()
    }

    /// True where it asks for what only accounts take that are connected through a Page.
    pub(super) fn needs_page(&self) -> bool {
        self.is_paid_partnership || !self.sponsors.is_empty() || self.audio.is_some()
    }
}

/// The ids of the brands of a job.
fn sponsors(job: &PublishJob) -> impl Iterator<Item = &str> {
    let ids = job.options.get("sponsors").and_then(Value::as_array);
    ids.into_iter().flatten().filter_map(Value::as_str)
}

/// Music of a reel, in the network's words.
///
/// Source: <https://developers.facebook.com/docs/instagram-platform/content-publishing>,
/// `audio_configuration`.
fn audio(option: &Value) -> Option<Value> {
    let mut audio = json!({ "audio_id": option.get("id")?.as_str()? });
    for (key, name) in [("volume", "audio_volume"), ("videoVolume", "video_volume")] {
        if let Some(volume) = option.get(key) {
            audio[name] = volume.clone();
        }
    }
    Some(audio)
}
