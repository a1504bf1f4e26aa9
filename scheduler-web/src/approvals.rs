//! Posts that clients are asked about.

use askama::Template;
use http::Method;
use scheduler_core::app::{ApprovalInput, ApprovalView};
use scheduler_core::error::Refusal;
use scheduler_core::ids::PostId;
use scheduler_core::post::{ApprovalState, ListInput, PostStatus, PostView};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, changed};
use warp::reply::Response;

use crate::card::first_words;
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
    |visit| Box::pin(entered(visit, Role::Editor, withdraw)),
);

pub(crate) static APPROVE: Endpoint = Endpoint::page(
    "web_approve_post",
    Method::POST,
    "/w/{workspaceId}/posts/{id}/approve",
    |visit| Box::pin(entered(visit, Role::Editor, approve)),
);

#[derive(Template)]
#[template(path = "approvals/show.html")]
struct Show {
    frame: Frame,
    /// What was due and waits for a client.
    late: Vec<Late>,
    /// The posts of each client, those first who are waited for.
    clients: Vec<Client>,
    /// Whether the workspace asks for a second pair of eyes.
    is_asked: bool,
    reviews: Vec<Review>,
}

/// A post that was due.
struct Late {
    text: String,
    href: String,
}

struct Client {
    name: String,
    rows: Vec<Row>,
}

/// A post that waits for a second pair of eyes.
struct Review {
    post: String,
    words: String,
    written_by: Option<String>,
    when: String,
}

struct Row {
    post: String,
    words: String,
    /// When it goes out.
    due: String,
    state: &'static str,
    class: &'static str,
    since: String,
    until: String,
    note: String,
    withdraw: Option<String>,
    /// Where another link is made, and for whom.
    ask: Option<String>,
    client: String,
    /// What the client can be sent.
    reminder: Option<String>,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let approvals = visitor.scheduler().approvals(visitor.workspace().id, SHOWN).await?;
    let mut posts = Vec::with_capacity(approvals.len());
    for approval in &approvals {
        posts.push(visitor.scheduler().post(&visitor.caller, approval.post_id).await?);
    }
    let posts = visitor.scheduler().post_views(posts).await?;
    let (mut late, mut clients) = (Vec::new(), Vec::<(bool, Client)>::new());
    for (approval, post) in approvals.iter().zip(&posts) {
        let row = row(&visitor, approval, post)?;
        late.extend(lateness(&visitor, approval, post)?);
        let (name, waits) = (called(approval).to_owned(), row.reminder.is_some());
        match clients.iter_mut().find(|(_, client)| client.name == name) {
            Some((is_waited_for, client)) => {
                *is_waited_for |= waits;
                client.rows.push(row);
            }
            None => clients.push((waits, Client { name, rows: vec![row] })),
        }
    }
    clients.sort_by_key(|(is_waited_for, _)| !is_waited_for);
    let clients = clients.into_iter().map(|(_, mut client)| {
        client.rows.sort_by_key(|row| row.reminder.is_none());
        client
    });
    let frame = Frame::of(&visitor, "approvals", "Approvals").await?;
    let is_asked = visitor.workspace().second_pair;
    let reviews = if is_asked { reviews(&visitor, visitor.zone()?).await? } else { Vec::new() };
    Ok(page::shown(&Show { frame, late, clients: clients.collect(), is_asked, reviews }))
}

/// The posts that wait for somebody of the team, the soonest first.
async fn reviews(visitor: &Visitor, zone: Zone) -> Result<Vec<Review>, Declined> {
    let input = ListInput {
        state: Some("awaiting_approval".to_owned()),
        order: Some("due".to_owned()),
        limit: Some(SHOWN.to_string()),
        ..ListInput::default()
    };
    let posts = visitor.scheduler().list_posts(&visitor.caller, &input).await?;
    let waiting = posts.data.iter().filter_map(|post| {
        let review = post.review.as_ref()?;
        (review.state == ApprovalState::Pending).then(|| Review {
            post: visitor.at(&format!("posts/{}", post.id)),
            words: first_words(post),
            written_by: review.written_by.as_ref().map(|person| person.name.to_string()),
            when: post.scheduled_at.map(|at| when::instant(at, zone)).unwrap_or_default(),
        })
    });
    Ok(waiting.collect())
}

/// Approves a post for the team, as it was seen.
async fn approve(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: PostId = visitor.id()?;
    let seen = form.only("revision").and_then(|revision| revision.parse().ok());
    let seen = seen.ok_or_else(|| Refusal::invalid("revision", "Say which revision was seen."))?;
    visitor.scheduler().approve_post(&visitor.caller, id, seen).await?;
    let said = Said::ApprovedByTeam.query();
    Ok(page::sent_to(&visitor.at(&format!("posts/{id}?{said}"))))
}

