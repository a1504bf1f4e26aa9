//! `POST /posts/retry`

use scheduler_core::app::{RetryInput, RetryReport};

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "retry_posts",
    method: Method::POST,
    pattern: "/v1/posts/retry",
    query: &[],
    handler: Handler::Keyed(
        Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(retry(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Retry many posts",
        "Failed targets become pending and due now, with a fresh budget of retries: those of the posts that are named, else of the latest 500 that have failed. What is sent has to hold for all of them, and something has to be sent.\n\nTargets in doubt are retried only in posts that are named, once somebody has looked on the network. A post that cannot be retried at this moment is passed over; its failed targets count as skipped.",
    )
    .reads_any(
        read::<RetryInput>,
        vec![
            example(
                "network",
                "What has failed on a network since",
                json!({"platform": "mastodon", "since": "2026-12-24T00:00:00Z"}),
            ),
            example("posts", "These posts", json!({"ids": [crate::openapi::examples::POST]})),
        ],
    )
    .answers(
        200,
        "How many targets are due again, and how many failed ones were left as they are.",
        written::<RetryReport>,
        json!({"retried": 3, "skipped": 1}),
    )
    .refuses(&[Code::NotFound])
}

async fn retry(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<RetryInput>(&caller).await?;
    let retry = async move |scheduler: Scheduler| scheduler.retry_posts(&caller, &input).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(retry).await?))
}
