//! The days of a month, a week or a day, each with its cards and free slots.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
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
    /// What the hidden ones are, such as `, 2 failed, 5 scheduled`.
    pub(super) more_states: String,
    pub(super) ghosts: Vec<Ghost>,
}

/// A free slot, of one account or of several at the same minute.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    pub(super) local: NaiveDateTime,
    /// True when clocks have shown this time before.
    pub(super) is_again: bool,
    /// The instant, as forms send it.
    pub(super) at: String,
    pub(super) clock: String,
    pub(super) href: String,
    pub(super) marks: Vec<Mark>,
    pub(super) names: String,
}

/// The days of a period.
pub(super) fn days(view: &View<'_>, cards: &[Card], slots: &[QueueSlot]) -> Vec<Day> {
    let (from, to) = view.period.days();
    let today = view.zone.local(view.now).date();
    let mut of_days = by_day(cards);
    let mut ghosts = ghosts(view, slots);
    let asked = view.visitor.visit().query();
    from.iter_days()
        .take_while(|date| *date < to)
        .map(|date| {
            let mut cards = of_days.remove(&date).unwrap_or_default();
            let count = cards.len();
            let ghosts = ghosts.remove(&date).unwrap_or_default();
            let mut hidden = Vec::new();
            if matches!(view.period, Period::Month(_)) {
                hidden = cut(&mut cards);
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
                href: super::bar::link(view.visitor, &asked, &date.to_string()),
                write: view.visitor.at(&format!("compose?at={date}T09:00")),
                class: class.join(" "),
                is_today: date == today,
                is_past: date < today,
                clock_change: when::clock_change(date, view.zone),
                cards,
                more: hidden.len(),
                more_states: states_of(&hidden),
                ghosts,
            }
        })
        .collect()
}

/// The cards of each day, in their order.
pub(super) fn by_day(cards: &[Card]) -> BTreeMap<NaiveDate, Vec<Card>> {
    let mut days: BTreeMap<NaiveDate, Vec<Card>> = BTreeMap::new();
    for card in cards {
        days.entry(card.local.date()).or_default().push(card.clone());
    }
    days
}

/// Leaves as many cards as a day of a month shows, and returns the others. All that have failed stay:
/// they take the places of the last ones.
fn cut(cards: &mut Vec<Card>) -> Vec<Card> {
    if cards.len() <= CARDS {
        return Vec::new();
    }
    let is_failed = |card: &Card| card.state == State::Failed;
    let mut others = CARDS.saturating_sub(cards.iter().filter(|card| is_failed(card)).count());
    let (shown, hidden) = cards.drain(..).partition(|card| {
        let has_place = others > 0;
        if !is_failed(card) && has_place {
            others -= 1;
        }
        is_failed(card) || has_place
    });
    *cards = shown;
    hidden
}

/// How many cards there are of each state, in words.
fn states_of(cards: &[Card]) -> String {
    let counted = State::ALL
        .into_iter()
        .rev()
        .map(|state| (state, cards.iter().filter(|card| card.state == state).count()));
    let words = counted
        .filter(|(_, count)| *count > 0)
        .map(|(state, count)| format!(", {count} {}", state.word()));
    words.collect()
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
        let mut pairs = vec![("slot", at.as_str())];
        pairs.extend(ids.iter().map(|id| ("account", id.as_str())));
        let names: Vec<&str> =
            accounts.iter().map(|account| account.platform.sheet().name).collect();
        let href = view.visitor.at(&format!("compose?{}", query(&pairs)));
        days.entry(local.date()).or_default().push(Ghost {
            local,
            is_again: view.zone.is_again(instant),
            at,
            clock: when::clock(local),
            href,
            marks: accounts.iter().map(|account| account.platform.into()).collect(),
            names: names.join(", "),
        });
    }
    days
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::card::tests::card;

    /// A day to come, with nothing in it.
    pub(in crate::calendar) fn day(date: NaiveDate) -> Day {
        Day {
            date,
            number: String::new(),
            weekday: String::new(),
            name: date.to_string(),
            count: String::new(),
            href: String::new(),
            write: String::new(),
            class: String::new(),
            is_today: false,
            is_past: false,
            clock_change: None,
            cards: Vec::new(),
            more: 0,
            more_states: String::new(),
            ghosts: Vec::new(),
        }
    }

    #[test]
    fn what_does_not_fit_is_counted_and_nothing_failed_is_hidden() {
        use State::{Failed, Published, Scheduled};
        for (states, shown, told) in [
            (vec![Scheduled; 3], vec![0, 1, 2], ""),
            (vec![Scheduled; 5], vec![0, 1, 2], ", 2 scheduled"),
            (
                vec![Published, Scheduled, Scheduled, Scheduled, Failed],
                vec![0, 1, 4],
                ", 2 scheduled",
            ),
            (
                vec![Scheduled, Published, Failed, Failed, Failed, Failed],
                vec![2, 3, 4, 5],
                ", 1 published, 1 scheduled",
            ),
        ] {
            let mut cards: Vec<Card> = states
                .iter()
                .enumerate()
                .map(|(index, state)| Card { id: index.to_string(), state: *state, ..card() })
                .collect();
            let hidden = cut(&mut cards);
            assert_eq!(cards.len() + hidden.len(), states.len());
            let ids: Vec<usize> = cards.iter().map(|card| card.id.parse().unwrap()).collect();
            assert_eq!((ids, states_of(&hidden).as_str()), (shown, told), "{states:?}");
        }
    }
}
