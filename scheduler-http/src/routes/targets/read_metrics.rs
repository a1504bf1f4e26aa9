//! `POST /posts/{id}/targets/{targetId}/metrics`

use scheduler_core::reading::Reading;

use super::network;
use crate::openapi::examples::figures;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "read_metrics",
    method: Method::POST,
    pattern: "/v1/posts/{id}/targets/{targetId}/metrics",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(read_metrics(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let offered = network::whose(|sheet| !sheet.metric_fields.is_empty());
    Description::new(
        "Read the figures of a target now",
        format!("Asks the network, keeps the reading and answers it. Offered by {offered}."),
    )
    .answers(200, "The latest figures.", written::<Reading>, figures())
    .refuses(network::REFUSES)
}

async fn read_metrics(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let read =
        async move |scheduler: Scheduler| scheduler.read_metrics(&caller, post, target).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(read).await?))
}
