//! `GET /app/v1/undo`

use scheduler_core::app::ChangeView;

use crate::openapi::examples::POST;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_changes",
    method: Method::GET,
    pattern: "/app/v1/undo",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    let change = json!({
        "postId": POST,
        "change": "canceled",
        "at": "2026-11-28T09:00:00Z",
        "until": "2026-11-28T09:10:00Z",
    });
    Description::new(
        "List what can be undone",
        "The last change of each post that was edited or cancelled within ten minutes, newest first, up to 50.",
    )
    .answers(200, "The changes.", list_of::<ChangeView>("ChangeList"), json!({"data": [change]}))
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let caller = Caller::for_workspace(member.workspace.clone());
    let changes = call.api.scheduler.changes_to_undo(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": changes })))
}
