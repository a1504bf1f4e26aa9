//! `POST /posts/{id}/targets/{targetId}/metrics`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::{PostId, TargetId};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::READ_METRICS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "metrics")
        .and(warp::post())
        .and(head())
        .and(with(api))
        .then(|post_id, target_id, head, api| {
            answered(&READ_METRICS, read_metrics(post_id, target_id, head, api))
        })
        .boxed()
}

async fn read_metrics(
    post_id: PostId,
    target_id: TargetId,
    head: Head,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &READ_METRICS).await?;
    let figures = api
        .to_its_end(
            |scheduler| async move { scheduler.read_metrics(&caller, post_id, target_id).await },
        )
        .await?;
    Ok(answer::json(StatusCode::OK, &figures))
}
