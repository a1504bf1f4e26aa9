//! `POST /posts`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::{Caller, Created};
use scheduler_core::post::PostInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::CREATE_POST;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
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
    let key = head.idempotency_key()?;
    let created = match body.json::<PostInput>(&head, &api.bodies, caller.workspace.id).await {
        // The use case looks the key up before it looks at anything else.
        Ok(Json(input, _charge)) => api.scheduler.create_post(&caller, input, key).await?,
        Err(error) => match earlier(&api, &caller, key).await? {
            Some(created) => created,
            None => return Err(error),
        },
    };
    let status = if created.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(json(status, &api.scheduler.post_view(&created.post).await?))
}

/// The post that was created under the key before, whatever the body says now.
async fn earlier(
    api: &Api,
    caller: &Caller,
    key: Option<&str>,
) -> Result<Option<Created>, ApiError> {
    let Some(key) = key else { return Ok(None) };
    let post = api.scheduler.post_by_key(caller, key).await?;
    Ok(post.map(|post| Created { post, is_new: false }))
}
