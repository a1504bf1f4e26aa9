//! Accounts: how they stand, when they post, and connecting more.

mod leaving;
mod slots;
mod week;

use askama::Template;
use http::Method;
use scheduler_core::account::Quota;
use scheduler_core::app::{AccountDetail, AccountState, Ending};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};
use crate::when;

pub(crate) use self::leaving::{LEAVE, SHOW as LEAVING};
pub(crate) use self::slots::{SET as SET_SLOTS, SHOW as SLOTS};

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
    /// The network as forms name it.
    wire: String,
    needs_reconnect: bool,
    state: &'static str,
    class: &'static str,
    access: String,
    version: String,
    /// That its end is near.
    version_class: &'static str,
    quotas: Vec<Used>,
    last: String,
    zone: String,
    week: String,
    due: u64,
    slots: String,
    disconnect: String,
}

/// What is used of what an account may use.
struct Used {
    name: &'static str,
    used: u64,
    limit: u64,
    figures: String,
}

impl Used {
    fn of(quota: &Quota) -> Self {
        Self {
            name: match quota.name.as_str() {
                "requests" => "requests",
                "shared_requests" => "requests of all accounts",
                "cost" => "cost of posts this month, in thousandths",
                _ => "posts",
            },
            used: quota.used,
            limit: quota.limit,
            figures: format!("{} of {}", quota.used, quota.limit),
        }
    }
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
        wire: account.platform.to_string(),
        needs_reconnect: health.state == AccountState::NeedsReconnect,
        state,
        class,
        access: health.token_expires_at.map_or_else(
            || "not told".to_owned(),
            |at| format!("ends {}", when::distance(at, now)),
        ),
        version: match (&health.api_version, health.api_version_ends_at) {
            (Some(version), Some(end)) => format!("{version}, until {}", end.format("%-d %b %Y")),
            (Some(version), None) => format!("{version}, no end announced"),
            (None, _) => "not told".to_owned(),
        },
        version_class: version_class(health.version_ends(visitor.now().date_naive())),
        quotas: health.quota.iter().map(Used::of).collect(),
        last: health
            .last_published_at
            .map_or_else(|| "none yet".to_owned(), |at| when::instant(at, zone)),
        zone: detail.schedule.zone.name().to_owned(),
        week: slots::week(detail).to_string(),
        due: health.due_targets,
        slots: visitor.at(&format!("accounts/{}/slots", account.id)),
        disconnect: visitor.at(&format!("accounts/{}/disconnect", account.id)),
    }
}

/// How the end of a version is shown: amber while it is near, red once it is very near.
const fn version_class(ending: Option<Ending>) -> &'static str {
    match ending {
        Some(Ending::Now) => "bad-t",
        Some(Ending::Soon) => "warn-t",
        Some(Ending::Later) | None => "",
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_is_near_has_a_colour() {
        for (ending, want) in [
            (None, ""),
            (Some(Ending::Later), ""),
            (Some(Ending::Soon), "warn-t"),
            (Some(Ending::Now), "bad-t"),
        ] {
            assert_eq!(version_class(ending), want, "{ending:?}");
        }
    }
}
