//! `POST /workspace/webhooks/{id}/test`

use scheduler_core::webhook::WebhookTest;

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "test_webhook",
    method: Method::POST,
    pattern: "/v1/workspace/webhooks/{id}/test",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::WebhooksWrite), |call, caller| {
        Box::pin(test(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Test a webhook",
        "Sends the event `webhook.test` once, signed like every other, and answers with what the receiver made of it. It is not kept and not tried again. A webhook that was disabled, because its receiver has answered 410, is turned on again when it acknowledges the test with a 2xx.",
    )
    .answers(
        200,
        "What the receiver answered; `status` is null when no answer came, and `answer` says why.",
        written::<WebhookTest>,
        json!({"status": 204, "ms": 42, "answer": ""}),
    )
    .refuses(&[Code::NotFound])
}

async fn test(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let test = call.api.scheduler.test_webhook(&caller, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &test))
}
