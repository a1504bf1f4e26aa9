//! Images, videos and documents: announced, sent, looked at.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api>,
//! <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api>.
//! The length of a video, the pictures of a GIF and the pages of a document are not looked at.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Linkedin;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::outside::random_secret;
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Bytes of a piece of a video; the last is shorter.
const PIECE_BYTES: u64 = 4_194_304;
/// Smallest and largest video.
const VIDEO_BYTES: std::ops::RangeInclusive<u64> = 75_000..=500_000_000;
/// Largest document.
const DOCUMENT_BYTES: u64 = 100_000_000;
/// Pixels that an image must stay below.
const IMAGE_PIXELS: u64 = 36_152_320;
/// Life of the addresses that bytes are sent to; clients have seen a day.
const UPLOAD_LIFE: TimeDelta = TimeDelta::hours(24);
/// Permissions with which files may be looked at. Those of everybody's applications are not among
/// them.
const READING: &[&str] = &["r_member_social", "r_organization_social", "rw_organization_admin"];

/// What a file was announced as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Image,
    Video,
    Document,
}

/// A file that was announced.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) owner: String,
    pub(super) kind: Kind,
    /// Part of the addresses that its bytes are sent to.
    address: String,
    upload_token: String,
    announced_bytes: u64,
    pieces: Vec<Option<Piece>>,
    expires_at: DateTime<Utc>,
    /// When it can be shown; `None` until all of it is there.
    ready_at: Option<DateTime<Utc>>,
    has_failed: bool,
    media_type: String,
    /// Whether a cover was announced, and is not there yet.
    wants_cover: bool,
}

#[derive(Clone, Debug)]
struct Piece {
    bytes: u64,
    sha256: [u8; 32],
    tag: String,
}

impl File {
    /// Returns how far it is.
    pub(super) fn status(&self, now: DateTime<Utc>) -> &'static str {
        match self.ready_at {
            _ if self.has_failed => "PROCESSING_FAILED",
            None => "WAITING_UPLOAD",
            Some(at) if now < at => "PROCESSING",
            Some(_) => "AVAILABLE",
        }
    }

    /// Returns the file as the control shows it. The hash of a video of several pieces is that of
    /// the hashes of its pieces.
    pub(super) fn live(&self) -> LiveMedia {
        let pieces: Vec<&Piece> = self.pieces.iter().flatten().collect();
        let sha256 = match pieces.as_slice() {
            [piece] => piece.sha256,
            pieces => {
                let mut hash = Sha256::new();
                for piece in pieces {
                    hash.update(piece.sha256);
                }
                hash.finalize().into()
            }
        };
        let bytes = pieces.iter().map(|piece| piece.bytes).sum();
        LiveMedia { media_type: self.media_type.clone(), bytes, sha256 }
    }
}

impl Linkedin {
    /// Announces an image or a document.
    ///
    /// # Errors
    /// Those of tokens and owners.
    pub(super) fn announce_whole(
        &mut self,
        kind: Kind,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        if request.query("action") != Some("initializeUpload") {
            return Err(ApiError::invalid("action", "Unknown action"));
        }
        let owner = self.owner(request, context)?;
        let name = if kind == Kind::Document { "document" } else { "image" };
        let urn = format!("urn:li:{name}:C4E10AQ{}", self.next_id(context.now));
        let file = new_file(owner, kind, 0, 1, context.now);
        let url = format!("{}/dms-uploads/{}", context.base, file.address);
        let expires_at = file.expires_at.timestamp_millis();
        self.files.insert(urn.clone(), file);
        Ok(Answer::ok(&json!({
            "value": { "uploadUrlExpiresAt": expires_at, "uploadUrl": url, name: urn },
        })))
    }

