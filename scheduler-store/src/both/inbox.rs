//! What others have written under live posts.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::{CommentId, WorkspaceId};
use scheduler_core::inbox::{CommentChange, InboxQuery, Marked, ReceivedComment};
use scheduler_core::ports::{InboxStore, StoreError, TakenComments};
use sqlx::QueryBuilder;

use super::deliveries::add_event;
use super::{Backend, Connection};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::comment::{CommentRow, comment_columns};
use crate::rows::narrow;

const SEEN: &str = "UPDATE reading_plans SET comments_seen = $2 WHERE target_id = $1";
const INSERT: &str = "INSERT INTO comments (id, workspace_id, post_id, target_id, account_id, \
    platform, remote_id, author, text, at, hidden, like_count) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING";
const UPDATE: &str = "UPDATE comments SET author = $2, text = $3, hidden = $4, like_count = $5 \
    WHERE id = $1";
const SELECT: &str =
    concat!("SELECT ", comment_columns!(), " FROM comments c WHERE c.workspace_id = ");
const COUNT_UNREAD: &str =
    "SELECT count(*) FROM comments WHERE workspace_id = $1 AND read_at IS NULL";
const MARK_ONE: &str = "UPDATE comments SET read_at = $2 \
    WHERE id = $3 AND workspace_id = $1 AND (read_at IS NULL) <> ($2 IS NULL)";
const READ_ALL: &str =
    "UPDATE comments SET read_at = $2 WHERE workspace_id = $1 AND read_at IS NULL";
const UNREAD_ALL: &str =
    "UPDATE comments SET read_at = NULL WHERE workspace_id = $1 AND read_at IS NOT NULL";
const ANSWERED: &str = "UPDATE comments SET read_at = $2 WHERE id = $1 AND read_at IS NULL";
const HIDE: &str = "UPDATE comments SET hidden = $2 WHERE id = $1";
const DELETE: &str = "DELETE FROM comments WHERE id = $1";

