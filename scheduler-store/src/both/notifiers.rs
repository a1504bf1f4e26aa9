//! Who is told what happens.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::{EventId, NotifierId, WorkspaceId};
use scheduler_core::notification::{Notifier, NotifierState};
use scheduler_core::ports::{NotifierStore, Recorded, StoreError};
use scheduler_core::webhook::{Event, EventPlace};
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::{Backend, Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::notifier::{NotifierRow, notifier_columns};
use crate::rows::{parse, to_json};
use crate::sealing::{Sealed, Sealer};

const COUNT: &str = "SELECT count(*) FROM notifiers WHERE workspace_id = $1";
const INSERT: &str = "INSERT INTO notifiers (id, workspace_id, channel, address, events, quiet, \
    created_at, until_at, until_event_id, next_at, failures) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    notifier_columns!(),
    " FROM notifiers n WHERE n.workspace_id = $1 ORDER BY n.created_at, n.id"
);
const ONE: &str = concat!("SELECT ", notifier_columns!(), " FROM notifiers n WHERE n.id = $1");
const DELETE: &str = "DELETE FROM notifiers WHERE id = $2 AND workspace_id = $1";
/// Who comes second finds that it is not due any more.
const CLAIM: &str = "UPDATE notifiers SET next_at = $2 WHERE next_at <= $1 AND id = \
    (SELECT id FROM notifiers WHERE next_at <= $1 ORDER BY next_at, id LIMIT 1) RETURNING id";
/// The kinds are looked for in the JSON list of them.
const NEWS: &str = "SELECT e.id, e.workspace_id, e.kind, e.created_at, e.body FROM events e \
    WHERE e.workspace_id = $1 AND (e.created_at, e.id) > ($2, $3) AND e.created_at <= $4 \
    AND $5 LIKE '%\"' || e.kind || '\"%' ORDER BY e.created_at, e.id LIMIT $6";
const RECORD: &str = "UPDATE notifiers SET until_at = $3, until_event_id = $4, next_at = $5, \
    failures = $6, told_at = $7, error = $8 WHERE id = $1 AND next_at = $2";

async fn create(
    connection: &mut Connection,
    notifier: &Notifier,
    state: &NotifierState,
    limit: u32,
    sealer: &Sealer,
) -> Result<bool, Failure> {
    dialect::lock_workspace(connection, notifier.workspace_id).await?;
    let query = sqlx::query_scalar(COUNT).bind(notifier.workspace_id.0);
    let count: i64 = query.fetch_one(&mut *connection).await?;
    if count >= i64::from(limit) {
        return Ok(false);
    }
    let address = notifier.address.expose_secret();
    sqlx::query(INSERT)
        .bind(notifier.id.0)
        .bind(notifier.workspace_id.0)
        .bind(notifier.channel.as_str())
        .bind(sealer.seal(Sealed::NotifierAddress, notifier.id.0, address)?)
        .bind(to_json("notifiers.events", &notifier.events)?)
        .bind(notifier.quiet.map(|quiet| quiet.to_string()))
        .bind(Instant(notifier.created_at))
        .bind(Instant(state.told_until.0))
        .bind(state.told_until.1.0)
        .bind(Instant(state.next_at))
        .bind(i64::from(state.failures))
        .execute(connection)
        .await?;
    Ok(true)
}

async fn claim(
    connection: &mut Connection,
    now: Instant,
    lease_until: Instant,
) -> Result<Option<NotifierRow>, Failure> {
    let claimed: Option<Uuid> = sqlx::query_scalar(CLAIM)
        .bind(now)
        .bind(lease_until)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(id) = claimed else { return Ok(None) };
    Ok(Some(sqlx::query_as(ONE).bind(id).fetch_one(connection).await?))
}

