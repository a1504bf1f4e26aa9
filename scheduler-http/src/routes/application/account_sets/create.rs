//! `POST /app/v1/account-sets`

use scheduler_core::account::{ACCOUNT_SETS_MAX, AccountSetInput, AccountSetView};

use super::super::examples::account_set;
use crate::openapi::examples::ACCOUNT;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_account_set",
    method: Method::POST,
    pattern: "/app/v1/account-sets",
    query: &[],
    handler: Handler::Member(Role::Drafter, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Name a set of accounts",
        format!(
            "Accounts to pick together. A workspace keeps up to {ACCOUNT_SETS_MAX} sets, each under a name of its own."
        ),
    )
    .reads(
        read::<AccountSetInput>,
        json!({"name": "Clients\u{2019} Instagram", "accountIds": [ACCOUNT]}),
    )
    .answers(201, "It is stored.", written::<AccountSetView>, account_set())
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: AccountSetInput = call.json_of(&member).await?;
    let view = call.api.scheduler.create_account_set(&member.caller(), input).await?;
    Ok(answer::made(&format!("/app/v1/account-sets/{}", view.id), None, &view))
}
