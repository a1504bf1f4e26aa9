//! Settings of the workspace, and who is signed in.

mod calendar;
mod feeds;
mod links;
mod recurring;

use askama::Template;
use http::{Method, StatusCode};
use scheduler_core::app::WorkspaceChange;
use scheduler_core::error::Refusal;
use scheduler_core::ids::SessionId;
use scheduler_core::post::Field;
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use self::calendar::{Calendar, calendar};
use self::feeds::{Feed, feeds};
use self::links::{Links, links};
use self::recurring::{Recurrence, recurrences};
use crate::filters;
use crate::page::{self, Frame, Said};
use crate::passkeys;
use crate::programs;
use crate::visitor::{Visitor, entered, short_name};
use crate::when;

pub(crate) use calendar::{MAKE as MAKE_CALENDAR, REMOVE as REMOVE_CALENDAR};
pub(crate) use feeds::{
    PAUSE as PAUSE_FEED, POLL as POLL_FEED, REMOVE as REMOVE_FEED, RESUME as RESUME_FEED,
};
pub(crate) use links::SET as SET_LINKS;
pub(crate) use recurring::{
    END as END_RECURRENCE, PAUSE as PAUSE_RECURRENCE, REMOVE as REMOVE_RECURRENCE,
    RESUME as RESUME_RECURRENCE,
};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_settings", Method::GET, "/w/{workspaceId}/settings", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static SAVE: Endpoint =
    Endpoint::page("web_change_workspace", Method::POST, "/w/{workspaceId}/settings", |visit| {
        Box::pin(entered(visit, Role::Owner, save))
    });

pub(crate) static END_SESSION: Endpoint = Endpoint::page(
    "web_end_session",
    Method::POST,
    "/w/{workspaceId}/sessions/{id}/end",
    |visit| Box::pin(entered(visit, Role::Reader, end_session)),
);

pub(crate) static INVITE: Endpoint =
    Endpoint::page("web_invite", Method::POST, "/w/{workspaceId}/sessions", |visit| {
        Box::pin(entered(visit, Role::Owner, invite))
    });

#[derive(Template)]
#[template(path = "settings/show.html")]
struct Show {
    frame: Frame,
    here: String,
    sessions_at: String,
    name: String,
    zone: String,
    plan: String,
    second_pair: bool,
    sessions: Vec<Row>,
    passkeys_at: String,
    passkeys: Vec<Passkey>,
    programs: Vec<programs::Connected>,
    /// The roles that a passkey of this session can have, the highest first.
    roles: Vec<Role>,
    /// True where browsers make passkeys for this server.
    has_passkeys: bool,
    link: Option<String>,
    /// The calendar feed, for an owner.
    calendar: Option<Calendar>,
    feeds: Vec<Feed>,
    links: Links,
    recurrences: Vec<Recurrence>,
    /// True for who may change feeds and recurrences.
    may_change: bool,
    problem: Option<String>,
}

struct Passkey {
    person: String,
    role: Role,
    made_in: String,
    since: String,
    used: Option<String>,
    remove: String,
}

struct Row {
    person: Option<String>,
    client: String,
    role: Role,
    since: String,
    until: String,
    is_own: bool,
    end: Option<String>,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    Ok(page::shown(&settings(&visitor, None).await?))
}

