//! What the calendar shows of a range, whichever view shows it: every view reads by this.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use scheduler_core::account::AccountView;
use scheduler_core::app::{Caller, Scheduler};
use scheduler_core::ids::AccountId;
use scheduler_core::post::{ListInput, PostView};
use scheduler_core::timing::Zone;
use scheduler_http::visit::{Declined, Form};

use crate::card::{Card, State, cards};
use crate::rehearsal::Marks;
use crate::when;

/// Posts of one view at most; a range that has more says so.
///
/// Source: our decision.
const POSTS_MAX: usize = 2_000;

/// Posts that are asked for at once.
const POSTS_AT_ONCE: &str = "500";

/// How far the clocks of two zones can be apart: a post of one wall-clock time goes out over so long.
///
/// Source: IANA time zone database, from UTC−12 to UTC+14.
const ZONES_APART: TimeDelta = TimeDelta::hours(26);

/// Whose calendar is read, and by whose clocks.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) scheduler: &'a Scheduler,
    pub(super) caller: &'a Caller,
    pub(super) accounts: &'a HashMap<AccountId, AccountView>,
    pub(super) zone: Zone,
}

/// The cards of a range.
#[derive(Debug)]
pub(super) struct Found {
    /// Of every state, in the order of their times.
    pub(super) cards: Vec<Card>,
    /// True when there are more than are shown.
    pub(super) is_cut: bool,
}

impl Found {
    /// Notes on cards what a rehearsal says of what goes out then.
    pub(super) fn mark(&mut self, marks: &Marks) {
        for card in &mut self.cards {
            card.rehearsed = marks.of(&card.targets).map(str::to_owned);
        }
    }

    /// The cards of the states that the address asks for.
    pub(super) fn shown(&self, asked: &Form) -> Vec<Card> {
        let chosen: Vec<&str> = asked.all("state").collect();
        self.cards.iter().filter(|card| is_shown(card.state, &chosen)).cloned().collect()
    }
}

/// Cancelled posts are hidden unless they are asked for.
fn is_shown(state: State, chosen: &[&str]) -> bool {
    if chosen.is_empty() { state != State::Canceled } else { chosen.contains(&state.name()) }
}

/// What the address asks for of a list.
pub(super) fn filtered(asked: &Form) -> ListInput {
    ListInput {
        account_id: asked.all("account").map(str::to_owned).collect(),
        q: asked.only("q").filter(|q| !q.trim().is_empty()).map(str::to_owned),
        ..ListInput::default()
    }
}

impl Reader<'_> {
    /// What goes out or went out from one day to another, without the last.
    pub(super) async fn between(
        self,
        asked: &Form,
        from: NaiveDate,
        to: NaiveDate,
    ) -> Result<Found, Declined> {
        let (begin, end) = (when::begin(from, self.zone), when::begin(to, self.zone));
        let (mut posts, mut is_cut) = self.posts(asked, None, begin - ZONES_APART, end).await?;
        let (canceled, is_more) = self.posts(asked, Some("canceled"), begin, end).await?;
        posts.extend(canceled.into_iter().filter(|one| State::of(one) == State::Canceled));
        is_cut |= is_more;
        posts.sort_by_key(|post| post.id);
        posts.dedup_by_key(|post| post.id);
        let workspace = self.caller.workspace.timezone;
        let mut cards = cards(&posts, self.accounts, workspace, self.zone);
        cards.retain(|card| (from..to).contains(&card.local.date()));
        Ok(Found { cards, is_cut })
    }

    async fn posts(
        self,
        asked: &Form,
        status: Option<&str>,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<(Vec<PostView>, bool), Declined> {
        let mut input = ListInput {
            status: status.map(str::to_owned),
            from: Some(from.to_rfc3339()),
            to: Some(to.to_rfc3339()),
            limit: Some(POSTS_AT_ONCE.to_owned()),
            ..filtered(asked)
        };
        let mut posts = Vec::new();
        loop {
            let page = self.scheduler.list_posts(self.caller, &input).await?;
            posts.extend(page.data);
            input.before = page.next_cursor;
            if input.before.is_none() || posts.len() >= POSTS_MAX {
                return Ok((posts, input.before.is_some()));
            }
        }
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
