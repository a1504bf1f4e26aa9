//! `GET /oauth/accounts`

use scheduler_core::account::AccountView;

use crate::openapi::examples::connected_account;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_accounts",
    method: Method::GET,
    pattern: "/v1/oauth/accounts",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(list(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List the connected accounts",
        "In the order in which they were connected. Accounts are connected and disconnected with the `scheduler` command or over the API of the application, not over this one.",
    )
    .answers(200, "The accounts.", list_of::<AccountView>("AccountList"), json!({"data": [connected_account()]}))
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let accounts = call.api.scheduler.account_views(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": accounts })))
}
