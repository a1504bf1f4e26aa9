//! `PATCH /posts/{id}/targets/{targetId}/account`

use scheduler_core::app::AccountChoice;
use scheduler_core::error::Refusal;
use scheduler_core::post::TargetView;

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
    .reads(read::<AccountChoice>, json!({"accountId": ACCOUNT}))
    .answers(200, "The target.", written::<TargetView>, pending_target())
    .refuses(&[
        Code::NotFound,
        Code::ChannelLimit,
        Code::AccountNotConnected,
        Code::AlreadyStarted,
        Code::InFlight,
        Code::VideoOnYoutube,
    ])
}

async fn change_account(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let Json(input, _charge) = call.json::<AccountChoice>(&caller).await?;
    let account_id =
        input.account_id.ok_or_else(|| Refusal::invalid("accountId", "accountId is required."))?;
    let scheduler = &call.api.scheduler;
    let post = scheduler.move_target(&caller, post, target, account_id).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.target_view(&post, target).await?))
}
