//! `POST /ai/captions`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::CaptionsInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::WRITE_CAPTIONS;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "ai" / "captions")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|head, body, api| answered(&WRITE_CAPTIONS, captions(head, body, api)))
        .boxed()
}

async fn captions(head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &WRITE_CAPTIONS).await?;
    let Json(input, _charge): Json<CaptionsInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let captions = api
        .to_its_end(|scheduler| async move { scheduler.write_captions(&caller, input).await })
        .await?;
    Ok(json(StatusCode::OK, &captions))
}
