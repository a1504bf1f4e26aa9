//! What is refused of a container: captions, options, files.

use serde_json::{Map, Value};

use super::Kind;
use crate::fetch::Fetched;
use crate::instagram::error::ApiError;
use crate::params::{flag, text};
use crate::picture::{self, FileKind};

/// Longest caption, in code points.
const CAPTION_LIMIT: usize = 2_200;
/// Most hashtags and mentions of a caption, and collaborators of a post.
const HASHTAGS_MAX: usize = 30;
const MENTIONS_MAX: usize = 20;
const COLLABORATORS_MAX: usize = 3;
/// People who are tagged in one file at most.
const USER_TAGS_MAX: usize = 20;
/// Largest files, in bytes.
const IMAGE_BYTES: u64 = 8_388_608;
const REEL_BYTES: u64 = 300_000_000;
const STORY_VIDEO_BYTES: u64 = 100_000_000;
/// Narrowest and widest picture of the feed. The documentation names 4:5, and 3:4 is taken. Source:
/// <https://github.com/mvdicarlo/postybirb/pull/762>.
const RATIOS: std::ops::RangeInclusive<f64> = 0.745..=1.915;

pub(super) fn kind(params: &Map<String, Value>) -> Result<Kind, ApiError> {
    let is_child = flag(params, "is_carousel_item").unwrap_or(false);
    let is_video = params.contains_key("video_url") || params.contains_key("upload_type");
    match (text(params, "media_type").as_deref(), is_child) {
        (None | Some("IMAGE"), false) => Ok(Kind::Picture),
        (None | Some("IMAGE"), true) => Ok(Kind::Child { is_video: false }),
        (Some("VIDEO"), true) => Ok(Kind::Child { is_video: true }),
        (Some("REELS"), false) => Ok(Kind::Reel),
        (Some("STORIES"), false) => Ok(Kind::Story { is_video }),
        (Some("CAROUSEL"), false) => Ok(Kind::Carousel),
        _ => Err(ApiError::sub(100, 2_207_023, "The media type is unknown.")),
    }
}

pub(super) fn check_caption(caption: &str) -> Result<(), ApiError> {
    let starting = |sign: char| {
        let is_one = |word: &&str| word.len() > 1 && word.starts_with(sign);
        caption.split_whitespace().filter(is_one).count()
    };
    if caption.chars().count() > CAPTION_LIMIT {
        let message = "The caption is too long. It should be at most 2,200 characters.";
        Err(ApiError::sub(36004, 2_207_010, message))
    } else if starting('@') > MENTIONS_MAX {
        Err(ApiError::sub(100, 2_207_040, "The caption has more than 20 mentions."))
    } else if starting('#') > HASHTAGS_MAX {
        Err(ApiError::parameter("The caption has more than 30 hashtags"))
    } else {
        Ok(())
    }
}

pub(super) fn check_collaborators(params: &Map<String, Value>, kind: Kind) -> Result<(), ApiError> {
    let Some(sent) = params.get("collaborators") else { return Ok(()) };
    if matches!(kind, Kind::Child { .. } | Kind::Story { .. }) {
        return Err(ApiError::parameter("The param collaborators is not allowed for this media"));
    }
    let names: Option<Vec<String>> = match sent {
        Value::String(text) => serde_json::from_str(text).ok(),
        other => serde_json::from_value(other.clone()).ok(),
    };
    let names = names.ok_or_else(|| ApiError::parameter("Param collaborators must be an array"))?;
    if names.len() > COLLABORATORS_MAX {
        return Err(ApiError::parameter("Param collaborators must have at most 3 elements"));
    }
    if names.iter().any(|name| name.starts_with('@')) {
        return Err(ApiError::parameter("Param collaborators must hold user names"));
    }
    Ok(())
}

/// Refuses what goes with other forms of posts than this, or is not written as it has to be.
pub(super) fn check_options(params: &Map<String, Value>, kind: Kind) -> Result<(), ApiError> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if let Some(place) = text(params, "location_id") {
        if matches!(kind, Kind::Child { .. } | Kind::Story { .. }) {
            return Err(ApiError::parameter("Param location_id is not allowed for this media"));
        }
        if !is_digits(&place) {
            return Err(ApiError::parameter("Param location_id must be a valid ID"));
        }
    }
    if let Some(trial) = text(params, "trial_params") {
        let trial: Option<Value> = serde_json::from_str(&trial).ok();
        let strategy = trial.as_ref().and_then(|trial| trial["graduation_strategy"].as_str());
        if kind != Kind::Reel || !matches!(strategy, Some("MANUAL" | "SS_PERFORMANCE")) {
            return Err(ApiError::parameter("Param trial_params is not allowed for this media"));
        }
    }
    if let Some(offset) = text(params, "thumb_offset")
        && !(kind.is_video() && is_digits(&offset))
    {
        return Err(ApiError::parameter(
            "Param thumb_offset must be a non-negative number of videos",
        ));
    }
    if params.contains_key("cover_url") && kind != Kind::Reel {
        return Err(ApiError::parameter("Param cover_url is only allowed for reels"));
    }
    let is_boolean = |text: &String| matches!(text.as_str(), "true" | "false" | "1" | "0");
    if text(params, "is_ai_generated").is_some_and(|text| !is_boolean(&text)) {
        return Err(ApiError::parameter("Param is_ai_generated must be a boolean"));
    }
    check_partnership(params, kind)?;
    match text(params, "user_tags") {
        Some(tags) => check_user_tags(&tags, kind),
        None => Ok(()),
    }
}

