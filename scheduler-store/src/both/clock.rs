//! Heartbeats, and a clock that was set back.

use chrono::{DateTime, Utc};
use scheduler_core::effects::set_back;
use scheduler_core::ports::Heartbeat;

use super::Connection;
use super::dialect::{self, earlier};
use crate::error::Failure;
use crate::instant::Instant;

const SEEN: &str = "UPDATE clocks SET seen_at = $1 WHERE id = 1";

/// The targets that have begun and whose next attempt waits for another instant than the one that
/// they were scheduled for.
macro_rules! waiting_for_retry {
    () => {
        "SELECT t.id FROM targets t JOIN posts p ON p.id = t.post_id \
         WHERE (t.attempts > 0 OR t.status <> 'pending') AND t.due_at IS NOT NULL \
         AND t.due_at IS DISTINCT FROM p.scheduled_at AND t.due_at IS DISTINCT FROM t.slot_at"
    };
}

/// Those, and the ones that are going out or are followed.
macro_rules! begun {
    () => {
        concat!(waiting_for_retry!(), " UNION SELECT id FROM targets WHERE status <> 'pending'")
    };
}

/// Moves waits back. The work comes before the targets, which it looks at. A feed whose
/// next poll is the end of its rest keeps its times: a poll under way is recorded by them.
const MOVE_BACK: [&str; 9] = [
    concat!(
        "UPDATE work SET due_at = ",
        earlier!("due_at"),
        ", claimable_at = ",
        earlier!("claimable_at"),
        " WHERE kind <> 'publish' OR subject IN (",
        begun!(),
        ")"
    ),
    concat!(
        "UPDATE work SET claimable_at = ",
        earlier!("claimable_at"),
        " WHERE kind = 'publish' AND leased AND subject NOT IN (",
        begun!(),
        ")"
    ),
    concat!(
        "UPDATE targets SET due_at = ",
        earlier!("due_at"),
        " WHERE id IN (",
        waiting_for_retry!(),
        ")"
    ),
    concat!("UPDATE media SET due_at = ", earlier!("due_at"), " WHERE due_at IS NOT NULL"),
    concat!(
        "UPDATE accounts SET refresh_leased_until = ",
        earlier!("refresh_leased_until"),
        " WHERE refresh_leased_until IS NOT NULL"
    ),
    concat!("UPDATE reading_plans SET due_at = ", earlier!("due_at"), " WHERE due_at IS NOT NULL"),
    concat!(
        "UPDATE reading_states SET look_due_at = ",
        earlier!("look_due_at"),
        ", blocked_until = ",
        earlier!("blocked_until")
    ),
    concat!("UPDATE reading_refreshes SET at = ", earlier!("at")),
    concat!(
        "UPDATE feeds SET next_at = ",
        earlier!("next_at"),
        ", rests_until = ",
        earlier!("rests_until"),
        " WHERE next_at IS DISTINCT FROM rests_until"
    ),
];

/// Gives back what somebody has claimed and not begun, and what is not due any more.
const GIVE_BACK: &str = concat!(
    "UPDATE work SET leased = FALSE, claimable_at = due_at \
     WHERE kind = 'publish' AND leased AND due_at > $1 AND subject NOT IN (",
    begun!(),
    ")"
);

/// Writes the time of the store, and moves waits back where its clock was set back.
pub(super) async fn heartbeat(
    connection: &mut Connection,
    at: DateTime<Utc>,
) -> Result<Heartbeat, Failure> {
    // Locks the row: of several nodes, one moves.
    let (seen_at, store_time) = dialect::clock(connection, at).await?;
    let (set_back, seen_at) = set_back(seen_at, store_time);
    if let Some(by) = set_back {
        let micros = by.num_microseconds().unwrap_or(i64::MAX);
        for statement in MOVE_BACK {
            sqlx::query(statement).bind(micros).execute(&mut *connection).await?;
        }
        sqlx::query(GIVE_BACK).bind(Instant(store_time)).execute(&mut *connection).await?;
    }
    sqlx::query(SEEN).bind(Instant(seen_at)).execute(connection).await?;
    Ok(Heartbeat { store_time, set_back })
}
