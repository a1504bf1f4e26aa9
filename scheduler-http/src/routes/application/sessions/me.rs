//! `GET /app/v1/me`

use scheduler_core::session::MeView;

use super::super::examples::{session, workspace};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_me",
    method: Method::GET,
    pattern: "/app/v1/me",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("See who calls", "The role, the workspace and the session.").answers(
        200,
        "Who calls.",
        written::<MeView>,
        json!({"role": "editor", "workspace": workspace(), "session": session()}),
    )
}

async fn show(_call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    Ok(answer::json(StatusCode::OK, &member.view()))
}
