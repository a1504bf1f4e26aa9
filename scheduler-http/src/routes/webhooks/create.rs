//! `POST /workspace/webhooks`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::WebhookInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::made;
use crate::api::Api;
use crate::endpoints::CREATE_WEBHOOK;
use crate::error::ApiError;
use crate::extract::{Body, Head};
use crate::routes::{answered, body, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "workspace" / "webhooks")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|head, body, api| answered(&CREATE_WEBHOOK, create(head, body, api)))
        .boxed()
}

async fn create(head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &CREATE_WEBHOOK).await?;
    let sent = body.repeatable::<WebhookInput>(&head, &api.bodies, caller.workspace.id).await?;
    let key = sent.key.as_ref();
    let created = match sent.input {
        Ok(input) => api.scheduler.create_webhook(&caller, input, key).await?,
        Err(error) => api.scheduler.earlier_webhook(&caller, key).await?.ok_or(error)?,
    };
    Ok(made(StatusCode::CREATED, created.replay, &created.value))
}
