//! `PUT /app/v1/feeds/{id}`

use scheduler_core::feeds::{FeedInput, FeedView};

use super::super::examples::{feed, feed_input};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "replace_feed",
    method: Method::PUT,
    pattern: "/app/v1/feeds/{id}",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(replace(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Change a feed",
        "What is sent takes the place of all that was asked of it; its address stays. Items that became posts do not become others.",
    )
    .reads(read::<FeedInput>, feed_input())
    .answers(200, "The feed as it is now.", written::<FeedView>, feed())
    .refuses(&[Code::NotFound, Code::AccountNotConnected, Code::ChannelLimit])
}

async fn replace(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let id = call.path("id")?;
    let input: FeedInput = call.json_of(&member).await?;
    let view = call.api.scheduler.change_feed(&member.caller(), id, input).await?;
    Ok(answer::json(StatusCode::OK, &view))
}
