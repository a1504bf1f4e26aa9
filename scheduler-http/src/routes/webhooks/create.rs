//! `POST /workspace/webhooks`

use scheduler_core::app::WebhookInput;

use super::schemas::{new_webhook, shown_webhook};
use crate::openapi::examples::webhook;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_webhook",
    method: Method::POST,
    pattern: "/v1/workspace/webhooks",
    query: &[],
    handler: Handler::Repeatable(Access::Scope(Scope::WebhooksWrite), |call, caller| {
        Box::pin(create(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let created =
        with(webhook(), json!({"secret": "whsec_example0example0example0example0example0exam"}));
    Description::new(
        "Create a webhook",
        "The answer holds the secret that signs every delivery; it is shown this once, not to a repeat under the same `Idempotency-Key` either: delete a webhook whose secret was lost, and create another under another key. The address must be https and public, and is looked at again at every delivery.",
    )
    .reads_any(
        read::<WebhookInput>,
        vec![
            example("both", "Both events", json!({"url": "https://bakery.example/hooks/scheduler"})),
            example(
                "failures",
                "Only failures",
                json!({"url": "https://bakery.example/hooks/failures", "events": ["post.failed"]}),
            ),
        ],
    )
    .answers(201, "The webhook, with its secret.", new_webhook, created)
    .answers(
        200,
        "The webhook that was created before with this `Idempotency-Key`, without its secret.",
        shown_webhook,
        webhook(),
    )
    .refuses(&[Code::ApiNotOnPlan])
}

async fn create(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let sent = call.repeatable::<WebhookInput>(&caller).await?;
    let (scheduler, key) = (&call.api.scheduler, sent.key.as_ref());
    let created = match sent.input {
        Ok(input) => scheduler.create_webhook(&caller, input, key).await?,
        Err(error) => scheduler.earlier_webhook(&caller, key).await?.ok_or(error)?,
    };
    let location = format!("/v1/workspace/webhooks/{}", created.value.id);
    Ok(answer::made(&location, created.replay, &created.value))
}
