//! `GET /posts`

use std::sync::Arc;

use scheduler_core::post::ListInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::endpoints::LIST_POSTS;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&LIST_POSTS, list(head, api)))
        .boxed()
}

async fn list(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_POSTS).await?;
    let mut parameters = Parameters::read(&head, &LIST_POSTS)?;
    let input = ListInput {
        status: parameters.take("status"),
        from: parameters.take("from"),
        to: parameters.take("to"),
        days: parameters.take("days"),
        limit: parameters.take("limit"),
        before: parameters.take("before"),
    };
    let place = api.pages.place(caller.workspace.id).await?;
    Ok(place.answer(api.scheduler.list_posts(&caller, &input).await?))
}
