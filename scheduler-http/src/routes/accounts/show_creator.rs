//! `GET /oauth/accounts/{id}/tiktok/creator`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::{Caller, Scheduler};
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use super::network;
use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::schema::named;

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
    });
    Description::new(
        "Show what TikTok allows an account",
        "`privacyLevels` are the values that the option `privacy` may have for this account at present.",
    )
    .answers(200, "What is allowed.", named("Creator"), creator)
    .refuses(network::REFUSES)
}

async fn show_creator(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let account = call.path("id")?;
    let ask = async move |scheduler: Scheduler| scheduler.creator(&caller, account).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(ask).await?))
}
