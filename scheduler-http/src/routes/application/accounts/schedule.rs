//! `PUT /app/v1/accounts/{id}/schedule`

use scheduler_core::app::{AccountDetail, ScheduleInput, SchedulesInput};

use super::super::examples::{account, schedule};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "set_account_schedule",
    method: Method::PUT,
    pattern: "/app/v1/accounts/{id}/schedule",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(set(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Set when an account posts what is queued",
        "What already holds a slot keeps it.",
    )
    .reads(read::<ScheduleInput>, schedule())
    .answers(200, "The account as it is now.", written::<AccountDetail>, account())
    .refuses(&[Code::NotFound])
}

async fn set(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let ScheduleInput { zone, slots } = call.json_of(&member).await?;
    let id = call.path("id")?;
    let input = SchedulesInput { account_ids: vec![id], zone, slots };
    let mut details = call.api.scheduler.set_schedules(&member.workspace, &input).await?;
    Ok(answer::json(StatusCode::OK, &details.pop()))
}
