//! `GET /metrics`, outside the API: what Prometheus reads. A token of the operator's may be needed.

use http::header::CONTENT_TYPE;

use crate::routes::prelude::*;

/// Source: <https://prometheus.io/docs/instrumenting/exposition_formats/>, the text format.
const TEXT_FORMAT: HeaderValue =
    HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_metrics",
    method: Method::GET,
    pattern: "/metrics",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(show(call))),
    description: None,
};

async fn show(call: Call) -> Result<Response, ApiError> {
    let api = &call.api;
    let Some((metrics, access)) = &api.metrics else { return Err(ApiError::no_such_path()) };
    access.admit(&call.head)?;
    let page = metrics.page(&api.scheduler, api.worker.as_ref()).await;
    let mut response = Response::new(page.into());
    response.headers_mut().insert(CONTENT_TYPE, TEXT_FORMAT);
    Ok(response)
}
