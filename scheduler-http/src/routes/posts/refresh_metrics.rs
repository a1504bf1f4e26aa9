//! `POST /posts/metrics/refresh`

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
use crate::openapi::schema::named;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "refresh_metrics",
    method: Method::POST,
    pattern: "/v1/posts/metrics/refresh",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(refresh_metrics(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Read the figures of recent posts anew",
        "Has the figures of every live target of the last fortnight read in the background. Once in 10 minutes a workspace, unless the operator has set another time.",
    )
    .answers(200, "How many targets will be read.", named("RefreshQueued"), json!({"queued": 12}))
}

async fn refresh_metrics(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let queued = call.api.scheduler.refresh_metrics(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "queued": queued })))
}
