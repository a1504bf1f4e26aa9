//! When an account posts: the slots of a week, as a list of each day and as text.

use askama::Template;
use chrono::{Datelike as _, Timelike as _, Weekday};
use http::{Method, StatusCode};
use scheduler_core::app::{AccountDetail, SchedulesInput};
use scheduler_core::ids::AccountId;
use scheduler_core::post::Field;
use scheduler_core::session::Role;
use scheduler_core::timing::{ClockChange, SlotTime, SlotView, UnknownZone, WeeklySchedule, Zone};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use super::week::{changed, key, spoken};
use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

/// Slots to come that the page lists.
const NEXT: usize = 14;

pub(super) const DAYS: [(Weekday, &str, &str); 7] = [
    (Weekday::Mon, "mon", "Monday"),
    (Weekday::Tue, "tue", "Tuesday"),
    (Weekday::Wed, "wed", "Wednesday"),
    (Weekday::Thu, "thu", "Thursday"),
    (Weekday::Fri, "fri", "Friday"),
    (Weekday::Sat, "sat", "Saturday"),
    (Weekday::Sun, "sun", "Sunday"),
];

const PATH: &str = "/w/{workspaceId}/accounts/{id}/slots";

pub(crate) static SHOW: Endpoint = Endpoint::page("web_slots", Method::GET, PATH, |visit| {
    Box::pin(entered(visit, Role::Reader, show))
});

pub(crate) static SET: Endpoint = Endpoint::page("web_set_slots", Method::POST, PATH, |visit| {
    Box::pin(entered(visit, Role::Owner, set))
});

#[derive(Template)]
#[template(path = "accounts/slots.html")]
struct Slots {
    frame: Frame,
    script: String,
    action: String,
    mark: Mark,
    name: String,
    week: String,
    zone: String,
    days: Vec<Day>,
    /// The hours of a day, each with its slots of the seven days.
    hours: Vec<Hour>,
    /// How many posts are to come through the account.
    due: u64,
    next: Vec<Next>,
    /// What clocks do with slots.
    clocks: Vec<String>,
    /// The slot that the form has just changed.
    at: String,
    /// What was said by the form that was sent.
    said: Option<String>,
    is_wrong: bool,
}

/// A day of the week.
struct Day {
    /// As the text writes it, and in full.
    key: &'static str,
    name: &'static str,
    times: Vec<String>,
}

/// An hour of the week.
struct Hour {
    name: String,
    cells: Vec<Cell>,
}

/// An hour of a day.
struct Cell {
    /// As forms name it, such as `mon 09`, and as people read it.
    key: String,
    name: String,
    pills: Vec<Pill>,
}

/// A slot of the grid.
struct Pill {
    key: String,
    name: String,
    time: String,
    /// The post that goes out at its next instant.
    post: Option<String>,
}

/// A slot to come.
struct Next {
    text: String,
    post: Option<String>,
}

/// The slots of an account.
pub(super) fn week(detail: &AccountDetail) -> WeeklySchedule {
    // What the core shows it reads.
    let slots = detail.schedule.slots.iter().filter_map(|slot| slot.try_into().ok()).collect();
    WeeklySchedule::new(slots)
}

impl Slots {
    /// The same with another week, which is not stored.
    fn with(self, week: &WeeklySchedule) -> Self {
        let pills = self.hours.iter().flat_map(|hour| &hour.cells).flat_map(|cell| &cell.pills);
        let taken = pills.filter_map(|pill| {
            let slot: WeeklySchedule = pill.key.parse().ok()?;
            Some((*slot.slots().first()?, pill.post.clone()?))
        });
        let taken: Vec<(SlotTime, String)> = taken.collect();
        Self { week: week.to_string(), days: days(week), hours: hours(week, &taken), ..self }
    }
}

fn days(week: &WeeklySchedule) -> Vec<Day> {
    let times = |day| {
        let of_day = week.slots().iter().filter(move |slot| slot.day == day);
        of_day.map(|slot| slot.time.format("%H:%M").to_string()).collect()
    };
    DAYS.map(|(day, key, name)| Day { key, name, times: times(day) }).into()
}

