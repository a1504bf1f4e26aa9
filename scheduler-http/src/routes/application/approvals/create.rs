//! `POST /app/v1/approvals`

use scheduler_core::app::{ApprovalInput, ApprovalLinkView};

use super::super::examples::approval;
use crate::openapi::examples::POST;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "create_approval",
    method: Method::POST,
    pattern: "/app/v1/approvals",
    query: &[],
    handler: Handler::Member(Role::Drafter, |call, member| Box::pin(create(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Ask a client for their approval",
        "Makes one link under which a client sees posts and decides on each. From then on these go out only with their approval. A link takes the place of an earlier one of the same post. The address is shown this once.",
    )
    .reads(
        read::<ApprovalInput>,
        json!({
            "postIds": [POST],
            "client": "Ana",
            "note": "The first week of December.",
            "timezone": "Europe/Lisbon",
        }),
    )
    .answers(
        201,
        "The link. A tool of `/mcp` gets the address of the page Approvals in its place, where a person makes the link.",
        written::<ApprovalLinkView>,
        json!({
            "url": "https://posts.example.com/approve/example0example0example0example0example0exa",
            "expiresAt": "2026-12-12T09:00:00Z",
            "data": [approval()],
        }),
    )
    .refuses(&[Code::NotFound, Code::AlreadyStarted, Code::MediaUnusable])
}

async fn create(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let input: ApprovalInput = call.json_of(&member).await?;
    let (scheduler, workspace) = (&call.api.scheduler, &member.workspace);
    let server = call.api.connecting.server.as_str().trim_end_matches('/');
    // Whoever has the link can decide in the client's place.
    let (url, expires_at, data) = if call.head.is_from_tool() {
        let (expires_at, data) = scheduler.ask_for_approval(workspace.id, &input).await?;
        (format!("{server}/w/{}/approvals", workspace.short_name()), expires_at, data)
    } else {
        let new = scheduler.create_approval(workspace.id, &input).await?;
        (format!("{server}/approve/{}", new.pass.expose()), new.expires_at, new.views)
    };
    let view = ApprovalLinkView { url: url.clone(), expires_at, data };
    Ok(answer::made(&url, None, &view))
}
