//! `POST /posts/{id}/retry`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::PostId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::RETRY_POST;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "retry")
        .and(warp::post())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&RETRY_POST, retry(id, head, api)))
        .boxed()
}

async fn retry(id: PostId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &RETRY_POST).await?;
    let post = api.scheduler.retry_post(&caller, id).await?;
    Ok(json(StatusCode::OK, &api.scheduler.post_view(&post).await?))
}
