//! `POST /ai/review`

use scheduler_core::app::ReviewInput;

use crate::openapi::examples;
use crate::openapi::examples::TARGET;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "review_target",
    method: Method::POST,
    pattern: "/v1/ai/review",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsWrite), |call, caller| {
        Box::pin(review(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Review a live post",
        "By its text, its age and its latest figures. The stored review is answered, free of charge, unless `refresh` is true.",
    )
    .schema("ReviewInput", object([
        ("targetId", said(uuid(), "A target that is live.")),
        (
            "refresh?",
            said(
                json!({"type": ["boolean", "null"], "default": false}),
                "Review it anew, and pay for it, when there is a stored review.",
            ),
        ),
    ]))
    .schema("Review", review_schema())
    .reads_any(
        named("ReviewInput"),
        vec![
            example("stored", "The stored review, if there is one", json!({"targetId": TARGET})),
            example("anew", "A new review", json!({"targetId": TARGET, "refresh": true})),
        ],
    )
    .answers(200, "The review.", named("Review"), examples::review())
    .refuses(&[
        Code::AiLimit,
        Code::AiNotInPlan,
        Code::NotFound,
        Code::NotPublished,
        Code::AiUnavailable,
    ])
}

fn review_schema() -> Value {
    let schema = open_object([
        ("targetId", uuid()),
        ("summary", text()),
        ("strengths", list(text())),
        ("suggestions", said(list(text()), "What to do better; never empty.")),
        ("score", json!({"type": "integer", "minimum": 1, "maximum": 10})),
        ("createdAt", instant()),
    ]);
    said(schema, "What the assistant said of a live post.")
}

async fn review(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<ReviewInput>(&caller).await?;
    let review = async move |scheduler: Scheduler| scheduler.review_target(&caller, input).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(review).await?))
}
