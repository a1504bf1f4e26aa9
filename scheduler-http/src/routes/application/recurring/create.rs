//! `POST /app/v1/recurring`

use scheduler_core::recurrence::{RecurrenceInput, RecurrenceView};

use super::super::examples::{recurrence, recurrence_input};
use super::REFUSES;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_recurrence",
    method: Method::POST,
    pattern: "/app/v1/recurring",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Have posts come again",
        "By a rule of RFC 5545 in the zone of each account, or from an evergreen pool that fills the free slots of posting schedules. The posts are made ahead, 14 days for a rule and 24 hours for slots, as ordinary posts that can be changed and cancelled by themselves. Every text of every entry is checked first.",
    )
    .reads(read::<RecurrenceInput>, recurrence_input())
    .answers(201, "It is stored; its posts are made within seconds.", written::<RecurrenceView>, recurrence())
    .refuses(REFUSES)
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: RecurrenceInput = call.json_of(&member).await?;
    let view = call.api.scheduler.create_recurrence(&member.caller(), input).await?;
    Ok(answer::made(&format!("/app/v1/recurring/{}", view.id), None, &view))
}
