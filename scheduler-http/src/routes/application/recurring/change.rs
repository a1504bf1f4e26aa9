//! `PATCH /app/v1/recurring/{id}`

use scheduler_core::recurrence::{RecurrenceChange, RecurrenceView};

use super::super::examples::recurrence;
use super::REFUSES;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "change_recurrence",
    method: Method::PATCH,
    pattern: "/app/v1/recurring/{id}",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(change(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Change, pause or resume one that comes again",
        "What waits of it and nobody has changed is changed alike within seconds, or taken back where it is not wanted any more. Posts that somebody has changed stay as they are.",
    )
    .reads(read::<RecurrenceChange>, json!({"state": "paused"}))
    .answers(200, "The recurrence as it is now.", written::<RecurrenceView>, recurrence())
    .refuses(REFUSES)
}

async fn change(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let input: RecurrenceChange = call.json_of(&member).await?;
    let view = call.api.scheduler.change_recurrence(&member.caller(), id, input).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
