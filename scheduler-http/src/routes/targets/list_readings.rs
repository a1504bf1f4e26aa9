//! `GET /posts/{id}/targets/{targetId}/metrics/history`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::{Caller, READINGS_MAX};
use scheduler_core::error::ErrorCode as Code;
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::examples::figures;
use crate::openapi::schema::{instant, named};
use crate::parameter::Parameter;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_readings",
    method: Method::GET,
    pattern: "/v1/posts/{id}/targets/{targetId}/metrics/history",
    query: &[Parameter::optional("since", "Only readings from here on.", instant)
        .for_example("2026-12-24T00:00:00Z")],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(list_readings(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List the readings of a target",
        format!("Oldest first, at most the latest {READINGS_MAX}."),
    )
    .answers(200, "The readings.", named("FigureHistory"), json!({"data": [figures()]}))
    .refuses(&[Code::NotFound])
}

async fn list_readings(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let since = call.query.take("since");
    let readings =
        call.api.scheduler.metrics_history(&caller, post, target, since.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": readings })))
}
