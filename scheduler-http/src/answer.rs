//! Writing answers.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use scheduler_core::ports::ByteStream;
use serde::Serialize;
use warp::reply::Response;

use crate::error::ApiError;

/// An answer whose body is JSON.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => json_bytes(status, bytes.into()),
        // The bodies are plain values of ours, of which none refuses to be written.
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// An answer whose body is JSON that was written before.
pub(crate) fn json_bytes(status: StatusCode, bytes: Bytes) -> Response {
    let mut response = Response::new(bytes.into());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// An answer whose body comes in pieces.
pub(crate) fn streamed(status: StatusCode, bytes: ByteStream) -> Response {
    let body = warp::reply::stream(bytes.0);
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
