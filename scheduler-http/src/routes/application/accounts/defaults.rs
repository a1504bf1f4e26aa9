//! `PUT /app/v1/accounts/{id}/defaults`

use scheduler_core::app::{AccountDetail, DefaultsInput};

use super::super::examples::account;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "set_account_defaults",
    method: Method::PUT,
    pattern: "/app/v1/accounts/{id}/defaults",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(set(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Set the default options of an account",
        "Options that new posts of the account have where they do not name them, such as a signature or who may see them. Posts that exist stay as they are.",
    )
    .reads(
        read::<DefaultsInput>,
        json!({"options": {"visibility": "unlisted", "signature": "Ana of the bakery"}}),
    )
    .answers(200, "The account as it is now.", written::<AccountDetail>, account())
    .refuses(&[Code::NotFound, Code::ValidationFailed])
}

async fn set(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: DefaultsInput = call.json_of(&member).await?;
    let id = call.path("id")?;
    let scheduler = &call.api.scheduler;
    let detail = scheduler.set_account_defaults(&member.workspace, id, input).await?;
    Ok(answer::json(StatusCode::OK, &detail))
}
