//! `GET /snippets`

use super::schemas::shown;
use crate::openapi::examples::snippet;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_snippets",
    method: Method::GET,
    pattern: "/v1/snippets",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(list(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List snippets",
        "What the workspace keeps to write with: texts, such as closing lines and sets of hashtags, and templates of posts. By their names.",
    )
    .answers(
        200,
        "The snippets.",
        listed,
        json!({"data": [snippet()]}),
    )
}

fn listed(components: &mut Components) -> Value {
    let snippets = data_of(shown(components));
    components.add("SnippetList", snippets)
}

async fn list(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let snippets = call.api.scheduler.snippets(&caller).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": snippets })))
}
