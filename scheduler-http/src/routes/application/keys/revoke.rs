//! `DELETE /app/v1/keys/{id}`

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "revoke_key",
    method: Method::DELETE,
    pattern: "/app/v1/keys/{id}",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(revoke(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Revoke an API key", "It opens nothing any more.")
        .answers_nothing(204, "Done.")
        .refuses(&[Code::NotFound])
}

async fn revoke(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    call.api.scheduler.revoke_key_of(member.workspace.id, call.path("id")?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
