//! Sending a video in chunks. Its last byte publishes it.
//!
//! What was sent is taken once: whatever becomes of a chunk, sending it again to the same address
//! can never make a second post.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide>.

use std::ops::Range;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, PublishJob, Step};
use serde::{Deserialize, Serialize};
use url::Url;

use super::errors::{UPLOAD_ENDED, chunk_failure, unreadable};
use super::progress::{Progress, Stage};
use super::wire::Init;
use crate::conversation::{
    Answer, Body, FileBody, Method, Request, StoredProgress, Turn, TurnResult,
};
use crate::redacted::Redacted;

/// A video of up to so many bytes goes as one chunk; up to 64 MB may. Our decision.
const ONE_CHUNK_MAX: u64 = 20_000_000;

/// Bytes of a chunk of a longer video; 5 to 64 MB are allowed. Our decision.
const CHUNK_BYTES: u64 = 10_000_000;

/// Most chunks of a video.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide>.
const CHUNKS_MAX: u64 = 1000;

/// How long the address lives that bytes are sent to.
///
/// Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>.
const LIFE: TimeDelta = TimeDelta::hours(1);

/// How a video is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Chunks {
    /// Bytes of the video.
    pub(super) video_size: u64,
    /// Bytes of each chunk but the last, which takes the rest.
    pub(super) chunk_size: u64,
    /// How many there are.
    pub(super) total_chunk_count: u64,
}

impl Chunks {
    /// How a video of so many bytes is cut; `None` for one without any.
    pub(super) fn of(video_size: u64) -> Option<Self> {
        let chunk_size = match video_size {
            0 => return None,
            1..=ONE_CHUNK_MAX => video_size,
            _ => CHUNK_BYTES.max(video_size.div_ceil(CHUNKS_MAX)),
        };
        Some(Self { video_size, chunk_size, total_chunk_count: video_size / chunk_size })
    }

    /// The bytes of a chunk, from 0 on.
    fn range(self, number: u64) -> Range<u64> {
        let start = number * self.chunk_size;
        let is_last = number + 1 >= self.total_chunk_count;
        start..if is_last { self.video_size } else { start + self.chunk_size }
    }

    /// The bytes that are sent next once so many are there.
    fn next(self, arrived: u64) -> Range<u64> {
        let number = (arrived / self.chunk_size).min(self.total_chunk_count - 1);
        arrived..self.range(number).end
    }

    /// True where a chunk begins, and at the end of the last.
    fn is_boundary(self, at: u64) -> bool {
        at == self.video_size
            || (at.is_multiple_of(self.chunk_size) && at / self.chunk_size < self.total_chunk_count)
    }
}

/// A video of which some bytes are still to be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Upload {
    /// What the publish is called.
    pub(super) publish_id: String,
    upload_url: Redacted<String>,
    expires_at: DateTime<Utc>,
    chunks: Chunks,
    /// Bytes that the network has.
    arrived: u64,
    /// The last chunk was sent before, and its answer was lost.
    may_be_whole: bool,
}

impl Upload {
    /// An upload of which nothing is sent.
    ///
    /// # Errors
    /// The answer names no address.
    pub(super) fn begin(
        init: Init,
        chunks: Chunks,
        now: DateTime<Utc>,
    ) -> Result<Self, NetworkError> {
        let upload_url = init.upload_url.ok_or_else(|| unreadable(false))?;
        let publish_id = init.publish_id;
        let expires_at = now + LIFE;
        Ok(Self { publish_id, upload_url, expires_at, chunks, arrived: 0, may_be_whole: false })
    }

    /// When it was announced; nothing was published before.
    pub(super) fn announced_at(&self) -> DateTime<Utc> {
        self.expires_at - LIFE
    }

    /// True when the bytes that are sent next are the last.
    pub(super) fn is_at_last_chunk(&self) -> bool {
        self.next().end == self.chunks.video_size
    }

    /// How many bytes are sent next.
    pub(super) fn bytes_of_next(&self) -> u64 {
        let next = self.next();
        next.end.saturating_sub(next.start)
    }

    /// The same once the last chunk was sent, and its answer was lost.
    pub(super) fn sent_once(self) -> Self {
        Self { may_be_whole: true, ..self }
    }

