//! The hours of a week or a day: an hour that comes twice has two rows, and one that does not exist
//! is hatched.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta, Timelike as _};
use scheduler_core::timing::{Passes, Zone};

use super::grid::{Day, Ghost};
use crate::card::Card;
use crate::when;

/// A row of a week: an hour, or a run of hours with nothing in them.
#[derive(Clone, Debug)]
pub(super) struct Hour {
    /// Such as `09:00`, `00:00–08:00` or `02:00 winter time`.
    pub(super) label: String,
    pub(super) hour: u32,
    pub(super) is_fold: bool,
    /// True for the second row of an hour that comes twice.
    pub(super) is_again: bool,
    /// For each day what stands in the hour.
    pub(super) cells: Vec<Cell>,
}

/// What stands in an hour of a day.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) date: NaiveDate,
    /// The day and the hour in words.
    pub(super) name: String,
    pub(super) class: String,
    /// Why nothing can stand here.
    pub(super) gap: Option<String>,
    pub(super) cards: Vec<Card>,
    /// Cards that come after the line of the present.
    pub(super) later: Vec<Card>,
    pub(super) ghosts: Vec<Ghost>,
    /// The time now, where it is in this hour.
    pub(super) now: Option<String>,
}

impl Cell {
    fn is_empty(&self) -> bool {
        self.gap.is_none()
            && self.cards.is_empty()
            && self.later.is_empty()
            && self.ghosts.is_empty()
            && self.now.is_none()
    }
}

/// The present, as the clocks of the view show it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) local: NaiveDateTime,
    /// True when clocks have shown this time before.
    pub(super) is_again: bool,
}

/// The hours of days: those with something in them each for itself, the others folded.
pub(super) fn hours(days: &[Day], zone: Zone, now: Now) -> Vec<Hour> {
    let mut rows: Vec<Hour> = Vec::new();
    for hour in 0..24 {
        let comes_twice = days.iter().any(|day| zone.passes(day.date, hour) == Passes::Twice);
        for is_again in [false, true].into_iter().take(if comes_twice { 2 } else { 1 }) {
            let place = Place { hour, is_again, zone, now };
            let cells: Vec<Cell> = days.iter().map(|day| place.cell(day)).collect();
            let is_fold = !comes_twice && cells.iter().all(Cell::is_empty);
            match rows.last_mut().filter(|last| last.is_fold && is_fold) {
                Some(last) => last.label = format!("{:02}:00–{:02}:00", last.hour, hour + 1),
                None => {
                    let label = match (is_fold, comes_twice, is_again) {
                        (true, ..) => when::hours(hour),
                        (_, false, _) => format!("{hour:02}:00"),
                        (_, true, false) => format!("{hour:02}:00 summer time"),
                        (_, true, true) => format!("{hour:02}:00 winter time"),
                    };
                    rows.push(Hour { label, hour, is_fold, is_again, cells });
                }
            }
        }
    }
    rows
}

/// A row of the grid.
#[derive(Clone, Copy, Debug)]
struct Place {
    hour: u32,
    is_again: bool,
    zone: Zone,
    now: Now,
}

impl Place {
    fn cell(self, day: &Day) -> Cell {
        let Self { hour, is_again, zone, now } = self;
        let passes = zone.passes(day.date, hour);
        let gap = match passes {
            Passes::Never => Some(format!("{} does not exist", when::hours(hour))),
            Passes::Once if is_again => Some(format!("{hour:02}:00 comes once")),
            Passes::Once | Passes::Twice => None,
        };
        let is_here = |local: NaiveDateTime, again: bool| {
            local.hour() == hour && again == is_again && gap.is_none()
        };
        let is_now = now.local.date() == day.date && is_here(now.local, now.is_again);
        let cards = day.cards.iter().filter(|card| is_here(card.local, card.is_again)).cloned();
        let (cards, later) = cards.partition(|card: &Card| !is_now || card.local <= now.local);
        let ghosts = day.ghosts.iter().filter(|ghost| is_here(ghost.local, ghost.is_again));
        let ghosts: Vec<Ghost> = ghosts.cloned().collect();
        // A cell is past once the last minute of its hour is.
        let end = day.date.and_hms_opt(hour, 0, 0).map(|begin| begin + TimeDelta::hours(1));
        let is_over = end.is_some_and(|end| {
            let last = zone.instant_of(end - TimeDelta::minutes(1), is_again);
            last < zone.instant_of(now.local, now.is_again)
        });
        let mut class = day.class.clone();
        if is_over && !day.is_past {
            class.push_str(" past");
        }
        if gap.is_some() {
            class.push_str(" gap");
        }
        Cell {
            date: day.date,
            name: day.name.clone(),
            class,
            gap,
            cards,
            later,
            ghosts,
            now: is_now.then(|| when::clock(now.local)),
        }
    }
}
