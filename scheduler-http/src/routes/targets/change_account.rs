//! `PATCH /posts/{id}/targets/{targetId}/account`

use scheduler_core::error::Refusal;
use scheduler_core::ids::AccountId;
use serde::Deserialize;

use crate::openapi::examples::{ACCOUNT, pending_target};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "move_target",
    method: Method::PATCH,
    pattern: "/v1/posts/{id}/targets/{targetId}/account",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsWrite), |call, caller| {
        Box::pin(change_account(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Point a target at another account",
        "Another account of the same network, while the target is pending or has failed. Needs posts:publish as well while the post is scheduled.",
    )
    .schema("AccountChoice", object([("accountId", said(uuid(), "An account of the same network."))]))
    .reads(named("AccountChoice"), json!({"accountId": ACCOUNT}))
    .answers(200, "The target.", named("Target"), pending_target())
    .refuses(&[
        Code::NotFound,
        Code::ChannelLimit,
        Code::AccountNotConnected,
        Code::AlreadyStarted,
        Code::InFlight,
        Code::VideoOnYoutube,
    ])
}

/// Source: interface description, PATCH /posts/{id}/targets/{targetId}/account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ChangeAccount {
    account_id: Option<AccountId>,
}

async fn change_account(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let Json(input, _charge) = call.json::<ChangeAccount>(&caller).await?;
    let account_id =
        input.account_id.ok_or_else(|| Refusal::invalid("accountId", "accountId is required."))?;
    let scheduler = &call.api.scheduler;
    let post = scheduler.move_target(&caller, post, target, account_id).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.target_view(&post, target).await?))
}
