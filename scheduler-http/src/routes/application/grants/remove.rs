//! `DELETE /app/v1/grants/{id}`

use scheduler_core::ids::GrantId;

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "remove_grant",
    method: Method::DELETE,
    pattern: "/app/v1/grants/{id}",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(remove(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Remove a connected program",
        "Its tokens open nothing from then on. Everybody removes their own; those of others an owner removes.",
    )
    .answers_nothing(204, "It opens nothing any more.")
    .refuses(&[Code::NotFound])
}

async fn remove(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id: GrantId = call.path("id")?;
    call.api.scheduler.remove_grant(&member, id).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
