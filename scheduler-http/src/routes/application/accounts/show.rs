//! `GET /app/v1/accounts/{id}`

use scheduler_core::app::AccountDetail;

use super::super::examples::account;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_account",
    method: Method::GET,
    pattern: "/app/v1/accounts/{id}",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("See an account", "With its schedule and its health.")
        .answers(200, "The account.", written::<AccountDetail>, account())
        .refuses(&[Code::NotFound])
}

async fn show(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let scheduler = &call.api.scheduler;
    let account = scheduler.account_detail(&member.workspace, call.path("id")?).await?;
    Ok(answer::json(StatusCode::OK, &account))
}
