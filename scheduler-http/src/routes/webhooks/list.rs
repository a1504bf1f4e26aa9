//! `GET /workspace/webhooks`

use super::schemas::shown_webhook;
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
    Description::new("List webhooks", "Without their secrets, oldest first.").answers(
        200,
        "The webhooks.",
        listed,
        json!({"data": [webhook()]}),
    )
}

fn listed(components: &mut Components) -> Value {
    let webhooks = data_of(shown_webhook(components));
    components.add("WebhookList", webhooks)
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let webhooks = call.api.scheduler.webhooks(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": webhooks })))
}
