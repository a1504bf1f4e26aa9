//! `GET /posts/{id}/targets/{targetId}/insights`

use scheduler_core::app::InsightsView;

use super::network;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_insights",
    method: Method::GET,
    pattern: "/v1/posts/{id}/targets/{targetId}/insights",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(show_insights(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let told = json!({
        "supported": true,
        "retention": [
            {"elapsedRatio": 0.01, "watchRatio": 1.0, "relativePerformance": 0.5},
            {"elapsedRatio": 1.0, "watchRatio": 0.31, "relativePerformance": 0.6},
        ],
        "trafficSources": [{"source": "YT_SEARCH", "views": 120, "watchTimeMinutes": 95.5}],
        "days": ["2026-12-24", "2026-12-31"],
    });
    Description::new(
        "Show how a video is watched",
        "The retention curve and the sources of traffic that YouTube reports. For other networks `supported` is false.",
    )
    .answers_any(
        200,
        "What the network tells.",
        insights,
        vec![
            example("told", "A video of YouTube", told),
            example("unsupported", "Another network", json!({"supported": false})),
        ],
    )
    .refuses(network::REFUSES)
}

fn insights(components: &mut Components) -> Value {
    let schema = written::<InsightsView>(components);
    // Where the others are told, it may be null.
    components.change("Insights", "/properties/days", json!({"type": ["array", "null"]}));
    schema
}

async fn show_insights(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let ask = async move |scheduler: Scheduler| scheduler.insights(&caller, post, target).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(ask).await?))
}