    /// True when the network has said that it has all.
    pub(super) fn is_whole(&self, arrived: Option<u64>) -> bool {
        arrived.is_some_and(|arrived| arrived >= self.chunks.video_size)
    }

    fn next(&self) -> Range<u64> {
        self.chunks.next(self.arrived)
    }
}

/// How the video of a job is cut.
///
/// # Errors
/// Its size is not known.
pub(super) fn chunks(job: &PublishJob, progress: &Progress) -> Result<Chunks, NetworkError> {
    let files = progress.files(job)?;
    let size = files.first().and_then(|file| file.facts.size_bytes).and_then(Chunks::of);
    size.ok_or_else(|| NetworkError::unusable_media("The size of the video is not known."))
}

/// The next turn of sending the next chunk.
pub(super) fn send(
    job: &PublishJob,
    progress: Progress,
    upload: Upload,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let range = upload.next();
    let is_last = upload.is_at_last_chunk();
    let Some(answer) = answers.first() else {
        if job.now >= upload.expires_at {
            return Ok(Turn::Done(match upload.may_be_whole {
                true => progress.processing(upload.publish_id, job.now),
                // Nothing is published without its last byte.
                false if !progress.has_begun_anew => {
                    let progress = Progress { has_begun_anew: true, ..progress };
                    Step::Next(progress.restarted(job.now))
                }
                // A connection that is too slow for the video must not send it again and again.
                false => progress.failed(UPLOAD_ENDED, job.now),
            }));
        }
        return Ok(Turn::Send(request(job, &progress, &upload)?));
    };
    let arrived = match answer.status {
        200 | 201 => Some(upload.chunks.video_size),
        206 => {
            Some(arrived(answer, upload.chunks).filter(|at| *at > range.start).unwrap_or(range.end))
        }
        416 => arrived(answer, upload.chunks).filter(|at| *at != range.start),
        403 | 404 | 410 => None,
        _ => return Err(chunk_failure(answer, is_last, Some(job.now))),
    };
    Ok(Turn::Done(match arrived {
        Some(arrived) if arrived >= upload.chunks.video_size => {
            progress.processing(upload.publish_id, job.now)
        }
        Some(arrived) => Step::Next(progress.at(Stage::Sending(Upload { arrived, ..upload }))),
        // The address has ended. The publish decides whether it had all by then.
        None if upload.may_be_whole => progress.processing(upload.publish_id, job.now),
        None => progress.failed(UPLOAD_ENDED, job.now),
    }))
}

/// The request with the next bytes. Its address alone lets them in.
fn request(
    job: &PublishJob,
    progress: &Progress,
    upload: &Upload,
) -> Result<Request, NetworkError> {
    let files = progress.files(job)?;
    let file = files.first().ok_or_else(Progress::unreadable)?;
    let url = Url::parse(&upload.upload_url.0).map_err(|_| unreadable(false))?;
    let range = upload.next();
    let size = upload.chunks.video_size;
    let content_range = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
    let body = Body::File(FileBody::of(file).bytes(range));
    let request = Request::act(url, body).method(Method::Put);
    let request = request.header("content-range", content_range);
    Ok(if upload.is_at_last_chunk() { request.visible() } else { request })
}

/// How many bytes the network says that it has, from the first on: `bytes 0-9999999/50000123`.
///
/// Its documentation writes the count in the place of the last byte; whichever falls on the end of
/// a chunk is meant.
fn arrived(answer: &Answer, chunks: Chunks) -> Option<u64> {
    let range = answer.header("content-range")?.trim();
    let range = range.strip_prefix("bytes").unwrap_or(range).trim();
    let (range, _) = range.split_once('/')?;
    if range == "*" {
        return Some(0);
    }
    let (first, last) = range.split_once('-')?;
    let last: u64 = last.trim().parse().ok()?;
    let after = last.checked_add(1)?;
    let is_count = !chunks.is_boundary(after) && chunks.is_boundary(last);
    (first.trim() == "0").then_some(if is_count { last } else { after })
}

#[cfg(test)]
#[path = "upload_tests.rs"]
mod tests;
