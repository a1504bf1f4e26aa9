//! `GET /media/{id}/posts`

use std::sync::Arc;

use scheduler_core::ids::MediaId;
use scheduler_core::post::PageInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::endpoints::LIST_MEDIA_POSTS;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
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
    let mut parameters = Parameters::read(&head, &LIST_MEDIA_POSTS)?;
    let input = PageInput { limit: parameters.take("limit"), before: parameters.take("before") };
    let place = api.pages.place(caller.workspace.id).await?;
    Ok(place.answer(api.scheduler.posts_of_media(&caller, id, &input).await?))
}
