//! `POST /posts/{id}/targets/{targetId}/comments/{commentId}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::{CommentInput, Scheduler};
use scheduler_core::error::Refusal;
use scheduler_core::ids::{PostId, TargetId};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::ACT_ON_COMMENT;
use crate::error::ApiError;
use crate::extract::{Body, Head, Segment};
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
    let sent = body.repeatable::<CommentInput>(&head, &api.bodies, caller.workspace.id).await?;
    let comment = comment.into_text().ok_or_else(|| Refusal::not_found("comment"))?;
    let outcome = match sent.input {
        Ok(input) => {
            let key = sent.key.clone();
            let act = |scheduler: Scheduler| async move {
                let key = key.as_ref();
                scheduler.act_on_comment(&caller, post_id, target_id, &comment, input, key).await
            };
            api.to_its_end(act).await?
        }
        Err(error) => {
            let key = sent.key.as_ref();
            let earlier = api.scheduler.earlier_reply(&caller, target_id, &comment, key).await?;
            earlier.ok_or(error)?
        }
    };
    Ok(answer::made(StatusCode::OK, outcome.replay, &outcome.value))
}
