//! `GET /app/v1/approvals`

use scheduler_core::app::ApprovalView;
use scheduler_core::post::{LIMIT_DEFAULT, LIMIT_MAX};

use super::super::examples::approval;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_approvals",
    method: Method::GET,
    pattern: "/app/v1/approvals",
    query: &[Parameter::optional("limit", "At most so many.", || up_to(LIMIT_MAX, LIMIT_DEFAULT))],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See what clients were asked",
        "The approvals of posts, the latest first. A link for several posts has one for each.",
    )
    .answers(
        200,
        "The approvals.",
        list_of::<ApprovalView>("ApprovalList"),
        json!({"data": [approval()]}),
    )
}

async fn list(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let limit =
        call.query.parsed("limit", "a number")?.unwrap_or(LIMIT_DEFAULT).clamp(1, LIMIT_MAX);
    let views = call.api.scheduler.approvals(member.workspace.id, limit).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
