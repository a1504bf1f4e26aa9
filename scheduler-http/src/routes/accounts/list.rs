//! `GET /oauth/accounts`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::Caller;
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::examples::ACCOUNT;
use crate::openapi::schema::named;

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
    .answers(200, "The accounts.", named("AccountList"), json!({"data": [account]}))
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let accounts = call.api.scheduler.account_views(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": accounts })))
}
