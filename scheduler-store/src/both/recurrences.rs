//! Posts that come again.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::{RecurrenceId, WorkspaceId};
use scheduler_core::ports::{Recorded, RecurrenceStore, StoreError};
use scheduler_core::recurrence::{EntryUse, Progress, Recurrence, UseOutcome};
use scheduler_core::webhook::Event;
use uuid::Uuid;

use super::deliveries::add_events;
use super::{Backend, Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::recurrence::{EntryUseRow, RecurrenceRow, entry_use_columns, recurrence_columns};
use crate::rows::to_json;

const COUNT: &str = "SELECT count(*) FROM recurrences WHERE workspace_id = $1";
const INSERT: &str = "INSERT INTO recurrences (id, workspace_id, name, state, terms, created_at, \
    updated_at, revision, planned, planned_revision, next_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '[]', 0, $6)";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    recurrence_columns!(),
    " FROM recurrences r WHERE r.workspace_id = $1 ORDER BY r.created_at, r.id"
);
const ONE: &str = concat!("SELECT ", recurrence_columns!(), " FROM recurrences r WHERE r.id = $1");
const SAVE: &str = "UPDATE recurrences SET name = $2, state = $3, terms = $4, updated_at = $5, \
    revision = $6 WHERE id = $1 AND revision = $6 - 1";
const DELETE: &str = "DELETE FROM recurrences WHERE id = $1 AND revision = $2 \
    AND (lease_until IS NULL OR lease_until <= $3)";
const DELETE_USES: &str = "DELETE FROM entry_uses WHERE recurrence_id = $1";
/// Who comes second finds that it is taken.
const CLAIM: &str = "UPDATE recurrences SET lease_until = $2 \
    WHERE (lease_until IS NULL OR lease_until <= $1) AND id = (SELECT id FROM ( \
        SELECT id, next_at FROM recurrences \
          WHERE next_at <= $1 AND (lease_until IS NULL OR lease_until <= $1) \
        UNION SELECT id, next_at FROM recurrences \
          WHERE planned_revision < revision AND (lease_until IS NULL OR lease_until <= $1) \
      ) due ORDER BY next_at, id LIMIT 1) \
    RETURNING id";
const RECORD: &str = "UPDATE recurrences SET planned = $3, problem = $4, planned_revision = $5, \
    next_at = $6, lease_until = $7 \
    WHERE id = $1 AND lease_until = $2";
const USES: &str = concat!(
    "SELECT ",
    entry_use_columns!(),
    " FROM entry_uses u WHERE u.recurrence_id = $1 ORDER BY u.entry_id, u.account_id"
);
const USE: &str = concat!(
    "SELECT ",
    entry_use_columns!(),
    " FROM entry_uses u WHERE u.entry_id = $1 AND u.account_id = $2"
);
const IS_UNDER_WAY: &str = "SELECT EXISTS (SELECT 1 FROM targets WHERE id = $1 AND (status = 'publishing' \
      OR status = 'pending' AND due_at <= $2))";
const IS_THERE: &str = "SELECT EXISTS (SELECT 1 FROM recurrences WHERE id = $1)";
const KEEP: &str = "INSERT INTO entry_uses (entry_id, account_id, recurrence_id, target_id, \
    used_at, texts) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (entry_id, account_id) \
    DO UPDATE SET recurrence_id = excluded.recurrence_id, target_id = excluded.target_id, \
    used_at = excluded.used_at, texts = excluded.texts";

async fn create(
    connection: &mut Connection,
    recurrence: &Recurrence,
    limit: u32,
) -> Result<bool, Failure> {
    dialect::lock_workspace(connection, recurrence.workspace_id).await?;
    let count = sqlx::query_scalar(COUNT).bind(recurrence.workspace_id.0);
    let count: i64 = count.fetch_one(&mut *connection).await?;
    if count >= i64::from(limit) {
        return Ok(false);
    }
    sqlx::query(INSERT)
        .bind(recurrence.id.0)
        .bind(recurrence.workspace_id.0)
        .bind(recurrence.name.as_str())
        .bind(recurrence.state.as_str())
        .bind(to_json("recurrences.terms", &recurrence.terms)?)
        .bind(Instant(recurrence.created_at))
        .bind(Instant(recurrence.updated_at))
        .bind(recurrence.revision)
        .execute(connection)
        .await?;
    Ok(true)
}

