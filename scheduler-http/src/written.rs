//! Answers that are written once.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use http::{HeaderValue, StatusCode};
use sha2::{Digest as _, Sha256};
use warp::reply::Response;

use crate::answer::empty;
use crate::extract::Head;

/// What changes only with the program may be kept for so long.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// A body that is written once, and its entity tag.
#[derive(Debug)]
pub struct Written {
    body: Bytes,
    etag: String,
}

impl Written {
    /// A body.
    #[must_use]
    pub fn new(body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&body)[..16]));
        Self { body, etag }
    }

    /// The body, or 304 for who has it already.
    pub(crate) fn answer(&self, head: &Head, media_type: HeaderValue) -> Response {
        self.answer_kept(head, media_type, CACHE)
    }

    /// The same with another word on how it may be kept.
    pub(crate) fn answer_kept(
        &self,
        head: &Head,
        media_type: HeaderValue,
        cache: HeaderValue,
    ) -> Response {
        let mut response = if head.has_version(&self.etag) {
            empty(StatusCode::NOT_MODIFIED)
        } else {
            let mut response = Response::new(self.body.clone().into());
            response.headers_mut().insert(CONTENT_TYPE, media_type);
            response
        };
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, cache);
        if let Ok(etag) = HeaderValue::from_str(&self.etag) {
            headers.insert(ETAG, etag);
        }
        response
    }
}
