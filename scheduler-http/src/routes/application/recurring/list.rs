//! `GET /app/v1/recurring`

use scheduler_core::recurrence::RecurrenceView;

use super::super::examples::recurrence;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_recurrences",
    method: Method::GET,
    pattern: "/app/v1/recurring",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See what comes again",
        "Recurring posts and evergreen pools, oldest first, each with the posts that are made of it.",
    )
    .answers(
        200,
        "The recurrences.",
        list_of::<RecurrenceView>("RecurrenceList"),
        json!({"data": [recurrence()]}),
    )
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let views = call.api.scheduler.recurrences(&member.caller()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
