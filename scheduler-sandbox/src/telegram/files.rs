//! Files that come with a call: what they are, and what the server refuses.
//!
//! Source: <https://core.telegram.org/bots/api#sending-files>, `sendPhoto`, `sendVideo`,
//! `sendAnimation`.

use serde_json::{Value, json};

use super::error::ApiError;
use super::{Call, Telegram};
use crate::network::LiveMedia;
use crate::picture::{self, FileKind};

/// Largest upload in bytes, on the public server.
pub(super) const UPLOAD_BYTES: u64 = 52_428_800;
/// The same on a server that runs with `--local`.
///
/// Source: <https://github.com/tdlib/telegram-bot-api>, README.
pub(super) const LOCAL_BYTES: u64 = 2_000_000_000;
/// Largest photo in bytes.
const PHOTO_BYTES: u64 = 10_485_760;
/// Most pixels of width and height of a photo together.
const PHOTO_SIDES: u32 = 10_000;
/// How much longer than the other a side of a photo may be.
const PHOTO_RATIO: u32 = 20;
/// Extensions of photos.
const PHOTO_EXTENSIONS: [&str; 5] = ["jpg", "jpeg", "png", "webp", "gif"];

/// What a message shows a file as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Photo,
    Video,
    Animation,
    /// What no player can play.
    Document,
}

impl Shown {
    const fn name(self) -> &'static str {
        match self {
            Self::Photo => "photo",
            Self::Video => "video",
            Self::Animation => "animation",
            Self::Document => "document",
        }
    }
}

/// A file that the server has.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) id: String,
    pub(super) media: LiveMedia,
    pub(super) shown: Shown,
    dimensions: Option<(u32, u32)>,
    /// Whole seconds, as the sender said.
    duration: i64,
    /// What a video is shown by until it plays.
    cover: Option<String>,
}

impl Stored {
    /// Adds the file to a message's view.
    pub(super) fn add_to(&self, view: &mut Value) {
        let (width, height) = self.dimensions.unwrap_or((0, 0));
        let mut file = json!({
            "file_id": self.id,
            "file_unique_id": format!("u{}", self.id),
            "file_size": self.media.bytes,
        });
        if self.shown != Shown::Document {
            file["width"] = Value::from(width);
            file["height"] = Value::from(height);
        }
        if self.shown != Shown::Photo {
            file["mime_type"] = Value::from(self.media.media_type.as_str());
        }
        if matches!(self.shown, Shown::Video | Shown::Animation) {
            file["duration"] = Value::from(self.duration);
        }
        if let Some(cover) = &self.cover {
            file["cover"] = json!([{ "file_id": cover, "file_unique_id": format!("u{cover}") }]);
        }
        if self.shown == Shown::Animation {
            // For clients that know no animations.
            view["document"] = file.clone();
        }
        view[self.shown.name()] = if self.shown == Shown::Photo { json!([file]) } else { file };
    }
}

/// What a sender says of a file.
pub(super) struct Said {
    pub(super) width: Option<u32>,
    pub(super) height: Option<u32>,
    pub(super) duration: Option<i64>,
}

