//! Writing answers.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::Stream;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, LOCATION,
};
use http::{HeaderName, HeaderValue, StatusCode};
use scheduler_core::idempotency::Replay;
use scheduler_core::ports::{ByteStream, FilesError, OpenFile};
use serde::Serialize;
use warp::reply::Response;

use crate::error::ApiError;
use crate::extract::Head;

/// The answer is that of the first request with the same Idempotency-Key.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// That request said something else.
pub(crate) const OTHER_BODY: HeaderName = HeaderName::from_static("idempotent-body");

/// Rides on an answer that goes on for as long as somebody reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lasting;

/// An answer whose body is JSON.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => json_bytes(status, bytes.into()),
        // The bodies are plain values of ours, of which none refuses to be written.
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// The answer to a request that makes something: 201 with where it is when it did, else 200 with
/// what the first request of its Idempotency-Key has made.
pub(crate) fn made(location: &str, replay: Option<Replay>, body: &impl Serialize) -> Response {
    if replay.is_some() {
        return done(replay, body);
    }
    let mut response = json(StatusCode::CREATED, body);
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

/// The answer to a request that does something once for each Idempotency-Key: 200 with what came of
/// it, or of the first request with its key.
pub(crate) fn done(replay: Option<Replay>, body: &impl Serialize) -> Response {
    let mut response = json(StatusCode::OK, body);
    let Some(replay) = replay else { return response };
    let headers = response.headers_mut();
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    if replay == Replay::OtherBody {
        headers.insert(OTHER_BODY, HeaderValue::from_static("other"));
    }
    response
}

/// The same with the tag of a post at this revision.
pub(crate) fn at_revision(revision: i64, mut response: Response) -> Response {
    // Digits and quotes are a header.
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{revision}\"")) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

/// An answer whose body is JSON that was written before.
pub(crate) fn json_bytes(status: StatusCode, bytes: Bytes) -> Response {
    let mut response = Response::new(bytes.into());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// A stream that threads may share, as bodies must be: it is only ever polled by its owner.
struct Shared(Mutex<ByteStream>);

impl Stream for Shared {
    type Item = Result<Bytes, FilesError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let stream = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        stream.0.as_mut().poll_next(context)
    }
}

/// An answer whose body comes in pieces.
pub(crate) fn streamed(status: StatusCode, bytes: ByteStream) -> Response {
    let body = warp::reply::stream(Shared(Mutex::new(bytes)));
    let mut response = warp::reply::Reply::into_response(body);
    *response.status_mut() = status;
    response
}

/// Whatever a file turns out to hold, it runs nothing and loads nothing as part of this server.
const HARMLESS: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// The answer with a file, or the part of it that was asked for; without a body for who has it.
///
/// # Errors
/// `internal` for a media type that no header takes.
pub(crate) fn file_answer(
    head: &Head,
    file: OpenFile,
    is_part: bool,
) -> Result<Response, ApiError> {
    let etag = quoted(&file.etag);
    let mut response = if head.has_version(&etag) {
        empty(StatusCode::NOT_MODIFIED)
    } else {
        whole_or_part(file, is_part)?
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, HeaderValue::from_str(&etag).map_err(ApiError::internal)?);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private"));
    headers.insert(CONTENT_SECURITY_POLICY, HARMLESS);
    Ok(response)
}

fn whole_or_part(file: OpenFile, is_part: bool) -> Result<Response, ApiError> {
    let OpenFile { media_type, etag: _, size_bytes, range, bytes } = file;
    let status = if is_part { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    let mut response = streamed(status, bytes);
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_str(&media_type).map_err(ApiError::internal)?;
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if is_part {
        let place = format!("bytes {}-{}/{size_bytes}", range.start, range.end - 1);
        let place = HeaderValue::from_str(&place).map_err(ApiError::internal)?;
        headers.insert(CONTENT_RANGE, place);
    }
    Ok(response)
}

/// An ETag as a header has it.
pub(crate) fn quoted(etag: &str) -> String {
    format!("\"{etag}\"")
}

/// An answer without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}
