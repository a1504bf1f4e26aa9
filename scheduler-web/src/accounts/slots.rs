//! When an account posts: the slots of a week, as a list of each day and as text.

use askama::Template;
use chrono::Weekday;
use http::{Method, StatusCode};
use scheduler_core::app::{AccountDetail, SchedulesInput};
use scheduler_core::ids::AccountId;
use scheduler_core::post::Field;
use scheduler_core::session::Role;
use scheduler_core::timing::{SlotView, UnknownZone, WeeklySchedule, Zone};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

/// Slots to come that the page lists.
const NEXT: usize = 14;

const DAYS: [(Weekday, &str, &str); 7] = [
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
    action: String,
    mark: Mark,
    name: String,
    week: String,
    zone: String,
    days: Vec<Day>,
    next: Vec<String>,
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

/// The slots of an account.
pub(super) fn week(detail: &AccountDetail) -> WeeklySchedule {
    // What the core shows it reads.
    let slots = detail.schedule.slots.iter().filter_map(|slot| slot.try_into().ok()).collect();
    WeeklySchedule::new(slots)
}

fn days(week: &WeeklySchedule) -> Vec<Day> {
    let times = |day| {
        let of_day = week.slots().iter().filter(move |slot| slot.day == day);
        of_day.map(|slot| slot.time.format("%H:%M").to_string()).collect()
    };
    DAYS.map(|(day, key, name)| Day { key, name, times: times(day) }).into()
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
    Ok(Slots {
        frame: Frame::of(visitor, "accounts", format!("Slots of {name}")).await?,
        action: visitor.at(&format!("accounts/{id}/slots")),
        mark: detail.account.platform.into(),
        name,
        days: days(&week),
        week: week.to_string(),
        zone: zone.name().to_owned(),
        next: queue
            .iter()
            .take(NEXT)
            .map(|slot| {
                let taken = if slot.target_id.is_some() { ", taken" } else { ", free" };
                format!("{}{taken}", when::instant(slot.instant, zone))
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
    let (parsed_zone, week) = match (read_zone(&zone), changed(&written, &form)) {
        (Ok(zone), Ok(week)) => (zone, week),
        (Err(message), _) | (_, Err(message)) => {
            let page = slots_page(&visitor).await?;
            let said = Some(message);
            // What can be read of what was written stays.
            let days = written.parse().map_or(page.days, |week| days(&week));
            let page = Slots { week: written, zone, said, is_wrong: true, days, ..page };
            return Ok(page::shown_as(StatusCode::BAD_REQUEST, &page));
        }
    };
    if form.only("add").is_some() || form.only("remove").is_some() {
        // It is a draft until it is saved, and stands in the form alone.
        let page = slots_page(&visitor).await?;
        let said = Some("Not saved yet.".to_owned());
        let days = days(&week);
        let page = Slots { week: week.to_string(), zone, days, said, ..page };
        return Ok(page::shown(&page));
    }
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

/// The schedule that was written, with the slots that the form adds or without the one that it
/// removes.
fn changed(written: &str, form: &Form) -> Result<WeeklySchedule, String> {
    let read = |text: &str| text.parse::<WeeklySchedule>().map_err(|error| error.to_string());
    let mut slots = read(written)?.slots().to_vec();
    if let Some(removed) = form.only("remove") {
        let removed = read(removed)?;
        slots.retain(|slot| !removed.slots().contains(slot));
    }
    if form.only("add").is_some() {
        let days: Vec<&str> = form.all("day").collect();
        if days.is_empty() {
            return Err("Tick the days on which the slot is.".to_owned());
        }
        let time = form.only("time").unwrap_or_default();
        slots.extend_from_slice(read(&format!("{} {time}", days.join(",")))?.slots());
    }
    Ok(WeeklySchedule::new(slots))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_added_and_removed() {
        for (name, form, want) in [
            ("as written", "", Ok("mon 09:00")),
            ("removed", "remove=mon+09:00", Ok("")),
            ("one that is not there", "remove=tue+09:00", Ok("mon 09:00")),
            (
                "added on two days",
                "add=1&day=mon&day=sun&time=18:30",
                Ok("mon 09:00,18:30; sun 18:30"),
            ),
            ("added twice", "add=1&day=mon&time=09:00", Ok("mon 09:00")),
            ("without a day", "add=1&time=09:00", Err("Tick the days")),
            ("without a time", "add=1&day=mon", Err("")),
        ] {
            let form = Form::parse(form.as_bytes()).unwrap();
            let found = changed("mon 09:00", &form).map(|week| week.to_string());
            match (found, want) {
                (Ok(found), Ok(want)) => assert_eq!(found, want, "{name}"),
                (Err(found), Err(want)) => assert!(found.contains(want), "{name}: {found}"),
                (found, want) => panic!("{name}: {found:?}, {want:?}"),
            }
        }
    }
}
