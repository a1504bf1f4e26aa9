//! `GET /oauth/accounts`

use scheduler_core::account::AccountView;

use crate::openapi::examples::ACCOUNT;
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
    let account = json!({
        "id": ACCOUNT,
        "platform": "mastodon",
        "username": "bakery@mastodon.example",
        "displayName": "The bakery",
        "avatarUrl": "https://mastodon.example/avatars/bakery.png",
        "connection": null,
        "canDeleteRemote": true,
        "needsReconnect": false,
        "paused": false,
        "timezone": "Europe/Berlin",
    });
    Description::new(
        "List the connected accounts",
        "In the order in which they were connected. Accounts are connected and disconnected with the `scheduler` command, not over the API.",
    )
    .answers(200, "The accounts.", list_of::<AccountView>("AccountList"), json!({"data": [account]}))
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let accounts = call.api.scheduler.account_views(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": accounts })))
}
