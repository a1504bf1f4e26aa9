//! `GET /posts/{id}/targets/{targetId}/metrics/history`

use scheduler_core::app::READINGS_MAX;
use scheduler_core::reading::Reading;

use crate::openapi::examples::figures;
use crate::routes::prelude::*;

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
    .answers(
        200,
        "The readings.",
        list_of::<Reading>("FigureHistory"),
        json!({"data": [figures()]}),
    )
    .refuses(&[Code::NotFound])
}

async fn list_readings(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let since = call.query.take("since");
    let readings =
        call.api.scheduler.metrics_history(&caller, post, target, since.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": readings })))
}
