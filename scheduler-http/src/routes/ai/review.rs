//! `POST /ai/review`

use scheduler_core::app::ReviewInput;
use scheduler_core::assistant::ReviewView;

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
    .reads_any(
        read::<ReviewInput>,
        vec![
            example("stored", "The stored review, if there is one", json!({"targetId": TARGET})),
            example("anew", "A new review", json!({"targetId": TARGET, "refresh": true})),
        ],
    )
    .answers(200, "The review.", written::<ReviewView>, examples::review())
    .refuses(&[
        Code::AiLimit,
        Code::AiNotInPlan,
        Code::NotFound,
        Code::NotPublished,
        Code::AiUnavailable,
    ])
}

async fn review(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<ReviewInput>(&caller).await?;
    let review = async move |scheduler: Scheduler| scheduler.review_target(&caller, input).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(review).await?))
}
