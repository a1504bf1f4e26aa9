//! `PUT /snippets/{name}`

use scheduler_core::snippet::SnippetInput;

use super::name::name;
use super::schemas::{saved, shown};
use crate::openapi::examples::snippet;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "save_snippet",
    method: Method::PUT,
    pattern: "/v1/snippets/{name}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsWrite), |call, caller| {
        Box::pin(save(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Save a snippet",
        "Under a name of 1 to 50 of `a-z`, `0-9`, `-` and `_`, in place of what was kept under it. A workspace keeps up to 200.",
    )
    .reads_any(
        saved,
        vec![
            example("text", "A set of hashtags", json!({"text": "#bread #bakery #berlin"})),
            example(
                "template",
                "A template",
                json!({"post": {
                    "content": "Fresh from the oven today:",
                    "labels": ["daily"],
                    "targets": [{"platform": "mastodon", "options": {"visibility": "unlisted"}}],
                }}),
            ),
        ],
    )
    .answers(200, "The snippet.", shown, snippet())
}

async fn save(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let Json(input, _charge) = call.json::<SnippetInput>(&caller).await?;
    let saved = call.api.scheduler.save_snippet(&caller, name(&call)?, input).await?;
    Ok(answer::json(StatusCode::OK, &saved))
}
