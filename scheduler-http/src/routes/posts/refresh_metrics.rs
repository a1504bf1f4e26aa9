//! `POST /posts/metrics/refresh`

use crate::routes::prelude::*;

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
    .answers(200, "How many targets will be read.", queued, json!({"queued": 12}))
}

fn queued(components: &mut Components) -> Value {
    let queued = said(count(), "Targets whose figures will be read.");
    components.add("RefreshQueued", object([("queued", queued)]))
}

async fn refresh_metrics(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let queued = call.api.scheduler.refresh_metrics(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "queued": queued })))
}
