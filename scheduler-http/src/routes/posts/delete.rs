//! `DELETE /posts/{id}`

use super::revision::IF_MATCH;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "delete_post",
    method: Method::DELETE,
    pattern: "/v1/posts/{id}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsWrite), |call, caller| {
        Box::pin(delete(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Delete or cancel a post",
        "- A draft: its record is removed.\n- A scheduled post: it becomes `canceled` and stays readable; its slots are free again.\n- A post that is partly out: the rest is skipped, and it becomes `canceled`.\n- A post that is done or canceled: its record is removed.\n\nNothing is taken down from a network; that is `DELETE /posts/{id}/targets/{targetId}/remote`, target by target, before.",
    )
    .answers_nothing(204, "Done.")
    .header(IF_MATCH)
    .refuses(&[Code::NotFound, Code::InFlight, Code::AlreadyStarted, Code::Stale])
}

async fn delete(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let expected = call.head.if_match()?;
    call.api.scheduler.delete_post(&caller, call.path("id")?, expected.as_deref()).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
