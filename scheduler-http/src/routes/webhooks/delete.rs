//! `DELETE /workspace/webhooks/{id}`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::WebhookId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::empty;
use crate::api::Api;
use crate::endpoints::DELETE_WEBHOOK;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "workspace" / "webhooks" / WebhookId)
        .and(warp::delete())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&DELETE_WEBHOOK, delete(id, head, api)))
        .boxed()
}

async fn delete(id: WebhookId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &DELETE_WEBHOOK).await?;
    api.scheduler.remove_webhook(&caller, id).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
