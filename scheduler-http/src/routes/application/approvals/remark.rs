//! `POST /app/v1/approvals/{id}/remarks`

use scheduler_core::app::{ApprovalView, RemarkInput};

use super::super::examples::approval;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "remark_on_approval",
    method: Method::POST,
    pattern: "/app/v1/approvals/{id}/remarks",
    query: &[],
    handler: Handler::Member(Role::Drafter, |call, member| Box::pin(remark(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Write to a client about a post",
        "Under the id of the post. The client reads it on the page of their link; nothing of the post changes.",
    )
    .reads(read::<RemarkInput>, json!({"text": "The picture is a new one now."}))
    .answers(200, "The approval as it is now.", written::<ApprovalView>, approval())
    .refuses(&[Code::NotFound, Code::MediaUnusable])
}

async fn remark(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let input: RemarkInput = call.json_of(&member).await?;
    let view = call.api.scheduler.remark_on_approval(member.workspace.id, id, &input).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
