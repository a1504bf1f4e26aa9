//! `POST /media/{id}/uploaded`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::MediaId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::CONFIRM_UPLOAD;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media" / MediaId / "uploaded")
        .and(warp::post())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&CONFIRM_UPLOAD, uploaded(id, head, api)))
        .boxed()
}

async fn uploaded(id: MediaId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &CONFIRM_UPLOAD).await?;
    let media = api.scheduler.confirm_upload(&caller, id).await?;
    Ok(json(StatusCode::OK, &media))
}
