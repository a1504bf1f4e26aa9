//! `GET /posts/{id}/targets/{targetId}/metrics/history`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::{PostId, TargetId};
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::LIST_READINGS;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "metrics" / "history")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|post_id, target_id, head, api| {
            answered(&LIST_READINGS, list_readings(post_id, target_id, head, api))
        })
        .boxed()
}

async fn list_readings(
    post_id: PostId,
    target_id: TargetId,
    head: Head,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_READINGS).await?;
    let since = Parameters::read(&head, &LIST_READINGS)?.take("since");
    let readings =
        api.scheduler.metrics_history(&caller, post_id, target_id, since.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": readings })))
}
