//! `POST /posts/{id}/targets/{targetId}/comments/{commentId}`

use scheduler_core::app::CommentInput;
use scheduler_core::error::{Refusal, Resource};
use scheduler_core::ports::Comment;

use super::network;
use crate::extract::Segment;
use crate::openapi::examples::comment;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "act_on_comment",
    method: Method::POST,
    pattern: "/v1/posts/{id}/targets/{targetId}/comments/{commentId}",
    query: &[],
    handler: Handler::Repeatable(Access::Scope(Scope::PostsPublish), |call, caller| {
        Box::pin(act_on_comment(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let reply = with(
        comment(),
        json!({"id": "113456791111111111", "author": "@bakery@mastodon.example", "text": "We do!", "own": true, "likeCount": 0}),
    );
    Description::new(
        "Answer, change or judge a comment",
        "Done publicly, as the connected account. What a network offers, `can` of the list of comments says; the rest is answered 409 `unsupported`.\n\nAfter 409 `in_doubt` it may have been done all the same: look before you try it again.\n\nOnly a reply makes something, and so keeps its `Idempotency-Key`, as long as the post is kept. A repeat under it waits while the first request is under way, and is answered 409 `in_flight` when that takes long, 409 `in_doubt` when the network's answer was lost: then look at the comments, and use another key if it is not there.",
    )
    .reads_any(
        action,
        vec![
            example("reply", "A reply", json!({"action": "reply", "text": "We do!"})),
            example("like", "A like", json!({"action": "like"})),
        ],
    )
    .answers_any(
        200,
        "For a reply, the new comment.",
        outcome,
        vec![
            example("reply", "A reply", reply),
            example("done", "Anything else", json!({"id": "113456790000000000", "action": "like"})),
        ],
    )
    .refuses(network::REFUSES)
    .refuses(&[Code::InFlight])
}

fn action(components: &mut Components) -> Value {
    let actions = ["reply", "edit", "hide", "unhide", "like", "unlike", "delete"];
    let schema = read::<CommentInput>(components);
    components.change("CommentAction", "/properties/action", json!({"enum": actions}));
    schema
}

fn outcome(components: &mut Components) -> Value {
    let done = open_object([
        ("id", said(text(), "The comment.")),
        ("action", said(text(), "What was done with it.")),
    ]);
    let done = components.add("CommentDone", said(done, "The outcome of everything but a reply."));
    json!({"anyOf": [written::<Comment>(components), done]})
}

async fn act_on_comment(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let sent = call.repeatable::<CommentInput>(&caller).await?;
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let comment: Segment = call.path("commentId")?;
    let comment = comment.into_text().ok_or_else(|| Refusal::not_found(Resource::Comment))?;
    let outcome = match sent.input {
        Ok(input) => {
            let key = sent.key.clone();
            let act = async move |scheduler: Scheduler| {
                let key = key.as_ref();
                scheduler.act_on_comment(&caller, post, target, &comment, input, key).await
            };
            call.api.to_its_end(act).await?
        }
        Err(error) => {
            let (scheduler, key) = (&call.api.scheduler, sent.key.as_ref());
            scheduler.earlier_reply(&caller, target, &comment, key).await?.ok_or(error)?
        }
    };
    Ok(answer::done(outcome.replay, &outcome.value))
}
