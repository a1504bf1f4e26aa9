//! `POST /app/v1/login/claim`

use scheduler_core::connecting::Pass;
use scheduler_core::error::{NotFound, Refusal};
use scheduler_core::session::{ClaimInput, NewSessionView};
use scheduler_core::workspace::WorkspaceView;

use super::super::examples::workspace;
use crate::extract::Query;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "claim_login",
    method: Method::POST,
    pattern: "/app/v1/login/claim",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(claim(call))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Claim the session of a login",
        "Answers 202 until somebody has confirmed the code, then the session, to whoever asks again with the secret until the login's time is over.",
    )
    .reads(read::<ClaimInput>, json!({"secret": "example0example0example0example0example0exa"}))
    .answers_nothing(202, "Nobody has confirmed it yet.")
    .answers(
        200,
        "The session.",
        written::<NewSessionView>,
        json!({
            "session": "ses_example0example0example0example0example0exa",
            "role": "editor",
            "workspace": workspace(),
            "expiresAt": "2027-02-26T09:00:00Z",
        }),
    )
    .refuses(&[Code::NotFound])
}

async fn claim(mut call: Call) -> Result<Response, ApiError> {
    Query::read(&call.head, ENDPOINT.query)?;
    let input: ClaimInput = call.json_of_anyone().await?;
    let secret = Pass::parse(&input.secret).ok_or(Refusal::from(NotFound::Login))?;
    let Some(claimed) = call.api.scheduler.claim_session(&secret).await? else {
        return Ok(answer::empty(StatusCode::ACCEPTED));
    };
    let view = NewSessionView {
        session: claimed.value.expose().to_owned(),
        role: claimed.session.role,
        workspace: WorkspaceView::from(&claimed.workspace),
        expires_at: claimed.session.expires_at,
    };
    Ok(answer::json(StatusCode::OK, &view))
}
