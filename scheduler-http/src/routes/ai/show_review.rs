//! `GET /ai/review/{targetId}`

use scheduler_core::assistant::ReviewView;

use crate::openapi::examples::review;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_review",
    method: Method::GET,
    pattern: "/v1/ai/review/{targetId}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(show(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Show the last review of a target", "Free to read; null when there is none.")
        .answers_any(
            200,
            "The last review, or null.",
            written::<Option<ReviewView>>,
            vec![example("review", "A review", review()), example("none", "None yet", Value::Null)],
        )
        .refuses(&[Code::NotFound])
}

async fn show(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let review = call.api.scheduler.stored_review(&caller, call.path("targetId")?).await?;
    Ok(answer::json(StatusCode::OK, &review))
}
