//! `GET /platforms`

use std::sync::Arc;

use http::header::{CACHE_CONTROL, ETAG};
use http::{HeaderValue, StatusCode};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::{empty, json_bytes};
use crate::api::Api;
use crate::endpoints::LIST_PLATFORMS;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

/// The sheets change only with the program.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=300");

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "platforms")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&LIST_PLATFORMS, list(head, api)))
        .boxed()
}

async fn list(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    Parameters::read(&head, &LIST_PLATFORMS)?;
    let sheets = &api.sheets;
    let mut response = if head.has_version(&sheets.etag) {
        empty(StatusCode::NOT_MODIFIED)
    } else {
        json_bytes(StatusCode::OK, sheets.body.clone())
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, CACHE);
    if let Ok(etag) = HeaderValue::from_str(&sheets.etag) {
        headers.insert(ETAG, etag);
    }
    Ok(response)
}
