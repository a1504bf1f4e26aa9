//! The days of a month or a week, and the hours of a week or a day.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, NaiveDate, NaiveDateTime, Timelike as _, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::app::QueueSlot;
use scheduler_core::ids::AccountId;
use scheduler_core::timing::Zone;

use super::period::Period;
use crate::card::{Card, State};
use crate::mark::Mark;
use crate::visitor::{Visitor, query};
use crate::when;

/// Cards that a day of a month shows; the others are counted.
const CARDS: usize = 3;

/// Free slots that a day of a month shows.
const GHOSTS: usize = 4;

/// What a grid is made of.
pub(super) struct View<'a> {
    pub(super) visitor: &'a Visitor,
    pub(super) accounts: &'a HashMap<AccountId, AccountView>,
    pub(super) zone: Zone,
    pub(super) now: DateTime<Utc>,
    pub(super) period: Period,
}

/// A day with its cards and free slots.
#[derive(Clone, Debug)]
pub(super) struct Day {
    pub(super) date: NaiveDate,
    pub(super) number: String,
    pub(super) weekday: String,
    /// In words, such as `Thursday 15 October`.
    pub(super) name: String,
    /// How many posts it has, in words.
    pub(super) count: String,
    pub(super) href: String,
    pub(super) write: String,
    pub(super) class: String,
    pub(super) is_today: bool,
    pub(super) is_past: bool,
    pub(super) clock_change: Option<String>,
    pub(super) cards: Vec<Card>,
    pub(super) more: usize,
    pub(super) more_failed: usize,
    pub(super) ghosts: Vec<Ghost>,
}

/// A free slot, of one account or of several at the same minute.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    pub(super) local: NaiveDateTime,
    pub(super) clock: String,
    pub(super) href: String,
    pub(super) marks: Vec<Mark>,
    pub(super) names: String,
}

/// The days of a period.
pub(super) fn days(view: &View<'_>, cards: &[Card], slots: &[QueueSlot]) -> Vec<Day> {
    let (from, to) = view.period.days();
    let today = view.zone.local(view.now).date();
    let mut of_days: BTreeMap<NaiveDate, Vec<Card>> = BTreeMap::new();
    for card in cards {
        of_days.entry(card.local.date()).or_default().push(card.clone());
    }
    let mut ghosts = ghosts(view, slots);
    let asked = view.visitor.visit().query();
    from.iter_days()
        .take_while(|date| *date < to)
        .map(|date| {
            let mut cards = of_days.remove(&date).unwrap_or_default();
            let count = cards.len();
            let mut ghosts = ghosts.remove(&date).unwrap_or_default();
            let (mut more, mut more_failed) = (0, 0);
            if matches!(view.period, Period::Month(_)) {
                (more, more_failed) = cut(&mut cards);
                ghosts.truncate(GHOSTS);
            }
            let is_outside = match view.period {
                Period::Month(first) => {
                    date.format("%m").to_string() != first.format("%m").to_string()
                }
                Period::Week(_) | Period::Day(_) => false,
            };
            let class = [("past", date < today), ("out", is_outside), ("today", date == today)];
            let class: Vec<&str> =
                class.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect();
            Day {
                date,
                number: date.format("%-d").to_string(),
                weekday: date.format("%a").to_string(),
                name: when::day_of_year(date),
                count: match count {
                    0 => "no posts".to_owned(),
                    1 => "1 post".to_owned(),
                    many => format!("{many} posts"),
                },
                href: super::link(view.visitor, &asked, &date.to_string()),
                write: view.visitor.at(&format!("compose?at={date}T09:00")),
                class: class.join(" "),
                is_today: date == today,
                is_past: date < today,
                clock_change: when::clock_change(date, view.zone),
                cards,
                more,
                more_failed,
                ghosts,
            }
        })
        .collect()
}

