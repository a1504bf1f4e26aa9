//! `POST /ai/review`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::ReviewInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::REVIEW_TARGET;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "ai" / "review")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|head, body, api| answered(&REVIEW_TARGET, review(head, body, api)))
        .boxed()
}

async fn review(head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &REVIEW_TARGET).await?;
    let Json(input, _charge): Json<ReviewInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let review = api
        .to_its_end(|scheduler| async move { scheduler.review_target(&caller, input).await })
        .await?;
    Ok(json(StatusCode::OK, &review))
}
