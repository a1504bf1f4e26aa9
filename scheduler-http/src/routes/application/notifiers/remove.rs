//! `DELETE /app/v1/notifiers/{id}`

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "remove_notifier",
    method: Method::DELETE,
    pattern: "/app/v1/notifiers/{id}",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(remove(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Tell people nothing any more",
        "What they were not told yet they are not told.",
    )
    .answers_nothing(204, "Done.")
    .refuses(&[Code::NotFound])
}

async fn remove(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    call.api.scheduler.remove_notifier(member.workspace.id, call.path("id")?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