async fn settings(visitor: &Visitor, problem: Option<String>) -> Result<Show, Declined> {
    let workspace = visitor.workspace();
    let zone = visitor.zone()?;
    let own = visitor.member.session.as_ref().map(|session| session.id);
    let is_owner = visitor.may(Role::Owner);
    let sessions = visitor.scheduler().sessions(workspace.id).await?;
    let shown = sessions.iter().filter(|session| is_owner || own == Some(session.id));
    Ok(Show {
        frame: Frame::of(visitor, "settings", "Settings").await?,
        here: visitor.at("settings"),
        sessions_at: visitor.at("sessions"),
        name: workspace.name.clone(),
        zone: workspace.timezone.map_or_else(String::new, |zone| zone.name().to_owned()),
        plan: workspace.plan.to_string(),
        second_pair: workspace.second_pair,
        sessions: shown
            .map(|session| Row {
                person: session.person.as_ref().map(|person| person.name.to_string()),
                client: session.client.clone(),
                role: session.role,
                since: when::instant(session.created_at, zone),
                until: when::instant(session.expires_at, zone),
                is_own: own == Some(session.id),
                end: Some(visitor.at(&format!("sessions/{}/end", session.id))),
            })
            .collect(),
        passkeys_at: visitor.at("passkeys"),
        passkeys: passkeys(visitor, zone).await?,
        programs: programs::connected(visitor, zone).await?,
        roles: Role::ALL.into_iter().rev().filter(|role| visitor.may(*role)).collect(),
        has_passkeys: passkeys::are_possible(visitor.visit()),
        link: None,
        calendar: calendar(visitor, zone).await?,
        feeds: feeds(visitor, zone).await?,
        links: links(visitor).await?,
        recurrences: recurrences(visitor, zone).await?,
        may_change: visitor.may(Role::Editor),
        problem,
    })
}

/// The passkeys that the visitor may remove: their own, and as an owner all of them.
async fn passkeys(visitor: &Visitor, zone: Zone) -> Result<Vec<Passkey>, Declined> {
    let passkeys = visitor.scheduler().passkeys(visitor.workspace().id).await?;
    let own = visitor.member.person().map(|person| person.id);
    let is_owner = visitor.may(Role::Owner);
    let shown = passkeys.into_iter().filter(|passkey| is_owner || own == Some(passkey.person.id));
    let rows = shown.map(|passkey| Passkey {
        person: passkey.person.name.to_string(),
        role: passkey.role,
        made_in: passkey.made_in,
        since: when::instant(passkey.created_at, zone),
        used: passkey.used_at.map(|at| when::instant(at, zone)),
        remove: visitor.at(&format!("passkeys/{}/remove", passkey.id)),
    });
    Ok(rows.collect())
}

async fn save(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let timezone = match form.only("zone").map(str::trim).unwrap_or_default() {
        "" => Field::Null,
        name => match name.parse() {
            Ok(zone) => Field::Value(zone),
            Err(error) => {
                let error: scheduler_core::timing::UnknownZone = error;
                let page = settings(&visitor, Some(error.to_string())).await?;
                return Ok(page::shown_as(StatusCode::BAD_REQUEST, &page));
            }
        },
    };
    let name = form.only("name").map(str::to_owned);
    // A box that is not ticked sends nothing.
    let second_pair = form.only("boxes").map(|_| form.only("second_pair").is_some());
    let change = WorkspaceChange { name, timezone, second_pair, ..WorkspaceChange::default() };
    let changed = visitor.scheduler().change_workspace(visitor.workspace(), change).await?;
    let said = Said::Stored.query();
    Ok(page::sent_to(&format!("/w/{}/settings?{said}", short_name(&changed))))
}

/// Ends a session: anyone their own, an owner every one.
async fn end_session(visitor: Visitor) -> Result<Response, Declined> {
    let id: SessionId = visitor.id()?;
    let is_own = visitor.member.session.as_ref().is_some_and(|session| session.id == id);
    if !is_own {
        visitor.member.require(Role::Owner)?;
    }
    visitor.scheduler().end_session(visitor.workspace().id, id).await?;
    let said = Said::SessionEnded.query();
    Ok(page::sent_to(&visitor.at(&format!("settings?{said}"))))
}

/// Makes a link that signs somebody in, once; it is shown once.
async fn invite(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let role: Option<Role> = form.only("role").and_then(|role| role.parse().ok());
    let role = role.ok_or_else(|| Refusal::invalid("role", "Choose a role."))?;
    let link = visitor.scheduler().create_sign_in_link(visitor.workspace().id, role).await?;
    let url = visitor.visit().page_at(&format!("signin/once#{}", link.pass.expose()));
    let page = settings(&visitor, None).await?;
    Ok(changed(page::shown(&Show { link: Some(url), ..page })))
}
