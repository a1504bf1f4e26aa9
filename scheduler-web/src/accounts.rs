//! Accounts: how they stand, when they post, and connecting more.

use std::str::FromStr as _;

use askama::Template;
use http::{Method, StatusCode};
use scheduler_core::app::{AccountDetail, AccountState, SchedulesInput};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::AccountId;
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::post::Field;
use scheduler_core::session::Role;
use scheduler_core::timing::{SlotView, WeeklySchedule, Zone};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered, query};
use crate::when;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_accounts", Method::GET, "/w/{workspaceId}/accounts", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static CONNECT: Endpoint =
    Endpoint::page("web_connect", Method::GET, "/w/{workspaceId}/accounts/connect", |visit| {
        Box::pin(entered(visit, Role::Owner, connect))
    });

pub(crate) static INVITE: Endpoint = Endpoint::page(
    "web_connect_account",
    Method::POST,
    "/w/{workspaceId}/accounts/connect",
    |visit| Box::pin(entered(visit, Role::Owner, invite)),
);

pub(crate) static SLOTS: Endpoint =
    Endpoint::page("web_slots", Method::GET, "/w/{workspaceId}/accounts/{id}/slots", |visit| {
        Box::pin(entered(visit, Role::Reader, slots))
    });

pub(crate) static SET_SLOTS: Endpoint = Endpoint::page(
    "web_set_slots",
    Method::POST,
    "/w/{workspaceId}/accounts/{id}/slots",
    |visit| Box::pin(entered(visit, Role::Owner, set_slots)),
);

#[derive(Template)]
#[template(path = "accounts/show.html")]
struct Show {
    frame: Frame,
    rows: Vec<Row>,
    connect: String,
}

struct Row {
    mark: Mark,
    name: String,
    state: &'static str,
    class: &'static str,
    access: String,
    version: String,
    quota: String,
    last: String,
    zone: String,
    week: String,
    due: u64,
    slots: String,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let zone = visitor.zone()?;
    let mut details = visitor.scheduler().account_details(visitor.workspace()).await?;
    details.sort_by_key(|detail| detail.health.state == AccountState::Connected);
    let rows = details.iter().map(|detail| row(&visitor, detail, zone)).collect();
    let frame = Frame::of(&visitor, "accounts", "Accounts").await?;
    Ok(page::shown(&Show { frame, rows, connect: visitor.at("accounts/connect") }))
}

fn row(visitor: &Visitor, detail: &AccountDetail, zone: Zone) -> Row {
    let (account, health) = (&detail.account, &detail.health);
    let now = visitor.now();
    let (state, class) = match health.state {
        AccountState::Connected => ("works", "published"),
        AccountState::NeedsReconnect => ("connect again", "failed"),
        AccountState::Paused => ("paused, beyond the plan", "wait"),
    };
    Row {
        mark: account.platform.into(),
        name: mark::name(account),
        state,
        class,
        access: health.token_expires_at.map_or_else(
            || "not told".to_owned(),
            |at| format!("ends {}", when::distance(at, now)),
        ),
        version: match (&health.api_version, health.api_version_ends_at) {
            (Some(version), Some(end)) => format!("{version}, until {}", end.format("%-d %b %Y")),
            (Some(version), None) => version.clone(),
            (None, _) => "–".to_owned(),
        },
        quota: match health.quota.first() {
            Some(quota) => format!("{} of {}", quota.used, quota.limit),
            None => "not told".to_owned(),
        },
        last: health
            .last_published_at
            .map_or_else(|| "none yet".to_owned(), |at| when::instant(at, zone)),
        zone: detail.schedule.zone.name().to_owned(),
        week: week(detail),
        due: health.due_targets,
        slots: visitor.at(&format!("accounts/{}/slots", account.id)),
    }
}

/// The slots of a week as the command line writes them.
fn week(detail: &AccountDetail) -> String {
    // What the core shows it reads.
    let slots = detail.schedule.slots.iter().filter_map(|slot| slot.try_into().ok()).collect();
    WeeklySchedule::new(slots).to_string()
}

#[derive(Template)]
#[template(path = "accounts/connect.html")]
struct Connect {
    frame: Frame,
    action: String,
    networks: Vec<Network>,
    problem: Option<String>,
}

struct Network {
    name: &'static str,
    mark: Mark,
    wire: String,
    why_not: Option<String>,
}

async fn connect(visitor: Visitor) -> Result<Response, Declined> {
    Ok(page::shown(&connect_page(&visitor, None).await?))
}

