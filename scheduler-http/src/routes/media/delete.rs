//! `DELETE /media/{id}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::MediaId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::DELETE_MEDIA;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media" / MediaId)
        .and(warp::delete())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&DELETE_MEDIA, delete(id, head, api)))
        .boxed()
}

async fn delete(id: MediaId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &DELETE_MEDIA).await?;
    let media = api.scheduler.delete_media(&caller, id).await?;
    Ok(json(StatusCode::OK, &media))
}
