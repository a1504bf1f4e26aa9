//! `PATCH /posts/{id}/targets/{targetId}/remote`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::EditInput;
use scheduler_core::ids::{PostId, TargetId};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::EDIT_LIVE_POST;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "remote")
        .and(warp::patch())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|post_id, target_id, head, body, api| {
            answered(&EDIT_LIVE_POST, edit(post_id, target_id, head, body, api))
        })
        .boxed()
}

async fn edit(
    post_id: PostId,
    target_id: TargetId,
    head: Head,
    body: Body,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &EDIT_LIVE_POST).await?;
    let Json(input, _charge): Json<EditInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let post = api
        .to_its_end(|scheduler| async move {
            scheduler.edit_live_post(&caller, post_id, target_id, input).await
        })
        .await?;
    let target = api.scheduler.target_view(&post, target_id).await?;
    Ok(answer::json(StatusCode::OK, &target))
}
