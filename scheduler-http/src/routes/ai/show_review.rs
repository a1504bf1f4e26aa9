//! `GET /ai/review/{targetId}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::TargetId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::SHOW_REVIEW;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "ai" / "review" / TargetId)
        .and(get())
        .and(head())
        .and(with(api))
        .then(|target, head, api| answered(&SHOW_REVIEW, show(target, head, api)))
        .boxed()
}

async fn show(target_id: TargetId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &SHOW_REVIEW).await?;
    let review = api.scheduler.stored_review(&caller, target_id).await?;
    Ok(json(StatusCode::OK, &review))
}
