//! `GET /app/v1/grants`

use scheduler_core::oauth::GrantView;

use super::super::examples::grant;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_grants",
    method: Method::GET,
    pattern: "/app/v1/grants",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List connected programs",
        "What people have granted programs by OAuth, oldest first: an owner sees all, others their own.",
    )
    .answers(200, "The programs.", list_of::<GrantView>("GrantList"), json!({"data": [grant()]}))
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let grants = call.api.scheduler.grants(&member).await?;
    let views: Vec<GrantView> = grants.iter().map(GrantView::from).collect();
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
