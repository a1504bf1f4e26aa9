//! Thumbnails and captions.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/thumbnails/set>,
//! <https://developers.google.com/youtube/v3/docs/captions>.

use http::StatusCode;
use serde_json::{Value, json};

use super::error::ApiError;
use super::oauth::{COMMENTING, UPLOADING};
use super::related::Related;
use super::sessions::member;
use super::{Youtube, id};
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Bytes of a thumbnail, since 2026-09-14.
const THUMBNAIL: u64 = 52_428_800;
/// Characters of the name of a track.
const TRACK_NAME: usize = 150;

/// A track of captions.
#[derive(Clone, Debug)]
pub(super) struct Caption {
    id: String,
    language: String,
    name: String,
    bytes: usize,
}

impl Youtube {
    /// Sets the thumbnail of a video; another takes its place.
    ///
    /// # Errors
    /// 400 for what is no picture, 403 for another's video, 404, 413; those of tokens.
    pub(super) fn set_thumbnail(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, UPLOADING)?;
        let at = self.own(request.query("videoId").unwrap_or_default(), &caller)?;
        if request.body.length > THUMBNAIL {
            let message = "The request is too large.";
            return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "uploadTooLarge", message));
        }
        let media_type = request.content_type();
        let is_picture = picture::kind(request.body.head()) == Some(FileKind::Image)
            && matches!(media_type.as_str(), "image/jpeg" | "image/png");
        if !is_picture {
            let message = "The provided image content is not in a supported format.";
            return Err(ApiError::bad("imageFormatUnsupported", message));
        }
        let (bytes, sha256) = (request.body.length, request.body.sha256);
        self.videos[at].thumbnail = Some(LiveMedia { media_type, bytes, sha256 });
        Ok(Answer::ok(&json!({
            "kind": "youtube#thumbnailSetResponse",
            "items": [{ "default": { "url": format!("{}/picture/thumbnail", context.base) } }],
        })))
    }

    /// Adds captions to a video.
    ///
    /// # Errors
    /// 400 for what is missing or too long, 403 for another's video, 404, 409 for a track that is
    /// there; those of tokens.
    pub(super) fn insert_caption(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, COMMENTING)?;
        let wrong =
            || ApiError::bad("invalidMetadata", "The request contains invalid metadata values.");
        let Related { about, content, .. } = Related::read(request).ok_or_else(wrong)?;
        if content.trim_ascii().is_empty() {
            let message = "The request does not contain the caption track contents.";
            return Err(ApiError::bad("contentRequired", message));
        }
        let at = self.own(member(&about, "/snippet/videoId").unwrap_or_default(), &caller)?;
        let language = member(&about, "/snippet/language").filter(|text| !text.is_empty());
        let language = language.ok_or_else(wrong)?.to_owned();
        let name = member(&about, "/snippet/name").unwrap_or_default().to_owned();
        if name.chars().count() > TRACK_NAME {
            let message = "The snippet.name specified in the request is too long.";
            return Err(ApiError::bad("nameTooLong", message));
        }
        let captions = &mut self.videos[at].captions;
        let is_it = |known: &Caption| known.language == language && known.name == name;
        if captions.iter().any(is_it) {
            let message = "The specified video already has a caption track with the given snippet.language and snippet.name.";
            return Err(ApiError::new(StatusCode::CONFLICT, "captionExists", message));
        }
        let caption = Caption { id: id("AU", 30), language, name, bytes: content.len() };
        let view = caption.view();
        captions.push(caption);
        Ok(Answer::ok(&view))
    }

    /// Answers the tracks of a video.
    ///
    /// # Errors
    /// 403 for another's video, 404; those of tokens.
    pub(super) fn list_captions(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, COMMENTING)?;
        let at = self.own(request.query("videoId").unwrap_or_default(), &caller)?;
        let items: Vec<Value> = self.videos[at].captions.iter().map(Caption::view).collect();
        Ok(Answer::ok(&json!({ "kind": "youtube#captionListResponse", "items": items })))
    }
}

impl Caption {
    fn view(&self) -> Value {
        json!({
            "kind": "youtube#caption",
            "id": self.id,
            "snippet": {
                "language": self.language,
                "name": self.name,
                "trackKind": "standard",
                "isDraft": false,
                "status": "serving",
                "bytes": self.bytes,
            },
        })
    }
}
