//! `GET /posts/{id}/targets/{targetId}/insights`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::{PostId, TargetId};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::SHOW_INSIGHTS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "insights")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|post_id, target_id, head, api| {
            answered(&SHOW_INSIGHTS, show_insights(post_id, target_id, head, api))
        })
        .boxed()
}

async fn show_insights(
    post_id: PostId,
    target_id: TargetId,
    head: Head,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &SHOW_INSIGHTS).await?;
    let insights = api
        .to_its_end(
            |scheduler| async move { scheduler.insights(&caller, post_id, target_id).await },
        )
        .await?;
    Ok(answer::json(StatusCode::OK, &insights))
}
