//! `GET /app/v1/sessions`

use scheduler_core::session::SessionView;

use super::super::examples::session;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_sessions",
    method: Method::GET,
    pattern: "/app/v1/sessions",
    query: &[],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("List sessions", "Oldest first: an owner sees all, others their own.").answers(
        200,
        "The sessions.",
        list_of::<SessionView>("SessionList"),
        json!({"data": [session()]}),
    )
}

async fn list(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let mut sessions = call.api.scheduler.sessions(member.workspace.id).await?;
    if member.role < Role::Owner {
        sessions.retain(|session| member.session.as_ref().is_some_and(|own| own.id == session.id));
    }
    let views: Vec<SessionView> = sessions.iter().map(SessionView::from).collect();
    Ok(answer::json(StatusCode::OK, &json!({ "data": views })))
}
