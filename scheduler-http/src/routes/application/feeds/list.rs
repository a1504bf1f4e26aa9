//! `GET /app/v1/feeds`

use scheduler_core::feeds::FeedView;

use super::super::examples::feed;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_feeds",
    method: Method::GET,
    pattern: "/app/v1/feeds",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("List feeds", "Oldest first, with what came of their last polls.").answers(
        200,
        "The feeds.",
        list_of::<FeedView>("FeedList"),
        json!({"data": [feed()]}),
    )
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let views = call.api.scheduler.feeds(member.workspace.id).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
