//! The bytes of a video, chunk by chunk: `PUT /video/`.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-media-transfer-guide>.

use chrono::{DateTime, Utc};
use http::StatusCode;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::Tiktok;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Largest video.
const VIDEO_BYTES: u64 = 4_000_000_000;
/// Smallest and largest chunk; a shorter video is one chunk, and the last may be larger.
const CHUNK_BYTES: std::ops::RangeInclusive<u64> = 5_000_000..=64_000_000;
const LAST_CHUNK_BYTES: u64 = 128_000_000;
/// Most chunks.
const CHUNKS: u64 = 1000;
/// Types of videos.
const TYPES: [&str; 3] = ["video/mp4", "video/quicktime", "video/webm"];

/// How a video arrives.
#[derive(Clone, Debug)]
pub(super) struct Upload {
    secret: String,
    pub(super) size: u64,
    chunk_size: u64,
    count: u64,
    /// Bytes that are there.
    pub(super) arrived: u64,
    chunks: Vec<[u8; 32]>,
    media_type: String,
    /// Its first bytes are those of a video.
    pub(super) is_video: bool,
    pub(super) expires_at: DateTime<Utc>,
}

impl Upload {
    /// Reads how a video is to be cut.
    ///
    /// # Errors
    /// It cannot be cut so.
    pub(super) fn begin(
        source: &Value,
        secret: String,
        expires_at: DateTime<Utc>,
    ) -> Result<Self, ApiError> {
        let number = |name: &str| source[name].as_u64().filter(|number| *number > 0);
        let wrong = |name: &str| ApiError::invalid(&format!("The {name} is invalid"));
        let size = number("video_size").filter(|size| *size <= VIDEO_BYTES);
        let size = size.ok_or_else(|| wrong("video_size"))?;
        let is_whole = |chunk: u64| chunk == size && size <= *CHUNK_BYTES.end();
        let chunk_size = number("chunk_size")
            .filter(|chunk| is_whole(*chunk) || (CHUNK_BYTES.contains(chunk) && *chunk <= size))
            .ok_or_else(|| wrong("chunk_size"))?;
        let count = number("total_chunk_count")
            .filter(|count| *count == size / chunk_size && *count <= CHUNKS)
            .filter(|count| size - (count - 1) * chunk_size <= LAST_CHUNK_BYTES)
            .ok_or_else(|| wrong("total_chunk_count"))?;
        Ok(Self {
            secret,
            size,
            chunk_size,
            count,
            arrived: 0,
            chunks: Vec::new(),
            media_type: String::new(),
            is_video: false,
            expires_at,
        })
    }

    /// Returns where the bytes go.
    pub(super) fn url(&self, base: &str, publish_id: &str) -> String {
        let pairs = [("upload_id", publish_id), ("upload_token", &self.secret)];
        let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
        format!("{base}/video/?{query}")
    }

    /// Says whether all bytes are there.
    pub(super) const fn is_whole(&self) -> bool {
        self.arrived == self.size
    }

    /// Returns the file as the control shows it. The hash of a video of several chunks is that of
    /// the hashes of its chunks.
    pub(super) fn live(&self) -> LiveMedia {
        let sha256 = match self.chunks.as_slice() {
            [chunk] => *chunk,
            chunks => {
                let mut hash = Sha256::new();
                for chunk in chunks {
                    hash.update(chunk);
                }
                hash.finalize().into()
            }
        };
        LiveMedia { media_type: self.media_type.clone(), bytes: self.arrived, sha256 }
    }

    /// Returns the byte after the chunk that is due.
    fn end_of_next(&self) -> u64 {
        let number = self.arrived / self.chunk_size;
        if number + 1 >= self.count { self.size } else { (number + 1) * self.chunk_size }
    }

    fn content_range(&self) -> String {
        match self.arrived {
            0 => format!("bytes */{}", self.size),
            arrived => format!("bytes 0-{}/{}", arrived - 1, self.size),
        }
    }
}

impl Tiktok {
    /// Takes a chunk. Its address alone lets it in.
    pub(super) fn take_chunk(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let given = |name| request.query(name).unwrap_or_default();
        let publish = self.publishes.iter_mut().find(|publish| publish.id == given("upload_id"));
        let Some(publish) = publish else { return Answer::empty(StatusCode::NOT_FOUND) };
        let Some(upload) = &mut publish.upload else {
            return Answer::empty(StatusCode::NOT_FOUND);
        };
        if upload.secret != given("upload_token") {
            return Answer::empty(StatusCode::NOT_FOUND);
        }
        if upload.expires_at <= context.now {
            return Answer::empty(StatusCode::FORBIDDEN);
        }
        let range = request.header("content-range").and_then(parse);
        let media_type = request.content_type();
        let Some((first, last, total)) = range.filter(|(first, last, total)| {
            request.header("authorization").is_none()
                && TYPES.contains(&media_type.as_str())
                && *total == upload.size
                && first <= last
                && last - first + 1 == request.body.length
        }) else {
            return Answer::empty(StatusCode::BAD_REQUEST);
        };
        if upload.is_whole() || first != upload.arrived || last + 1 != upload.end_of_next() {
            let answer = Answer::empty(StatusCode::RANGE_NOT_SATISFIABLE);
            return answer.with_header("content-range", &upload.content_range());
        }
        debug_assert_eq!(total, upload.size);
        if first == 0 {
            upload.is_video = picture::kind(request.body.head()) == Some(FileKind::Video);
            upload.media_type = media_type;
        }
        upload.arrived = last + 1;
        upload.chunks.push(request.body.sha256);
        let status =
            if upload.is_whole() { StatusCode::CREATED } else { StatusCode::PARTIAL_CONTENT };
        let answer = Answer::empty(status).with_header("content-range", &upload.content_range());
        if upload.is_whole() {
            publish.begun_at = Some(context.now);
        }
        answer
    }
}

/// Says whether a request carries the last byte of a video.
pub(super) fn is_last(request: &Request) -> bool {
    let range = request.header("content-range").and_then(parse);
    range.is_some_and(|(_, last, total)| last + 1 == total)
}

/// Reads `bytes 0-9/20`.
fn parse(header: &str) -> Option<(u64, u64, u64)> {
    let (range, total) = header.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?, total.parse().ok()?))
}