/// The grid of a week; `taken` are the slots whose next instant a post has, with its page.
fn hours(week: &WeeklySchedule, taken: &[(SlotTime, String)]) -> Vec<Hour> {
    let pill = |slot: &SlotTime| Pill {
        key: key(*slot),
        name: spoken(*slot),
        time: slot.time.format("%H:%M").to_string(),
        post: taken.iter().find(|(one, _)| one == slot).map(|(_, post)| post.clone()),
    };
    let cell = |hour: u32, (day, short, name): (Weekday, &str, &str)| Cell {
        key: format!("{short} {hour:02}"),
        name: format!("{name} {hour:02}:00"),
        pills: week
            .slots()
            .iter()
            .filter(|slot| slot.day == day && slot.time.hour() == hour)
            .map(pill)
            .collect(),
    };
    (0..24)
        .map(|hour| Hour {
            name: format!("{hour:02}:00"),
            cells: DAYS.into_iter().map(|day| cell(hour, day)).collect(),
        })
        .collect()
}

/// What clocks do with a slot, in a sentence.
fn clock(change: &ClockChange) -> String {
    let (day, asked) = (when::day(change.asked.date()), when::clock(change.asked));
    if change.comes_twice() {
        return format!("On {day} {asked} comes twice; the slot is at the first.");
    }
    format!("On {day} {asked} goes at {}.", when::clock(change.goes_at))
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    Ok(page::shown(&slots_page(&visitor).await?))
}

async fn slots_page(visitor: &Visitor) -> Result<Slots, Declined> {
    let id: AccountId = visitor.id()?;
    let workspace = visitor.workspace();
    let detail = visitor.scheduler().account_detail(workspace, id).await?;
    let queue = visitor.scheduler().queue(workspace, Some(id)).await?;
    let (zone, name) = (detail.schedule.zone, mark::name(&detail.account));
    let week = week(&detail);
    let taken = queue.iter().filter_map(|slot| {
        let local = zone.local(slot.instant);
        let at = SlotTime { day: local.weekday(), time: local.time() };
        Some((at, visitor.at(&format!("posts/{}", slot.post_id?))))
    });
    let taken: Vec<(SlotTime, String)> = taken.collect();
    Ok(Slots {
        frame: Frame::of(visitor, "accounts", format!("Slots of {name}")).await?,
        script: crate::assets::address("slots.js"),
        action: visitor.at(&format!("accounts/{id}/slots")),
        mark: detail.account.platform.into(),
        name,
        days: days(&week),
        hours: hours(&week, &taken),
        due: detail.health.due_targets,
        clocks: week.clock_changes(zone, visitor.now()).iter().map(clock).collect(),
        at: String::new(),
        week: week.to_string(),
        zone: zone.name().to_owned(),
        next: queue
            .iter()
            .take(NEXT)
            .map(|slot| Next {
                text: when::instant(slot.instant, zone),
                post: slot.post_id.map(|post| visitor.at(&format!("posts/{post}"))),
            })
            .collect(),
        said: None,
        is_wrong: false,
    })
}

async fn set(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: AccountId = visitor.id()?;
    let written = form.only("week").unwrap_or_default().trim().to_owned();
    let zone = form.only("zone").map(str::trim).unwrap_or_default().to_owned();
    let (parsed_zone, changed) = match (read_zone(&zone), changed(&written, &form)) {
        (Ok(zone), Ok(changed)) => (zone, changed),
        (Err(message), _) | (_, Err(message)) => {
            let page = slots_page(&visitor).await?;
            // What can be read of what was written stays.
            let page = match written.parse() {
                Ok(week) => page.with(&week),
                Err(_) => page,
            };
            let page = Slots { week: written, zone, said: Some(message), is_wrong: true, ..page };
            return Ok(page::shown_as(StatusCode::BAD_REQUEST, &page));
        }
    };
    if let Some(said) = changed.said {
        // It is a draft until it is saved, and stands in the form alone.
        let page = slots_page(&visitor).await?.with(&changed.week);
        let at = changed.at.map(key).unwrap_or_default();
        let said = Some(format!("{said} Not saved yet."));
        return Ok(page::shown(&Slots { zone, said, at, ..page }));
    }
    let week = changed.week;
    let slots = week.slots().iter().copied().map(SlotView::from).collect();
    let input = SchedulesInput { account_ids: vec![id], zone: parsed_zone, slots };
    visitor.scheduler().set_schedules(visitor.workspace(), &input).await?;
    let said = Said::Slots.query();
    Ok(page::sent_to(&visitor.at(&format!("accounts/{id}/slots?{said}"))))
}

fn read_zone(name: &str) -> Result<Field<Zone>, String> {
    if name.is_empty() {
        return Ok(Field::Null);
    }
    name.parse().map(Field::Value).map_err(|error: UnknownZone| error.to_string())
}
