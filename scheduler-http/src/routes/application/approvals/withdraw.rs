//! `DELETE /app/v1/approvals/{id}`

use scheduler_core::post::PostView;

use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "withdraw_approval",
    method: Method::DELETE,
    pattern: "/app/v1/approvals/{id}",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(withdraw(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Ask a client no more",
        "Under the id of the post, which then goes out without an approval: at its time, or at once where it has waited for the client. The link shows its other posts, if it has any.",
    )
    .answers(200, "The post as it is now.", written::<PostView>, scheduled_post())
    .refuses(&[Code::NotFound, Code::AlreadyStarted, Code::MediaUnusable])
}

async fn withdraw(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let scheduler = &call.api.scheduler;
    let post = scheduler.withdraw_approval(member.workspace.id, id).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.post_view(&post).await?))
}
