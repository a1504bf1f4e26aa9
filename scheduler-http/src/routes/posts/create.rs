//! `POST /posts`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::post::PostInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::made;
use crate::api::Api;
use crate::endpoints::CREATE_POST;
use crate::error::ApiError;
use crate::extract::{Body, Head};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "posts")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|head, body, api| answered(&CREATE_POST, create(head, body, api)))
        .boxed()
}

async fn create(head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &CREATE_POST).await?;
    let sent = body.repeatable::<PostInput>(&head, &api.bodies, caller.workspace.id).await?;
    let key = sent.key.as_ref();
    let created = match sent.input {
        Ok(input) => api.scheduler.create_post(&caller, input, key).await?,
        Err(error) => api.scheduler.earlier_post(&caller, key).await?.ok_or(error)?,
    };
    let post = api.scheduler.post_view(&created.value).await?;
    Ok(made(StatusCode::CREATED, created.replay, &post))
}
