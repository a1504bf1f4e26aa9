//! `GET /media/{id}/posts`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::MediaId;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::LIST_MEDIA_POSTS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media" / MediaId / "posts")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&LIST_MEDIA_POSTS, posts(id, head, api)))
        .boxed()
}

async fn posts(id: MediaId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_MEDIA_POSTS).await?;
    let posts = api.scheduler.posts_of_media(&caller, id).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": posts })))
}
