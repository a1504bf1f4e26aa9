//! `POST /app/v1/feeds/check`

use scheduler_core::app::FeedTrial;
use scheduler_core::feeds::FeedInput;

use super::super::examples::feed_input;
use crate::directions::add_to_report;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "check_feed",
    method: Method::POST,
    pattern: "/app/v1/feeds/check",
    query: &[],
    handler: Handler::Member(Role::Editor, |call, member| Box::pin(check(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Try a feed out",
        "Reads it, and says what would be made of its first items, at most 5, and what the networks say of each. Stores nothing.",
    )
    .reads(read::<FeedInput>, feed_input())
    .answers(
        200,
        "What would be made of it.",
        written::<FeedTrial>,
        json!({
            "title": "The bakery",
            "count": 20,
            "items": [{
                "title": "Fresh bread every day",
                "link": "https://bakery.example/posts/1",
                "post": {
                    "content": "Fresh bread every day",
                    "linkUrl": "https://bakery.example/posts/1",
                    "saveAsDraft": true,
                    "allowIssues": true,
                    "targets": [{"platform": "mastodon"}],
                },
                "report": {"ok": true, "issues": [], "counts": [], "times": []},
            }],
        }),
    )
    .refuses(&[Code::NotFound, Code::AccountNotConnected, Code::ChannelLimit])
}

async fn check(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: FeedInput = call.json_of(&member).await?;
    let caller = member.caller();
    let mut trial = call
        .api
        .to_its_end(|scheduler| async move { scheduler.try_feed(&caller, &input).await })
        .await?;
    for item in &mut trial.items {
        add_to_report(&mut item.report);
    }
    Ok(answer::json(StatusCode::OK, &trial))
}
