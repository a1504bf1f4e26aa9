//! `POST /app/v1/sessions/links`

use scheduler_core::session::{SignInInput, SignInLinkView};

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_sign_in_link",
    method: Method::POST,
    pattern: "/app/v1/sessions/links",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Let somebody in with a browser",
        "Makes a link that signs one browser in, once, within ten minutes. Whoever has it is in: send it to nobody but the person whom it is for.",
    )
    .reads(read::<SignInInput>, json!({"role": "editor"}))
    .answers(
        201,
        "The link; it is shown once.",
        written::<SignInLinkView>,
        json!({
            "url": "https://scheduler.example/signin/once#5Hc8vXb2mQf7Lr0TzWk3NsYp9JdGa6EuRi1OoKxVnBt",
            "expiresAt": "2026-12-01T09:10:00Z"
        }),
    )
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: SignInInput = call.json_of(&member).await?;
    let role = input.role.unwrap_or(Role::Owner);
    let link = call.api.scheduler.create_sign_in_link(member.workspace.id, role).await?;
    let url = call.api.page_at(&format!("signin/once#{}", link.pass.expose()));
    let view = SignInLinkView { url, expires_at: link.expires_at };
    Ok(answer::made("/app/v1/sessions", None, &view))
}
