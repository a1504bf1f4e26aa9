//! Files: `/api/v2/media`, `/api/v1/media`.
//!
//! Source: <https://docs.joinmastodon.org/methods/media/>, `app/models/media_attachment.rb`,
//! `app/models/concerns/attachmentable.rb`. Pixels and frame rates of videos are not looked at.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::Mastodon;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::params::{params, text};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Size in bytes that an image must stay below.
pub(super) const IMAGE_BYTES: u64 = 16_777_216;
/// Size in bytes that a video or an audio file must stay below.
pub(super) const VIDEO_BYTES: u64 = 103_809_024;
/// Most pixels of an image.
pub(super) const IMAGE_PIXELS: u64 = 33_177_600;
/// Most pixels of a GIF.
const GIF_PIXELS: u64 = 921_600;
/// Most pixels of a video.
pub(super) const VIDEO_PIXELS: u64 = 8_294_400;
/// Highest frame rate of a video.
pub(super) const VIDEO_FPS: u32 = 120;
/// Longest description in characters.
pub(super) const DESCRIPTION_LIMIT: usize = 10_000;
/// How long a file that no status shows is kept.
const UNUSED_LIFE: TimeDelta = TimeDelta::hours(24);

/// An uploaded file.
#[derive(Clone, Debug)]
pub(super) struct Media {
    pub(super) id: u64,
    pub(super) account: u64,
    pub(super) kind: FileKind,
    pub(super) file: LiveMedia,
    pub(super) description: Option<String>,
    focus: Option<(f64, f64)>,
    dimensions: Option<(u32, u32)>,
    created_at: DateTime<Utc>,
    ready_at: DateTime<Utc>,
    /// The status that shows it.
    pub(super) status: Option<u64>,
}

impl Media {
    /// Says whether the network has finished with it.
    pub(super) fn is_ready(&self, now: DateTime<Utc>) -> bool {
        now >= self.ready_at
    }

    /// Says whether it may still be put into a status.
    pub(super) fn is_free(&self, now: DateTime<Utc>) -> bool {
        self.status.is_none() && self.created_at + UNUSED_LIFE > now
    }

    /// Says whether it must be the only file of a status.
    pub(super) const fn is_alone(&self) -> bool {
        matches!(self.kind, FileKind::Video | FileKind::Audio)
    }

    /// Returns the file as the API shows it.
    pub(super) fn view(&self, context: &Context<'_>) -> Value {
        let kind = match self.kind {
            FileKind::Image => "image",
            FileKind::Gif => "gifv",
            FileKind::Video => "video",
            FileKind::Audio => "audio",
        };
        let address =
            |size| format!("{}/system/media_attachments/{}/{size}", context.base, self.id);
        let is_ready = self.is_ready(context.now);
        let mut meta = json!({});
        if let Some((width, height)) = self.dimensions {
            let aspect = f64::from(width) / f64::from(height.max(1));
            let size = format!("{width}x{height}");
            meta["original"] =
                json!({"width": width, "height": height, "size": size, "aspect": aspect});
        }
        if let Some((x, y)) = self.focus {
            meta["focus"] = json!({"x": x, "y": y});
        }
        json!({
            "id": self.id.to_string(),
            "type": kind,
            "url": is_ready.then(|| address("original")),
            "preview_url": is_ready.then(|| address("small")),
            "remote_url": null,
            "preview_remote_url": null,
            "text_url": null,
            "meta": meta,
            "description": self.description,
            "blurhash": null,
        })
    }
}

