//! `GET /app/v1/keys`

use scheduler_core::key::KeyView;

use super::super::examples::key;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_keys",
    method: Method::GET,
    pattern: "/app/v1/keys",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("List API keys", "Without their values, oldest first.").answers(
        200,
        "The keys.",
        list_of::<KeyView>("KeyList"),
        json!({"data": [key()]}),
    )
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let keys = call.api.scheduler.keys(member.workspace.id).await?;
    let views: Vec<KeyView> = keys.iter().map(KeyView::from).collect();
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
