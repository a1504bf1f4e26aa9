//! What is asked of Facebook besides text, link and files, and where a post stands.

use scheduler_core::ids::MediaId;
use scheduler_core::ports::PublishJob;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::progress::is_video;

/// What is asked of the network besides text, link and files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Extras {
    /// The title of a video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    /// The picture that a video is shown by until it plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cover: Option<MediaId>,
    /// The Page with the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<String>,
    /// Whether a reel is labelled as made by AI.
    pub(super) is_ai_generated: bool,
    /// The coloured background of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) background: Option<String>,
    /// Who alone sees it, in the network's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) targeting: Option<Value>,
    /// How many languages a video has captions in.
    #[serde(skip_serializing_if = "is_none_yet")]
    pub(super) captions: usize,
    /// Whether the network did not know that background, and it was left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) lost_background: bool,
}

impl Extras {
    pub(super) fn of(job: &PublishJob, place: Place) -> Self {
        let text = |key| job.options.get(key).and_then(Value::as_str).map(str::to_owned);
        let has_film = job.files.iter().any(is_video) && place != Place::Story;
        let has_place = place != Place::Story && (place == Place::Reel || !has_film);
        let is_ai = job.options.get("aiGenerated").and_then(Value::as_bool) == Some(true);
        Self {
            title: text("title").filter(|title| has_film && !title.trim().is_empty()),
            cover: job.thumbnail.as_ref().map(|file| file.id).filter(|_| has_film),
            place: text("placeId").filter(|id| has_place && !id.is_empty()),
            is_ai_generated: is_ai && place == Place::Reel,
            background: text("textBackground").filter(|id| job.files.is_empty() && !id.is_empty()),
            targeting: job.options.get("targeting").and_then(targeting),
            captions: tracks(job).len() * usize::from(has_film),
            lost_background: false,
        }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

const fn is_none_yet(captions: &usize) -> bool {
    *captions == 0
}

/// The subtitles of a job.
pub(super) fn tracks(job: &PublishJob) -> &[Value] {
    job.options.get("subtitles").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Who alone sees a post, in the network's words.
///
/// Source: <https://developers.facebook.com/docs/graph-api/reference/page/feed/>, `targeting`.
fn targeting(option: &Value) -> Option<Value> {
    let mut targeting = json!({});
    let countries = option.get("countries").and_then(Value::as_array);
    if let Some(countries) = countries.filter(|countries| !countries.is_empty()) {
        targeting["geo_locations"] = json!({ "countries": countries });
    }
    if let Some(age) = option.get("ageMin") {
        targeting["age_min"] = age.clone();
    }
    targeting.as_object().is_some_and(|targeting| !targeting.is_empty()).then_some(targeting)
}

/// Where a post stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Feed,
    Reel,
    Story,
}

impl Place {
    /// The one that a post asks for; the flag is the older name of a reel.
    pub(super) fn of(job: &PublishJob) -> Self {
        let is_reel = || job.options.get("asReel").and_then(Value::as_bool) == Some(true);
        match job.options.get("placement").and_then(Value::as_str) {
            Some("story") => Self::Story,
            Some("reel") => Self::Reel,
            None if is_reel() => Self::Reel,
            Some(_) | None => Self::Feed,
        }
    }
}
