//! `GET /media/{id}/thumb`

use std::sync::Arc;

use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use scheduler_core::ids::MediaId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::streamed;
use crate::api::Api;
use crate::endpoints::SHOW_THUMB;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

/// A preview never changes under its id; a deleted file's may be seen for an hour by who saw it.
const CACHE: HeaderValue = HeaderValue::from_static("private, max-age=3600");

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media" / MediaId / "thumb")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&SHOW_THUMB, thumb(id, head, api)))
        .boxed()
}

async fn thumb(id: MediaId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &SHOW_THUMB).await?;
    let preview = api.scheduler.media_preview(&caller, id).await?;
    let mut response = streamed(StatusCode::OK, preview);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("image/webp"));
    response.headers_mut().insert(CACHE_CONTROL, CACHE);
    Ok(response)
}
