//! `GET /app/v1/account-sets`

use scheduler_core::account::AccountSetView;

use super::super::examples::account_set;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_account_sets",
    method: Method::GET,
    pattern: "/app/v1/account-sets",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List sets of accounts",
        "Accounts that the workspace picks together, oldest first. `leftOut` names those of a set that cannot be posted to as things are; the others are picked without them.",
    )
    .answers(
        200,
        "The sets.",
        list_of::<AccountSetView>("AccountSetList"),
        json!({"data": [account_set()]}),
    )
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let views = call.api.scheduler.account_sets(&member.caller()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
