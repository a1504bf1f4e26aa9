//! `POST /app/v1/feeds`

use scheduler_core::feeds::{FeedInput, FeedView};

use super::super::examples::{feed, feed_input};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_feed",
    method: Method::POST,
    pattern: "/app/v1/feeds",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Have posts made of a feed",
        "Each item that appears in it from now on becomes one post: a draft, or in the next free slots. A post that the networks or the plan refuse becomes a draft with the reason in its note.",
    )
    .reads(read::<FeedInput>, feed_input())
    .answers(201, "It is stored, and polled within seconds.", written::<FeedView>, feed())
    .refuses(&[Code::NotFound, Code::AccountNotConnected, Code::ChannelLimit])
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: FeedInput = call.json_of(&member).await?;
    let view = call.api.scheduler.create_feed(&member.caller(), input).await?;
    Ok(answer::made(&format!("/app/v1/feeds/{}", view.id), None, &view))
}
