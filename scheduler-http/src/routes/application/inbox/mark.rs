//! `POST /app/v1/inbox/read`

use scheduler_core::inbox::{MarkInput, MarkedView};

use crate::openapi::examples::POST;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "mark_comments",
    method: Method::POST,
    pattern: "/app/v1/inbox/read",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(mark(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Mark comments as read",
        "Or as unread again, with `unread`; for everybody in the workspace. A reply marks the comment that it answers.",
    )
    .reads(read::<MarkInput>, json!({"ids": [POST]}))
    .answers(
        200,
        "How many were marked, and how many are unread.",
        written::<MarkedView>,
        json!({"changed": 1, "unread": 0}),
    )
}

async fn mark(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: MarkInput = call.json_of(&member).await?;
    let caller = Caller::for_workspace(member.workspace.clone());
    let marked = call.api.scheduler.mark_comments(&caller, input).await?;
    Ok(answer::json(StatusCode::OK, &marked))
}
