//! `PUT /app/v1/accounts/{id}/zone`

use scheduler_core::app::{AccountDetail, ZoneInput};
use scheduler_core::ids::AccountId;

use super::super::examples::account;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "set_account_zone",
    method: Method::PUT,
    pattern: "/app/v1/accounts/{id}/zone",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(set(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Set the zone of an account", "What is already scheduled does not move.")
        .reads(read::<ZoneInput>, json!({"zone": "Europe/Berlin"}))
        .answers(200, "The account as it is now.", written::<AccountDetail>, account())
        .refuses(&[Code::NotFound])
}

async fn set(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let ZoneInput { zone } = call.json_of(&member).await?;
    let id: AccountId = call.path("id")?;
    let scheduler = &call.api.scheduler;
    let account = scheduler.connected_account(member.workspace.id, id).await?;
    scheduler.set_account_timezone(&account, zone).await?;
    let detail = scheduler.account_detail(&member.workspace, id).await?;
    Ok(answer::json(StatusCode::OK, &detail))
}
