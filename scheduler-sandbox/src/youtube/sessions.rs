//! Sessions that take a video piece by piece.
//!
//! Only whole pieces count as received. The hash of a video of several pieces is that of the hashes
//! of its pieces.
//!
//! Source: <https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::error::ApiError;
use super::oauth::UPLOADING;
use super::related::Related;
use super::videos::{Details, Video};
use super::{Youtube, id, processing};
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::outside::random_secret;
use crate::picture::{self, FileKind};
use crate::request::Request;

/// What every piece but the last is a multiple of.
const UNIT_BYTES: u64 = 262_144;
/// Bytes of the largest video.
const MAX_BYTES: u64 = 274_877_906_944;
/// Life of a session; clients have seen a week.
const SESSION_LIFE: TimeDelta = TimeDelta::days(7);

/// An upload that was announced.
#[derive(Clone, Debug)]
pub(super) struct Session {
    channel: String,
    details: Details,
    file_name: String,
    media_type: String,
    total: u64,
    received: u64,
    hashes: Vec<[u8; 32]>,
    is_video: bool,
    /// The video that it became.
    video: Option<String>,
    expires_at: DateTime<Utc>,
}

/// What a piece says of its place.
struct Range {
    /// The first and the last byte; `None` asks what is there.
    bytes: Option<(u64, u64)>,
    total: u64,
}

impl Session {
    /// Returns the number of bytes that are there.
    #[cfg(test)]
    pub(super) const fn received(&self) -> u64 {
        self.received
    }

    fn unfinished(&self) -> Answer {
        let answer = Answer::empty(StatusCode::PERMANENT_REDIRECT);
        match self.received.checked_sub(1) {
            None => answer,
            Some(last) => answer.with_header("range", &format!("bytes=0-{last}")),
        }
    }
}

impl Youtube {
    /// Opens a session, or takes a video of at most 2 MiB that comes with the call.
    ///
    /// # Errors
    /// 400 for what cannot be a video; those of tokens.
    pub(super) fn open_session(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let channel = self.caller(request, context, UPLOADING)?;
        let parts = request.query_all("part").collect::<Vec<_>>().join(",");
        let parts = parts.as_str();
        if !matches!(request.query("notifySubscribers"), None | Some("true" | "false")) {
            return Err(ApiError::bad("invalidParameter", "Invalid value for notifySubscribers."));
        }
        match request.query("uploadType") {
            Some("resumable") => {}
            Some("multipart") => return self.take_whole(request, channel, parts, context),
            _ => {
                let message = "Only resumable and multipart uploads are imitated.";
                return Err(ApiError::bad("badRequest", message));
            }
        }
        let body = request.json().cloned().unwrap_or_default();
        let details = Details::checked(&body, parts)?;
        let media_type = request.header("x-upload-content-type").unwrap_or_default().to_owned();
        check_type(&media_type)?;
        let total = request.header("x-upload-content-length").and_then(|text| text.parse().ok());
        let total = total.filter(|total| (1..=MAX_BYTES).contains(total)).ok_or_else(no_content)?;
        let upload_id = random_secret();
        let location = format!(
            "{}/upload/youtube/v3/videos?uploadType=resumable&upload_id={upload_id}",
            context.base
        );
        let session = Session {
            channel,
            details,
            file_name: request.header("slug").unwrap_or("unknown").to_owned(),
            media_type,
            total,
            received: 0,
            hashes: Vec::new(),
            is_video: false,
            video: None,
            expires_at: context.now + SESSION_LIFE,
        };
        self.sessions.insert(upload_id.clone(), session);
        Ok(Answer::empty(StatusCode::OK)
            .with_header("location", &location)
            .with_header("x-guploader-uploadid", &upload_id))
    }

    /// Takes a video that comes with what is said of it.
    ///
    /// # Errors
    /// 400 for what cannot be a video, or is too large to be imitated.
    fn take_whole(
        &mut self,
        request: &Request,
        channel: String,
        parts: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let Related { about, media_type, content } = Related::read(request).ok_or_else(|| {
            ApiError::bad("badRequest", "Only multipart uploads of at most 2 MiB are imitated.")
        })?;
        let details = Details::checked(&about, parts)?;
        check_type(&media_type)?;
        let total = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if total == 0 {
            return Err(no_content());
        }
        let video = id("", 11);
        let session = Session {
            channel,
            details,
            file_name: "unknown".to_owned(),
            media_type,
            total,
            received: total,
            hashes: vec![Sha256::digest(&content).into()],
            is_video: picture::kind(&content) == Some(FileKind::Video),
            video: Some(video.clone()),
            expires_at: context.now,
        };
        self.add_video(video.clone(), session, context);
        Ok(self.finished(&video, context))
    }