/// Stores what a reading has found under a post, with the events of what is new; nothing where the
/// figures of the post are not read any more.
///
/// The row that the comments belong to is locked first, so that it stays until they are stored.
pub(super) async fn add(connection: &mut Connection, taken: &TakenComments) -> Result<(), Failure> {
    let seen = i64::try_from(taken.seen).unwrap_or(i64::MAX);
    let query = sqlx::query(SEEN).bind(taken.target_id.0).bind(seen);
    if query.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(());
    }
    for (comment, event) in &taken.received {
        let likes = comment.like_count.map(|likes| i64::try_from(likes).unwrap_or(i64::MAX));
        let inserted = sqlx::query(INSERT)
            .bind(comment.id.0)
            .bind(comment.workspace_id.0)
            .bind(comment.post_id.0)
            .bind(comment.target_id.0)
            .bind(comment.account_id.0)
            .bind(comment.platform.as_str())
            .bind(&comment.remote_id)
            .bind(&comment.author)
            .bind(&comment.text)
            .bind(Instant(comment.at))
            .bind(comment.hidden)
            .bind(likes)
            .execute(&mut *connection)
            .await?;
        if inserted.rows_affected() > 0 {
            add_event(connection, event, event.created_at).await?;
            continue;
        }
        sqlx::query(UPDATE)
            .bind(comment.id.0)
            .bind(&comment.author)
            .bind(&comment.text)
            .bind(comment.hidden)
            .bind(likes)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The statement that lists comments.
fn list(
    workspace: WorkspaceId,
    query: &InboxQuery,
) -> QueryBuilder<<Connection as sqlx::Connection>::Database> {
    let mut select = QueryBuilder::new(SELECT);
    select.push_bind(workspace.0);
    match query.unread {
        Some(true) => select.push(" AND c.read_at IS NULL"),
        Some(false) => select.push(" AND c.read_at IS NOT NULL"),
        None => &mut select,
    };
    if let Some(account) = query.account_id {
        select.push(" AND c.account_id = ").push_bind(account.0);
    }
    if let Some(platform) = query.platform {
        select.push(" AND c.platform = ").push_bind(platform.as_str());
    }
    if let Some(before) = query.before {
        select.push(" AND (c.at, c.id) < (").push_bind(Instant(before.at));
        select.push(", ").push_bind(before.id.0).push(")");
    }
    select.push(" ORDER BY c.at DESC, c.id DESC LIMIT ").push_bind(i64::from(query.limit));
    select
}

async fn mark(
    connection: &mut Connection,
    workspace: WorkspaceId,
    marked: &Marked,
    read_at: Option<DateTime<Utc>>,
) -> Result<u64, Failure> {
    let read_at = read_at.map(Instant);
    let these = match marked {
        Marked::These(ids) => ids,
        Marked::All => {
            let query = match read_at {
                Some(at) => sqlx::query(READ_ALL).bind(workspace.0).bind(at),
                None => sqlx::query(UNREAD_ALL).bind(workspace.0),
            };
            return Ok(query.execute(connection).await?.rows_affected());
        }
    };
    let mut changed = 0;
    for id in these {
        let query = sqlx::query(MARK_ONE).bind(workspace.0).bind(read_at);
        changed += query.bind(id.0).execute(&mut *connection).await?.rows_affected();
    }
    Ok(changed)
}

async fn change(
    connection: &mut Connection,
    id: CommentId,
    change: CommentChange,
) -> Result<(), Failure> {
    let query = match change {
        CommentChange::Answered(at) => sqlx::query(ANSWERED).bind(id.0).bind(Instant(at)),
        CommentChange::Hidden(is_hidden) => sqlx::query(HIDE).bind(id.0).bind(is_hidden),
        CommentChange::Deleted => sqlx::query(DELETE).bind(id.0),
    };
    query.execute(connection).await?;
    Ok(())
}

#[async_trait]
impl InboxStore for Backend {
    async fn inbox(
        &self,
        workspace: WorkspaceId,
        query: &InboxQuery,
    ) -> Result<Vec<ReceivedComment>, StoreError> {
        self.read("inbox", (workspace, *query), |connection, (workspace, query)| {
            Box::pin(async move {
                let mut select = list(*workspace, query);
                let rows: Vec<CommentRow> = select.build_query_as().fetch_all(connection).await?;
                Ok(rows.into_iter().map(CommentRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn unread_comments(&self, workspace: WorkspaceId) -> Result<u64, StoreError> {
        self.read("unread_comments", workspace, |connection, workspace| {
            Box::pin(async move {
                let query = sqlx::query_scalar(COUNT_UNREAD).bind(workspace.0);
                let count: i64 = query.fetch_one(connection).await?;
                Ok(narrow("comments", count)?)
            })
        })
        .await
    }

    async fn mark_comments(
        &self,
        workspace: WorkspaceId,
        marked: &Marked,
        read_at: Option<DateTime<Utc>>,
    ) -> Result<u64, StoreError> {
        let arguments = (workspace, marked.clone(), read_at);
        self.write("mark_comments", arguments, |connection, (workspace, marked, read_at)| {
            Box::pin(async move { Ok(mark(connection, *workspace, marked, *read_at).await?) })
        })
        .await
    }

    async fn change_comment(
        &self,
        id: CommentId,
        change_of: CommentChange,
    ) -> Result<(), StoreError> {
        self.write("change_comment", (id, change_of), |connection, (id, change_of)| {
            Box::pin(async move { Ok(change(connection, *id, *change_of).await?) })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn many_comments_are_not_passed_over() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        let plan = plans.of("unread", COUNT_UNREAD).await;
        assert!(plan.contains("comments_unread"), "{plan}");
        let any =
            InboxQuery { unread: None, account_id: None, platform: None, limit: 50, before: None };
        let unread = InboxQuery { unread: Some(true), ..any };
        for (name, query, index) in
            [("all", any, "comments_by_place"), ("unread", unread, "comments_unread")]
        {
            let statement = list(WorkspaceId(uuid::Uuid::nil()), &query);
            let plan = plans.of(name, statement.sql().as_str()).await;
            assert!(plan.contains(index), "{name}: {plan}");
            for sorting in ["TEMP B-TREE", "Sort"] {
                assert!(!plan.contains(sorting), "{name}: the index gives the order:\n{plan}");
            }
        }
    }
}
