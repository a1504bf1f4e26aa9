//! Posts that clients are asked about.

use askama::Template;
use http::Method;
use scheduler_core::app::{ApprovalInput, ApprovalView};
use scheduler_core::ids::PostId;
use scheduler_core::post::ApprovalState;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

/// Approvals that the page shows.
const SHOWN: u32 = 100;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_approvals", Method::GET, "/w/{workspaceId}/approvals", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static CREATE: Endpoint = Endpoint::page(
    "web_ask_client",
    Method::POST,
    "/w/{workspaceId}/posts/{id}/approval",
    |visit| Box::pin(entered(visit, Role::Drafter, create)),
);

pub(crate) static WITHDRAW: Endpoint = Endpoint::page(
    "web_withdraw_approval",
    Method::POST,
    "/w/{workspaceId}/approvals/{id}/withdraw",
    |visit| Box::pin(entered(visit, Role::Drafter, withdraw)),
);

#[derive(Template)]
#[template(path = "approvals/show.html")]
struct Show {
    frame: Frame,
    rows: Vec<Row>,
}

struct Row {
    post: String,
    client: String,
    state: &'static str,
    class: &'static str,
    since: String,
    until: String,
    note: String,
    withdraw: Option<String>,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let zone = visitor.zone()?;
    let approvals = visitor.scheduler().approvals(visitor.workspace().id, SHOWN).await?;
    let may = visitor.may(Role::Drafter);
    let mut rows: Vec<(bool, Row)> = approvals
        .iter()
        .map(|approval: &ApprovalView| {
            let (state, class, waits) = match approval.approval_state {
                Some(ApprovalState::Pending) => ("waits", "wait", true),
                Some(ApprovalState::Changes) => ("changes asked for", "failed", true),
                Some(ApprovalState::Approved) => ("approved", "published", false),
                None => ("withdrawn", "canceled", false),
            };
            let id = approval.post_id;
            let row = Row {
                post: visitor.at(&format!("posts/{id}")),
                client: approval.client.clone().unwrap_or_else(|| "a client".to_owned()),
                state,
                class,
                since: when::instant(approval.created_at, zone),
                until: when::instant(approval.expires_at, zone),
                note: approval.note.clone().unwrap_or_default(),
                withdraw: (may && waits).then(|| visitor.at(&format!("approvals/{id}/withdraw"))),
            };
            (!waits, row)
        })
        .collect();
    rows.sort_by_key(|(is_settled, _)| *is_settled);
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    let frame = Frame::of(&visitor, "approvals", "Approvals").await?;
    Ok(page::shown(&Show { frame, rows }))
}

#[derive(Template)]
#[template(path = "approvals/link.html")]
struct Link {
    frame: Frame,
    url: String,
    until: String,
    back: String,
}

/// Makes a link for a client; it is shown once.
async fn create(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: PostId = visitor.id()?;
    let text = |name| form.only(name).map(str::trim).filter(|text| !text.is_empty());
    let input = ApprovalInput {
        post_ids: vec![id],
        client: text("client").map(str::to_owned),
        note: text("note").map(str::to_owned),
        ..ApprovalInput::default()
    };
    let new = visitor.scheduler().create_approval(visitor.workspace().id, &input).await?;
    let server = visitor.visit().connecting().server.as_str().trim_end_matches('/').to_owned();
    let frame = Frame::of(&visitor, "approvals", "A link for your client").await?;
    Ok(changed(page::shown(&Link {
        frame,
        url: format!("{server}/approve/{}", new.pass.expose()),
        until: when::instant(new.expires_at, visitor.zone()?),
        back: visitor.at(&format!("posts/{id}")),
    })))
}

async fn withdraw(visitor: Visitor) -> Result<Response, Declined> {
    let id: PostId = visitor.id()?;
    visitor.scheduler().withdraw_approval(visitor.workspace().id, id).await?;
    let said = Said::Withdrawn.query();
    Ok(page::sent_to(&visitor.at(&format!("approvals?{said}"))))
}