    /// Announces a video, and says which bytes go where.
    ///
    /// # Errors
    /// 400 for a size that is refused; those of tokens and owners.
    pub(super) fn announce_video(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let owner = self.owner(request, context)?;
        let body = request.json().cloned().unwrap_or_default();
        let announced = &body["initializeUploadRequest"];
        let bytes = announced["fileSizeBytes"]
            .as_u64()
            .ok_or_else(|| ApiError::missing("initializeUploadRequest/fileSizeBytes"))?;
        if !VIDEO_BYTES.contains(&bytes) {
            return Err(ApiError::invalid("fileSizeBytes", "File size is out of range"));
        }
        let urn = format!("urn:li:video:C5F10AQ{}", self.next_id(context.now));
        let count = bytes.div_ceil(PIECE_BYTES);
        let mut file =
            new_file(owner, Kind::Video, bytes, usize::try_from(count).unwrap_or(1), context.now);
        file.wants_cover = announced["uploadThumbnail"] == true;
        let instructions: Vec<Value> = (0..count)
            .map(|number| {
                let last = ((number + 1) * PIECE_BYTES).min(bytes) - 1;
                json!({
                    "uploadUrl": format!("{}/dms-uploads/{}/{number}", context.base, file.address),
                    "firstByte": number * PIECE_BYTES,
                    "lastByte": last,
                })
            })
            .collect();
        let mut answer = json!({
            "value": {
                "uploadUrlsExpireAt": file.expires_at.timestamp_millis(),
                "video": urn,
                "uploadInstructions": instructions,
                "uploadToken": file.upload_token,
            },
        });
        if file.wants_cover {
            let url = format!("{}/dms-uploads/{}/thumbnail", context.base, file.address);
            answer["value"]["thumbnailUploadUrl"] = url.into();
        }
        self.files.insert(urn, file);
        Ok(Answer::ok(&answer))
    }

    /// Takes the cover of a video, for whoever has a token.
    ///
    /// # Errors
    /// 400 when the address has ended, 415 for something else than a picture; those of tokens.
    pub(super) fn take_cover(
        &mut self,
        request: &Request,
        address: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.caller(request, context)?;
        let file = self.announced(address, &[Kind::Video], context)?;
        if !file.wants_cover || picture::kind(request.body.head()) != Some(FileKind::Image) {
            return Err(wrong_type());
        }
        file.wants_cover = false;
        Ok(Answer::empty(StatusCode::CREATED))
    }

    /// Takes the bytes of an image or a document, for whoever has a token.
    ///
    /// # Errors
    /// 400 when the address has ended, 415 for what is of another kind; those of tokens.
    pub(super) fn take_whole(
        &mut self,
        request: &Request,
        address: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.caller(request, context)?;
        let processing = processing(context);
        let file = self.announced(address, &[Kind::Image, Kind::Document], context)?;
        let is_document = file.kind == Kind::Document;
        let head = request.body.head();
        let fits = match picture::kind(head) {
            Some(FileKind::Image | FileKind::Gif) => !is_document,
            Some(FileKind::Video | FileKind::Audio) => false,
            // PDF, and what Office keeps in a ZIP.
            None => is_document && (head.starts_with(b"%PDF-") || head.starts_with(b"PK\x03\x04")),
        };
        if !fits {
            return Err(wrong_type());
        }
        let pixels = picture::dimensions(request.body.head())
            .map_or(0, |(width, height)| u64::from(width) * u64::from(height));
        file.has_failed =
            pixels >= IMAGE_PIXELS || (is_document && request.body.length > DOCUMENT_BYTES);
        file.media_type = request.content_type();
        let (bytes, sha256) = (request.body.length, request.body.sha256);
        file.pieces = vec![Some(Piece { bytes, sha256, tag: String::new() })];
        let processing = if is_document { processing } else { TimeDelta::zero() };
        file.ready_at = Some(context.now + processing);
        Ok(Answer::empty(StatusCode::CREATED))
    }

    /// Takes a piece of a video, for whoever has its address.
    ///
    /// # Errors
    /// 400 when the address has ended, for a piece of another size and for a token that does not
    /// belong here.
    pub(super) fn take_piece(
        &mut self,
        request: &Request,
        address: &str,
        number: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let number: usize = number.parse().map_err(|_| ApiError::not_found())?;
        if request.header("authorization").is_some() {
            return Err(ApiError::invalid("Authorization", "The address alone lets a piece in"));
        }
        if request.content_type() != "application/octet-stream" {
            return Err(wrong_type());
        }
        let file = self.announced(address, &[Kind::Video], context)?;
        let first = u64::try_from(number).unwrap_or(u64::MAX).saturating_mul(PIECE_BYTES);
        let want = file.announced_bytes.saturating_sub(first).min(PIECE_BYTES);
        if want == 0 || request.body.length != want {
            return Err(ApiError::invalid("Content-Length", "Another number of bytes is expected"));
        }
        if number == 0 && picture::kind(request.body.head()) != Some(FileKind::Video) {
            file.has_failed = true;
        }
        let tag = format!("/ambry-video/signedId/{}", hex::encode(&request.body.sha256[..12]));
        let (bytes, sha256) = (request.body.length, request.body.sha256);
        file.pieces[number] = Some(Piece { bytes, sha256, tag: tag.clone() });
        Ok(Answer::empty(StatusCode::OK).with_header("etag", &tag))
    }

