//! `POST /posts/batch`

use scheduler_core::app::{BatchInput, BatchReport};

use super::create::require_targets;
use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

/// Bytes that the body holds at most.
///
/// Source: our decision.
const BODY_MAX_BYTES: usize = 8 << 20;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_posts",
    method: Method::POST,
    pattern: "/v1/posts/batch",
    query: &[],
    handler: Handler::Keyed(
        Access::AnyOf(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(create(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Create many posts",
        "Creates up to 500 posts, one after the other and each as if it was sent alone with its `key` as the `Idempotency-Key`; one that is refused is no hindrance to the others, and a repeat of the whole makes nothing twice. `results` has one entry for each post, in order: its `status` is that of the answer it would have had alone.\n\n- With `checkOnly` nothing is stored: 200 with the warnings for a post that would be created.\n- The body holds at most 8 MiB.\n- A key without the scope that one of the posts needs is refused whole.\n- Counts as one request; beyond 10 a minute, in bursts of up to 20, the answer is 429, unless the operator has set another limit. Those with `checkOnly` have the same limit for themselves.",
    )
    .reads(
        input,
        json!({"posts": [
            {"key": "campaign-7-1", "post": {
                "content": "We have opened.",
                "scheduledAt": "2026-12-24T17:00:00Z",
                "targets": [{"platform": "mastodon"}],
            }},
            {"key": "campaign-7-2", "post": {
                "content": "Our first cake.",
                "queue": true,
                "targets": [{"platform": "bluesky"}],
            }},
        ]}),
    )
    .answers(
        200,
        "What came of each post.",
        written::<BatchReport>,
        json!({"results": [
            {"key": "campaign-7-1", "status": 201, "post": with(scheduled_post(), json!({"issues": []}))},
            {"key": "campaign-7-2", "status": 409, "error": {
                "code": "account_not_connected",
                "message": "No bluesky account is connected.",
            }},
        ]}),
    )
}

fn input(components: &mut Components) -> Value {
    let schema = read::<BatchInput>(components);
    require_targets(components);
    schema
}

async fn create(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json_up_to::<BatchInput>(&caller, BODY_MAX_BYTES).await?;
    if caller.by != Credential::Program {
        call.api.batches.count((caller.by, input.checks_only()))?;
    }
    let create = async move |scheduler: Scheduler| scheduler.create_posts(&caller, input).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(create).await?))
}
