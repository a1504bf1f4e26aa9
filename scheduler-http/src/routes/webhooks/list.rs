//! `GET /workspace/webhooks`

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::LIST_WEBHOOKS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "workspace" / "webhooks")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&LIST_WEBHOOKS, list(head, api)))
        .boxed()
}

async fn list(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_WEBHOOKS).await?;
    let webhooks = api.scheduler.webhooks(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": webhooks })))
}
