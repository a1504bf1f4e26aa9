//! `POST /app/v1/feeds/{id}/poll`

use scheduler_core::feeds::FeedView;

use super::super::examples::feed;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "poll_feed",
    method: Method::POST,
    pattern: "/app/v1/feeds/{id}/poll",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(poll(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Poll a feed next", "Within seconds, whenever it was to be polled. Refused as `rate_limited` while it is polled, and within a minute of its last poll: the message and `Retry-After` say when it can be asked for again.")
        .answers(200, "The feed, whose poll is due.", written::<FeedView>, feed())
        .refuses(&[Code::NotFound])
}

async fn poll(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let view = call.api.scheduler.hurry_feed(member.workspace.id, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
