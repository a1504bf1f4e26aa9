//! `POST /posts/{id}/take-down`

use scheduler_core::app::TakeDownReport;

use crate::openapi::examples::{ACCOUNT, TARGET};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "take_down_post",
    method: Method::POST,
    pattern: "/v1/posts/{id}/take-down",
    query: &[],
    handler: Handler::Keyed(
        Access::All(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(take_down(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    let example = json!({"results": [{
        "targetId": TARGET, "platform": "mastodon", "accountId": ACCOUNT, "outcome": "taken_down",
    }]});
    Description::new(
        "Take a post down everywhere",
        "Cancels what of the post is still to go out, and takes down what of it is live, on all networks at once; its record stays. What a network does not take down is `left`, with where it is seen and why. A repeat goes on with what was left: ask again while something is `going_out`.",
    )
    .answers(200, "What has become of each target.", written::<TakeDownReport>, example)
    .refuses(&[Code::NotFound])
}

async fn take_down(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let take_down = async move |scheduler: Scheduler| scheduler.take_down_post(&caller, id).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(take_down).await?))
}
