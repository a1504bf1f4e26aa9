//! `DELETE /app/v1/account-sets/{id}`

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "remove_account_set",
    method: Method::DELETE,
    pattern: "/app/v1/account-sets/{id}",
    query: &[],
    handler: Handler::Member(Role::Drafter, |call, member| Box::pin(remove(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Remove a set of accounts",
        "The accounts stay connected, and posts that go to them stay as they are.",
    )
    .answers_nothing(204, "Done.")
    .refuses(&[Code::NotFound])
}

async fn remove(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    call.api.scheduler.remove_account_set(&member.caller(), call.path("id")?).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
