//! The calendar: month, week, day and list, drawn from one query by a range of instants.

mod grid;
mod list;
mod period;

use std::collections::HashMap;

use askama::Template;
use chrono::{DateTime, NaiveDate, Utc};
use http::Method;
use scheduler_core::account::AccountView;
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
use crate::mark::{self, Mark};
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};
use crate::when;
use grid::{Day, Hour, days, hours};
use period::Period;

/// Posts of one view at most; a range that has more says so.
///
/// Source: our decision.
const POSTS_MAX: usize = 2_000;

/// Posts that are asked for at once.
const POSTS_AT_ONCE: &str = "500";

/// The parameters that stay from view to view.
const KEPT: [&str; 5] = ["account", "state", "q", "zone", "slots"];

pub(crate) static HOME: Endpoint =
    Endpoint::page("web_calendar_today", Method::GET, "/w/{workspaceId}/calendar", |visit| {
        Box::pin(entered(visit, Role::Reader, home))
    });

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_calendar", Method::GET, "/w/{workspaceId}/calendar/{name}", |visit| {
        Box::pin(show(visit))
    });

/// The month of today.
async fn home(visitor: Visitor) -> Result<Response, Declined> {
    let today = visitor.zone()?.local(visitor.now()).date();
    let query = visitor.visit().query();
    Ok(page::sent_to(&link(&visitor, &query, &Period::month_of(today).name())))
}

