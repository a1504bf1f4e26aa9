//! What a Pin shows: `media_source`.
//!
//! Source: <https://github.com/pinterest/api-description>, `PinMediaSource` and its kinds.

use http::StatusCode;
use serde_json::{Value, json};

use super::Pinterest;
use super::accounts::Caller;
use super::error::ApiError;
use super::pins::texts;
use crate::fetch::{self, Fetch};
use crate::json_files::{JsonFile, JsonText};
use crate::network::{Context, LiveMedia};
use crate::picture::{self, FileKind};

/// Images of a carousel.
const CAROUSEL: std::ops::RangeInclusive<usize> = 2..=5;

/// Largest image.
///
/// Source: <https://help.pinterest.com/en/business/article/pinterest-product-specs>.
const MAX_BYTES: u64 = 20_000_000;

/// What a Pin shows.
#[derive(Clone, Debug)]
pub(super) enum Shown {
    Images(Vec<Image>),
    Video(LiveMedia),
}

/// An image of a Pin.
#[derive(Clone, Debug)]
pub(super) enum Image {
    /// It came with the Pin.
    Sent(LiveMedia),
    /// It is fetched by its link. The network does so before it answers; here the answer comes
    /// first, since nothing here waits.
    Fetched(Fetch),
}

impl Shown {
    /// Returns the name of its kind.
    pub(super) fn media_type(&self) -> &'static str {
        match self {
            Self::Images(images) if images.len() == 1 => "image",
            Self::Images(_) => "multiple_images",
            Self::Video(_) => "video",
        }
    }

    /// Returns the files that are there.
    pub(super) fn files(&self) -> Vec<LiveMedia> {
        match self {
            Self::Images(images) => images
                .iter()
                .filter_map(|image| match image {
                    Image::Sent(file) => Some(file.clone()),
                    Image::Fetched(fetch) => fetch.ended()?.map(|fetched| fetched.file.clone()),
                })
                .collect(),
            Self::Video(file) => vec![file.clone()],
        }
    }
}

impl Pinterest {
    /// Reads what a Pin shows.
    ///
    /// # Errors
    /// 400 for what it cannot show.
    pub(super) fn shown(
        &self,
        caller: &Caller,
        source: &Value,
        text: &JsonText,
        context: &Context<'_>,
    ) -> Result<Shown, ApiError> {
        let kind = source["source_type"].as_str().unwrap_or_default();
        match kind {
            "image_base64" => Ok(Shown::Images(vec![sent(source, text)?.0])),
            "image_url" => Ok(Shown::Images(vec![fetched(source)?])),
            "multiple_image_base64" => {
                let mut images = Vec::new();
                let mut sizes = Vec::new();
                for item in items(source)? {
                    let (image, size) = sent(item, text)?;
                    images.push(image);
                    sizes.push(size);
                }
                if sizes.windows(2).any(|two| two[0] != two[1]) {
                    let message =
                        "Invalid request: all images of a carousel must have the same dimensions";
                    return Err(ApiError::new(StatusCode::BAD_REQUEST, 1, message));
                }
                Ok(Shown::Images(images))
            }
            "multiple_image_urls" => {
                let images = items(source)?.iter().map(fetched).collect::<Result<_, _>>()?;
                Ok(Shown::Images(images))
            }
            "video_id" => self.shown_video(caller, source, text, context),
            other => Err(ApiError::invalid(&format!("'{other}' is not a valid source_type"))),
        }
    }

    fn shown_video(
        &self,
        caller: &Caller,
        source: &Value,
        text: &JsonText,
        context: &Context<'_>,
    ) -> Result<Shown, ApiError> {
        let id = source["media_id"].as_str().unwrap_or_default();
        let frame = source["cover_image_key_frame_time"].as_u64();
        let has_cover = frame.is_some()
            || source["cover_image_url"].is_string()
            || (source["cover_image_content_type"].is_string()
                && source["cover_image_data"].is_string());
        if !has_cover {
            let why = "one of cover_image_url, cover_image_data and cover_image_key_frame_time is required";
            return Err(ApiError::invalid(why));
        }
        let cover = &source["cover_image_data"];
        if cover.is_string() {
            let content_type = &source["cover_image_content_type"];
            sent(&json!({ "content_type": content_type, "data": cover }), text)?;
        }
        let video = self.videos.get(id).filter(|video| video.owner == caller.user);
        let refused = |why: &str| ApiError::new(StatusCode::BAD_REQUEST, 2424, why);
        let video = video.ok_or_else(|| refused("Media was not found."))?;
        match (video.status(context.now), video.file()) {
            ("succeeded", Some(file)) => Ok(Shown::Video(file.clone())),
            ("failed", _) => Err(refused("Media upload has failed.")),
            _ => Err(refused("Media is not ready yet.")),
        }
    }
}

fn items(source: &Value) -> Result<&Vec<Value>, ApiError> {
    let items = source["items"].as_array().ok_or_else(|| ApiError::invalid("items is missing"))?;
    if items.len() < *CAROUSEL.start() {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, 1, "constraint: minItems=2"));
    }
    if items.len() > *CAROUSEL.end() {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, 1, "constraint: maxItems=5"));
    }
    let index = &source["index"];
    let is_index = |index: u64| usize::try_from(index).is_ok_and(|index| index < items.len());
    if !index.is_null() && !index.as_u64().is_some_and(is_index) {
        return Err(ApiError::invalid(&format!("the index {index} is none of an item")));
    }
    items.iter().try_for_each(|item| texts(item).map(drop))?;
    Ok(items)
}

/// Reads an image that came with the Pin, and its size.
fn sent(source: &Value, text: &JsonText) -> Result<(Image, Option<(u32, u32)>), ApiError> {
    let content_type = source["content_type"].as_str().unwrap_or_default();
    if !matches!(content_type, "image/jpeg" | "image/png") {
        let why = format!("'{content_type}' is not one of ['image/jpeg', 'image/png']");
        return Err(ApiError::invalid(&why));
    }
    let data = source["data"].as_str().unwrap_or_default();
    let JsonFile { length, sha256, head, is_base64 } =
        text.file(data).cloned().unwrap_or_else(|| JsonFile::of(data));
    if !is_base64 || data.is_empty() {
        return Err(ApiError::invalid("the data does not match '[a-zA-Z0-9+\\/=]+'"));
    }
    if length > MAX_BYTES || picture::kind(&head) != Some(FileKind::Image) {
        let message = "Sorry! We could not use this image.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, 1, message));
    }
    let file = LiveMedia { media_type: content_type.to_owned(), bytes: length, sha256 };
    Ok((Image::Sent(file), picture::dimensions(&head)))
}

/// Begins to fetch an image.
fn fetched(source: &Value) -> Result<Image, ApiError> {
    let url = source["url"].as_str().unwrap_or_default();
    match fetch::address(url) {
        Some(_) => Ok(Image::Fetched(fetch::begin(url))),
        None => {
            let message = "Unable to reach the URL. Please check the URL is correct and try again.";
            Err(ApiError::new(StatusCode::BAD_REQUEST, 235, message))
        }
    }
}
