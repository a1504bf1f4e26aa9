//! Writing answers.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::Stream;
use http::header::{CONTENT_TYPE, ETAG, LOCATION};
use http::{HeaderName, HeaderValue, StatusCode};
use scheduler_core::idempotency::Replay;
use scheduler_core::ports::{ByteStream, FilesError};
use serde::Serialize;
use warp::reply::Response;

use crate::error::ApiError;

/// The answer is that of the first request with the same Idempotency-Key.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// That request said something else.
pub(crate) const OTHER_BODY: HeaderName = HeaderName::from_static("idempotent-body");

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

/// An answer without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}
