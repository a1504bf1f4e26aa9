//! What follows from a change, as pure functions: a store applies it.
//!
//! A store keeps what it is given, guards it by versions and unique indexes, and hands out work.
//! What becomes of a post when one of its targets changes, which work follows from what is stored
//! and in which lane it stands, who is told of an event: that is decided here, once for every
//! store.

mod post;
mod turns;
mod work;

use chrono::{DateTime, TimeDelta, Utc};

use crate::account::Account;
use crate::ids::WebhookId;
use crate::media::Media;
use crate::ports::{ReadingState, SET_BACK_MIN, WorkAfter};
use crate::webhook::{Event, EventKind};

pub use post::{after_target, belongs_to_holder, first_reading, kept_target, moved_count};
pub use turns::{DueLane, in_turn};
pub use work::{LANES_OF_A_WEBHOOK, NewWork};

/// The account as it is stored when an account that is known already is connected again: it keeps
/// its id, zone, schedule, default options and date of connection, and is in order.
#[must_use]
pub fn reconnected(known: Account, given: &Account) -> Account {
    Account {
        id: known.id,
        timezone: known.timezone,
        schedule: known.schedule,
        default_options: known.default_options,
        connected_at: known.connected_at,
        needs_reconnect: false,
        disconnected_at: None,
        ..given.clone()
    }
}

/// The webhooks that an event is delivered to, of those of its workspace.
pub fn subscribers<'a>(
    event: &Event,
    webhooks: impl IntoIterator<Item = (WebhookId, &'a [EventKind])>,
) -> Vec<WebhookId> {
    let subscribed = webhooks.into_iter().filter(|(_, kinds)| kinds.contains(&event.kind));
    subscribed.map(|(id, _)| id).collect()
}

/// When the work that takes the readings of an account is due: with the first of its posts or with
/// its next look, and not while it is blocked.
#[must_use]
pub fn readings_due_at(state: &ReadingState, first: Option<DateTime<Utc>>) -> DateTime<Utc> {
    let due_at = first.map_or(state.look_due_at, |first| first.min(state.look_due_at));
    state.blocked_until.map_or(due_at, |until| due_at.max(until))
}

/// What becomes of the work on a file that its holder leaves like this.
#[must_use]
pub fn after_file(media: &Media) -> WorkAfter {
    media.due_at.map_or(WorkAfter::Done, WorkAfter::DueAt)
}

/// By how much the clock of a store was set back that now says `now`, if it was; and the instant
/// that counts as the latest seen on it from now on.
#[must_use]
pub fn set_back(seen_at: DateTime<Utc>, now: DateTime<Utc>) -> (Option<TimeDelta>, DateTime<Utc>) {
    match seen_at - now {
        by if by > SET_BACK_MIN => (Some(by), now),
        _ => (None, seen_at.max(now)),
    }
}

#[cfg(test)]
mod tests;
