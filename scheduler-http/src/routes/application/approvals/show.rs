//! `GET /app/v1/approvals/{id}`

use scheduler_core::app::ApprovalView;

use super::super::examples::approval;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_approval_of_post",
    method: Method::GET,
    pattern: "/app/v1/approvals/{id}",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See what a client has said of a post",
        "Under the id of the post: its approval, and everything that was written about it.",
    )
    .answers(200, "The approval.", written::<ApprovalView>, approval())
    .refuses(&[Code::NotFound])
}

async fn show(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let view = call.api.scheduler.approval(member.workspace.id, id).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
