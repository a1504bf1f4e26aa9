//! Who changed what.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::audit::{AuditCursor, AuditEntry, AuditFilter};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::{AuditStore, StoreError};
use uuid::Uuid;

use super::{Backend, Connection};
use crate::error::Failure;
use crate::instant::{Instant, LATEST};
use crate::rows::audit::{AuditRow, audit_columns};

const INSERT: &str = "INSERT INTO audit (id, workspace_id, at, actor_kind, actor_id, actor_name, \
    actor_person_id, actor_person, operation, path, client, outcome) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING";
/// A page of the entries that a condition takes, newest first.
macro_rules! list {
    ($condition:literal) => {
        concat!(
            "SELECT ",
            audit_columns!(),
            " FROM audit l WHERE l.workspace_id = $1 AND (l.at, l.id) < ($2, $3) AND ",
            $condition,
            " ORDER BY l.at DESC, l.id DESC LIMIT $4"
        )
    };
}

/// Changes alone; calls of tools are many. Each has an index of its own.
const LIST: &str = list!("l.client IS NULL");
const LIST_CALLS: &str = list!("l.client IS NOT NULL");
/// The same of one key or session.
const LIST_OF: &str = list!("l.client IS NULL AND l.actor_id = $5");
const LIST_CALLS_OF: &str = list!("l.client IS NOT NULL AND l.actor_id = $5");
/// Those before the one that is too many.
const REMOVE: &str = "DELETE FROM audit WHERE id < coalesce(\
    (SELECT id FROM audit WHERE id < $1 ORDER BY id LIMIT 1 OFFSET $2), $1)";

async fn add(connection: &mut Connection, entries: &[AuditEntry]) -> Result<(), Failure> {
    for entry in entries {
        sqlx::query(INSERT)
            .bind(entry.id.0)
            .bind(entry.workspace_id.0)
            .bind(Instant(entry.at))
            .bind(entry.by.kind.as_str())
            .bind(entry.by.id)
            .bind(&entry.by.name)
            .bind(entry.by.person.as_ref().map(|person| person.id.0))
            .bind(entry.by.person.as_ref().map(|person| person.name.as_str()))
            .bind(&entry.operation)
            .bind(&entry.path)
            .bind(entry.call.as_ref().map(|call| call.client.as_str()))
            .bind(entry.call.as_ref().map(|call| call.outcome.as_str()))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The first id of an instant.
fn first_of(at: DateTime<Utc>) -> Uuid {
    let millis = u64::try_from(at.timestamp_millis()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid()
}

#[async_trait]
impl AuditStore for Backend {
    async fn add_audit(&self, entries: &[AuditEntry]) -> Result<(), StoreError> {
        self.write("add_audit", entries.to_vec(), |connection, entries| {
            Box::pin(async move { Ok(add(connection, entries).await?) })
        })
        .await
    }

    async fn audit(
        &self,
        workspace: WorkspaceId,
        limit: u32,
        before: Option<AuditCursor>,
        filter: AuditFilter,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let asked = (workspace, limit, before, filter);
        self.read("audit", asked, |connection, (workspace, limit, before, filter)| {
            Box::pin(async move {
                let (at, id) =
                    before.map_or((LATEST, Uuid::max()), |place| (Instant(place.at), place.id.0));
                let statement = match (filter.calls, filter.by) {
                    (false, None) => LIST,
                    (true, None) => LIST_CALLS,
                    (false, Some(_)) => LIST_OF,
                    (true, Some(_)) => LIST_CALLS_OF,
                };
                let query = sqlx::query_as(statement).bind(workspace.0).bind(at).bind(id);
                let query = query.bind(i64::from(*limit));
                let query = filter.by.into_iter().fold(query, |query, by| query.bind(by));
                let rows: Vec<AuditRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(AuditRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn remove_audit(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, StoreError> {
        self.write("remove_audit", (before, limit), |connection, (before, limit)| {
            Box::pin(async move {
                let first = first_of(*before);
                let query = sqlx::query(REMOVE).bind(first).bind(i64::from(*limit));
                Ok(query.execute(connection).await?.rows_affected())
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn many_entries_are_not_passed_over() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        let plan = plans.of("remove", REMOVE).await;
        // The key of the table, as each database names it.
        let is_by_key = plan.contains("sqlite_autoindex_audit_1") || plan.contains("audit_pkey");
        assert!(is_by_key, "{plan}");
        let lists = [(LIST, "audit_changes_by_place"), (LIST_CALLS, "audit_calls_by_place")];
        for (sql, index) in lists {
            let plan = plans.of("list", sql).await;
            assert!(plan.contains(index), "{plan}");
            for sorting in ["TEMP B-TREE", "Sort"] {
                assert!(!plan.contains(sorting), "the index gives the order:\n{plan}");
            }
        }
    }
}
