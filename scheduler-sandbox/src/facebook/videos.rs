//! Videos of the feed: `/{page}/videos`, whole or piece after piece, and how far each is.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/videos/>. Lengths and
//! codecs are not looked at. The hash of a video of several pieces is that of the hashes of its
//! pieces.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::error::ApiError;
use super::posts::{New, check_message};
use super::{Facebook, chosen, fields};
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::params::{flag, params, text};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Bytes that are wanted at once; the network's own figure changes from call to call.
const PIECE_BYTES: u64 = 4_194_304;
/// Smallest and largest video, and largest one that is sent at once.
const VIDEO_BYTES: std::ops::RangeInclusive<u64> = 1_000..=10_000_000_000;
const AT_ONCE_BYTES: u64 = 1_000_000_000;
/// Longest title, in characters.
const TITLE_LIMIT: usize = 255;
/// Life of an upload.
const UPLOAD_LIFE: TimeDelta = TimeDelta::hours(24);

/// Where a video is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Feed,
    Reel,
    Story,
}

/// A video of the feed, a reel, or the video of a story.
#[derive(Clone, Debug)]
pub(super) struct Video {
    pub(super) id: u64,
    pub(super) page: u64,
    pub(super) place: Place,
    /// The session of its upload, where it has one.
    session: Option<u64>,
    /// Bytes that were announced; 0 while they are not.
    pub(super) size: u64,
    pub(super) pieces: Vec<Piece>,
    media_type: String,
    /// It is none.
    is_broken: bool,
    created_at: DateTime<Utc>,
    pub(super) description: String,
    title: Option<String>,
    /// What it is shown by until it plays, where somebody has given it.
    pub(super) cover: Option<LiveMedia>,
    /// The locales of its captions.
    pub(super) captions: BTreeSet<String>,
    pub(super) finished_at: Option<DateTime<Utc>>,
    /// Whether it is shown once it is ready.
    pub(super) is_published: bool,
    /// The post that shows it.
    pub(super) post: Option<u64>,
    pub(super) is_deleted: bool,
}

/// A piece of a video.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    bytes: u64,
    sha256: [u8; 32],
}

impl Video {
    /// Makes a video that has no bytes.
    pub(super) fn new(id: u64, page: u64, place: Place, size: u64, now: DateTime<Utc>) -> Self {
        Self {
            id,
            page,
            place,
            session: None,
            size,
            pieces: Vec::new(),
            media_type: "video/mp4".to_owned(),
            is_broken: false,
            created_at: now,
            description: String::new(),
            title: None,
            cover: None,
            captions: BTreeSet::new(),
            finished_at: None,
            is_published: false,
            post: None,
            is_deleted: false,
        }
    }

    /// Returns the number of bytes that are there.
    pub(super) fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.bytes).sum()
    }

    /// Says whether all bytes are there.
    pub(super) fn is_whole(&self) -> bool {
        self.size > 0 && self.bytes() == self.size
    }

    /// Says whether its upload has ended without being finished.
    fn is_expired(&self, now: DateTime<Utc>) -> bool {
        self.finished_at.is_none() && now >= self.created_at + UPLOAD_LIFE
    }

    /// Takes a piece.
    pub(super) fn take(&mut self, bytes: u64, sha256: [u8; 32], head: &[u8]) {
        if self.pieces.is_empty() {
            self.is_broken = picture::kind(head) != Some(FileKind::Video);
        }
        self.pieces.push(Piece { bytes, sha256 });
    }

    /// Takes it for whole and looked through later.
    pub(super) fn finish(&mut self, description: String, is_published: bool, now: DateTime<Utc>) {
        self.description = description;
        self.is_published = is_published;
        self.finished_at = Some(now);
    }

    /// Gives it the title of the call that finishes it.
    ///
    /// # Errors
    /// It is too long.
    pub(super) fn entitle(&mut self, params: &Map<String, Value>) -> Result<(), ApiError> {
        let title = text(params, "title");
        if title.as_ref().is_some_and(|title| title.chars().count() > TITLE_LIMIT) {
            return Err(ApiError::parameter("Param title is too long"));
        }
        self.title = title;
        Ok(())
    }

    fn ready_at(&self, context: &Context<'_>) -> Option<DateTime<Utc>> {
        let processing =
            TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1));
        self.finished_at.filter(|_| !self.is_broken).map(|at| at + processing)
    }

    /// Returns the video as the control shows it.
    pub(super) fn live_media(&self) -> Option<LiveMedia> {
        let sha256 = match self.pieces.as_slice() {
            [] => return None,
            [piece] => piece.sha256,
            pieces => {
                let mut hash = Sha256::new();
                for piece in pieces {
                    hash.update(piece.sha256);
                }
                hash.finalize().into()
            }
        };
        Some(LiveMedia { media_type: self.media_type.clone(), bytes: self.bytes(), sha256 })
    }
}

