//! `POST /app/v1/posts/{id}/undo`

use scheduler_core::post::PostView;

use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "undo_post",
    method: Method::POST,
    pattern: "/app/v1/posts/{id}/undo",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(undo(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Undo the last change of a post",
        "Takes back that the post was edited or cancelled, within ten minutes and while nothing has changed it since. It comes back as a draft where its time has passed meanwhile.",
    )
    .answers(200, "The post as it was before.", written::<PostView>, scheduled_post())
    .refuses(&[
        Code::NotFound,
        Code::AlreadyStarted,
        Code::SlotTaken,
        Code::AccountNotConnected,
        Code::ChannelLimit,
        Code::MediaUnusable,
        Code::ValidationFailed,
        Code::PostLimit,
    ])
}

async fn undo(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let scheduler = &call.api.scheduler;
    let post = scheduler.undo_post(&member.caller(), id, None).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.post_view(&post).await?))
}
