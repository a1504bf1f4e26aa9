//! `GET /app/v1/queue`

use scheduler_core::app::QueueSlot;

use super::super::examples::slots;
use crate::openapi::examples::ACCOUNT;
use crate::openapi::schema::uuid;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_queue",
    method: Method::GET,
    pattern: "/app/v1/queue",
    query: &[Parameter::optional("accountId", "Only the slots of this account.", uuid)
        .for_example(ACCOUNT)],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See the queue",
        "The next 100 slots of an account, or of all together, soonest first, taken or free.",
    )
    .answers(200, "The slots.", list_of::<QueueSlot>("QueueSlotList"), json!({"data": slots()}))
    .refuses(&[Code::NotFound])
}

async fn list(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let account = call.query.parsed("accountId", "the id of an account")?;
    let slots = call.api.scheduler.queue(&member.workspace, account).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": slots })))
}