impl Facebook {
    /// Shows every video that is ready by now.
    pub(super) fn show_finished(&mut self, context: &Context<'_>) {
        let is_due = |video: &&Video| {
            video.is_published
                && video.post.is_none()
                && !video.is_deleted
                && video.ready_at(context).is_some_and(|at| at <= context.now)
        };
        let due: Vec<(u64, u64, String, bool)> = self
            .videos
            .values()
            .filter(is_due)
            .map(|video| {
                let is_story = video.place == Place::Story;
                (video.id, video.page, video.description.clone(), is_story)
            })
            .collect();
        for (id, page, message, is_story) in due {
            let new = New { message, video: Some(id), is_story, ..New::default() };
            self.add_post(page, new, context.now);
            let post = self.last_id;
            if let Some(video) = self.videos.get_mut(&id) {
                video.post = Some(post);
            }
        }
    }

    /// Takes a video whole, or a phase of its upload.
    ///
    /// # Errors
    /// What is wrong with it; those of tokens.
    pub(super) fn video_call(
        &mut self,
        request: &Request,
        page: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.own_page(request, page, "pages_manage_posts", context)?;
        match text(&params(request), "upload_phase").as_deref() {
            Some("start") => self.start(request, page, context),
            Some("transfer") => self.transfer(request, page, context),
            Some("finish") => self.finish(request, page, context),
            Some(_) => Err(ApiError::parameter("Param upload_phase is unknown")),
            None => self.take_whole(request, page, context),
        }
    }

    fn start(
        &mut self,
        request: &Request,
        page: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let size = text(&params(request), "file_size").and_then(|size| size.parse::<u64>().ok());
        let size =
            size.ok_or_else(|| ApiError::parameter("The parameter file_size is required"))?;
        check_size(size)?;
        let (id, session) = (self.next_id(), self.next_id());
        let mut video = Video::new(id, page, Place::Feed, size, context.now);
        video.session = Some(session);
        self.videos.insert(id, video);
        Ok(Answer::ok(&json!({
            "upload_session_id": session.to_string(),
            "video_id": id.to_string(),
            "start_offset": "0",
            "end_offset": PIECE_BYTES.min(size).to_string(),
        })))
    }

    fn session(
        &mut self,
        request: &Request,
        page: u64,
        context: &Context<'_>,
    ) -> Result<&mut Video, ApiError> {
        let session = text(&params(request), "upload_session_id");
        let session = session.and_then(|session| session.parse::<u64>().ok());
        let found = self.videos.values_mut().find(|video| {
            session.is_some()
                && video.session == session
                && video.page == page
                && video.finished_at.is_none()
                && !video.is_expired(context.now)
        });
        found.ok_or_else(|| ApiError::upload(1_363_021, "There is no such upload session."))
    }

    fn transfer(
        &mut self,
        request: &Request,
        page: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let start = text(&params(request), "start_offset").and_then(|at| at.parse::<u64>().ok());
        let part = request.body.parts.iter().find(|part| part.name == "video_file_chunk").cloned();
        let video = self.session(request, page, context)?;
        let have = video.bytes();
        let offsets = |have: u64, size: u64| {
            json!({
                "start_offset": have.to_string(),
                "end_offset": size.min(have + PIECE_BYTES).to_string(),
            })
        };
        if start != Some(have) {
            let message = "The starting offset does not match what is there.";
            let error = ApiError::upload(1_363_037, message);
            return Err(error.with_data(offsets(have, video.size)));
        }
        let part = part.ok_or_else(|| ApiError::parameter("video_file_chunk is required"))?;
        let most = (video.size - have).min(PIECE_BYTES);
        if part.length == 0 || part.length > most {
            return Err(ApiError::upload(1_363_033, "Another number of bytes is expected."));
        }
        video.take(part.length, part.sha256, &part.head);
        Ok(Answer::ok(&offsets(video.bytes(), video.size)))
    }

    fn finish(
        &mut self,
        request: &Request,
        page: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let description = text(&params, "description").unwrap_or_default();
        check_message(&description)?;
        let video = self.session(request, page, context)?;
        if !video.is_whole() {
            return Err(ApiError::upload(1_363_045, "Some bytes of the video are missing."));
        }
        let is_published = flag(&params, "published").unwrap_or(true);
        video.entitle(&params)?;
        video.finish(description, is_published, context.now);
        Ok(Answer::ok(&json!({ "success": true })))
    }

    fn take_whole(
        &mut self,
        request: &Request,
        page: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let description = text(&params, "description").unwrap_or_default();
        check_message(&description)?;
        let part = request.body.parts.iter().find(|part| part.name == "source");
        let part = part.ok_or_else(|| ApiError::upload(1_363_024, "There is no video."))?;
        check_size(part.length)?;
        if part.length > AT_ONCE_BYTES {
            return Err(ApiError::upload(1_363_023, "The video is too large."));
        }
        let id = self.next_id();
        let mut video = Video::new(id, page, Place::Feed, part.length, context.now);
        video.take(part.length, part.sha256, &part.head);
        video.finish(description, flag(&params, "published").unwrap_or(true), context.now);
        self.videos.insert(id, video);
        Ok(Answer::ok(&json!({ "id": id.to_string() })))
    }

