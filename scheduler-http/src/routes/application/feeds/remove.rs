//! `DELETE /app/v1/feeds/{id}`

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "remove_feed",
    method: Method::DELETE,
    pattern: "/app/v1/feeds/{id}",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(remove(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Remove a feed", "Posts that were made of it stay.")
        .answers_nothing(204, "Done.")
        .refuses(&[Code::NotFound])
}

async fn remove(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    call.api.scheduler.remove_feed(member.workspace.id, call.path("id")?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