async fn save(connection: &mut Connection, recurrence: &Recurrence) -> Result<bool, Failure> {
    let saved = sqlx::query(SAVE)
        .bind(recurrence.id.0)
        .bind(recurrence.name.as_str())
        .bind(recurrence.state.as_str())
        .bind(to_json("recurrences.terms", &recurrence.terms)?)
        .bind(Instant(recurrence.updated_at))
        .bind(recurrence.revision)
        .execute(connection)
        .await?;
    Ok(saved.rows_affected() > 0)
}

async fn claim(
    connection: &mut Connection,
    now: Instant,
    lease_until: Instant,
) -> Result<Option<RecurrenceRow>, Failure> {
    let claimed: Option<Uuid> = sqlx::query_scalar(CLAIM)
        .bind(now)
        .bind(lease_until)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(id) = claimed else { return Ok(None) };
    Ok(Some(sqlx::query_as(ONE).bind(id).fetch_one(connection).await?))
}

async fn record(
    connection: &mut Connection,
    id: RecurrenceId,
    lease_until: Instant,
    progress: &Progress,
    renewed: Option<Instant>,
    event: Option<&Event>,
) -> Result<Recorded, Failure> {
    let problem = progress.problem.as_ref();
    let recorded = sqlx::query(RECORD)
        .bind(id.0)
        .bind(lease_until)
        .bind(to_json("recurrences.planned", &progress.planned)?)
        .bind(problem.map(|problem| to_json("recurrences.problem", problem)).transpose()?)
        .bind(progress.revision)
        .bind(Instant(progress.next_at))
        .bind(renewed)
        .execute(&mut *connection)
        .await?;
    if recorded.rows_affected() == 0 {
        return Ok(Recorded::Lost);
    }
    add_events(connection, event).await?;
    Ok(Recorded::Stored)
}

async fn use_entry(
    connection: &mut Connection,
    workspace: WorkspaceId,
    used: &EntryUse,
    forbidden_from: Option<DateTime<Utc>>,
) -> Result<UseOutcome, Failure> {
    // Each decides on the use of the one before.
    dialect::lock_workspace(connection, workspace).await?;
    let is_there = sqlx::query_scalar(IS_THERE).bind(used.recurrence_id.0);
    let is_there: bool = is_there.fetch_one(&mut *connection).await?;
    if !is_there {
        return Ok(UseOutcome::Stored);
    }
    let earlier = sqlx::query_as(USE).bind(used.entry_id.0).bind(used.account_id.0);
    let earlier: Option<EntryUseRow> = earlier.fetch_optional(&mut *connection).await?;
    let kept = match earlier {
        None => used.clone(),
        Some(row) => {
            let earlier = row.read()?;
            let is_under_way = sqlx::query_scalar(IS_UNDER_WAY)
                .bind(earlier.target_id.0)
                .bind(Instant(used.used_at));
            let is_under_way: bool = is_under_way.fetch_one(&mut *connection).await?;
            match used.clone().after(&earlier, is_under_way, forbidden_from) {
                Ok(kept) => kept,
                Err(outcome) => return Ok(outcome),
            }
        }
    };
    sqlx::query(KEEP)
        .bind(kept.entry_id.0)
        .bind(kept.account_id.0)
        .bind(kept.recurrence_id.0)
        .bind(kept.target_id.0)
        .bind(Instant(kept.used_at))
        .bind(to_json("entry_uses.texts", &kept.texts)?)
        .execute(connection)
        .await?;
    Ok(UseOutcome::Stored)
}

#[async_trait]
impl RecurrenceStore for Backend {
    async fn create_recurrence(
        &self,
        recurrence: &Recurrence,
        limit: u32,
    ) -> Result<bool, StoreError> {
        let arguments = (recurrence.clone(), limit);
        self.write("create_recurrence", arguments, |connection, (recurrence, limit)| {
            Box::pin(async move { Ok(create(connection, recurrence, *limit).await?) })
        })
        .await
    }

