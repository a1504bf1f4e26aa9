//! Calendar feeds.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::TryStreamExt as _;
use scheduler_core::calendar::{CalendarEntry, CalendarFeed, TEXT_MAX_CHARACTERS};
use scheduler_core::connecting::PassHash;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::{CalendarStore, StoreError};
use scheduler_core::workspace::Workspace;

use super::{Backend, Connection};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::calendar::{
    CalendarEntryRow, CalendarFeedRow, calendar_entry_columns, calendar_feed_columns,
};
use crate::rows::workspace::{WorkspaceRow, workspace_columns};

const SAVE: &str = "INSERT INTO calendar_feeds (workspace_id, hash, created_at) \
    VALUES ($1, $2, $3) ON CONFLICT (workspace_id) \
    DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    calendar_feed_columns!(),
    " FROM calendar_feeds f WHERE f.workspace_id = $1"
);
const DELETE: &str = "DELETE FROM calendar_feeds WHERE workspace_id = $1";
const WORKSPACE: &str = concat!(
    "SELECT ",
    workspace_columns!(),
    " FROM calendar_feeds f JOIN workspaces w ON w.id = f.workspace_id WHERE f.hash = $1"
);
const ENTRIES: &str = concat!(
    "SELECT ",
    calendar_entry_columns!(),
    ", substr(p.content, 1, $5) AS beginning FROM posts p JOIN targets t ON t.post_id = p.id \
     JOIN accounts a ON a.id = t.account_id \
     WHERE p.workspace_id = $1 AND p.moment >= $2 AND p.moment < $3 AND p.status <> 'draft' \
     ORDER BY p.moment DESC, p.id DESC, t.position LIMIT $4"
);

/// Each row is read as it comes: its options may be long, and of them little is shown.
async fn entries(
    connection: &mut Connection,
    workspace: WorkspaceId,
    [from, to]: [Instant; 2],
    limit: u32,
) -> Result<Vec<CalendarEntry>, Failure> {
    // One more tells that there is more.
    let characters = i32::try_from(TEXT_MAX_CHARACTERS + 1).unwrap_or(i32::MAX);
    let rows = sqlx::query_as(ENTRIES)
        .bind(workspace.0)
        .bind(from)
        .bind(to)
        .bind(i64::from(limit))
        .bind(characters)
        .fetch(connection);
    let read = rows.map_err(Failure::from);
    read.and_then(|row: CalendarEntryRow| async move { Ok(row.read()?) }).try_collect().await
}

#[async_trait]
impl CalendarStore for Backend {
    async fn save_calendar_feed(&self, feed: &CalendarFeed) -> Result<(), StoreError> {
        self.write("save_calendar_feed", feed.clone(), |connection, feed| {
            Box::pin(async move {
                sqlx::query(SAVE)
                    .bind(feed.workspace_id.0)
                    .bind(feed.hash.0.to_vec())
                    .bind(Instant(feed.created_at))
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    async fn calendar_feed(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Option<CalendarFeed>, StoreError> {
        self.read("calendar_feed", workspace, |connection, workspace| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_WORKSPACE).bind(workspace.0);
                let row: Option<CalendarFeedRow> = query.fetch_optional(connection).await?;
                Ok(row.map(CalendarFeedRow::read).transpose()?)
            })
        })
        .await
    }

    async fn remove_calendar_feed(&self, workspace: WorkspaceId) -> Result<bool, StoreError> {
        self.write("remove_calendar_feed", workspace, |connection, workspace| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn workspace_of_calendar(&self, hash: PassHash) -> Result<Option<Workspace>, StoreError> {
        self.read("workspace_of_calendar", hash.0.to_vec(), |connection, hash| {
            Box::pin(async move {
                let query = sqlx::query_as(WORKSPACE).bind(hash);
                let row: Option<WorkspaceRow> = query.fetch_optional(connection).await?;
                Ok(row.map(WorkspaceRow::read).transpose()?)
            })
        })
        .await
    }

    async fn calendar_entries(
        &self,
        workspace: WorkspaceId,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<CalendarEntry>, StoreError> {
        let arguments = (workspace, [Instant(from), Instant(to)], limit);
        self.read("calendar_entries", arguments, |connection, (workspace, span, limit)| {
            Box::pin(async move { Ok(entries(connection, *workspace, *span, *limit).await?) })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn posts_of_other_times_are_not_passed_over() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        let plan = plans.of("calendar entries", ENTRIES).await;
        assert!(plan.contains("posts_by_moment"), "{plan}");
    }
}
