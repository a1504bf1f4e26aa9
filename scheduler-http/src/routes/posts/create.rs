//! `POST /posts`

use scheduler_core::post::{PostInput, PostView};

use super::revision::{etag, shown};
use crate::openapi::examples::{ACCOUNT, MEDIA, live_post, scheduled_post};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_post",
    method: Method::POST,
    pattern: "/v1/posts",
    query: &[],
    handler: Handler::Repeatable(
        Access::AnyOf(&[Scope::PostsWrite, Scope::PostsPublish]),
        |call, caller| Box::pin(create(call, caller)),
    ),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Create a post",
        "Exactly one of `scheduledAt`, `scheduledLocal`, `queue`, `publishNow` and `saveAsDraft` says when it goes out. With none or several the answer is 400.\n\n- A draft needs posts:write, anything that goes out posts:publish.\n- The post is checked against every network first; what one would refuse is answered 422 with the issues, and nothing is created.\n- An instant of up to 60 s ago counts as now; an earlier one is answered 400.\n- A local time that a clock change skips is moved on by as much; of one that comes twice, the earlier is taken.\n- A target without `accountId` takes the only connected account of its network; with several the answer is 400, with none 409.\n- With `saveAsDraft` and `allowIssues` a draft is stored that networks would refuse, with its `issues`, also without a target; it gets a time once they would not.",
    )
    .reads_any(input, inputs())
    .answers(201, "The new post.", written::<PostView>, shown(scheduled_post()))
    .with_headers(vec![etag()])
    .answers(
        200,
        "The post that was created before with this `Idempotency-Key`, as it is now.",
        written::<PostView>,
        shown(live_post()),
    )
    .with_headers(vec![etag()])
    .refuses(&[
        Code::PostLimit,
        Code::ChannelLimit,
        Code::NotFound,
        Code::AccountNotConnected,
        Code::MediaUnusable,
        Code::ValidationFailed,
    ])
}

fn input(components: &mut Components) -> Value {
    let schema = read::<PostInput>(components);
    require_targets(components);
    schema
}

/// Says of a new post that it names where it goes, which a change need not.
pub(super) fn require_targets(components: &mut Components) {
    components.change("PostInput", "", json!({"required": ["targets"]}));
}

fn inputs() -> Vec<Example> {
    vec![
        example(
            "scheduled",
            "At an instant, with a picture",
            json!({
                "content": "Fresh cakes for Christmas. 🎄",
                "linkUrl": "https://bakery.example/cakes",
                "mediaIds": [MEDIA],
                "altTexts": ["A cake with a fir of icing"],
                "scheduledAt": "2026-12-24T17:00:00Z",
                "targets": [{
                    "platform": "mastodon",
                    "accountId": ACCOUNT,
                    "options": {"visibility": "public"},
                }],
            }),
        ),
        example(
            "now",
            "At once, to several networks",
            json!({
                "content": "We have opened.",
                "publishNow": true,
                "targets": [
                    {"platform": "bluesky"},
                    {"platform": "telegram", "options": {"caption": "We have opened. Come in!"}},
                ],
            }),
        ),
        example(
            "local",
            "At a wall-clock time, each in its zone",
            json!({
                "content": "Good morning!",
                "scheduledLocal": "2026-12-25T08:00",
                "targets": [{"platform": "bluesky"}, {"platform": "mastodon"}],
            }),
        ),
        example(
            "queue",
            "Into the next free slot, as a thread",
            json!({
                "content": "How to bake a cake.",
                "queue": true,
                "targets": [{
                    "platform": "bluesky",
                    "options": {"thread": ["First, beat the butter.", "Then add the eggs."]},
                }],
            }),
        ),
        example(
            "draft",
            "Parked",
            json!({
                "content": "An idea",
                "saveAsDraft": true,
                "targets": [{"platform": "linkedin", "options": {"firstComment": "More on our page."}}],
            }),
        ),
    ]
}

async fn create(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let sent = call.repeatable::<PostInput>(&caller).await?;
    let (scheduler, key) = (&call.api.scheduler, sent.key.as_ref());
    let created = match sent.input {
        Ok(input) => scheduler.create_post(&caller, input, key).await?,
        Err(error) => scheduler.earlier_post(&caller, key).await?.ok_or(error)?,
    };
    let post = scheduler.post_view(&created.value).await?;
    let location = format!("/v1/posts/{}", post.id);
    Ok(answer::at_revision(post.revision, answer::made(&location, created.replay, &post)))
}
