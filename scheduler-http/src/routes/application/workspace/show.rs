//! `GET /app/v1/workspace`

use scheduler_core::workspace::WorkspaceView;

use super::super::examples::workspace;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_workspace",
    method: Method::GET,
    pattern: "/app/v1/workspace",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("See the workspace", "Its name, plan and zone.").answers(
        200,
        "The workspace.",
        written::<WorkspaceView>,
        workspace(),
    )
}

async fn show(_call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    Ok(answer::json(StatusCode::OK, &WorkspaceView::from(&member.workspace)))
}
