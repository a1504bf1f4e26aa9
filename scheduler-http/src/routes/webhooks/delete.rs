//! `DELETE /workspace/webhooks/{id}`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::Caller;
use scheduler_core::error::ErrorCode as Code;
use scheduler_core::key::Scope;
use warp::reply::Response;

use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "delete_webhook",
    method: Method::DELETE,
    pattern: "/v1/workspace/webhooks/{id}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::WebhooksWrite), |call, caller| {
        Box::pin(delete(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Delete a webhook", "What was not delivered to it yet is given up.")
        .answers_nothing(204, "Done.")
        .refuses(&[Code::NotFound])
}

async fn delete(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    call.api.scheduler.remove_webhook(&caller, call.path("id")?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