    /// Takes bytes, or says which are there. With the last byte, there is a video.
    ///
    /// # Errors
    /// 404 for a session that is not there or has ended; 416 for bytes that do not go on; 400 for
    /// those that disagree with what was announced.
    pub(super) fn take_bytes(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        // No token is needed, but one that is given has to be good.
        if request.bearer().is_some() {
            self.caller(request, context, UPLOADING)?;
        }
        let upload_id = request.query("upload_id").unwrap_or_default();
        let session = self.sessions.get_mut(upload_id);
        let Some(session) = session.filter(|session| context.now < session.expires_at) else {
            return Ok(Answer::empty(StatusCode::NOT_FOUND));
        };
        if let Some(video) = session.video.clone() {
            return Ok(self.finished(&video, context));
        }
        let whole =
            Range { bytes: Some((0, session.total.saturating_sub(1))), total: request.body.length };
        let range = match request.header("content-range") {
            None => Some(whole),
            Some(text) => range(text),
        };
        let wrong = |message: &str| ApiError::bad("badRequest", message);
        let range = range.ok_or_else(|| wrong("Failed to parse Content-Range header."))?;
        if range.total != session.total {
            return Err(wrong("The size of the upload is not the one that was announced."));
        }
        let Some((first, last)) = range.bytes else { return Ok(session.unfinished()) };
        if first != session.received || last >= session.total || last < first {
            return Ok(Answer::empty(StatusCode::RANGE_NOT_SATISFIABLE));
        }
        let length = last - first + 1;
        if request.body.length != length {
            return Err(wrong("The number of bytes is not that of the range."));
        }
        let is_last = last + 1 == session.total;
        if !is_last && !length.is_multiple_of(UNIT_BYTES) {
            return Err(wrong("A piece has to be a multiple of 262144 bytes."));
        }
        if first == 0 {
            session.is_video = picture::kind(request.body.head()) == Some(FileKind::Video);
        }
        session.received += length;
        session.hashes.push(request.body.sha256);
        if !is_last {
            return Ok(session.unfinished());
        }
        let video = id("", 11);
        session.video = Some(video.clone());
        let session = session.clone();
        self.add_video(video.clone(), session, context);
        Ok(self.finished(&video, context))
    }

    fn add_video(&mut self, id: String, session: Session, context: &Context<'_>) {
        let sha256 = match session.hashes.as_slice() {
            [hash] => *hash,
            hashes => {
                let mut together = Sha256::new();
                for hash in hashes {
                    together.update(hash);
                }
                together.finalize().into()
            }
        };
        let media_type = session.media_type;
        let file = LiveMedia { media_type, bytes: session.total, sha256 };
        self.videos.push(Video {
            id,
            channel: session.channel,
            details: session.details,
            file,
            file_name: session.file_name,
            is_video: session.is_video,
            published_at: context.now,
            processed_at: context.now + processing(context),
            thumbnail: None,
            captions: Vec::new(),
            is_deleted: false,
        });
    }

    fn finished(&self, video: &str, context: &Context<'_>) -> Answer {
        match self.videos.iter().find(|known| known.id == video) {
            Some(video) => Answer::ok(&self.view(video, &["snippet", "status"], context)),
            None => Answer::empty(StatusCode::NOT_FOUND),
        }
    }
}

/// Checks the declared type of a video.
fn check_type(media_type: &str) -> Result<(), ApiError> {
    if media_type.starts_with("video/") || media_type == "application/octet-stream" {
        return Ok(());
    }
    let message = format!(
        "Media type '{media_type}' is not supported. Valid media types: [video/*, application/octet-stream]"
    );
    Err(ApiError::bad("badContent", &message))
}

fn no_content() -> ApiError {
    ApiError::bad("mediaBodyRequired", "The request does not include the video content.")
}

/// Says whether a request carries the last byte of an upload.
pub(super) fn is_last_piece(request: &Request) -> bool {
    match request.header("content-range") {
        None => true,
        Some(text) => range(text).is_some_and(|range| {
            range.bytes.is_some_and(|(_, last)| last.saturating_add(1) == range.total)
        }),
    }
}

/// Reads `bytes 0-99/1000` and `bytes */1000`.
fn range(text: &str) -> Option<Range> {
    let (bytes, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let total = total.parse().ok()?;
    if bytes == "*" {
        return Some(Range { bytes: None, total });
    }
    let (first, last) = bytes.split_once('-')?;
    Some(Range { bytes: Some((first.parse().ok()?, last.parse().ok()?)), total })
}

/// Returns the error of a title that cannot be used.
pub(super) fn invalid_title() -> ApiError {
    let message = "The request metadata specifies an invalid or empty video title.";
    ApiError::bad("invalidTitle", message)
}

/// Returns a member of a part as text.
pub(super) fn member<'a>(body: &'a Value, pointer: &str) -> Option<&'a str> {
    body.pointer(pointer).and_then(Value::as_str)
}