/// Who is asked.
fn called(approval: &ApprovalView) -> &str {
    approval.client.as_deref().unwrap_or("a client")
}

fn row(visitor: &Visitor, approval: &ApprovalView, post: &PostView) -> Result<Row, Declined> {
    let zone = visitor.zone()?;
    let (state, class, is_open) = match approval.approval_state {
        Some(ApprovalState::Pending) => ("waits", "wait", true),
        Some(ApprovalState::Changes) => ("changes asked for", "failed", true),
        Some(ApprovalState::Approved) => ("approved", "published", false),
        None => ("withdrawn", "canceled", false),
    };
    let may = visitor.may(Role::Drafter);
    let waits = approval.approval_state == Some(ApprovalState::Pending);
    let id = approval.post_id;
    let at = |path: String| visitor.at(&path);
    let (words, until) = (first_words(post), when::instant(approval.expires_at, zone));
    let due = post.scheduled_at.map(|due| when::instant(due, zone));
    let reminder = || {
        let by = due.as_ref().map_or_else(String::new, |due| format!(" It is to go out {due}."));
        format!(
            "Hello {},\n“{words}” waits for your approval.{by} Please open the link that you have from us; it is valid until {until}.",
            called(approval)
        )
    };
    Ok(Row {
        post: at(format!("posts/{id}")),
        due: due.clone().unwrap_or_else(|| "no time yet".to_owned()),
        state,
        class,
        since: when::instant(approval.created_at, zone),
        note: approval.note.clone().unwrap_or_default(),
        withdraw: (visitor.may(Role::Editor) && is_open)
            .then(|| at(format!("approvals/{id}/withdraw"))),
        ask: (may && is_open).then(|| at(format!("posts/{id}/approval"))),
        client: approval.client.clone().unwrap_or_default(),
        reminder: (may && waits).then(reminder),
        until,
        words,
    })
}

/// What is told of a post that was due and waits for its client.
fn lateness(
    visitor: &Visitor,
    approval: &ApprovalView,
    post: &PostView,
) -> Result<Option<Late>, Declined> {
    let due = post.scheduled_at.filter(|due| *due <= visitor.now());
    let is_open = matches!(post.status, PostStatus::Scheduled | PostStatus::Publishing);
    let waits = approval.approval_state == Some(ApprovalState::Pending);
    let (Some(due), true) = (due.filter(|_| is_open), waits) else { return Ok(None) };
    let zone = visitor.zone()?;
    let words = first_words(post);
    let (due, client) = (when::instant(due, zone), called(approval));
    Ok(Some(Late {
        text: format!("“{words}” was due {due}, waits for {client}."),
        href: visitor.at(&format!("posts/{}", post.id)),
    }))
}

#[derive(Template)]
#[template(path = "approvals/link.html")]
struct Link {
    frame: Frame,
    url: String,
    until: String,
    back: String,
}

/// Makes a link for a client about a post.
async fn create(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: PostId = visitor.id()?;
    let back = visitor.at(&format!("posts/{id}"));
    ask(&visitor, &form, vec![id], back).await
}

/// Makes a link for a client about posts, for whom and with what note a form says; it is shown once.
pub(crate) async fn ask(
    visitor: &Visitor,
    form: &Form,
    post_ids: Vec<PostId>,
    back: String,
) -> Result<Response, Declined> {
    let text = |name| form.only(name).map(str::trim).filter(|text| !text.is_empty());
    let input = ApprovalInput {
        post_ids,
        client: text("client").map(str::to_owned),
        note: text("note").map(str::to_owned),
        ..ApprovalInput::default()
    };
    let new = visitor.scheduler().create_approval(visitor.workspace().id, &input).await?;
    let frame = Frame::of(visitor, "approvals", "A link for your client").await?;
    Ok(changed(page::shown(&Link {
        frame,
        url: visitor.visit().page_at(&format!("approve/{}", new.pass.expose())),
        until: when::instant(new.expires_at, visitor.zone()?),
        back,
    })))
}

async fn withdraw(visitor: Visitor) -> Result<Response, Declined> {
    let id: PostId = visitor.id()?;
    visitor.scheduler().withdraw_approval(visitor.workspace().id, id).await?;
    let said = Said::Withdrawn.query();
    Ok(page::sent_to(&visitor.at(&format!("approvals?{said}"))))
}
