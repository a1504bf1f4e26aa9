//! `GET /posts/{id}/targets/{targetId}/comments`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::{PostId, TargetId};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::LIST_COMMENTS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "comments")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|post_id, target_id, head, api| {
            answered(&LIST_COMMENTS, list_comments(post_id, target_id, head, api))
        })
        .boxed()
}

async fn list_comments(
    post_id: PostId,
    target_id: TargetId,
    head: Head,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_COMMENTS).await?;
    let comments = api
        .to_its_end(
            |scheduler| async move { scheduler.comments(&caller, post_id, target_id).await },
        )
        .await?;
    Ok(answer::json(StatusCode::OK, &comments))
}
