//! `POST /posts/{id}/retry`

use scheduler_core::post::PostView;

use super::revision::{etag, shown};
use crate::openapi::examples::{pending_target, scheduled_post};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "retry_post",
    method: Method::POST,
    pattern: "/v1/posts/{id}/retry",
    query: &[],
    handler: Handler::Keyed(
        Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(retry(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    let failed = with(
        pending_target(),
        json!({"error": "The network did not answer.", "errorCode": "network_error", "attempts": 6}),
    );
    let post = with(scheduled_post(), json!({"status": "publishing", "targets": [failed]}));
    Description::new(
        "Retry the failed targets of a post",
        "Failed targets become pending and due now, with a fresh budget of retries; `attempts` keeps counting. Targets that are live are left alone.\n\nLook at `errorPermanent` first: such a failure fails again until something has changed. After `in_doubt`, look on the network whether the post is there.",
    )
    .answers(200, "The post, with its failed targets pending again.", written::<PostView>, shown(post))
        .with_headers(vec![etag()])
    .refuses(&[
        Code::NotFound,
        Code::InFlight,
        Code::NothingToRetry,
        Code::AlreadyStarted,
        Code::AccountNotConnected,
        Code::MediaUnusable,
    ])
}

async fn retry(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let scheduler = &call.api.scheduler;
    let post = scheduler.retry_post(&caller, call.path("id")?).await?;
    super::shown(scheduler, &post).await
}
