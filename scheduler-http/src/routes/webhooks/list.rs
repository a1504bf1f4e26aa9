//! `GET /workspace/webhooks`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::Caller;
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::examples::webhook;
use crate::openapi::schema::named;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_webhooks",
    method: Method::GET,
    pattern: "/v1/workspace/webhooks",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::WebhooksRead), |call, caller| {
        Box::pin(list(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("List webhooks", "Without their secrets, oldest first.").answers(
        200,
        "The webhooks.",
        named("WebhookList"),
        json!({"data": [webhook()]}),
    )
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let webhooks = call.api.scheduler.webhooks(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": webhooks })))
}
