//! `DELETE /posts/{id}`

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
    name: "delete_post",
    method: Method::DELETE,
    pattern: "/v1/posts/{id}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsWrite), |call, caller| {
        Box::pin(delete(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Delete or cancel a post",
        "- A draft: its record is removed.\n- A scheduled post: it becomes `canceled` and stays readable; its slots are free again.\n- A post that is partly out: the rest is skipped, and it becomes `canceled`.\n- A post that is done or canceled: its record is removed.\n\nNothing is taken down from a network; that is `DELETE /posts/{id}/targets/{targetId}/remote`, target by target, before.",
    )
    .answers_nothing(204, "Done.")
    .refuses(&[Code::NotFound, Code::InFlight, Code::AlreadyStarted])
}

async fn delete(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    call.api.scheduler.delete_post(&caller, call.path("id")?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
