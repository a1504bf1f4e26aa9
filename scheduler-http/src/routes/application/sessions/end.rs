//! `DELETE /app/v1/sessions/{id}`

use scheduler_core::ids::SessionId;

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "end_session",
    method: Method::DELETE,
    pattern: "/app/v1/sessions/{id}",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(end(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("End a session", "Everybody ends their own; those of others an owner ends.")
        .answers_nothing(204, "It opens nothing any more.")
        .refuses(&[Code::Forbidden, Code::NotFound])
}

async fn end(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id: SessionId = call.path("id")?;
    if member.session.as_ref().is_none_or(|own| own.id != id) {
        member.require(Role::Owner)?;
    }
    call.api.scheduler.end_session(member.workspace.id, id).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
