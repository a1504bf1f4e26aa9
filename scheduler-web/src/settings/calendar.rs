//! The address at which calendars read the posts of the workspace.

use http::Method;
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use warp::reply::Response;

use super::{Show, settings};
use crate::page::{self, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

pub(crate) static MAKE: Endpoint = Endpoint::page(
    "web_make_calendar_feed",
    Method::POST,
    "/w/{workspaceId}/settings/calendar",
    |visit| Box::pin(entered(visit, Role::Owner, make)),
);

pub(crate) static REMOVE: Endpoint = Endpoint::page(
    "web_remove_calendar_feed",
    Method::POST,
    "/w/{workspaceId}/settings/calendar/remove",
    |visit| Box::pin(entered(visit, Role::Owner, remove)),
);

/// The feed as the page shows it.
pub(super) struct Calendar {
    pub(super) make: String,
    pub(super) remove: String,
    /// Since when there is an address.
    pub(super) since: Option<String>,
    /// The address, right after it was made.
    pub(super) url: Option<String>,
}

/// The feed of the workspace, for an owner.
pub(super) async fn calendar(visitor: &Visitor, zone: Zone) -> Result<Option<Calendar>, Declined> {
    if !visitor.may(Role::Owner) {
        return Ok(None);
    }
    let feed = visitor.scheduler().calendar_feed(visitor.workspace().id).await?;
    Ok(Some(Calendar {
        make: visitor.at("settings/calendar"),
        remove: visitor.at("settings/calendar/remove"),
        since: feed.map(|feed| when::instant(feed.created_at, zone)),
        url: None,
    }))
}

/// Makes an address, which is shown once.
async fn make(visitor: Visitor) -> Result<Response, Declined> {
    let made = visitor.scheduler().make_calendar_feed(visitor.workspace().id).await?;
    let url = visitor.visit().page_at(&format!("feeds/{}.ics", made.pass.expose()));
    let page = settings(&visitor, None).await?;
    let calendar = page.calendar.map(|calendar| Calendar { url: Some(url), ..calendar });
    Ok(changed(page::shown(&Show { calendar, ..page })))
}

async fn remove(visitor: Visitor) -> Result<Response, Declined> {
    visitor.scheduler().remove_calendar_feed(visitor.workspace().id).await?;
    let said = Said::CalendarOff.query();
    Ok(page::sent_to(&visitor.at(&format!("settings?{said}"))))
}
