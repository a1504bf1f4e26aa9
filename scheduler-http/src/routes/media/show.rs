//! `GET /media/{id}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::MediaId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::SHOW_MEDIA;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media" / MediaId)
        .and(get())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&SHOW_MEDIA, show(id, head, api)))
        .boxed()
}

async fn show(id: MediaId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &SHOW_MEDIA).await?;
    let media = api.scheduler.show_media(&caller, id).await?;
    Ok(json(StatusCode::OK, &media))
}
