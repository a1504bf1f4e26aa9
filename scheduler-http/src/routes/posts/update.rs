//! `PATCH /posts/{id}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::PostId;
use scheduler_core::post::PostInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::UPDATE_POST;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId)
        .and(warp::patch())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|id, head, body, api| answered(&UPDATE_POST, update(id, head, body, api)))
        .boxed()
}

async fn update(id: PostId, head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &UPDATE_POST).await?;
    let Json(input, _charge): Json<PostInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let post = api.scheduler.update_post(&caller, id, input).await?;
    Ok(json(StatusCode::OK, &api.scheduler.post_view(&post).await?))
}