/// Leaves as many cards as a day of a month shows; tells how many are gone, and how many of them
/// have failed. The last that is shown makes way for a failed one that would be hidden.
fn cut(cards: &mut Vec<Card>) -> (usize, usize) {
    if cards.len() <= CARDS {
        return (0, 0);
    }
    let mut hidden = cards.split_off(CARDS);
    let is_failed = |card: &Card| card.state == State::Failed;
    if !cards.iter().any(is_failed)
        && let Some(failed) = hidden.iter().position(is_failed)
        && let Some(last) = cards.last_mut()
    {
        std::mem::swap(last, &mut hidden[failed]);
    }
    (hidden.len(), hidden.iter().filter(|card| is_failed(card)).count())
}

fn ghosts(view: &View<'_>, slots: &[QueueSlot]) -> BTreeMap<NaiveDate, Vec<Ghost>> {
    let mut minutes: BTreeMap<DateTime<Utc>, Vec<&AccountView>> = BTreeMap::new();
    for slot in slots {
        if let Some(account) = view.accounts.get(&slot.account_id) {
            minutes.entry(slot.instant).or_default().push(account);
        }
    }
    let mut days: BTreeMap<NaiveDate, Vec<Ghost>> = BTreeMap::new();
    for (instant, accounts) in minutes {
        let local = view.zone.local(instant);
        let at = instant.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        let ids: Vec<String> = accounts.iter().map(|account| account.id.to_string()).collect();
        let mut pairs = vec![("at", at.as_str())];
        pairs.extend(ids.iter().map(|id| ("account", id.as_str())));
        let names: Vec<&str> =
            accounts.iter().map(|account| account.platform.sheet().name).collect();
        days.entry(local.date()).or_default().push(Ghost {
            local,
            clock: when::clock(local),
            href: view.visitor.at(&format!("compose?{}", query(&pairs))),
            marks: accounts.iter().map(|account| account.platform.into()).collect(),
            names: names.join(", "),
        });
    }
    days
}

/// A row of a week: an hour, or a run of hours with nothing in them.
#[derive(Clone, Debug)]
pub(super) struct Hour {
    /// Such as `09:00`, or `00:00–08:00`.
    pub(super) label: String,
    pub(super) hour: u32,
    pub(super) is_fold: bool,
    /// For each day what stands in the hour.
    pub(super) cells: Vec<Cell>,
}

/// What stands in an hour of a day.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) day: Day,
    pub(super) cards: Vec<Card>,
    pub(super) ghosts: Vec<Ghost>,
    /// The time now, where it is in this hour.
    pub(super) now: Option<String>,
}

/// The hours of days: those with something in them each for itself, the others folded.
pub(super) fn hours(days: &[Day], now: NaiveDateTime) -> Vec<Hour> {
    let mut rows: Vec<Hour> = Vec::new();
    for hour in 0..24 {
        let cells: Vec<Cell> = days.iter().map(|day| cell(day, hour, now)).collect();
        let is_fold = cells
            .iter()
            .all(|cell| cell.cards.is_empty() && cell.ghosts.is_empty() && cell.now.is_none());
        match rows.last_mut().filter(|last| last.is_fold && is_fold) {
            Some(last) => last.label = format!("{:02}:00–{:02}:00", last.hour, hour + 1),
            None => {
                let label = if is_fold {
                    format!("{hour:02}:00–{:02}:00", hour + 1)
                } else {
                    format!("{hour:02}:00")
                };
                rows.push(Hour { label, hour, is_fold, cells });
            }
        }
    }
    rows
}

fn cell(day: &Day, hour: u32, now: NaiveDateTime) -> Cell {
    let cards = day.cards.iter().filter(|card| card.local.hour() == hour).cloned().collect();
    let ghosts = day.ghosts.iter().filter(|ghost| ghost.local.hour() == hour).cloned().collect();
    let is_now = now.date() == day.date && now.hour() == hour;
    Cell {
        day: Day { cards: vec![], ghosts: vec![], ..day.clone() },
        cards,
        ghosts,
        now: is_now.then(|| when::clock(now)),
    }
}
