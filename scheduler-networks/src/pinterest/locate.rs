//! Looking for a Pin whose call was lost: among the account's own, by what it says and when it was
//! made. Nothing that we choose tells a repeat, and nothing refuses one.
//!
//! Source: <https://github.com/pinterest/api-description>, `GET /pins`.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Located, NetworkError, PublishJob};

use super::api::Api;
use super::errors::{failure, is_denied, unreadable};
use super::progress::{Create, Look, Pin, Progress, Stage};
use super::wire::{Kept, ListedPin, Page, instant};
use crate::conversation::{Answer, Request, Turn};

/// Pins of one page, and pages of one look. That the newest come first is documented nowhere: where
/// they do not, an account with more Pins than these is left in doubt.
const PAGE_SIZE: &str = "100";
const PAGES_MAX: usize = 3;

/// How far the network's clock may be behind ours.
const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// How long after the call the first look is, and how long after that the second: a list may lag.
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(10);
const SECOND_WAIT: TimeDelta = TimeDelta::seconds(30);

/// Looks that find nothing until the Pin counts as not made.
const LOOKS: u32 = 2;

/// The next turn of a look whether the Pin was made.
pub(super) fn locate(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    progress: &Progress,
    answers: &[Answer],
) -> Result<Turn<Located>, NetworkError> {
    let Stage::Create(create) = &progress.stage else {
        return Ok(Turn::Done(Located::Continue(progress.to_value())));
    };
    let look_at = |number: u32, at: DateTime<Utc>| {
        let create = Create { look: Some(Look { number, at }), ..create.clone() };
        let progress = progress.at(Stage::Create(create)).to_value();
        Turn::Done(Located::Wait { progress, until: at })
    };
    let Some(look) = create.look else { return Ok(look_at(1, job.now + FIRST_WAIT)) };
    if job.now < look.at {
        return Ok(look_at(look.number, look.at));
    }

    let mut found = Vec::new();
    let mut instants = Vec::new();
    let mut bookmark = None;
    let since = create.not_made_before();
    for number in 0..PAGES_MAX {
        let Some(answer) = answers.get(number) else {
            return Ok(Turn::Send(page(api, kept, bookmark.as_deref())));
        };
        // The account may not read its own Pins.
        if is_denied(answer) {
            return Ok(Turn::Done(Located::Unknown));
        }
        if !answer.is_success() {
            return Err(failure(answer, false, Some(job.now)));
        }
        let page: Page<ListedPin> = answer.json().ok_or_else(unreadable)?;
        instants.extend(page.items.iter().map(made_at));
        found.extend(candidates(&progress.pin, page.items, since, &create.others));
        bookmark = page.bookmark.filter(|bookmark| !bookmark.is_empty());
        if bookmark.is_none() {
            break;
        }
    }
    found.sort();
    found.dedup();
    if found.len() > 1 {
        let count = found.len();
        tracing::warn!(
            target_id = %job.target_id,
            count,
            "several Pins look like the one whose answer was lost; the oldest is taken for it"
        );
    }
    if let Some((_, id)) = found.first() {
        return Ok(Turn::Done(Located::Live(progress.live(api, id))));
    }
    if look.number < LOOKS {
        return Ok(look_at(look.number + 1, job.now + SECOND_WAIT));
    }
    if bookmark.is_some() && !reach_back(&instants, since) {
        return Ok(Turn::Done(Located::Unknown));
    }
    Ok(Turn::Done(Located::Continue(progress.at(create.unfound()).to_value())))
}

/// True when the Pins of a list that goes on leave out none since an instant: they come newest
/// first, and reach back further.
fn reach_back(instants: &[Option<DateTime<Utc>>], since: DateTime<Utc>) -> bool {
    let last = instants.last().copied().flatten();
    last.is_some_and(|last| last < since - CLOCK_SLACK)
        && instants.is_sorted_by(|newer, older| newer >= older)
}

/// The request for a page of the account's own Pins.
pub(super) fn page(api: &Api, kept: &Kept, bookmark: Option<&str>) -> Request {
    let mut pairs = vec![("page_size", PAGE_SIZE)];
    pairs.extend(bookmark.map(|bookmark| ("bookmark", bookmark)));
    api.read(kept, &["pins"], &pairs)
}

/// The Pins of an answer; `None` where it is none of Pinterest's.
pub(super) fn listed(answer: &Answer) -> Option<Vec<ListedPin>> {
    answer.json().map(|page: Page<ListedPin>| page.items)
}

/// The Pins that look like this one.
pub(super) fn alike(pin: &Pin, listed: Vec<ListedPin>) -> Vec<String> {
    listed.into_iter().filter(|listed| is_alike(pin, listed)).map(|listed| listed.id).collect()
}

/// The Pins that a call since an instant can have made, the oldest first.
pub(super) fn candidates(
    pin: &Pin,
    listed: Vec<ListedPin>,
    since: DateTime<Utc>,
    others: &[String],
) -> Vec<(DateTime<Utc>, String)> {
    let made_since = |listed: ListedPin| {
        let created_at = made_at(&listed)?;
        let is_it = created_at >= since - CLOCK_SLACK
            && is_alike(pin, &listed)
            && !others.contains(&listed.id);
        is_it.then_some((created_at, listed.id))
    };
    let mut found: Vec<_> = listed.into_iter().filter_map(made_since).collect();
    found.sort();
    found
}

fn made_at(listed: &ListedPin) -> Option<DateTime<Utc>> {
    instant(listed.created_at.as_deref()?)
}

/// True for a Pin on the same board that says the same.
fn is_alike(pin: &Pin, listed: &ListedPin) -> bool {
    let same = |ours: &Option<String>, theirs: &Option<String>| {
        plain(ours.as_deref()) == plain(theirs.as_deref())
    };
    listed.board_id.as_deref() == Some(pin.board_id.as_str())
        && same(&pin.title, &listed.title)
        && same(&pin.description, &listed.description)
        && same(&pin.link, &listed.link)
}

/// A text without what a network may change of it: white space at its ends, and line ends.
fn plain(text: Option<&str>) -> String {
    text.unwrap_or_default().replace("\r\n", "\n").replace('\r', "\n").trim().to_owned()
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
