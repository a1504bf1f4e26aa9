//! `POST /app/v1/queue/move`

use scheduler_core::app::SlotMove;
use scheduler_core::post::PostView;

use super::REFUSES;
use crate::openapi::examples::{TARGET, scheduled_post};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "move_queued",
    method: Method::POST,
    pattern: "/app/v1/queue/move",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(move_slot(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Move a target in the queue",
        "Gives a target that waits for a slot a free one of its account.",
    )
    .reads(read::<SlotMove>, json!({"targetId": TARGET, "instant": "2026-12-05T10:00:00Z"}))
    .answers(200, "Its post as it is now.", written::<PostView>, scheduled_post())
    .refuses(REFUSES)
}

async fn move_slot(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: SlotMove = call.json_of(&member).await?;
    let scheduler = &call.api.scheduler;
    let post = scheduler.move_slot(&member.workspace, input).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.post_view(&post).await?))
}
