//! `GET /app/v1/posts/{id}`

use scheduler_core::post::PostView;

use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "find_post",
    method: Method::GET,
    pattern: "/app/v1/posts/{id}",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Find a post",
        "By its id, or by the first characters of it, 8 or more, while no other post begins so.",
    )
    .answers(200, "The post.", written::<PostView>, scheduled_post())
    .refuses(&[Code::NotFound])
}

async fn show(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let (scheduler, id) = (&call.api.scheduler, call.segment("id"));
    let caller = Caller::for_workspace(member.workspace.clone());
    let post = scheduler.post_beginning(&caller, id).await?;
    Ok(answer::json(StatusCode::OK, &scheduler.post_view(&post).await?))
}
