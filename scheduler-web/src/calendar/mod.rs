//! The calendar: month, week, day and list, drawn from one query by a range of instants.

mod bar;
mod chosen;
mod grid;
mod hours;
mod list;
mod period;
mod read;

use std::collections::BTreeSet;

use askama::Template;
use chrono::{DateTime, Days, NaiveDate, Utc};
use http::Method;
use scheduler_core::app::QueueSlot;
use scheduler_core::error::Refusal;
use scheduler_core::ids::AccountId;
use scheduler_core::post::{ListInput, PostView};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, Visit};
use warp::reply::Response;

use crate::card::{Card, State, cards};
use crate::filters;
use crate::page::{self, Frame};
use crate::rehearsal;
use crate::visitor::{Visitor, entered, query};
use crate::when;
use bar::{Bar, Empty, LIST, Shown, link, ordered};
use grid::{Day, days};
use hours::{Hour, Now, hours};
use period::Period;
use read::{Reader, filtered};

pub(crate) use chosen::CHOSEN;

pub(crate) static HOME: Endpoint =
    Endpoint::page("web_calendar_today", Method::GET, "/w/{workspaceId}/calendar", |visit| {
        Box::pin(entered(visit, Role::Reader, home))
    });

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_calendar", Method::GET, "/w/{workspaceId}/calendar/{name}", |visit| {
        Box::pin(show(visit))
    });

/// The month of today, at its week.
async fn home(visitor: Visitor) -> Result<Response, Declined> {
    let today = visitor.zone()?.local(visitor.now()).date();
    let query = visitor.visit().query();
    let month = link(&visitor, &query, &Period::month_of(today).name());
    Ok(page::sent_to(&format!("{month}#today")))
}

async fn show(visit: Visit) -> Response {
    entered(visit, Role::Reader, |visitor| async move {
        match visitor.visit().segment("name") {
            LIST => list::show(visitor).await,
            name => match Period::parse(name) {
                Some(period) => period_page(visitor, period).await,
                None => {
                    let message = "A calendar is a month (2026-10), a week (2026-W42), a day (2026-10-15) or the list.";
                    Err(Refusal::invalid("period", message).into())
                }
            },
        }
    })
    .await
}

/// The slots to come of a range that nothing holds, unless the address hides them.
async fn free_slots(
    visitor: &Visitor,
    asked: &Form,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<QueueSlot>, Declined> {
    if asked.only("slots") == Some("0") || !visitor.may(Role::Editor) {
        return Ok(Vec::new());
    }
    let chosen: BTreeSet<AccountId> =
        asked.all("account").filter_map(|id| id.parse().ok()).collect();
    Ok(visitor.scheduler().free_slots(visitor.workspace(), &chosen, from, to).await?)
}

#[derive(Template)]
#[template(path = "calendar/month.html")]
struct Month {
    frame: Frame,
    bar: Bar,
    script: String,
    weeks: Vec<Vec<Day>>,
    empty: Option<Empty>,
    is_cut: bool,
}

#[derive(Template)]
#[template(path = "calendar/week.html")]
struct Week {
    frame: Frame,
    bar: Bar,
    script: String,
    days: Vec<Day>,
    hours: Vec<Hour>,
    empty: Option<Empty>,
    is_cut: bool,
    /// Milliseconds until the line of the present moves; `None` where it is on another page.
    next_minute: Option<i64>,
}

async fn period_page(visitor: Visitor, period: Period) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let (zone, now) = (visitor.zone()?, visitor.now());
    let today = zone.local(now).date();
    let (from, to) = period.days();
    let accounts = visitor.accounts().await?;
    let reader = Reader {
        scheduler: visitor.scheduler(),
        caller: &visitor.caller,
        accounts: &accounts,
        zone,
    };
    let mut found = reader.between(&asked, from, to).await?;
    let title = period.title();
    let range = (when::begin(from, zone), when::begin(to, zone));
    let marks = rehearsal::marks(&visitor, &asked, range).await?;
    found.mark(&marks);
    let bar = Bar::new(
        &visitor,
        &period.name(),
        title.clone(),
        &found.cards,
        &accounts,
        Shown { anchor: period.anchor(today), range, marks: Some(&marks) },
    )?;
    let shown = found.shown(&asked);
    let is_cut = found.is_cut;
    drop(found);
    let within = match period {
        Period::Month(_) => format!("in {title}"),
        Period::Week(_) => format!("from {title}"),
        Period::Day(_) => format!("on {title}"),
    };
    let empty = shown.is_empty().then(|| Empty::of(&bar, &visitor, &period.name(), &within));
    let slots = free_slots(&visitor, &asked, range.0, range.1).await?;
    let frame = Frame::of(&visitor, "calendar", format!("{title} · Calendar")).await?;
    let script = crate::assets::address("calendar.js");
    let view = grid::View { visitor: &visitor, accounts: &accounts, zone, now, period };
    let days = days(&view, &shown, &slots);
    if matches!(period, Period::Month(_)) {
        let weeks = days.chunks(7).map(<[Day]>::to_vec).collect();
        return Ok(page::shown(&Month { frame, bar, script, weeks, empty, is_cut }));
    }
    let present = Now { local: zone.local(now), is_again: zone.is_again(now) };
    let hours = hours(&days, zone, present);
    let is_here = (from..to).contains(&today);
    let next_minute = is_here.then(|| 60_000 - now.timestamp_millis().rem_euclid(60_000));
    Ok(page::shown(&Week { frame, bar, script, days, hours, empty, is_cut, next_minute }))
}
