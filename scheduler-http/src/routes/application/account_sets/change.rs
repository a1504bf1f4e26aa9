//! `PATCH /app/v1/account-sets/{id}`

use scheduler_core::account::{AccountSetChange, AccountSetView};

use super::super::examples::account_set;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "change_account_set",
    method: Method::PATCH,
    pattern: "/app/v1/account-sets/{id}",
    query: &[],
    handler: Handler::Member(Role::Drafter, |call, member| Box::pin(change(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Rename a set of accounts, or change its accounts",
        "What is left out stays. Accounts that the set has already may be disconnected.",
    )
    .reads(read::<AccountSetChange>, json!({"name": "Clients\u{2019} Instagram"}))
    .answers(200, "The set as it is now.", written::<AccountSetView>, account_set())
    .refuses(&[Code::NotFound])
}

async fn change(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let input: AccountSetChange = call.json_of(&member).await?;
    let view = call.api.scheduler.change_account_set(&member.caller(), id, input).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
