//! `PUT /app/v1/schedules`

use scheduler_core::app::{AccountDetail, SchedulesInput};

use super::super::examples::{account, schedule};
use crate::openapi::examples::ACCOUNT;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "set_schedules",
    method: Method::PUT,
    pattern: "/app/v1/schedules",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(set(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Set when several accounts post what is queued",
        "What already holds a slot keeps it. Nothing is set when one of the accounts is not connected.",
    )
    .reads(read::<SchedulesInput>, with(schedule(), json!({"accountIds": [ACCOUNT]})))
    .answers(
        200,
        "The accounts as they are now.",
        list_of::<AccountDetail>("AccountDetailList"),
        json!({"data": [account()]}),
    )
    .refuses(&[Code::NotFound])
}

async fn set(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: SchedulesInput = call.json_of(&member).await?;
    let details = call.api.scheduler.set_schedules(&member.workspace, &input).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": details })))
}
