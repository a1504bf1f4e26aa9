//! `GET /app/v1/recurring/{id}`

use scheduler_core::recurrence::RecurrenceView;

use super::super::examples::recurrence;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_recurrence",
    method: Method::GET,
    pattern: "/app/v1/recurring/{id}",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See one that comes again",
        "With its next occurrences: those whose post is made, and those that follow.",
    )
    .answers(200, "The recurrence.", written::<RecurrenceView>, recurrence())
    .refuses(&[Code::NotFound])
}

async fn show(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let view = call.api.scheduler.recurrence(&member.caller(), call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
