//! `GET /oauth/accounts/{id}/tiktok/creator`

use scheduler_core::ports::Creator;

use super::network;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_creator",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/tiktok/creator",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(show_creator(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let creator = json!({
        "privacyLevels": ["PUBLIC_TO_EVERYONE", "SELF_ONLY"],
        "commentDisabled": false,
        "duetDisabled": true,
        "stitchDisabled": true,
        "maxVideoDurationSeconds": 600,
        "nickname": "Kiln & Field",
        "username": "kilnandfield",
    });
    Description::new(
        "Show what TikTok allows an account",
        "`privacyLevels` are the values that the option `privacy` may have for this account at present.",
    )
    .answers(200, "What is allowed.", written::<Creator>, creator)
    .refuses(network::REFUSES)
}

async fn show_creator(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let account = call.path("id")?;
    let ask = async move |scheduler: Scheduler| scheduler.creator(&caller, account).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(ask).await?))
}
