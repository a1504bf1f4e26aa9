//! `POST /workspace/webhooks`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::WebhookInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::CREATE_WEBHOOK;
use crate::error::ApiError;
use crate::extract::{Body, Head, Json};
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
    let Json(input, _charge): Json<WebhookInput> =
        body.json(&head, &api.bodies, caller.workspace.id).await?;
    let webhook = api.scheduler.create_webhook(&caller, input).await?;
    Ok(json(StatusCode::CREATED, &webhook))
}
