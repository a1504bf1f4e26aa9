//! Fresh readings of a workspace's posts, on request.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::RefreshOutcome;

use super::super::{Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;

/// Of callers at once, one changes the row; the others wait for it and then do not fit.
pub(super) const BEGIN: &str = "INSERT INTO reading_refreshes (workspace_id, at) VALUES ($1, $2) \
    ON CONFLICT (workspace_id) DO UPDATE SET at = excluded.at WHERE reading_refreshes.at <= $3";
pub(super) const LAST: &str = "SELECT at FROM reading_refreshes WHERE workspace_id = $1";
/// What waits already keeps its place before what was read since.
pub(super) const PLAN: &str = "UPDATE reading_plans \
    SET due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END \
    WHERE published_at >= $3 AND account_id IN \
      (SELECT id FROM accounts WHERE workspace_id = $1 AND disconnected_at IS NULL) \
    AND EXISTS (SELECT 1 FROM targets t WHERE t.id = reading_plans.target_id \
      AND t.status = 'published' AND t.remote_id IS NOT NULL AND t.published_at IS NOT NULL)";
/// Where something waits already, so does the work, or it is blocked. Who holds the work finds what
/// is due when it records what it has read.
pub(super) const HASTEN: &str = "UPDATE work SET due_at = $2, claimable_at = $2 \
    WHERE kind = 'read' AND NOT leased AND due_at > $2 AND subject IN \
      (SELECT id FROM accounts WHERE workspace_id = $1 AND disconnected_at IS NULL) \
    AND EXISTS (SELECT 1 FROM reading_plans p \
      WHERE p.account_id = work.subject AND p.due_at IS NOT NULL AND p.due_at = $2)";

pub(super) async fn refresh(
    connection: &mut Connection,
    workspace: WorkspaceId,
    now: DateTime<Utc>,
    published_since: DateTime<Utc>,
    every: TimeDelta,
) -> Result<RefreshOutcome, Failure> {
    let begun = sqlx::query(BEGIN)
        .bind(workspace.0)
        .bind(Instant(now))
        .bind(Instant(now - every))
        .execute(&mut *connection)
        .await?;
    if begun.rows_affected() == 0 {
        let last: Instant =
            sqlx::query_scalar(LAST).bind(workspace.0).fetch_one(connection).await?;
        return Ok(RefreshOutcome::TooSoon { until: last.0 + every });
    }
    dialect::lock_readings(connection, workspace).await?;
    let planned = sqlx::query(PLAN)
        .bind(workspace.0)
        .bind(Instant(now))
        .bind(Instant(published_since))
        .execute(&mut *connection)
        .await?;
    if planned.rows_affected() > 0 {
        sqlx::query(HASTEN).bind(workspace.0).bind(Instant(now)).execute(connection).await?;
    }
    Ok(RefreshOutcome::Queued(planned.rows_affected()))
}
