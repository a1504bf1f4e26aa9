//! `POST /media/{id}/complete`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::CompleteInput;
use scheduler_core::ids::MediaId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::COMPLETE_UPLOAD;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media" / MediaId / "complete")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|id, head, body, api| answered(&COMPLETE_UPLOAD, complete(id, head, body, api)))
        .boxed()
}

async fn complete(
    id: MediaId,
    head: Head,
    body: Body,
    api: Arc<Api>,
) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &COMPLETE_UPLOAD).await?;
    let Json(input, _charge): Json<CompleteInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let media = api.scheduler.complete_upload(&caller, id, input).await?;
    Ok(json(StatusCode::OK, &media))
}
