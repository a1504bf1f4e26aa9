//! `POST /platforms/validate`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::CheckInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::directions;
use crate::endpoints::CHECK_POST;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "platforms" / "validate")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|head, body, api| answered(&CHECK_POST, validate(head, body, api)))
        .boxed()
}

async fn validate(head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &CHECK_POST).await?;
    let Json(input, _charge): Json<CheckInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let mut report = api.scheduler.check_post(&caller, input).await?;
    directions::add_to_report(&mut report);
    Ok(json(StatusCode::OK, &report))
}
