//! `DELETE /snippets/{name}`

use super::name::name;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "delete_snippet",
    method: Method::DELETE,
    pattern: "/v1/snippets/{name}",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsWrite), |call, caller| {
        Box::pin(delete(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Delete a snippet", "Posts that were made with it stay as they are.")
        .answers_nothing(204, "Done.")
        .refuses(&[Code::NotFound])
}

async fn delete(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    call.api.scheduler.remove_snippet(&caller, &name(&call)?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
