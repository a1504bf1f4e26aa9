//! What stands above every view: the way to others, the zone, filters; and what an empty one says.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, NaiveDate, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::ids::AccountId;
use scheduler_core::timing::Zone;
use scheduler_http::visit::{Declined, Form};

use super::period::Period;
use crate::card::{Card, State};
use crate::filters::cleaned;
use crate::mark::{self, Mark};
use crate::rehearsal::{ASKED, Marks, is_asked};
use crate::visitor::{Visitor, query};
use crate::when;

/// The view that is no period.
pub(super) const LIST: &str = "list";

/// The parameters that stay from view to view.
const KEPT: [&str; 6] = ["account", "state", "q", "zone", "slots", ASKED];

/// The parameters that stay on the list alone: its range, or its order.
const OF_LIST: [&str; 3] = ["from", "to", "order"];

/// What the address of a view keeps of this one's.
fn kept<'a>(asked: &'a Form, view: &str) -> Vec<(&'static str, &'a str)> {
    let of_view: &[&'static str] = if view == LIST { &OF_LIST } else { &[] };
    let names = KEPT.iter().chain(of_view);
    names.flat_map(|name| asked.all(name).map(|value| (*name, value))).collect()
}

/// The address of a view with the filters of this one.
pub(super) fn link(visitor: &Visitor, asked: &Form, view: &str) -> String {
    addressed(visitor, view, &kept(asked, view))
}

/// The address of the list in an order, or in its usual one, with the filters of this view.
pub(super) fn ordered(visitor: &Visitor, asked: &Form, order: Option<&str>) -> String {
    let mut pairs = kept(asked, LIST);
    pairs.retain(|(name, _)| *name != "order");
    pairs.extend(order.map(|order| ("order", order)));
    addressed(visitor, LIST, &pairs)
}

fn addressed(visitor: &Visitor, view: &str, pairs: &[(&str, &str)]) -> String {
    let address = visitor.at(&format!("calendar/{view}"));
    if pairs.is_empty() { address } else { format!("{address}?{}", query(pairs)) }
}

/// What the bar above every view shows.
pub(super) struct Bar {
    pub(super) title: String,
    pub(super) zone: String,
    pub(super) zones: Zones,
    pub(super) views: Vec<View>,
    pub(super) earlier: Option<String>,
    pub(super) today: String,
    pub(super) later: Option<String>,
    pub(super) states: Vec<StateLink>,
    pub(super) accounts: Vec<AccountLink>,
    pub(super) q: String,
    /// What became of posts that were chosen.
    pub(super) told: Option<String>,
    /// The same view without what a rehearsal says; `None` where nothing is rehearsed.
    pub(super) rehearsed: Option<String>,
    /// What is told of the rehearsal as a whole.
    pub(super) of_rehearsal: Option<String>,
    /// What a search keeps, but for the words.
    pub(super) kept: Vec<(&'static str, String)>,
}

pub(super) struct View {
    pub(super) word: &'static str,
    pub(super) key: &'static str,
    pub(super) href: String,
    pub(super) is_shown: bool,
}

pub(super) struct StateLink {
    pub(super) state: State,
    pub(super) count: usize,
    pub(super) href: String,
    pub(super) is_chosen: bool,
}

pub(super) struct AccountLink {
    pub(super) mark: Mark,
    pub(super) name: String,
    pub(super) href: String,
    pub(super) is_shown: bool,
}

/// What the clocks of a view can be.
pub(super) struct Zones {
    /// The name of the zone that is shown.
    pub(super) name: &'static str,
    /// Those of the workspace and of its accounts, each with its address.
    pub(super) known: Vec<(&'static str, String)>,
    pub(super) action: String,
    /// What the address keeps, but for the zone.
    pub(super) kept: Vec<(&'static str, String)>,
}

impl Zones {
    fn of(
        visitor: &Visitor,
        asked: &Form,
        view: &str,
        accounts: &HashMap<AccountId, AccountView>,
        shown: Zone,
    ) -> Self {
        let own = visitor.workspace().timezone.unwrap_or(Zone::UTC);
        let of_accounts = accounts.values().filter_map(|account| account.timezone);
        let names: BTreeSet<&'static str> =
            of_accounts.chain([own]).map(Zone::name).filter(|name| *name != shown.name()).collect();
        let kept: Vec<(&'static str, String)> = kept(asked, view)
            .into_iter()
            .filter(|(name, _)| *name != "zone")
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        let known = names.into_iter().map(|name| {
            let mut pairs: Vec<(&str, &str)> =
                kept.iter().map(|(name, value)| (*name, value.as_str())).collect();
            pairs.push(("zone", name));
            (name, addressed(visitor, view, &pairs))
        });
        Self {
            name: shown.name(),
            known: known.collect(),
            action: addressed(visitor, view, &[]),
            kept,
        }
    }
}

/// What a view shows: the day by which the kind of view changes, and its range.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) anchor: NaiveDate,
    pub(super) range: (DateTime<Utc>, DateTime<Utc>),
    /// What a rehearsal says on its cards; `None` where no view of this kind has any.
    pub(super) marks: Option<&'a Marks>,
}

impl Bar {
    pub(super) fn new(
        visitor: &Visitor,
        view: &str,
        title: String,
        cards: &[Card],
        accounts: &HashMap<AccountId, AccountView>,
        shown: Shown<'_>,
    ) -> Result<Self, Declined> {
        let asked = visitor.visit().query();
        let zone = visitor.zone()?;
        let link = |view: &str| link(visitor, &asked, view);
        let views = [
            ("Month", "1", Period::month_of(shown.anchor).name()),
            ("Week", "2", Period::Week(when::monday(shown.anchor)).name()),
            ("Day", "3", Period::Day(shown.anchor).name()),
            ("List", "4", LIST.to_owned()),
        ];
        let period = Period::parse(view);
        let today = zone.local(visitor.now()).date();
        let now = period.map_or_else(|| LIST.to_owned(), |period| period.with(today).name());
        let mut listed: Vec<&AccountView> = accounts.values().collect();
        listed.sort_by_key(|account| (account.platform, account.id));
        Ok(Self {
            title,
            zone: when::zone_in(zone, visitor.now(), shown.range),
            zones: Zones::of(visitor, &asked, view, accounts, zone),
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
            accounts: listed
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
            rehearsed: (shown.marks.is_some() && is_asked(&asked)).then(|| {
                let mut pairs = kept(&asked, view);
                pairs.retain(|(name, _)| *name != ASKED);
                addressed(visitor, view, &pairs)
            }),
            of_rehearsal: shown.marks.and_then(|marks| marks.notice.clone()),
            told: super::chosen::told(&asked),
            q: asked.only("q").unwrap_or_default().to_owned(),
            kept: kept(&asked, view)
                .into_iter()
                .filter(|(name, _)| *name != "q")
                .map(|(name, value)| (name, value.to_owned()))
                .collect(),
        })
    }
}

/// The address of a view with this value of a filter, or without it where it has it; and whether
/// it has it.
pub(super) fn toggled(
    visitor: &Visitor,
    asked: &Form,
    view: &str,
    name: &'static str,
    value: &str,
) -> (String, bool) {
    let mut pairs = kept(asked, view);
    let before = pairs.len();
    pairs.retain(|pair| *pair != (name, value));
    let is_chosen = pairs.len() < before;
    if !is_chosen {
        pairs.push((name, value));
    }
    (addressed(visitor, view, &pairs), is_chosen)
}

/// What a view says that has no post to show.
pub(super) struct Empty {
    pub(super) text: String,
    /// Where the filters are gone.
    pub(super) clear: Option<String>,
    pub(super) write: String,
}

impl Empty {
    /// `range` says which, such as `in October 2026`.
    pub(super) fn of(bar: &Bar, visitor: &Visitor, view: &str, range: &str) -> Self {
        let asked = visitor.visit().query();
        let states: Vec<&str> =
            bar.states.iter().filter(|link| link.is_chosen).map(|link| link.state.word()).collect();
        let is_filtered =
            ["account", "state", "q"].iter().any(|name| asked.all(name).next().is_some());
        let write = visitor.at("compose");
        if !is_filtered {
            return Self { text: format!("Nothing planned {range}."), clear: None, write };
        }
        let mut text = "No post matches".to_owned();
        if let Some(q) = asked.only("q").filter(|q| !q.trim().is_empty()) {
            text.push_str(&format!(" “{}”", cleaned(q.trim())));
        }
        if !states.is_empty() {
            text.push_str(&format!(" {}", states.join(" or ")));
        }
        let accounts: Vec<&str> = if asked.all("account").next().is_some() {
            bar.accounts
                .iter()
                .filter(|link| link.is_shown)
                .map(|link| link.name.as_str())
                .collect()
        } else {
            Vec::new()
        };
        if !accounts.is_empty() {
            text.push_str(&format!(" on {}", cleaned(&accounts.join(", "))));
        }
        text.push_str(&format!(" {range}."));
        let mut kept = kept(&asked, view);
        kept.retain(|(name, _)| !matches!(*name, "account" | "state" | "q"));
        Self { text, clear: Some(addressed(visitor, view, &kept)), write }
    }
}