async fn show(visit: Visit) -> Response {
    entered(visit, Role::Reader, |visitor| async move {
        match visitor.visit().segment("name") {
            "list" => list::show(visitor).await,
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

/// The address of a view with the filters of this one.
fn link(visitor: &Visitor, query: &Form, view: &str) -> String {
    let kept = KEPT.iter().flat_map(|name| query.all(name).map(|value| (*name, value)));
    addressed(visitor, view, &kept.collect::<Vec<_>>())
}

fn addressed(visitor: &Visitor, view: &str, pairs: &[(&str, &str)]) -> String {
    let address = visitor.at(&format!("calendar/{view}"));
    if pairs.is_empty() { address } else { format!("{address}?{}", query(pairs)) }
}

/// What the bar above every view shows.
struct Bar {
    title: String,
    zone: String,
    views: Vec<View>,
    earlier: Option<String>,
    today: String,
    later: Option<String>,
    states: Vec<StateLink>,
    accounts: Vec<AccountLink>,
    q: String,
    /// What a search keeps, but for the words.
    kept: Vec<(&'static str, String)>,
}

struct View {
    word: &'static str,
    key: &'static str,
    href: String,
    is_shown: bool,
}

struct StateLink {
    state: State,
    count: usize,
    href: String,
    is_chosen: bool,
}

struct AccountLink {
    mark: Mark,
    name: String,
    href: String,
    is_shown: bool,
}

impl Bar {
    fn new(
        visitor: &Visitor,
        view: &str,
        title: String,
        cards: &[Card],
        accounts: &HashMap<AccountId, AccountView>,
        anchor: NaiveDate,
    ) -> Result<Self, Declined> {
        let asked = visitor.visit().query();
        let zone = visitor.zone()?;
        let link = |view: &str| link(visitor, &asked, view);
        let views = [
            ("Month", "1", Period::month_of(anchor).name()),
            ("Week", "2", Period::Week(when::monday(anchor)).name()),
            ("Day", "3", Period::Day(anchor).name()),
            ("List", "4", "list".to_owned()),
        ];
        let period = Period::parse(view);
        let today = zone.local(visitor.now()).date();
        let now = period.map_or_else(|| "list".to_owned(), |period| period.with(today).name());
        let mut shown: Vec<&AccountView> = accounts.values().collect();
        shown.sort_by_key(|account| (account.platform, account.id));
        Ok(Self {
            title,
            zone: when::zone(zone, visitor.now()),
            views: views
                .into_iter()
                .map(|(word, key, name)| View {
                    word,
                    key,
                    href: link(&name),
                    is_shown: name == view,
                })
                .collect(),
            earlier: period.map(|period| link(&period.earlier().name())),
            today: link(&now),
            later: period.map(|period| link(&period.later().name())),
            states: State::ALL
                .into_iter()
                .map(|state| {
                    let (href, is_chosen) = toggled(visitor, &asked, view, "state", state.name());
                    let count = cards.iter().filter(|card| card.state == state).count();
                    StateLink { state, count, href, is_chosen }
                })
                .filter(|link| link.count > 0 || link.is_chosen)
                .collect(),
            accounts: shown
                .into_iter()
                .map(|account| {
                    let id = account.id.to_string();
                    let (href, is_chosen) = toggled(visitor, &asked, view, "account", &id);
                    let is_shown = is_chosen || asked.all("account").next().is_none();
                    AccountLink {
                        mark: account.platform.into(),
                        name: mark::name(account),
                        href,
                        is_shown,
                    }
                })
                .collect(),
            q: asked.only("q").unwrap_or_default().to_owned(),
            kept: KEPT
                .into_iter()
                .filter(|name| *name != "q")
                .flat_map(|name| asked.all(name).map(move |value| (name, value.to_owned())))
                .collect(),
        })
    }
}

/// The address of a view with this value of a filter, or without it where it has it; and whether
/// it has it.
fn toggled(visitor: &Visitor, asked: &Form, view: &str, name: &str, value: &str) -> (String, bool) {
    let mut pairs: Vec<(&str, &str)> =
        KEPT.iter().flat_map(|name| asked.all(name).map(|value| (*name, value))).collect();
    let before = pairs.len();
    pairs.retain(|pair| *pair != (name, value));
    let is_chosen = pairs.len() < before;
    if !is_chosen {
        pairs.push((name, value));
    }
    (addressed(visitor, view, &pairs), is_chosen)
}

/// What the address asks for of a list.
fn filtered(asked: &Form) -> ListInput {
    ListInput {
        account_id: asked.all("account").map(str::to_owned).collect(),
        q: asked.only("q").filter(|q| !q.trim().is_empty()).map(str::to_owned),
        ..ListInput::default()
    }
}

/// The posts that go out or went out in a range.
async fn posts(
    visitor: &Visitor,
    asked: &Form,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<(Vec<PostView>, bool), Declined> {
    let mut input = ListInput {
        from: Some(from.to_rfc3339()),
        to: Some(to.to_rfc3339()),
        limit: Some(POSTS_AT_ONCE.to_owned()),
        ..filtered(asked)
    };
    let mut posts = Vec::new();
    loop {
        let page = visitor.scheduler().list_posts(&visitor.caller, &input).await?;
        posts.extend(page.data);
        input.before = page.next_cursor;
        if input.before.is_none() || posts.len() >= POSTS_MAX {
            return Ok((posts, input.before.is_some()));
        }
    }
}

/// The slots to come that nothing holds, unless the address hides them.
async fn free_slots(visitor: &Visitor, asked: &Form) -> Result<Vec<QueueSlot>, Declined> {
    if asked.only("slots") == Some("0") || !visitor.may(Role::Editor) {
        return Ok(Vec::new());
    }
    let chosen: Vec<&str> = asked.all("account").collect();
    let mut slots = visitor.scheduler().queue(visitor.workspace(), None).await?;
    slots.retain(|slot| {
        let id = slot.account_id.to_string();
        slot.target_id.is_none() && (chosen.is_empty() || chosen.contains(&id.as_str()))
    });
    Ok(slots)
}

#[derive(Template)]
#[template(path = "calendar/month.html")]
struct Month {
    frame: Frame,
    bar: Bar,
    script: String,
    weeks: Vec<Vec<Day>>,
    is_cut: bool,
    is_empty: bool,
    write: String,
}

#[derive(Template)]
#[template(path = "calendar/week.html")]
struct Week {
    frame: Frame,
    bar: Bar,
    script: String,
    days: Vec<Day>,
    hours: Vec<Hour>,
    is_cut: bool,
    is_empty: bool,
    write: String,
}

async fn period_page(visitor: Visitor, period: Period) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let (zone, now) = (visitor.zone()?, visitor.now());
    let today = zone.local(now).date();
    let (from, to) = period.days();
    let (posts, is_cut) =
        posts(&visitor, &asked, when::begin(from, zone), when::begin(to, zone)).await?;
    let accounts = visitor.accounts().await?;
    let all = cards(&posts, &accounts, visitor.workspace().timezone, zone);
    drop(posts);
    let title = period.title();
    let anchor = period.anchor(today);
    let bar = Bar::new(&visitor, &period.name(), title.clone(), &all, &accounts, anchor)?;
    let chosen: Vec<&str> = asked.all("state").collect();
    let shown: Vec<Card> = all.into_iter().filter(|card| is_shown(card.state, &chosen)).collect();
    let is_empty = shown.is_empty();
    let slots = free_slots(&visitor, &asked).await?;
    let frame = Frame::of(&visitor, "calendar", format!("{title} · Calendar")).await?;
    let script = crate::assets::address("calendar.js");
    let write = visitor.at("compose");
    let view = grid::View { visitor: &visitor, accounts: &accounts, zone, now, period };
    let days = days(&view, &shown, &slots);
    if matches!(period, Period::Month(_)) {
        let weeks = days.chunks(7).map(<[Day]>::to_vec).collect();
        return Ok(page::shown(&Month { frame, bar, script, weeks, is_cut, is_empty, write }));
    }
    let hours = hours(&days, zone.local(now));
    Ok(page::shown(&Week { frame, bar, script, days, hours, is_cut, is_empty, write }))
}

/// Cancelled posts are hidden unless they are asked for.
fn is_shown(state: State, chosen: &[&str]) -> bool {
    if chosen.is_empty() { state != State::Canceled } else { chosen.contains(&state.name()) }
}
