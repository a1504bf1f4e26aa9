//! Sending a video: piece after piece, its cover, and then the pieces are put together.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api>.

use chrono::{DateTime, Utc};
use scheduler_core::ports::{JobFile, NetworkError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use super::api::{Api, encoded};
use super::errors::{failure, unreadable};
use super::files::is_ended;
use super::wire::{FileStatus, VideoUpload, instant};
use crate::conversation::{Answer, Body, FileBody, Job, Method, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::redacted::Redacted;

/// A video of which pieces are still to be sent, or to be put together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Upload {
    urn: String,
    /// Given back as it is, also when it is empty.
    upload_token: String,
    expires_at: Option<DateTime<Utc>>,
    /// The pieces that are still to be sent, in their order.
    pieces: Vec<Piece>,
    /// What the network calls those that it has, in their order.
    tags: Vec<String>,
    /// Where the cover goes that is still to be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thumbnail_url: Option<Redacted<String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Piece {
    upload_url: Redacted<String>,
    first_byte: u64,
    /// The last byte is part of it.
    last_byte: u64,
}

/// What a step of an upload has come to.
pub(super) enum Sent<'a> {
    /// There is more to do.
    More(Upload),
    /// The network has the video, and calls it this.
    Whole(String),
    /// Its addresses have ended, as the network says, or as was said of them.
    Ended(Option<&'a Answer>),
}

impl Upload {
    /// An upload of which nothing is sent; `None` when its pieces make no sense.
    pub(super) fn begin(upload: VideoUpload) -> Option<Self> {
        let expires_at = upload.upload_urls_expire_at.and_then(instant);
        let pieces: Vec<Piece> = upload
            .upload_instructions
            .into_iter()
            .map(|piece| Piece {
                upload_url: piece.upload_url,
                first_byte: piece.first_byte,
                last_byte: piece.last_byte,
            })
            .collect();
        let makes_sense =
            !pieces.is_empty() && pieces.iter().all(|piece| piece.first_byte <= piece.last_byte);
        makes_sense.then_some(Self {
            urn: upload.video,
            upload_token: upload.upload_token,
            expires_at,
            pieces,
            tags: Vec::new(),
            thumbnail_url: upload.thumbnail_upload_url,
        })
    }
}

/// The next turn of sending the next piece, or of putting the pieces together once all are there.
pub(super) fn send<'a>(
    api: &Api,
    job: &Job<'_, Tokens>,
    file: &JobFile,
    upload: &Upload,
    answers: &'a [Answer],
) -> TurnResult<Sent<'a>> {
    let is_over = upload.expires_at.is_some_and(|at| at <= job.now);
    let Some((piece, rest)) = upload.pieces.split_first() else {
        return match upload.thumbnail_url.as_ref().zip(job.thumbnail.as_ref()) {
            Some(_) if is_over => Ok(Turn::Done(Sent::Ended(None))),
            Some((url, cover)) => send_cover(api, job, upload, (url, cover), answers),
            None => put_together(api, job, upload, answers),
        };
    };
    if is_over {
        return Ok(Turn::Done(Sent::Ended(None)));
    }
    let Some(answer) = answers.first() else {
        // Its address alone lets the piece in.
        let body = FileBody::of(file).bytes(piece.first_byte..piece.last_byte.saturating_add(1));
        let request = Request::act(address(&piece.upload_url)?, Body::File(body));
        let request = request.method(Method::Put);
        let request = request.header("content-type", "application/octet-stream".to_owned());
        return Ok(Turn::Send(request));
    };
    if is_ended(answer) || matches!(answer.status, 401 | 403) {
        return Ok(Turn::Done(Sent::Ended(Some(answer))));
    }
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    let tag = answer.header("etag").filter(|tag| !tag.is_empty()).ok_or_else(unreadable)?;
    let mut tags = upload.tags.clone();
    tags.push(tag.to_owned());
    Ok(Turn::Done(Sent::More(Upload { pieces: rest.to_vec(), tags, ..upload.clone() })))
}

/// The next turn of sending the cover.
fn send_cover<'a>(
    api: &Api,
    job: &Job<'_, Tokens>,
    upload: &Upload,
    (url, cover): (&Redacted<String>, &JobFile),
    answers: &'a [Answer],
) -> TurnResult<Sent<'a>> {
    let Some(answer) = answers.first() else {
        let request = Request::act(address(url)?, Body::File(FileBody::of(cover)));
        let request = request.method(Method::Put);
        let request = request.header("media-type-family", "STILLIMAGE".to_owned());
        return Ok(Turn::Send(api.with_headers(request, &job.credentials.access_token)));
    };
    if is_ended(answer) {
        return Ok(Turn::Done(Sent::Ended(Some(answer))));
    }
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    Ok(Turn::Done(Sent::More(Upload { thumbnail_url: None, ..upload.clone() })))
}

/// The next turn of putting the pieces together. Where that is refused, it may have been done
/// before, which the state of the video tells.
fn put_together<'a>(
    api: &Api,
    job: &Job<'_, Tokens>,
    upload: &Upload,
    answers: &'a [Answer],
) -> TurnResult<Sent<'a>> {
    let whole = || Turn::Done(Sent::Whole(upload.urn.clone()));
    let Some(answer) = answers.first() else {
        let body = json!({
            "finalizeUploadRequest": {
                "video": upload.urn,
                "uploadToken": upload.upload_token,
                "uploadedPartIds": upload.tags,
            },
        });
        let token = &job.credentials.access_token;
        return Ok(Turn::Send(api.act(token, "videos", "action=finalizeUpload", body)));
    };
    if answer.is_success() {
        return Ok(whole());
    }
    if !matches!(answer.status, 400 | 404 | 409 | 410) {
        return Err(failure(answer, false, Some(job.now)));
    }
    let Some(state) = answers.get(1) else {
        let path = format!("videos/{}", encoded(&upload.urn));
        return Ok(Turn::Send(api.read(&job.credentials.access_token, &path, "")));
    };
    let is_there = state.is_success()
        && state.json().is_some_and(|FileStatus { status }| {
            matches!(status.as_str(), "PROCESSING" | "AVAILABLE")
        });
    Ok(if is_there { whole() } else { Turn::Done(Sent::Ended(Some(answer))) })
}

/// An address that the network gave.
pub(super) fn address(url: &Redacted<String>) -> Result<Url, NetworkError> {
    Url::parse(&url.0).map_err(|_| unreadable())
}