    /// Returns a video of the Page of a token that is still there.
    ///
    /// # Errors
    /// It is not; those of tokens.
    pub(super) fn own_video(
        &self,
        request: &Request,
        id: u64,
        need: &str,
        context: &Context<'_>,
    ) -> Result<&Video, ApiError> {
        let page = self.allowed(request, need, context)?;
        let found = self.videos.get(&id).filter(|video| video.page == page && !video.is_deleted);
        found.ok_or_else(|| ApiError::missing(&id.to_string()))
    }

    /// Answers how far a video is, and what shows it.
    ///
    /// # Errors
    /// Another's video, a field that does not exist; those of tokens.
    pub(super) fn show_video(
        &self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let video = self.own_video(request, id, "pages_read_engagement", context)?;
        let whole = json!({
            "id": id.to_string(),
            "status": status(video, context),
            "published": video.post.is_some(),
            "description": video.description,
            "title": video.title,
            "thumbnails": video.cover.as_ref().map(|cover| {
                let id = hex::encode(&cover.sha256[..8]);
                json!({ "data": [{ "id": id, "is_preferred": true }] })
            }),
            "captions": { "data": video.captions.iter().map(|locale| {
                json!({ "locale": locale })
            }).collect::<Vec<_>>() },
            "permalink_url": video.finished_at.map(|_| match video.place {
                Place::Reel => format!("/reel/{id}/"),
                Place::Feed | Place::Story => format!("/{}/videos/{id}/", video.page),
            }),
            "post_id": video.post.map(|post| post.to_string()),
        });
        Ok(Answer::ok(&chosen(&whole, &fields(request))?))
    }

    /// Changes the description of a video, or shows one that is not.
    ///
    /// # Errors
    /// Another's video, a text that is too long; those of tokens.
    pub(super) fn change_video(
        &mut self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let post = self.own_video(request, id, "pages_manage_posts", context)?.post;
        let params = params(request);
        let description = text(&params, "description");
        if let Some(description) = &description {
            check_message(description)?;
        }
        if let Some(video) = self.videos.get_mut(&id) {
            if let Some(description) = &description {
                video.description.clone_from(description);
            }
            video.is_published |= flag(&params, "published") == Some(true);
        }
        let post = post.and_then(|post| self.posts.get_mut(&post));
        if let Some((post, description)) = post.zip(description) {
            post.message = description;
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }

    /// Takes a video down, with the post that shows it.
    ///
    /// # Errors
    /// Another's video; those of tokens.
    pub(super) fn delete_video(
        &mut self,
        request: &Request,
        id: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let post = self.own_video(request, id, "pages_manage_posts", context)?.post;
        if let Some(video) = self.videos.get_mut(&id) {
            video.is_deleted = true;
        }
        if let Some(post) = post {
            self.remove_post(post);
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }
}

fn check_size(size: u64) -> Result<(), ApiError> {
    if size < *VIDEO_BYTES.start() {
        Err(ApiError::upload(1_363_022, "The video is too small."))
    } else if size > *VIDEO_BYTES.end() {
        Err(ApiError::upload(1_363_023, "The video is too large."))
    } else {
        Ok(())
    }
}

/// Returns how far a video is, in the network's words.
///
/// The documentation spells `bytes_transferred` with one r, newer answers do not. Source:
/// <https://github.com/fbsamples/reels_publishing_apis/pull/47>.
fn status(video: &Video, context: &Context<'_>) -> Value {
    let is_failed = video.finished_at.is_some() && video.is_broken;
    let is_ready = video.ready_at(context).is_some_and(|at| at <= context.now);
    let word = match video.finished_at {
        _ if is_failed => "error",
        _ if is_ready => "ready",
        Some(_) => "processing",
        None if video.is_expired(context.now) => "expired",
        None if video.is_whole() => "upload_complete",
        None => "uploading",
    };
    let uploading = match video.is_whole() {
        true => "complete",
        false if video.pieces.is_empty() => "not_started",
        false => "in_progress",
    };
    let mut processing = json!({ "status": match video.finished_at {
        _ if is_failed => "error",
        _ if is_ready => "complete",
        Some(_) => "in_progress",
        None => "not_started",
    } });
    if is_failed {
        let error = json!({ "code": 1_363_024, "message": "The video format is not supported." });
        processing["errors"] = json!([error]);
    }
    let is_shown = video.post.is_some();
    let mut publishing = json!({ "status": if is_shown { "complete" } else { "not_started" } });
    if video.finished_at.is_some() {
        publishing["publish_status"] =
            json!(if video.is_published { "published" } else { "draft" });
    }
    json!({
        "video_status": word,
        "uploading_phase": { "status": uploading, "bytes_transferred": video.bytes() },
        "processing_phase": processing,
        "publishing_phase": publishing,
    })
}
