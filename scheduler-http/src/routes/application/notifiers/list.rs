//! `GET /app/v1/notifiers`

use scheduler_core::notification::NotifierView;

use super::super::examples::notifier;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_notifiers",
    method: Method::GET,
    pattern: "/app/v1/notifiers",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See who is told what happens",
        "Oldest first, with what became of telling them.",
    )
    .answers(
        200,
        "Those who are told.",
        list_of::<NotifierView>("NotifierList"),
        json!({"data": [notifier()]}),
    )
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let views = call.api.scheduler.notifiers(member.workspace.id).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
