//! `GET /media`

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::LIST_MEDIA;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&LIST_MEDIA, list(head, api)))
        .boxed()
}

async fn list(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_MEDIA).await?;
    let limit = Parameters::read(&head, &LIST_MEDIA)?.take_number("limit")?;
    let media = api.scheduler.list_media(&caller, limit).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": media })))
}
