//! Removing what has ended for long enough.

use chrono::{DateTime, Utc};
use scheduler_core::ids::EventId;
use scheduler_core::ports::EventsRemoved;
use scheduler_core::webhook::EventPlace;
use uuid::Uuid;

use super::Connection;
use crate::error::Failure;
use crate::instant::Instant;

const OLD_EVENTS: &str = "SELECT created_at, id FROM events \
    WHERE created_at < $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4";
/// Asks for each event by itself, whatever the planner thinks of the number of deliveries.
const REMOVE_EVENTS: &str = "DELETE FROM events \
    WHERE (created_at, id) > ($1, $2) AND (created_at, id) <= ($3, $4) \
    AND (SELECT d.id FROM deliveries d WHERE d.event_id = events.id LIMIT 1) IS NULL";

/// Removes events that no delivery names, of the oldest after a place. None gets a new delivery:
/// an event and its deliveries are stored together.
pub(super) async fn remove_events(
    connection: &mut Connection,
    before: DateTime<Utc>,
    after: Option<EventPlace>,
    limit: u32,
) -> Result<EventsRemoved, Failure> {
    let (at, id) = after.unwrap_or((DateTime::UNIX_EPOCH, EventId(Uuid::nil())));
    let old: Vec<(Instant, Uuid)> = sqlx::query_as(OLD_EVENTS)
        .bind(Instant(before))
        .bind(Instant(at))
        .bind(id.0)
        .bind(i64::from(limit))
        .fetch_all(&mut *connection)
        .await?;
    let Some((last_at, last_id)) = old.last().copied() else { return Ok(EventsRemoved::default()) };
    let removed = sqlx::query(REMOVE_EVENTS)
        .bind(Instant(at))
        .bind(id.0)
        .bind(last_at)
        .bind(last_id)
        .execute(connection)
        .await?
        .rows_affected();
    let is_full = old.len() as u64 >= u64::from(limit);
    let next = is_full.then_some((last_at.0, EventId(last_id)));
    Ok(EventsRemoved { removed, next })
}

#[cfg(test)]
mod tests {
    use super::super::dialect::REMOVE_DELIVERIES;
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn what_is_old_is_found_by_its_age() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        for (name, statement, want) in [
            ("deliveries", REMOVE_DELIVERIES, "deliveries_by_end"),
            ("old events", OLD_EVENTS, "events_by_age"),
            ("events", REMOVE_EVENTS, "events_by_age"),
            ("deliveries of an event", REMOVE_EVENTS, "deliveries_by_event"),
        ] {
            let plan = plans.of(name, statement).await;
            assert!(plan.contains(want), "{name}:\n{plan}");
        }
    }
}
