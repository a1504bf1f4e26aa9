//! `DELETE /posts/{id}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::PostId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::empty;
use crate::api::Api;
use crate::endpoints::DELETE_POST;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId)
        .and(warp::delete())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&DELETE_POST, delete(id, head, api)))
        .boxed()
}

async fn delete(id: PostId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &DELETE_POST).await?;
    api.scheduler.delete_post(&caller, id).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
