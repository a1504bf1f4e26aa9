//! `DELETE /workspace/webhooks/{id}`

use crate::routes::prelude::*;

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
