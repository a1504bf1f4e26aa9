//! `POST /app/v1/queue/reorder`

use scheduler_core::app::SlotOrder;
use scheduler_core::post::PostView;

use super::REFUSES;
use crate::openapi::examples::{TARGET, scheduled_post};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "reorder_queued",
    method: Method::POST,
    pattern: "/app/v1/queue/reorder",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(order(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Reorder targets in the queue",
        "Targets of one account go out in the order in which they are named: they share the slots that they hold among them.",
    )
    .reads(
        read::<SlotOrder>,
        json!({"targetIds": [TARGET, "01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8d92"]}),
    )
    .answers(
        200,
        "Their posts as they are now, in that order.",
        list_of::<PostView>("ReorderedPosts"),
        json!({"data": [scheduled_post(), scheduled_post()]}),
    )
    .refuses(REFUSES)
}

async fn order(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: SlotOrder = call.json_of(&member).await?;
    let order =
        async move |scheduler: Scheduler| scheduler.order_slots(&member.workspace, &input).await;
    let posts = call.api.to_its_end(order).await?;
    let views = call.api.scheduler.post_views(posts).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
