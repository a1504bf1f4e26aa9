//! `GET /app/v1/login`

use scheduler_core::session::WaitingLoginView;

use super::code_of;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "waiting_login",
    method: Method::GET,
    pattern: "/app/v1/login",
    query: &[Parameter::required(
        "code",
        "The code that the program shows; case, hyphens and spaces do not matter.",
        text,
    )
    .for_example("WDJB-MJHT")],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See who asks for a login",
        "What the program that shows this code calls itself, and when it has asked. 404 once the login is confirmed or its time is over.",
    )
    .answers(
        200,
        "The login, which waits to be confirmed.",
        written::<WaitingLoginView>,
        json!({
            "client": "scheduler on lap-7",
            "api": true,
            "createdAt": "2026-11-28T09:00:00Z",
            "expiresAt": "2026-11-28T09:10:00Z",
        }),
    )
    .refuses(&[Code::NotFound])
}

async fn show(mut call: Call, _member: Arc<Member>) -> Result<Response, ApiError> {
    let code = code_of(&call.query.take("code").unwrap_or_default())?;
    let login = call.api.scheduler.waiting_login(&code).await?;
    Ok(answer::json(StatusCode::OK, &WaitingLoginView::from(login)))
}
