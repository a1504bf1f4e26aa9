//! `GET /app/v1/accounts`

use scheduler_core::app::AccountDetail;

use super::super::examples::account;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_account_details",
    method: Method::GET,
    pattern: "/app/v1/accounts",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List the connected accounts",
        "With their schedules and their health, in the order in which they were connected.",
    )
    .answers(
        200,
        "The accounts.",
        list_of::<AccountDetail>("AccountDetailList"),
        json!({"data": [account()]}),
    )
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let accounts = call.api.scheduler.account_details(&member.workspace).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": accounts })))
}
