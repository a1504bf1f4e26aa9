//! `POST /media`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::media::MediaInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::made;
use crate::api::Api;
use crate::endpoints::DECLARE_MEDIA;
use crate::error::ApiError;
use crate::extract::{Body, Head};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "media")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|head, body, api| answered(&DECLARE_MEDIA, create(head, body, api)))
        .boxed()
}

async fn create(head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &DECLARE_MEDIA).await?;
    api.uploads.count(caller.workspace.id)?;
    let sent = body.repeatable::<MediaInput>(&head, &api.bodies, caller.workspace.id).await?;
    let key = sent.key.as_ref();
    let declared = match sent.input {
        Ok(input) => api.scheduler.declare_media(&caller, input, key).await?,
        Err(error) => api.scheduler.earlier_media(&caller, key).await?.ok_or(error)?,
    };
    Ok(made(StatusCode::CREATED, declared.replay, &declared.value))
}
