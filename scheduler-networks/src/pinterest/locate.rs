//! Looking for a Pin whose call was lost: among the account's own, by what it says and when it was
//! made. Nothing that we choose tells a repeat, and nothing refuses one.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | account | the list, which holds the account's own Pins | excludes |
//! | board | the network, where it names one | excludes other boards |
//! | Pins that were listed before the call | our own note of their ids | excludes them |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | title, description | nothing: Pinterest may fill in what was left empty, and people edit | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | link | nothing: addresses are rewritten | one that leads elsewhere is unclear |
//! | order of the list | nothing | a list that goes on, and is not in order or not long enough, is unclear |
//!
//! What is unclear is in doubt and never sent again.
//!
//! Source: <https://github.com/pinterest/api-description>, `GET /pins`.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::Located;

use super::api::Api;
use super::errors::{failure, is_denied, unreadable};
use super::progress::{Create, Look, Pin, Progress, Stage};
use super::wire::{ListedPin, Page, instant};
use crate::candidates::{Candidate, Likeness, Pick, likeness, pick, reaches_back};
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// Pins of one page, and pages of one look. That the newest come first is documented nowhere: where
/// they do not, an account with more Pins than these is left in doubt.
const PAGE_SIZE: &str = "100";
const PAGES_MAX: usize = 3;

/// How long after the call the first look is, and how long after that the second: a list may lag.
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(10);
const SECOND_WAIT: TimeDelta = TimeDelta::seconds(30);

/// Looks that find nothing until the Pin counts as not made.
const LOOKS: u32 = 2;

/// The next turn of a look whether the Pin was made.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Stage::Create(create) = &progress.stage else {
        return Ok(Turn::Done(Located::Absent(progress.clone())));
    };
    let look_at = |number: u32, at: DateTime<Utc>| {
        let create = Create { look: Some(Look { number, at }), ..create.clone() };
        let progress = progress.at(Stage::Create(create));
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
            return Ok(Turn::Send(page(api, &job.credentials, bookmark.as_deref())));
        };
        // The account may not read its own Pins.
        if is_denied(answer) {
            return Ok(Turn::Done(Located::Unknown));
        }
        let page: Page<ListedPin> =
            answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
        instants.extend(page.items.iter().map(made_at));
        found.extend(candidates(&progress.pin, page.items, &create.others));
        bookmark = page.bookmark.filter(|bookmark| !bookmark.is_empty());
        if bookmark.is_none() {
            break;
        }
    }
    let is_whole = bookmark.is_none() || reach_back(&instants, since);
    Ok(match pick(found, since).of_list(is_whole) {
        Pick::One(id) => Turn::Done(Located::Live(progress.live(api, &id))),
        Pick::Unclear | Pick::Nothing if look.number < LOOKS => {
            look_at(look.number + 1, job.now + SECOND_WAIT)
        }
        Pick::Unclear => Turn::Done(Located::Unknown),
        Pick::Nothing => Turn::Done(Located::Absent(progress.at(create.not_found()))),
    })
}

/// True when the Pins of a list that goes on leave out none that a call since an instant can have
/// made: they come newest first, and reach back further.
fn reach_back(instants: &[Option<DateTime<Utc>>], since: DateTime<Utc>) -> bool {
    reaches_back(instants.last().copied().flatten(), since)
        && instants.is_sorted_by(|newer, older| newer >= older)
}

/// The request for a page of the account's own Pins.
pub(super) fn page(api: &Api, tokens: &Tokens, bookmark: Option<&str>) -> Request {
    let mut pairs = vec![("page_size", PAGE_SIZE)];
    pairs.extend(bookmark.map(|bookmark| ("bookmark", bookmark)));
    api.read(tokens, &["pins"], &pairs)
}

/// The Pins of an answer; `None` where it is none of Pinterest's.
pub(super) fn listed(answer: &Answer) -> Option<Vec<ListedPin>> {
    answer.json().map(|page: Page<ListedPin>| page.items)
}

/// The Pins that may be taken for this one.
pub(super) fn alike(pin: &Pin, listed: Vec<ListedPin>) -> Vec<String> {
    let alike = listed.into_iter().filter(|listed| likeness_of(pin, listed) != Likeness::Other);
    alike.map(|listed| listed.id).collect()
}

/// The Pins that a call can have made, but for those that were there before it.
pub(super) fn candidates(
    pin: &Pin,
    listed: Vec<ListedPin>,
    others: &[String],
) -> Vec<Candidate<String>> {
    let is_new = listed.into_iter().filter(|listed| !others.contains(&listed.id));
    let candidates = is_new.map(|listed| Candidate {
        at: made_at(&listed),
        likeness: likeness_of(pin, &listed),
        fits: u32::from(listed.board_id.is_some()) + u32::from(listed.link == pin.link),
        post: listed.id,
    });
    candidates.collect()
}

fn made_at(listed: &ListedPin) -> Option<DateTime<Utc>> {
    instant(listed.created_at.as_deref()?)
}

/// How much a Pin is like ours: another board is another Pin, and the least of what it says counts.
fn likeness_of(pin: &Pin, listed: &ListedPin) -> Likeness {
    if listed.board_id.as_ref().is_some_and(|board| *board != pin.board_id) {
        return Likeness::Other;
    }
    let text = |title: &Option<String>, description: &Option<String>| {
        let parts = [title, description].map(|part| part.as_deref().unwrap_or_default());
        parts.join("\n")
    };
    let ours = text(&pin.title, &pin.description);
    let theirs = text(&listed.title, &listed.description);
    let by_text = match likeness(&ours, &theirs) {
        // What was left empty may be filled in from the page of the link.
        Likeness::Other if ours.trim().is_empty() => Likeness::Similar,
        by_text => by_text,
    };
    by_text.min(likeness_of_links(pin.link.as_deref(), listed.link.as_deref()))
}

/// How much the link of a Pin is like ours; one that is not told says nothing against it.
fn likeness_of_links(ours: Option<&str>, theirs: Option<&str>) -> Likeness {
    let address = |link: Option<&str>| {
        let link = link.unwrap_or_default().trim().to_lowercase();
        let behind = link.split_once("://").map_or(link.as_str(), |(_, behind)| behind);
        behind.trim_start_matches("www.").trim_end_matches('/').to_owned()
    };
    let (ours, theirs) = (address(ours), address(theirs));
    if ours == theirs {
        Likeness::Same
    } else if theirs.is_empty() {
        Likeness::Cleaned
    } else {
        Likeness::Similar
    }
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
