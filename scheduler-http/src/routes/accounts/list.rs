//! `GET /oauth/accounts`

use scheduler_core::app::AccountPage;

use crate::openapi::examples::connected_account;
use crate::routes::posts::page;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_accounts",
    method: Method::GET,
    pattern: "/v1/oauth/accounts",
    query: &[page::LIMIT_OF_WHOLE, page::BEFORE],
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
    .answers(200, "The accounts.", written::<AccountPage>, json!({"data": [connected_account()]}))
}

async fn list(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let page = page::of(&mut call);
    let accounts = call.api.scheduler.accounts_page(&caller, &page).await?;
    Ok(answer::json(StatusCode::OK, &accounts))
}
