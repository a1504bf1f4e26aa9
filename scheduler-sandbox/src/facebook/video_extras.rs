//! What a video is given besides its bytes: `/{video}/thumbnails` and `/{video}/captions`.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/video/thumbnails/> and
//! <https://developers.facebook.com/docs/graph-api/reference/video/captions/>.

use serde_json::json;

use super::Facebook;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Largest cover, in bytes.
const COVER_BYTES: u64 = 10_000_000;

impl Facebook {
    /// Takes a picture that a video is shown by until it plays.
    ///
    /// # Errors
    /// Another's video, something else than a picture; those of tokens.
    pub(super) fn add_cover(
        &mut self,
        request: &Request,
        video: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let id: u64 = video.parse().map_err(|_| ApiError::missing(video))?;
        self.own_video(request, id, "pages_manage_posts", context)?;
        let part = request.body.parts.iter().find(|part| part.name == "source").cloned();
        let part = part.ok_or_else(|| ApiError::new(324, "(#324) Requires upload file"))?;
        let is_picture = picture::kind(&part.head) == Some(FileKind::Image);
        if !is_picture || part.length > COVER_BYTES {
            return Err(ApiError::new(324, "(#324) Missing or invalid image file"));
        }
        let media_type = part.content_type.unwrap_or_else(|| "application/octet-stream".to_owned());
        let cover = LiveMedia { media_type, bytes: part.length, sha256: part.sha256 };
        if let Some(video) = self.videos.get_mut(&id) {
            video.cover = Some(cover);
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Takes the captions of a video in one language, which the name of their file tells. They take
    /// the place of those of the same.
    ///
    /// # Errors
    /// Another's video, a name without a locale, something else than SubRip; those of tokens.
    pub(super) fn add_captions(
        &mut self,
        request: &Request,
        video: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let id: u64 = video.parse().map_err(|_| ApiError::missing(video))?;
        self.own_video(request, id, "pages_manage_posts", context)?;
        let part = request.body.parts.iter().find(|part| part.name == "captions_file");
        let part = part.ok_or_else(|| ApiError::new(324, "(#324) Requires upload file"))?;
        let name = part.file_name.as_deref().and_then(|name| name.strip_suffix(".srt"));
        let locale = name.and_then(|name| name.rsplit_once('.')).map(|(_, locale)| locale);
        let is_locale = |locale: &&str| {
            let (language, country) = locale.split_once('_').unwrap_or_default();
            (2..=3).contains(&language.len())
                && language.bytes().all(|byte| byte.is_ascii_lowercase())
                && country.len() == 2
                && country.bytes().all(|byte| byte.is_ascii_uppercase())
        };
        let locale = locale.filter(is_locale).ok_or_else(|| {
            ApiError::parameter("The captions file needs a name such as filename.en_US.srt")
        })?;
        if !part.head.windows(3).any(|bytes| bytes == b"-->") || part.head.starts_with(b"WEBVTT") {
            return Err(ApiError::parameter("The captions file is no SubRip (SRT) file"));
        }
        let locale = locale.to_owned();
        if let Some(video) = self.videos.get_mut(&id) {
            video.captions.insert(locale);
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }
}
