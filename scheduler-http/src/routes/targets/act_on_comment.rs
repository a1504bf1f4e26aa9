//! `POST /posts/{id}/targets/{targetId}/comments/{commentId}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::CommentInput;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{PostId, TargetId};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::ACT_ON_COMMENT;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json, Segment};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts" / PostId / "targets" / TargetId / "comments" / Segment)
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|post_id, target_id, comment, head, body, api| {
            answered(&ACT_ON_COMMENT, act_on_comment(post_id, target_id, comment, head, body, api))
        })
        .boxed()
}

async fn act_on_comment(
    post_id: PostId,
    target_id: TargetId,
    comment: Segment,
    head: Head,
    body: Body,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &ACT_ON_COMMENT).await?;
    let Json(input, _charge): Json<CommentInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let comment = comment.into_text().ok_or_else(|| Refusal::not_found("comment"))?;
    let outcome = api
        .to_its_end(|scheduler| async move {
            scheduler.act_on_comment(&caller, post_id, target_id, &comment, input).await
        })
        .await?;
    Ok(answer::json(StatusCode::OK, &outcome))
}
