//! `DELETE /app/v1/recurring/{id}`

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "remove_recurrence",
    method: Method::DELETE,
    pattern: "/app/v1/recurring/{id}",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(remove(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "End one that comes again",
        "What waits of it and nobody has changed is taken back; it stays readable as `ended`. One that has ended is removed, and with it what is known of its cool-down; its posts stay.",
    )
    .answers_nothing(204, "Done.")
    .refuses(&[Code::NotFound, Code::InUse])
}

async fn remove(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    call.api.scheduler.remove_recurrence(&member.caller(), call.path("id")?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
