//! `POST /app/v1/login/confirm`

use scheduler_core::session::{ConfirmInput, SessionView};

use super::super::examples::session;
use super::code_of;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "confirm_login",
    method: Method::POST,
    pattern: "/app/v1/login/confirm",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(confirm(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Confirm a login",
        "Lets the program that shows this code into the workspace. Confirm only a code that you see on a screen of your own.",
    )
    .reads(read::<ConfirmInput>, json!({"code": "WDJB-MJHT", "role": "editor"}))
    .answers(201, "The session that the login has become.", written::<SessionView>, session())
    .refuses(&[Code::NotFound])
}

async fn confirm(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: ConfirmInput = call.json_of(&member).await?;
    let code = code_of(&input.code)?;
    let (workspace, role) = (member.workspace.id, input.role.unwrap_or(Role::Editor));
    let session = call.api.scheduler.confirm_login(workspace, &code, role).await?;
    let location = format!("/app/v1/sessions/{}", session.id);
    Ok(answer::made(&location, None, &SessionView::from(&session)))
}
