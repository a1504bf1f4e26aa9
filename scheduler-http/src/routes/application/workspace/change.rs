//! `PATCH /app/v1/workspace`

use scheduler_core::app::WorkspaceChange;
use scheduler_core::workspace::WorkspaceView;

use super::super::examples::workspace;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "change_workspace",
    method: Method::PATCH,
    pattern: "/app/v1/workspace",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(change(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Change the workspace",
        "What is not sent stays as it is. What is already scheduled does not move when the zone changes.",
    )
    .reads(read::<WorkspaceChange>, json!({"name": "The bakery", "timezone": "Europe/Berlin"}))
    .answers(200, "The workspace as it is now.", written::<WorkspaceView>, workspace())
    .refuses(&[Code::NotFound])
}

async fn change(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let change: WorkspaceChange = call.json_of(&member).await?;
    let changed = call.api.scheduler.change_workspace(&member.workspace, change).await?;
    Ok(answer::json(StatusCode::OK, &WorkspaceView::from(&changed)))
}
