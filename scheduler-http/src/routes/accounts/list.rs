//! `GET /oauth/accounts`

use scheduler_core::account::Connection;

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
    .schema("AccountList", data_of(named("Account")))
    .schema("Account", account_schema())
    .answers(200, "The accounts.", named("AccountList"), json!({"data": [account]}))
}

fn account_schema() -> Value {
    let connection = one_of_all(&[Connection::Direct, Connection::ViaPage]);
    object([
        ("id", uuid()),
        ("platform", named("Platform")),
        ("username", or_null(text())),
        ("displayName", or_null(text())),
        ("avatarUrl", or_null(text())),
        ("connection", said(or_null(connection), "For Instagram: how it is connected.")),
        ("canDeleteRemote", said(flag(), "Whether its live posts can be taken down.")),
        ("needsReconnect", said(flag(), "True when the network has refused its token for good.")),
        ("paused", said(flag(), "True when it is beyond the channels that the plan covers.")),
        (
            "timezone",
            said(
                or_null(text()),
                "The IANA zone in which its times are read; null for that of the workspace, else UTC.",
            ),
        ),
    ])
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let accounts = call.api.scheduler.account_views(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": accounts })))
}