async fn connect_page(visitor: &Visitor, problem: Option<String>) -> Result<Connect, Declined> {
    let pages = visitor.visit().connecting();
    Ok(Connect {
        frame: Frame::of(visitor, "accounts", "Connect an account").await?,
        action: visitor.at("accounts/connect"),
        networks: Platform::known()
            .map(|platform| Network {
                name: platform.sheet().name,
                mark: platform.into(),
                wire: platform.to_string(),
                why_not: pages.unregistered.get(&platform).cloned(),
            })
            .collect(),
        problem,
    })
}

/// Leads to the page on which an account of a network is connected.
async fn invite(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let platform: Option<Platform> = form.only("network").and_then(|name| name.parse().ok());
    let platform = platform.ok_or_else(|| Refusal::invalid("network", "Choose a network."))?;
    let pages = visitor.visit().connecting();
    let server = match pages.address(platform) {
        Ok(address) => address,
        Err(_) if platform.sheet().connecting.needs_no_registration() => {
            pages.server.as_str().trim_end_matches('/').to_owned()
        }
        Err(error) => {
            let message = format!("{}: {error}.", platform.sheet().name);
            let refusal = Refusal::new(ErrorCode::Unsupported, message.clone());
            let page = connect_page(&visitor, Some(message)).await?;
            return Ok(Declined::from(refusal).into_page(|status, _| page::shown_as(status, &page)));
        }
    };
    let scheduler = visitor.scheduler();
    let invitation =
        scheduler.invite(visitor.workspace(), platform, ConnectInput::default()).await?;
    let ticket = query(&[("ticket", invitation.ticket.expose())]);
    Ok(page::sent_to(&format!("{server}/connect/{platform}?{ticket}")))
}

#[derive(Template)]
#[template(path = "accounts/slots.html")]
struct Slots {
    frame: Frame,
    action: String,
    mark: Mark,
    name: String,
    week: String,
    zone: String,
    next: Vec<String>,
    problem: Option<String>,
}

async fn slots(visitor: Visitor) -> Result<Response, Declined> {
    let page = slots_page(&visitor, None, None).await?;
    Ok(page::shown(&page))
}

async fn slots_page(
    visitor: &Visitor,
    written: Option<String>,
    problem: Option<String>,
) -> Result<Slots, Declined> {
    let id: AccountId = visitor.id()?;
    let workspace = visitor.workspace();
    let detail = visitor.scheduler().account_detail(workspace, id).await?;
    let queue = visitor.scheduler().queue(workspace, Some(id)).await?;
    let zone = detail.schedule.zone;
    Ok(Slots {
        frame: Frame::of(visitor, "accounts", format!("Slots of {}", mark::name(&detail.account)))
            .await?,
        action: visitor.at(&format!("accounts/{id}/slots")),
        mark: detail.account.platform.into(),
        name: mark::name(&detail.account),
        week: written.unwrap_or_else(|| week(&detail)),
        zone: zone.name().to_owned(),
        next: queue
            .iter()
            .take(14)
            .map(|slot| {
                let taken = if slot.target_id.is_some() { ", taken" } else { ", free" };
                format!("{}{taken}", when::instant(slot.instant, zone))
            })
            .collect(),
        problem,
    })
}

async fn set_slots(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: AccountId = visitor.id()?;
    let written = form.only("week").unwrap_or_default().trim().to_owned();
    let zone = match form.only("zone").map(str::trim).unwrap_or_default() {
        "" => Ok(Field::Null),
        name => name
            .parse()
            .map(Field::Value)
            .map_err(|error: scheduler_core::timing::UnknownZone| error.to_string()),
    };
    let read = WeeklySchedule::from_str(&written).map_err(|error| error.to_string());
    let (zone, schedule) = match (zone, read) {
        (Ok(zone), Ok(schedule)) => (zone, schedule),
        (Err(message), _) | (_, Err(message)) => {
            let page = slots_page(&visitor, Some(written), Some(message)).await?;
            return Ok(page::shown_as(StatusCode::BAD_REQUEST, &page));
        }
    };
    let slots = schedule.slots().iter().copied().map(SlotView::from).collect();
    let input = SchedulesInput { account_ids: vec![id], zone, slots };
    visitor.scheduler().set_schedules(visitor.workspace(), &input).await?;
    let said = Said::Slots.query();
    Ok(page::sent_to(&visitor.at(&format!("accounts/{id}/slots?{said}"))))
}
