//! `DELETE /posts/{id}/targets/{targetId}/remote`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::{PostId, TargetId};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::TAKE_DOWN;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "remote")
        .and(warp::delete())
        .and(head())
        .and(with(api))
        .then(|post_id, target_id, head, api| {
            answered(&TAKE_DOWN, take_down(post_id, target_id, head, api))
        })
        .boxed()
}

async fn take_down(
    post_id: PostId,
    target_id: TargetId,
    head: Head,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &TAKE_DOWN).await?;
    let post = api
        .to_its_end(
            |scheduler| async move { scheduler.take_down(&caller, post_id, target_id).await },
        )
        .await?;
    let target = api.scheduler.target_view(&post, target_id).await?;
    Ok(answer::json(StatusCode::OK, &target))
}
