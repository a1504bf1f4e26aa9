//! `GET /app/v1/feeds/{id}`

use scheduler_core::feeds::FeedView;

use super::super::examples::feed;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_feed",
    method: Method::GET,
    pattern: "/app/v1/feeds/{id}",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Show a feed", "With what came of its last poll.")
        .answers(200, "The feed.", written::<FeedView>, feed())
        .refuses(&[Code::NotFound])
}

async fn show(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let view = call.api.scheduler.feed(member.workspace.id, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
