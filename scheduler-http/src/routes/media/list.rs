//! `GET /media`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::{Caller, MEDIA_LIMIT_DEFAULT, MEDIA_LIMIT_MAX};
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::examples::ready_media;
use crate::openapi::schema::{named, up_to, with};
use crate::parameter::Parameter;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_media",
    method: Method::GET,
    pattern: "/v1/media",
    query: &[Parameter::optional("limit", "Files in the answer.", || {
        up_to(MEDIA_LIMIT_MAX, MEDIA_LIMIT_DEFAULT)
    })],
    handler: Handler::Keyed(Access::Scope(Scope::MediaRead), |call, caller| {
        Box::pin(list(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let listed = with(ready_media(), json!({"postCount": 1}));
    Description::new("List files", "Newest first, each with the number of posts that use it.")
        .answers(200, "The files.", named("MediaList"), json!({"data": [listed]}))
}

async fn list(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let limit = call.query.take("limit");
    let media = call.api.scheduler.list_media(&caller, limit.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": media })))
}