/// Checks labels of partnerships and music.
///
/// Source: <https://developers.facebook.com/docs/instagram-platform/content-publishing>,
/// `is_paid_partnership`, `branded_content_sponsor_ids` and `audio_configuration`.
fn check_partnership(params: &Map<String, Value>, kind: Kind) -> Result<(), ApiError> {
    let is_labelled = ["is_paid_partnership", "branded_content_sponsor_ids"]
        .iter()
        .any(|name| params.contains_key(*name));
    if is_labelled && matches!(kind, Kind::Child { .. } | Kind::Story { .. }) {
        let message = "Param is_paid_partnership is not allowed for this media";
        return Err(ApiError::parameter(message));
    }
    if let Some(sponsors) = text(params, "branded_content_sponsor_ids") {
        let sponsors: Option<Vec<String>> = serde_json::from_str(&sponsors).ok();
        if sponsors.is_none_or(|sponsors| sponsors.is_empty() || sponsors.len() > 2) {
            let message = "Param branded_content_sponsor_ids must have 1 to 2 elements";
            return Err(ApiError::parameter(message));
        }
    }
    if let Some(audio) = text(params, "audio_configuration") {
        let audio: Option<Value> = serde_json::from_str(&audio).ok();
        let is_right = audio.is_some_and(|audio| {
            let is_volume = |name: &str| {
                let volume = &audio[name];
                volume.is_null() || volume.as_u64().is_some_and(|volume| volume <= 100)
            };
            audio["audio_id"].is_string() && is_volume("audio_volume") && is_volume("video_volume")
        });
        if kind != Kind::Reel || !is_right {
            let message = "Param audio_configuration is not allowed for this media";
            return Err(ApiError::parameter(message));
        }
    }
    Ok(())
}

/// Checks who is said to be seen in a file: in a picture everybody has a place.
fn check_user_tags(tags: &str, kind: Kind) -> Result<(), ApiError> {
    let refuse = |why: &str| Err(ApiError::parameter(&format!("Param user_tags {why}")));
    let tags: Vec<Value> = match serde_json::from_str(tags) {
        Ok(Value::Array(tags)) => tags,
        _ => return refuse("must be an array"),
    };
    if kind == Kind::Carousel {
        return refuse("is only allowed for the children of a carousel");
    }
    if tags.len() > USER_TAGS_MAX {
        return refuse("has too many elements");
    }
    let is_story = matches!(kind, Kind::Story { .. });
    for tag in &tags {
        if tag["username"].as_str().is_none_or(str::is_empty) {
            return refuse("needs usernames");
        }
        let is_place = |name: &str| tag[name].as_f64().is_some_and(|it| (0.0..=1.0).contains(&it));
        let has_place = tag.get("x").is_some() || tag.get("y").is_some();
        let needs_place = !kind.is_video() && !is_story;
        if (needs_place || has_place) && !(is_place("x") && is_place("y")) {
            return refuse("needs x and y, each from 0 to 1");
        }
        if kind.is_video() && has_place && !is_story {
            return refuse("of videos takes no x and y");
        }
    }
    Ok(())
}

pub(super) fn check_picture(fetched: &Fetched) -> Result<(), ApiError> {
    if !fetched.head.starts_with(&[0xff, 0xd8, 0xff]) {
        return Err(ApiError::sub(36001, 2_207_005, "The image format is not supported."));
    }
    if fetched.file.bytes > IMAGE_BYTES {
        return Err(ApiError::sub(36000, 2_207_004, "The image is too large to download."));
    }
    Ok(())
}

pub(super) fn check_file(kind: Kind, fetched: &Fetched) -> Result<(), ApiError> {
    if kind.is_video() {
        let most = if matches!(kind, Kind::Story { .. }) { STORY_VIDEO_BYTES } else { REEL_BYTES };
        let is_video = picture::kind(&fetched.head) == Some(FileKind::Video);
        return if is_video && fetched.file.bytes <= most {
            Ok(())
        } else {
            Err(ApiError::sub(352, 2_207_026, "The video format is not supported."))
        };
    }
    check_picture(fetched)?;
    let is_story = matches!(kind, Kind::Story { .. });
    if let Some((width, height)) = picture::dimensions(&fetched.head).filter(|_| !is_story) {
        let ratio = f64::from(width) / f64::from(height.max(1));
        if !RATIOS.contains(&ratio) {
            let message = "The aspect ratio of the image is not supported.";
            return Err(ApiError::sub(36003, 2_207_009, message));
        }
    }
    Ok(())
}
