//! `PATCH /posts/{id}`

use scheduler_core::post::{PostInput, PostView};

use super::revision::{IF_MATCH, etag, shown};
use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "update_post",
    method: Method::PATCH,
    pattern: "/v1/posts/{id}",
    query: &[],
    handler: Handler::Keyed(
        Access::AnyOf(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(update(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Change a post",
        "Changes a post that has not gone out. Only the fields that are sent change; the whole resulting post is checked as on create.\n\n- A draft needs posts:write. A post that is scheduled, or a draft that is given a time, needs posts:publish.\n- `saveAsDraft: true` parks a scheduled post again.\n- Once a target has begun to go out, changed targets are answered 409 `targets_locked`, anything else 409 `already_started`.\n- With `If-Match` only the revision that it names changes; of another, the answer is 412 `stale` with the post as it is now.\n- A draft that is unfinished may stay so, without `allowIssues`.",
    )
    .reads_any(
        change,
        vec![
            example("text", "Another text", json!({"content": "Fresh cakes, every day."})),
            example("time", "Another time", json!({"scheduledAt": "2026-12-26T09:00:00+01:00"})),
            example("park", "Back to a draft", json!({"saveAsDraft": true})),
            example("clear", "Without its link", json!({"linkUrl": null})),
        ],
    )
    .answers(200, "The post as it is now.", written::<PostView>, shown(scheduled_post()))
    .with_headers(vec![etag()])
    .header(IF_MATCH)
    .refuses(&[
        Code::PostLimit,
        Code::ChannelLimit,
        Code::NotFound,
        Code::AccountNotConnected,
        Code::MediaUnusable,
        Code::AlreadyStarted,
        Code::TargetsLocked,
        Code::InFlight,
        Code::Stale,
        Code::ValidationFailed,
    ])
}

fn change(components: &mut Components) -> Value {
    read::<PostInput>(components);
    let schema = components.take("PostInput");
    let words = "Only what is sent changes. `null` clears `content`, `linkUrl`, `mediaIds`, `altTexts`, `disclosure`, `labels`, `note` and `metadata`. Sent targets replace the list; a target of the same account keeps its id.";
    components.add("PostChange", said(schema, words))
}

async fn update(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<PostInput>(&caller).await?;
    let (scheduler, expected) = (&call.api.scheduler, call.head.if_match()?);
    let post = scheduler.update_post(&caller, call.path("id")?, input, expected.as_deref()).await?;
    super::shown(scheduler, &post).await
}
