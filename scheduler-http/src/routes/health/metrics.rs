//! `GET /metrics`

use std::sync::Arc;

use http::HeaderValue;
use http::header::CONTENT_TYPE;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::endpoints::SHOW_METRICS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

/// Source: <https://prometheus.io/docs/instrumenting/exposition_formats/>, the text format.
const TEXT_FORMAT: HeaderValue =
    HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("metrics")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&SHOW_METRICS, show(head, api)))
        .boxed()
}

async fn show(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let Some((metrics, access)) = &api.metrics else { return Err(ApiError::no_such_path()) };
    access.admit(&head)?;
    let page = metrics.page(&api.scheduler, api.worker.as_ref()).await;
    let mut response = Response::new(page.into());
    response.headers_mut().insert(CONTENT_TYPE, TEXT_FORMAT);
    Ok(response)
}
