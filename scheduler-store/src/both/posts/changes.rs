//! What has changed in a workspace, for pages that are open.

use scheduler_core::changes::{CHANGES_MAX, Change, Changes};
use scheduler_core::ids::{AccountId, AuditId, EventId, PostId, WorkspaceId};
use uuid::Uuid;

use super::super::Connection;
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::parse;

/// Posts, events, entries of the log and new accounts alike: where from, the id, and what tells the rest.
const SINCE: &str = "SELECT 'post' AS source, id, revision, version, updated_at AS at, '' AS more \
    FROM posts WHERE workspace_id = $1 AND updated_at >= $2 \
    UNION ALL SELECT kind, id, 0, 0, created_at, body \
    FROM events WHERE workspace_id = $1 AND created_at >= $2 \
    UNION ALL SELECT 'account', id, 0, -2, connected_at, '' \
    FROM accounts WHERE workspace_id = $1 AND connected_at >= $2 \
    UNION ALL SELECT operation, id, 0, -1, at, path \
    FROM audit WHERE workspace_id = $1 AND at >= $2 ORDER BY at LIMIT $3";

type Row = (String, Uuid, i64, i64, Instant, String);

pub(super) async fn since(
    connection: &mut Connection,
    workspace: WorkspaceId,
    since: Instant,
) -> Result<Changes, Failure> {
    let query = sqlx::query_as(SINCE).bind(workspace.0).bind(since);
    let rows: Vec<Row> = query.bind(i64::from(CHANGES_MAX) + 1).fetch_all(connection).await?;
    let read = |(source, id, revision, version, Instant(at), more): Row| {
        Ok(match (source.as_str(), version) {
            (_, -2) => Some(Change::of_account(AccountId(id), at)),
            (operation, -1) => Change::of_entry(AuditId(id), operation, &more, at),
            ("post", _) => Some(Change::of_post(PostId(id), revision, version, at)),
            (kind, _) => Change::of_event(EventId(id), parse("events.kind", kind)?, &more, at),
        })
    };
    Ok(Changes::of(rows.into_iter().map(read).collect::<Result<_, Failure>>()?))
}

#[cfg(test)]
mod tests {
    use super::super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn nothing_that_is_older_is_passed_over() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        let plan = plans.of("changes", SINCE).await;
        for index in ["posts_by_change", "events_by_workspace", "audit_by_place"] {
            assert!(plan.contains(index), "{index}:\n{plan}");
        }
    }
}
