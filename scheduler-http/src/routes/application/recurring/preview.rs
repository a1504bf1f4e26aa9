//! `POST /app/v1/recurring/preview`

use scheduler_core::recurrence::{RecurrenceInput, RecurrencePreview};

use super::super::examples::{occurrence, recurrence_input};
use super::REFUSES;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "preview_recurrence",
    method: Method::POST,
    pattern: "/app/v1/recurring/preview",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(preview(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See when posts would come again",
        "What creating it would answer, with up to 50 occurrences and the warnings of the rules; nothing is stored.",
    )
    .reads(read::<RecurrenceInput>, recurrence_input())
    .answers(
        200,
        "What would come of it.",
        written::<RecurrencePreview>,
        json!({"upcoming": [occurrence()], "issues": [], "warnings": []}),
    )
    .refuses(REFUSES)
}

async fn preview(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: RecurrenceInput = call.json_of(&member).await?;
    let preview = call.api.scheduler.preview_recurrence(&member.caller(), input).await?;
    Ok(answer::json(StatusCode::OK, &preview))
}