async fn news(
    connection: &mut Connection,
    workspace: WorkspaceId,
    kinds: &str,
    (at, id): EventPlace,
    until: Instant,
    limit: u32,
) -> Result<Vec<Event>, Failure> {
    let rows: Vec<(Uuid, Uuid, String, Instant, String)> = sqlx::query_as(NEWS)
        .bind(workspace.0)
        .bind(Instant(at))
        .bind(id.0)
        .bind(until)
        .bind(kinds)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    let read = |(id, workspace, kind, created_at, body): (_, _, String, Instant, _)| {
        Ok(Event {
            id: EventId(id),
            workspace_id: WorkspaceId(workspace),
            kind: parse("events.kind", &kind)?,
            created_at: created_at.0,
            body,
        })
    };
    rows.into_iter().map(read).collect()
}

async fn record(
    connection: &mut Connection,
    id: NotifierId,
    lease_until: Instant,
    state: &NotifierState,
) -> Result<Recorded, Failure> {
    let (until_at, until_event) = state.told_until;
    let stored = sqlx::query(RECORD)
        .bind(id.0)
        .bind(lease_until)
        .bind(Instant(until_at))
        .bind(until_event.0)
        .bind(Instant(state.next_at))
        .bind(i64::from(state.failures))
        .bind(state.told_at.map(Instant))
        .bind(&state.error)
        .execute(connection)
        .await?;
    Ok(if stored.rows_affected() > 0 { Recorded::Stored } else { Recorded::Lost })
}

#[async_trait]
impl NotifierStore for Backend {
    async fn create_notifier(
        &self,
        notifier: &Notifier,
        state: &NotifierState,
        limit: u32,
    ) -> Result<bool, StoreError> {
        let arguments = (notifier.clone(), state.clone(), limit, self.sealer.clone());
        self.write("create_notifier", arguments, |connection, (notifier, state, limit, sealer)| {
            Box::pin(async move { Ok(create(connection, notifier, state, *limit, sealer).await?) })
        })
        .await
    }

    async fn notifiers(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Vec<(Notifier, NotifierState)>, StoreError> {
        let arguments = (workspace, self.sealer.clone());
        self.read("notifiers", arguments, |connection, (workspace, sealer)| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_WORKSPACE).bind(workspace.0);
                let rows: Vec<NotifierRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(|row| row.open(sealer)).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn remove_notifier(
        &self,
        workspace: WorkspaceId,
        id: NotifierId,
    ) -> Result<bool, StoreError> {
        self.write("remove_notifier", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0).bind(id.0);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn claim_notifier(
        &self,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Option<(Notifier, NotifierState)>, StoreError> {
        let arguments = (Instant(now), Instant(lease_until));
        let row = self
            .write("claim_notifier", arguments, |connection, (now, lease_until)| {
                Box::pin(async move { Ok(claim(connection, *now, *lease_until).await?) })
            })
            .await?;
        // Read once it is taken: one that cannot be read is not taken for ever.
        let claimed = row.map(|row| row.open(&self.sealer)).transpose();
        if let Err(error) = &claimed {
            tracing::error!(%error, "a notifier cannot be read");
        }
        claimed
    }

    async fn news(
        &self,
        notifier: &Notifier,
        after: EventPlace,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Event>, StoreError> {
        let kinds = to_json("notifiers.events", &notifier.events)?;
        let arguments = (notifier.workspace_id, kinds, after, Instant(until), limit);
        self.read("news", arguments, |connection, (workspace, kinds, after, until, limit)| {
            Box::pin(async move {
                Ok(news(connection, *workspace, kinds, *after, *until, *limit).await?)
            })
        })
        .await
    }

    async fn record_notified(
        &self,
        id: NotifierId,
        lease_until: DateTime<Utc>,
        state: &NotifierState,
    ) -> Result<Recorded, StoreError> {
        let arguments = (id, Instant(lease_until), state.clone());
        self.write("record_notified", arguments, |connection, (id, lease_until, state)| {
            Box::pin(async move { Ok(record(connection, *id, *lease_until, state).await?) })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn events_of_others_are_not_passed_over() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        let plan = plans.of("news", NEWS).await;
        assert!(plan.contains("events_by_workspace"), "{plan}");
    }
}
