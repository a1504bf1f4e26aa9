//! `POST /app/v1/accounts/connect`

use scheduler_core::app::{ConnectLinkInput, ConnectLinkView};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ports::ConnectInput;

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "invite_account",
    method: Method::POST,
    pattern: "/app/v1/accounts/connect",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(connect(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Make a link to connect an account",
        "Whoever opens it connects accounts of the network, or connects them again: for yourself or for a customer. It is good for one use within 15 minutes.",
    )
    .reads(read::<ConnectLinkInput>, json!({"platform": "mastodon"}))
    .answers(
        201,
        "The link.",
        written::<ConnectLinkView>,
        json!({
            "url": "https://posts.example.com/connect/mastodon?ticket=example0example0example0example0example0exa",
            "expiresAt": "2026-11-28T09:15:00Z",
        }),
    )
    .refuses(&[Code::Unsupported])
}

async fn connect(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let ConnectLinkInput { platform } = call.json_of(&member).await?;
    let pages = &call.api.connecting;
    let own_form = platform.sheet().connecting.needs_no_registration();
    let server = match pages.address(platform) {
        Ok(address) => address,
        Err(_) if own_form => pages.server.as_str().trim_end_matches('/').to_owned(),
        Err(error) => {
            let name = platform.sheet().name;
            return Err(Refusal::new(ErrorCode::Unsupported, format!("{name}: {error}.")).into());
        }
    };
    let scheduler = &call.api.scheduler;
    let invitation = scheduler.invite(&member.workspace, platform, ConnectInput::default()).await?;
    let url = format!("{server}/connect/{platform}?ticket={}", invitation.ticket.expose());
    let view = ConnectLinkView { url: url.clone(), expires_at: invitation.expires_at };
    Ok(answer::made(&url, None, &view))
}
