//! `GET /workspace/webhooks`

use crate::openapi::examples::webhook;
use crate::routes::prelude::*;

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
    Description::new("List webhooks", "Without their secrets, oldest first.")
        .schema("WebhookList", data_of(named("Webhook")))
        .answers(200, "The webhooks.", named("WebhookList"), json!({"data": [webhook()]}))
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let webhooks = call.api.scheduler.webhooks(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": webhooks })))
}
