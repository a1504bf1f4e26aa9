//! `GET /posts/{id}/targets/{targetId}/insights`

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
    .schema("Insights", insights())
    .answers_any(
        200,
        "What the network tells.",
        named("Insights"),
        vec![
            example("told", "A video of YouTube", told),
            example("unsupported", "Another network", json!({"supported": false})),
        ],
    )
    .refuses(network::REFUSES)
}

fn insights() -> Value {
    let retention = object([
        ("elapsedRatio", said(amount(), "The share of the video that has passed, 0 to 1.")),
        (
            "watchRatio",
            said(
                amount(),
                "How many still watch, as a share of the views; above 1 where it is watched again.",
            ),
        ),
        (
            "relativePerformance",
            said(or_null(amount()), "How that compares with other videos of its length, 0 to 1."),
        ),
    ]);
    let source = object([
        ("source", said(text(), "The network's name for it.")),
        ("views", count()),
        ("watchTimeMinutes", amount()),
    ]);
    let days = json!({
        "type": ["array", "null"],
        "items": {"type": "string", "format": "date"},
        "minItems": 2,
        "maxItems": 2,
    });
    let schema = open_object([
        ("supported", said(flag(), "Whether the network tells any of this.")),
        ("retention?", said(list(retention), "How many still watch, from begin to end.")),
        ("trafficSources?", said(list(source), "Where viewers came from, most views first.")),
        ("days?", said(days, "The first and the last day that they speak of.")),
    ]);
    said(schema, "What a network tells of a video beyond its figures; only YouTube does.")
}

async fn show_insights(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let ask = async move |scheduler: Scheduler| scheduler.insights(&caller, post, target).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(ask).await?))
}
