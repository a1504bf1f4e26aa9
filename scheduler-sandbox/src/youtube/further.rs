//! What can be said of a video besides title, description, tags, category and privacy.
//!
//! A description with `#no_promotion` makes a video that is not kept as a paid promotion, as nobody
//! has promised that the network keeps it.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/videos/insert>, "You can set values for
//! these properties"; of paid promotion <https://youtube.googleapis.com/$discovery/rest?version=v3>.

use chrono::DateTime;
use serde_json::{Map, Value, json};

use super::error::ApiError;
use super::videos::{DESCRIPTION, TITLE, is_refused};

/// Every part of a video that a call can set.
const PARTS: [&str; 5] =
    ["snippet", "status", "localizations", "recordingDetails", "paidProductPlacementDetails"];

/// What else is said of a video, as it was sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Further {
    default_language: Option<String>,
    default_audio_language: Option<String>,
    synthetic_media: Option<bool>,
    license: Option<String>,
    embeddable: Option<bool>,
    public_stats: Option<bool>,
    localizations: Option<Value>,
    recording_date: Option<String>,
    paid_promotion: Option<bool>,
}

/// Reads the parts that a call sets.
///
/// # Errors
/// One that there is not, or neither `snippet` nor `status`.
pub(super) fn parts(named: &str) -> Result<Vec<&str>, ApiError> {
    let parts: Vec<&str> = named.split(',').collect();
    if let Some(other) = parts.iter().find(|part| !PARTS.contains(part)) {
        let message = format!("'{other}'");
        return Err(ApiError::bad("unexpectedPart", &message));
    }
    if !parts.contains(&"snippet") || !parts.contains(&"status") {
        let message = "The part parameter has to name what is sent.";
        return Err(ApiError::bad("unexpectedPart", message));
    }
    Ok(parts)
}

impl Further {
    /// Reads what an upload says; members of parts that it does not name are passed over.
    ///
    /// # Errors
    /// 400 with the reason of what is wrong.
    pub(super) fn checked(body: &Value, parts: &[&str]) -> Result<Self, ApiError> {
        let wrong = || ApiError::bad("invalidVideoMetadata", "The request metadata is invalid.");
        let flag = |pointer: &str| match body.pointer(pointer) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(wrong()),
        };
        let license = body.pointer("/status/license").and_then(Value::as_str);
        if license.is_some_and(|license| !matches!(license, "youtube" | "creativeCommon")) {
            return Err(wrong());
        }
        let mut further = Self {
            synthetic_media: flag("/status/containsSyntheticMedia")?,
            license: license.map(str::to_owned),
            embeddable: flag("/status/embeddable")?,
            public_stats: flag("/status/publicStatsViewable")?,
            ..Self::default()
        };
        further.take_snippet(&body["snippet"])?;
        if parts.contains(&"localizations") {
            further.localizations = Some(further.localized(&body["localizations"])?);
        }
        if parts.contains(&"recordingDetails") {
            let date = body.pointer("/recordingDetails/recordingDate").and_then(Value::as_str);
            if date.is_some_and(|date| DateTime::parse_from_rfc3339(date).is_err()) {
                let message = "The recordingDetails object specifies invalid recording details.";
                return Err(ApiError::bad("invalidRecordingDetails", message));
            }
            further.recording_date = date.map(str::to_owned);
        }
        if parts.contains(&"paidProductPlacementDetails") {
            let paid = flag("/paidProductPlacementDetails/hasPaidProductPlacement")?;
            let description = body.pointer("/snippet/description").and_then(Value::as_str);
            let is_kept = !description.unwrap_or_default().contains("#no_promotion");
            further.paid_promotion = paid.map(|paid| paid && is_kept);
        }
        Ok(further)
    }

    /// Takes the languages of a snippet; what it does not hold is gone.
    ///
    /// # Errors
    /// 400 for what is no language.
    pub(super) fn take_snippet(&mut self, snippet: &Value) -> Result<(), ApiError> {
        let language = |name: &str| match snippet.get(name).and_then(Value::as_str) {
            Some(language) if !is_language(language) => {
                let message = format!("The {name} is invalid.");
                Err(ApiError::bad("invalidVideoMetadata", &message))
            }
            language => Ok(language.map(str::to_owned)),
        };
        self.default_language = language("defaultLanguage")?;
        self.default_audio_language = language("defaultAudioLanguage")?;
        Ok(())
    }

    fn localized(&self, localizations: &Value) -> Result<Value, ApiError> {
        let given = localizations.as_object().cloned().unwrap_or_default();
        if self.default_language.is_none() && !given.is_empty() {
            let message = "The API request is trying to add localized video details without specifying the default language of the video details.";
            return Err(ApiError::bad("defaultLanguageNotSet", message));
        }
        let text = |said: &Value, name: &str| said[name].as_str().unwrap_or_default().to_owned();
        let is_right = |(language, said): (&String, &Value)| {
            let (title, description) = (text(said, "title"), text(said, "description"));
            is_language(language)
                && (1..=TITLE).contains(&title.trim().chars().count())
                && description.len() <= DESCRIPTION
                && !is_refused(&title)
                && !is_refused(&description)
        };
        if given.iter().all(is_right) {
            return Ok(Value::Object(given));
        }
        Err(ApiError::bad("invalidVideoMetadata", "A localization is invalid."))
    }

    /// Adds what is said to the parts of a view that were asked for.
    pub(super) fn show(&self, view: &mut Value, parts: &[&str]) {
        let mut set = |part: &str, name: &str, value: Value| {
            if parts.contains(&part) && !value.is_null() {
                view[part][name] = value;
            }
        };
        set("snippet", "defaultLanguage", json!(self.default_language));
        set("snippet", "defaultAudioLanguage", json!(self.default_audio_language));
        set("status", "license", json!(self.license.as_deref().unwrap_or("youtube")));
        set("status", "embeddable", json!(self.embeddable.unwrap_or(true)));
        set("status", "publicStatsViewable", json!(self.public_stats.unwrap_or(true)));
        set("status", "containsSyntheticMedia", json!(self.synthetic_media));
        set("recordingDetails", "recordingDate", json!(self.recording_date));
        set(
            "paidProductPlacementDetails",
            "hasPaidProductPlacement",
            json!(self.paid_promotion.unwrap_or(false)),
        );
        if parts.contains(&"localizations") {
            let none = || Value::Object(Map::new());
            view["localizations"] = self.localizations.clone().unwrap_or_else(none);
        }
    }
}

fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or_default();
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(is_part)
}