impl Mastodon {
    /// Takes a file; `is_immediate` finishes with it before the answer, as the older call does.
    ///
    /// # Errors
    /// 422 for a file that is refused, those of tokens.
    pub(super) fn upload(
        &mut self,
        request: &Request,
        is_immediate: bool,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.user(request, "write:media")?;
        let part = request
            .body
            .parts
            .iter()
            .find(|part| part.name == "file")
            .ok_or_else(|| ApiError::validation("File can't be blank"))?;
        let kind = picture::kind(&part.head)
            .ok_or_else(|| ApiError::validation("File content type is invalid, File is invalid"))?;
        let dimensions = picture::dimensions(&part.head);
        check_size(kind, part.length, dimensions)?;
        let params = params(request);
        let declared = part.content_type.clone().unwrap_or_default();
        let is_late = !is_immediate && kind != FileKind::Image;
        let processing =
            TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1));
        let mut media = Media {
            id: self.next_id(context.now),
            account,
            kind,
            file: LiveMedia { media_type: declared, bytes: part.length, sha256: part.sha256 },
            description: None,
            focus: None,
            dimensions,
            created_at: context.now,
            ready_at: if is_late { context.now + processing } else { context.now },
            status: None,
        };
        describe(&mut media, &params)?;
        let status = if is_late { StatusCode::ACCEPTED } else { StatusCode::OK };
        let answer = Answer::json(status, &media.view(context));
        self.media.insert(media.id, media);
        Ok(answer)
    }

    /// Answers how far the network is with a file.
    ///
    /// # Errors
    /// Not found, also for a file that a status shows; those of tokens.
    pub(super) fn show_media(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let media = self.own_media(request, id, context)?;
        let is_ready = media.is_ready(context.now);
        let status = if is_ready { StatusCode::OK } else { StatusCode::PARTIAL_CONTENT };
        Ok(Answer::json(status, &media.view(context)))
    }

    /// Changes description and focus of a file.
    ///
    /// # Errors
    /// Not found, 422 for a description that is too long, those of tokens.
    pub(super) fn update_media(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let mut media = self.own_media(request, id, context)?.clone();
        describe(&mut media, &params(request))?;
        let answer = Answer::ok(&media.view(context));
        self.media.insert(media.id, media);
        Ok(answer)
    }

    fn own_media(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<&Media, ApiError> {
        let account = self.user(request, "write:media")?;
        id.parse()
            .ok()
            .and_then(|id: u64| self.media.get(&id))
            .filter(|media| media.account == account && media.is_free(context.now))
            .ok_or_else(ApiError::not_found)
    }
}

/// Takes over description and focus where they were sent.
///
/// # Errors
/// The description is too long.
pub(super) fn describe(media: &mut Media, params: &Map<String, Value>) -> Result<(), ApiError> {
    if let Some(description) = text(params, "description") {
        if description.chars().count() > DESCRIPTION_LIMIT {
            let what =
                format!("Description is too long (maximum is {DESCRIPTION_LIMIT} characters)");
            return Err(ApiError::validation(&what));
        }
        media.description = Some(description).filter(|description| !description.is_empty());
    }
    if let Some(focus) = text(params, "focus") {
        let point = focus.split_once(',').and_then(|(x, y)| {
            let point: (f64, f64) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
            Some((point.0.clamp(-1.0, 1.0), point.1.clamp(-1.0, 1.0)))
        });
        media.focus = point.or(media.focus);
    }
    Ok(())
}

fn check_size(kind: FileKind, bytes: u64, dimensions: Option<(u32, u32)>) -> Result<(), ApiError> {
    let (limit, shown) = match kind {
        FileKind::Image | FileKind::Gif => (IMAGE_BYTES, "16 MB"),
        FileKind::Video | FileKind::Audio => (VIDEO_BYTES, "99 MB"),
    };
    if bytes >= limit {
        return Err(ApiError::validation(&format!("File file size must be less than {shown}")));
    }
    let Some((width, height)) = dimensions else { return Ok(()) };
    let pixels = u64::from(width) * u64::from(height);
    match kind {
        FileKind::Gif if pixels > GIF_PIXELS => {
            Err(ApiError::unprocessable(format!("{width}x{height} GIF files are not supported")))
        }
        FileKind::Image if pixels > IMAGE_PIXELS => {
            Err(ApiError::unprocessable(format!("{width}x{height} images are not supported")))
        }
        FileKind::Image | FileKind::Gif | FileKind::Video | FileKind::Audio => Ok(()),
    }
}
