//! `POST /posts/metrics/refresh`

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::REFRESH_METRICS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / "metrics" / "refresh")
        .and(warp::post())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&REFRESH_METRICS, refresh_metrics(head, api)))
        .boxed()
}

async fn refresh_metrics(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &REFRESH_METRICS).await?;
    let queued = api.scheduler.refresh_metrics(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "queued": queued })))
}