    async fn recurrences(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Vec<(Recurrence, Progress)>, StoreError> {
        self.read("recurrences", workspace, |connection, workspace| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_WORKSPACE).bind(workspace.0);
                let rows: Vec<RecurrenceRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(RecurrenceRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn recurrence(
        &self,
        workspace: WorkspaceId,
        id: RecurrenceId,
    ) -> Result<Option<(Recurrence, Progress)>, StoreError> {
        let found = self
            .read("recurrence", id, |connection, id| {
                Box::pin(async move {
                    let query = sqlx::query_as(ONE).bind(id.0);
                    let row: Option<RecurrenceRow> = query.fetch_optional(connection).await?;
                    Ok(row.map(RecurrenceRow::read).transpose()?)
                })
            })
            .await?;
        Ok(found.filter(|(recurrence, _)| recurrence.workspace_id == workspace))
    }

    async fn save_recurrence(&self, recurrence: &Recurrence) -> Result<bool, StoreError> {
        self.write("save_recurrence", recurrence.clone(), |connection, recurrence| {
            Box::pin(async move { Ok(save(connection, recurrence).await?) })
        })
        .await
    }

    async fn remove_recurrence(
        &self,
        recurrence: &Recurrence,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let arguments = (recurrence.id, recurrence.revision, Instant(now));
        self.write("remove_recurrence", arguments, |connection, (id, revision, now)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(id.0).bind(*revision).bind(*now);
                let removed = query.execute(&mut *connection).await?.rows_affected() > 0;
                if removed {
                    sqlx::query(DELETE_USES).bind(id.0).execute(connection).await?;
                }
                Ok(removed)
            })
        })
        .await
    }

    async fn claim_recurrence(
        &self,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Option<(Recurrence, Progress)>, StoreError> {
        let arguments = (Instant(now), Instant(lease_until));
        let row = self
            .write("claim_recurrence", arguments, |connection, (now, lease_until)| {
                Box::pin(async move { Ok(claim(connection, *now, *lease_until).await?) })
            })
            .await?;
        // Read once it is taken: one that cannot be read is not taken for ever.
        let claimed = row.map(RecurrenceRow::read).transpose();
        if let Err(error) = &claimed {
            tracing::error!(%error, "a recurrence cannot be read");
        }
        claimed
    }

    async fn record_planned(
        &self,
        id: RecurrenceId,
        lease_until: DateTime<Utc>,
        progress: &Progress,
        renewed: Option<DateTime<Utc>>,
        event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        let renewed = renewed.map(Instant);
        let arguments = (id, Instant(lease_until), progress.clone(), renewed, event.cloned());
        let recorded = self
            .write(
                "record_planned",
                arguments,
                |connection, (id, lease_until, progress, renewed, event)| {
                    Box::pin(async move {
                        let event = event.as_ref();
                        Ok(record(connection, *id, *lease_until, progress, *renewed, event).await?)
                    })
                },
            )
            .await?;
        if recorded == Recorded::Stored && event.is_some() {
            self.wake_others();
        }
        Ok(recorded)
    }

    async fn use_entry(
        &self,
        workspace: WorkspaceId,
        used: &EntryUse,
        forbidden_from: Option<DateTime<Utc>>,
    ) -> Result<UseOutcome, StoreError> {
        let arguments = (workspace, used.clone(), forbidden_from);
        self.write("use_entry", arguments, |connection, (workspace, used, forbidden_from)| {
            Box::pin(
                async move { Ok(use_entry(connection, *workspace, used, *forbidden_from).await?) },
            )
        })
        .await
    }

    async fn entry_uses(&self, id: RecurrenceId) -> Result<Vec<EntryUse>, StoreError> {
        self.read("entry_uses", id, |connection, id| {
            Box::pin(async move {
                let query = sqlx::query_as(USES).bind(id.0);
                let rows: Vec<EntryUseRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(EntryUseRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }
}