impl Telegram {
    /// Takes the file of a call that shows it as `wanted`. `given` is what stands in its field.
    ///
    /// # Errors
    /// There is none, or the server refuses it.
    pub(super) fn take_file(
        &mut self,
        call: &Call<'_>,
        field: &str,
        given: Option<&str>,
        wanted: Shown,
        said: &Said,
    ) -> Result<Stored, ApiError> {
        let name = match given {
            None => field,
            Some(given) => match given.strip_prefix("attach://") {
                Some(name) => name,
                None => return self.known_file(given, wanted),
            },
        };
        let part = call.request.body.parts.iter().find(|part| part.name == name);
        let part = part.filter(|part| part.file_name.is_some());
        let part = part.ok_or_else(|| match wanted {
            Shown::Photo => ApiError::bad("there is no photo in the request"),
            Shown::Video => ApiError::bad("there is no video in the request"),
            Shown::Animation => ApiError::bad("there is no animation in the request"),
            Shown::Document => ApiError::bad("there is no document in the request"),
        })?;
        if part.length == 0 {
            return Err(ApiError::bad("file must be non-empty"));
        }
        if part.length > self.upload_bytes(call.bot) {
            return Err(ApiError::too_large());
        }
        let kind = picture::kind(&part.head);
        let dimensions = picture::dimensions(&part.head);
        let extension = part.file_name.as_deref().and_then(|name| name.rsplit_once('.'));
        let extension = extension.map(|(_, extension)| extension.to_lowercase());
        let is_mp4 = kind == Some(FileKind::Video) && part.head.get(4..8) == Some(b"ftyp");
        let shown = match wanted {
            Shown::Photo => {
                check_photo(kind, extension.as_deref(), part.length, dimensions)?;
                Shown::Photo
            }
            Shown::Video if is_mp4 => Shown::Video,
            Shown::Animation if is_mp4 || kind == Some(FileKind::Gif) => Shown::Animation,
            Shown::Video | Shown::Animation | Shown::Document => Shown::Document,
        };
        let stored = Stored {
            id: format!("sandboxfile{}", self.next_id()),
            media: LiveMedia {
                media_type: media_type(part.content_type.as_deref(), kind),
                bytes: part.length,
                sha256: part.sha256,
            },
            shown,
            dimensions: dimensions.or(said.width.zip(said.height)),
            duration: said.duration.unwrap_or(0),
            cover: None,
        };
        self.files.insert(stored.id.clone(), stored.clone());
        Ok(stored)
    }

    /// Takes the cover of a video, which is a photo.
    ///
    /// # Errors
    /// There is none under its name, or the server refuses it.
    pub(super) fn take_cover(
        &mut self,
        call: &Call<'_>,
        given: Option<&str>,
        video: &mut Stored,
    ) -> Result<(), ApiError> {
        let Some(given) = given else { return Ok(()) };
        let nothing = Said { width: None, height: None, duration: None };
        let cover = self.take_file(call, "cover", Some(given), Shown::Photo, &nothing)?;
        video.cover = Some(cover.id);
        Ok(())
    }

    /// Finds a file that was sent before.
    fn known_file(&self, given: &str, wanted: Shown) -> Result<Stored, ApiError> {
        if given.starts_with("http://") || given.starts_with("https://") {
            return Err(ApiError::bad("failed to get HTTP URL content"));
        }
        let known = self.files.get(given).filter(|file| file.shown == wanted).cloned();
        known.ok_or_else(|| ApiError::bad("wrong file identifier/HTTP URL specified"))
    }
}

/// The type of a file: as its sender says, else by its bytes.
fn media_type(said: Option<&str>, kind: Option<FileKind>) -> String {
    let by_bytes = match kind {
        Some(FileKind::Video) => "video/mp4",
        Some(FileKind::Gif) => "image/gif",
        Some(FileKind::Image) => "image/jpeg",
        Some(FileKind::Audio) => "audio/mpeg",
        None => "application/octet-stream",
    };
    let said = said.filter(|said| !said.is_empty() && *said != "application/octet-stream");
    said.unwrap_or(by_bytes).to_owned()
}

fn check_photo(
    kind: Option<FileKind>,
    extension: Option<&str>,
    bytes: u64,
    dimensions: Option<(u32, u32)>,
) -> Result<(), ApiError> {
    if !extension.is_some_and(|extension| PHOTO_EXTENSIONS.contains(&extension)) {
        return Err(ApiError::bad("PHOTO_EXT_INVALID"));
    }
    if bytes > PHOTO_BYTES {
        return Err(ApiError::bad(&format!("file of size {bytes} bytes is too big for a photo")));
    }
    if !matches!(kind, Some(FileKind::Image | FileKind::Gif)) {
        return Err(ApiError::bad("IMAGE_PROCESS_FAILED"));
    }
    let Some((width, height)) = dimensions else { return Ok(()) };
    let (short, long) = (width.min(height), width.max(height));
    if width.saturating_add(height) > PHOTO_SIDES || long > short.saturating_mul(PHOTO_RATIO) {
        return Err(ApiError::bad("PHOTO_INVALID_DIMENSIONS"));
    }
    Ok(())
}
