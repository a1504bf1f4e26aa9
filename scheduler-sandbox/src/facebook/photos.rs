//! Photos: `/{page}/photos`, published at once or staged for a post.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/photos/>, v26.0.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};

use super::Facebook;
use super::error::ApiError;
use super::posts::{New, check_message};
use crate::answer::Answer;
use crate::fetch::{self, Fetch, Fetched};
use crate::network::{Context, LiveMedia};
use crate::params::{flag, params, text};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Largest picture, in bytes.
const IMAGE_BYTES: u64 = 10_000_000;
/// Life of a photo that is part of no post.
const LIFE: TimeDelta = TimeDelta::hours(24);

/// A photo.
#[derive(Clone, Debug)]
pub(super) struct Photo {
    page: u64,
    file: Fetch,
    created_at: DateTime<Utc>,
    /// It is part of a post.
    is_posted: bool,
}

impl Photo {
    /// Returns the photo as it is shown; `None` while it is not there.
    pub(super) fn live_media(&self) -> Option<LiveMedia> {
        self.file.ended()?.map(|fetched| fetched.file.clone())
    }
}

impl Facebook {
    /// Takes a photo.
    ///
    /// # Errors
    /// What is wrong with it; those of tokens.
    pub(super) fn add_photo(
        &mut self,
        request: &Request,
        page: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.own_page(request, page, "pages_manage_posts", context)?;
        let params = params(request);
        let caption = ["caption", "message", "name"].iter().find_map(|name| text(&params, name));
        let caption = caption.unwrap_or_default();
        check_message(&caption)?;
        let file = sent(request, &params)?;
        let id = self.next_id();
        let is_published = flag(&params, "published").unwrap_or(true);
        let photo = Photo { page, file, created_at: context.now, is_posted: is_published };
        self.photos.insert(id, photo);
        let mut answer = json!({ "id": id.to_string() });
        if is_published {
            let new = New { message: caption, photos: vec![id], ..New::default() };
            answer["post_id"] = json!(self.add_post(page, new, context.now));
        }
        Ok(Answer::ok(&answer))
    }

    /// Makes photos part of a post.
    ///
    /// # Errors
    /// One is not there, is old, is another's, or is part of a post already.
    pub(super) fn attach(
        &mut self,
        page: u64,
        ids: &[String],
        now: DateTime<Utc>,
    ) -> Result<Vec<u64>, ApiError> {
        let mut found = Vec::new();
        for id in ids {
            let number: u64 = id.parse().map_err(|_| ApiError::missing(id))?;
            let photo = self.photos.get(&number).filter(|photo| photo.page == page);
            let photo = photo.filter(|photo| photo.is_posted || now < photo.created_at + LIFE);
            let photo = photo.ok_or_else(|| ApiError::missing(id))?;
            if photo.is_posted || found.contains(&number) {
                return Err(ApiError::sub(100, 1_366_051, "These photos were already posted."));
            }
            match photo.file.ended() {
                None => return Err(ApiError::sub(1, 1_363_047, "The photo is not there yet.")),
                Some(None) => {
                    return Err(ApiError::new(389, "(#389) Unable to fetch the file from URL"));
                }
                Some(Some(fetched)) => check(fetched)?,
            }
            found.push(number);
        }
        for number in &found {
            if let Some(photo) = self.photos.get_mut(number) {
                photo.is_posted = true;
            }
        }
        Ok(found)
    }

    /// Removes a photo that is part of no post.
    ///
    /// # Errors
    /// Another's photo, one of a post; those of tokens.
    pub(super) fn delete_photo(
        &mut self,
        request: &Request,
        photo: u64,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, "pages_manage_posts", context)?;
        let found = self.photos.get(&photo).filter(|found| found.page == page && !found.is_posted);
        if found.is_none() {
            return Err(ApiError::missing(&photo.to_string()));
        }
        self.photos.remove(&photo);
        Ok(Answer::ok(&json!({ "success": true })))
    }
}

/// Returns the file of a request: its bytes, or what is behind a link.
fn sent(request: &Request, params: &Map<String, Value>) -> Result<Fetch, ApiError> {
    let part = request.body.parts.iter().find(|part| part.name == "source");
    let Some(part) = part else {
        let url = text(params, "url").filter(|url| !url.is_empty());
        let url = url.ok_or_else(|| ApiError::new(324, "(#324) Requires upload file"))?;
        return Ok(fetch::begin(&url));
    };
    let media_type = part.content_type.clone();
    let media_type = media_type.unwrap_or_else(|| "application/octet-stream".to_owned());
    let file = LiveMedia { media_type, bytes: part.length, sha256: part.sha256 };
    let fetched = Fetched { file, head: part.head.to_vec() };
    check(&fetched)?;
    Ok(Fetch::done(fetched))
}

fn check(fetched: &Fetched) -> Result<(), ApiError> {
    let head = &fetched.head;
    let is_webp = head.get(8..12) == Some(b"WEBP");
    let is_heif = head.get(4..8) == Some(b"ftyp");
    let is_known = matches!(picture::kind(head), Some(FileKind::Image | FileKind::Gif));
    let is_older = [b"BM".as_slice(), b"II*\0", b"MM\0*"].iter().any(|it| head.starts_with(it));
    let is_taken = is_older || (is_known && !is_webp && !is_heif);
    if !is_taken {
        return Err(ApiError::new(324, "(#324) Missing or invalid image file"));
    }
    if fetched.file.bytes > IMAGE_BYTES {
        let message = "Your photos couldn't be uploaded. They are too large.";
        return Err(ApiError::sub(100, 1_366_046, message));
    }
    Ok(())
}
