//! `POST /app/v1/queue/swap`

use scheduler_core::app::SlotSwap;
use scheduler_core::post::PostView;

use super::REFUSES;
use crate::openapi::examples::{TARGET, scheduled_post};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "swap_queued",
    method: Method::POST,
    pattern: "/app/v1/queue/swap",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(swap(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Swap two targets in the queue",
        "Two targets of one account change their slots.",
    )
    .reads(
        read::<SlotSwap>,
        json!({"targetId": TARGET, "with": "01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8d92"}),
    )
    .answers(
        200,
        "Their posts as they are now, that of `targetId` first.",
        list_of::<PostView>("SwappedPosts"),
        json!({"data": [scheduled_post(), scheduled_post()]}),
    )
    .refuses(REFUSES)
}

async fn swap(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: SlotSwap = call.json_of(&member).await?;
    let swap =
        async move |scheduler: Scheduler| scheduler.swap_slots(&member.workspace, input).await;
    let posts = call.api.to_its_end(swap).await?;
    let views = call.api.scheduler.post_views(posts.into()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
