//! `POST /app/v1/posts/{id}/approve`

use scheduler_core::app::PostReviewInput;
use scheduler_core::post::PostView;

use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "approve_post",
    method: Method::POST,
    pattern: "/app/v1/posts/{id}/approve",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(approve(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Approve a post for the team",
        "In a workspace that asks for a second pair of eyes (`secondPair`), a post goes out only once a person has approved it who is not the one that has written or last changed it. The session has to name the person. A change of anything but its time makes the approval void.",
    )
    .reads(read::<PostReviewInput>, json!({"revision": 3}))
    .answers(200, "The post as it is now.", written::<PostView>, scheduled_post())
    .refuses(&[Code::NotFound, Code::Stale, Code::AlreadyStarted, Code::MediaUnusable])
}

async fn approve(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let PostReviewInput { revision } = call.json_of(&member).await?;
    let scheduler = &call.api.scheduler;
    let post = scheduler.approve_post(&member.caller(), id, revision).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.post_view(&post).await?))
}