    /// Puts the pieces of a video together; a repeat changes nothing.
    ///
    /// # Errors
    /// 400 for pieces that are missing or in another order; those of tokens and owners.
    pub(super) fn finalize_video(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let body = request.json().cloned().unwrap_or_default();
        let body = &body["finalizeUploadRequest"];
        let urn = body["video"].as_str().ok_or_else(|| ApiError::missing("video"))?;
        let owner = self.files.get(urn).map(|file| file.owner.clone());
        let owner = owner.ok_or_else(ApiError::not_found)?;
        self.check_publishes(&caller, &owner, "videos.ACTION.finalizeUpload")?;
        let processing = processing(context);
        let file = self.files.get_mut(urn).ok_or_else(ApiError::not_found)?;
        if body["uploadToken"].as_str() != Some(&file.upload_token) {
            return Err(ApiError::invalid("uploadToken", "Upload token does not fit"));
        }
        let tags: Option<Vec<&str>> = file
            .pieces
            .iter()
            .map(|piece| piece.as_ref().map(|piece| piece.tag.as_str()))
            .collect();
        let given = body["uploadedPartIds"]
            .as_array()
            .map(|parts| parts.iter().filter_map(Value::as_str).collect::<Vec<_>>());
        if file.wants_cover {
            return Err(ApiError::invalid("video", "The thumbnail is missing"));
        }
        if tags.is_none() || tags != given {
            return Err(ApiError::invalid("uploadedPartIds", "Parts are missing or do not fit"));
        }
        if file.ready_at.is_none() {
            file.ready_at = Some(context.now + processing);
        }
        Ok(Answer::empty(StatusCode::OK))
    }

    /// Answers how far a file is.
    ///
    /// # Errors
    /// 403 without a permission to read; not found; those of tokens.
    pub(super) fn show_file(
        &self,
        request: &Request,
        urn: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        let file = self.files.get(urn).ok_or_else(ApiError::not_found)?;
        if !caller.has(READING) {
            let what = match file.kind {
                Kind::Image => "images.GET",
                Kind::Video => "videos.GET",
                Kind::Document => "documents.GET",
            };
            return Err(ApiError::access_denied(what));
        }
        Ok(Answer::ok(&json!({
            "id": urn,
            "owner": file.owner,
            "status": file.status(context.now),
        })))
    }

    /// Returns whom an announced file is for.
    fn owner(&self, request: &Request, context: &Context<'_>) -> Result<String, ApiError> {
        let caller = self.caller(request, context)?;
        let body = request.json().cloned().unwrap_or_default();
        let owner = body["initializeUploadRequest"]["owner"]
            .as_str()
            .ok_or_else(|| ApiError::missing("initializeUploadRequest/owner"))?;
        self.check_publishes(&caller, owner, "images.ACTION.initializeUpload")?;
        Ok(owner.to_owned())
    }

    fn announced(
        &mut self,
        address: &str,
        kinds: &[Kind],
        context: &Context<'_>,
    ) -> Result<&mut File, ApiError> {
        let file = self
            .files
            .values_mut()
            .find(|file| file.address == address && kinds.contains(&file.kind))
            .ok_or_else(ApiError::not_found)?;
        if file.expires_at <= context.now {
            let message = "The upload URL has expired";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "EXPIRED_UPLOAD_URL", message));
        }
        Ok(file)
    }
}

fn new_file(owner: String, kind: Kind, bytes: u64, count: usize, now: DateTime<Utc>) -> File {
    File {
        owner,
        kind,
        address: random_secret(),
        // The network's own is commonly empty.
        upload_token: String::new(),
        announced_bytes: bytes,
        pieces: vec![None; count],
        expires_at: now + UPLOAD_LIFE,
        ready_at: None,
        has_failed: false,
        media_type: "video/mp4".to_owned(),
        wants_cover: false,
    }
}

/// How long a video or a document is worked on.
fn processing(context: &Context<'_>) -> TimeDelta {
    TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1))
}

fn wrong_type() -> ApiError {
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    ApiError::new(status, "UNSUPPORTED_MEDIA_TYPE", "Unsupported file type")
}
