//! Reading single posts, and the instants that an account's posts hold.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use scheduler_core::ids::{AccountId, PostId, TargetId, WorkspaceId};
use scheduler_core::ports::{Claim, Held};
use scheduler_core::post::Post;

use super::super::{Connection, dialect};
use uuid::Uuid;

use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::post::{PostAndTargetRow, PostRow, post_columns, read_post};
use crate::rows::row;
use crate::rows::target::{join_reading, target_columns};

const IDS: &str = "SELECT id FROM posts WHERE workspace_id = $1 AND id BETWEEN $2 AND $3 \
    ORDER BY id LIMIT $4";
/// One statement reads a post with its targets, and so at one moment.
pub(crate) const BY_ID: &str = concat!(
    "SELECT ",
    post_columns!(),
    ", ",
    target_columns!(),
    " FROM posts p JOIN targets t ON t.post_id = p.id",
    join_reading!(),
    "WHERE p.id = $1 AND p.workspace_id = $2 ORDER BY t.position"
);
/// A post that has no target, which only a draft may be.
const ALONE: &str = concat!(
    "SELECT ",
    post_columns!(),
    ", EXISTS (SELECT 1 FROM targets t WHERE t.post_id = p.id) AS has_targets \
     FROM posts p WHERE p.id = $1 AND p.workspace_id = $2"
);
const BY_KEY: &str = "SELECT p.id FROM posts p WHERE p.workspace_id = $1 \
    AND p.idempotency_key = $2 AND p.idempotency_key IS NOT NULL";
const BY_TARGET: &str = concat!(
    "SELECT ",
    post_columns!(),
    ", ",
    target_columns!(),
    " FROM targets one JOIN posts p ON p.id = one.post_id \
     JOIN targets t ON t.post_id = p.id",
    join_reading!(),
    "WHERE one.id = $1 ORDER BY t.position"
);
const BY_CLAIM: &str = concat!(
    "SELECT ",
    post_columns!(),
    ", ",
    target_columns!(),
    " FROM work JOIN targets one ON one.id = work.subject JOIN posts p ON p.id = one.post_id \
     JOIN targets t ON t.post_id = p.id",
    join_reading!(),
    "WHERE work.id = $1 AND work.claimed = $2 AND work.leased AND work.kind = 'publish' \
     ORDER BY t.position"
);
const TAKEN: &str = "SELECT slot_at FROM targets WHERE account_id = $1 AND slot_at >= $2 \
    AND slot_at IS NOT NULL AND status IN ('pending', 'publishing') \
    UNION SELECT due_at FROM targets WHERE account_id = $1 AND due_at >= $2 \
    AND due_at IS NOT NULL AND status IN ('pending', 'publishing')";

row! {
    /// A post without its targets, and whether it has any.
    struct AloneRow {
        ..post: PostRow,
        has_targets: bool,
    }
}

row! {
    /// An instant that a target holds.
    struct HeldRow {
        account_id: Uuid,
        at: Instant,
        target_id: Uuid,
        post_id: Uuid,
    }
}

/// The ids of a workspace's posts from one id to another.
pub(super) async fn ids(
    connection: &mut Connection,
    workspace: WorkspaceId,
    from: PostId,
    to: PostId,
    limit: u32,
) -> Result<Vec<PostId>, Failure> {
    let ids: Vec<Uuid> = sqlx::query_scalar(IDS)
        .bind(workspace.0)
        .bind(from.0)
        .bind(to.0)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    Ok(ids.into_iter().map(PostId).collect())
}

pub(crate) async fn by_id(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: PostId,
) -> Result<Option<Post>, Failure> {
    loop {
        let query = sqlx::query_as(BY_ID).bind(id.0).bind(workspace.0);
        let rows: Vec<PostAndTargetRow> = query.fetch_all(&mut *connection).await?;
        if !rows.is_empty() {
            return Ok(read_post(rows)?);
        }
        let query = sqlx::query_as(ALONE).bind(id.0).bind(workspace.0);
        let row: Option<AloneRow> = query.fetch_optional(&mut *connection).await?;
        match row {
            // It was given targets between the two looks.
            Some(AloneRow { has_targets: true, .. }) => {}
            Some(AloneRow { post, .. }) => return Ok(Some(post.read(Vec::new())?)),
            None => return Ok(None),
        }
    }
}

/// The post that was created under this key.
pub(crate) async fn by_key(
    connection: &mut Connection,
    workspace: WorkspaceId,
    key: &str,
) -> Result<Option<Post>, Failure> {
    let id: Option<Uuid> = sqlx::query_scalar(BY_KEY)
        .bind(workspace.0)
        .bind(key)
        .fetch_optional(&mut *connection)
        .await?;
    match id {
        Some(id) => by_id(connection, workspace, PostId(id)).await,
        None => Ok(None),
    }
}

/// The post that has this target.
pub(crate) async fn by_target(
    connection: &mut Connection,
    id: TargetId,
) -> Result<Option<Post>, Failure> {
    let rows: Vec<PostAndTargetRow> =
        sqlx::query_as(BY_TARGET).bind(id.0).fetch_all(connection).await?;
    Ok(read_post(rows)?)
}

/// The post whose target a claim is to publish; `None` when the claim is not the current one.
pub(crate) async fn by_claim(
    connection: &mut Connection,
    claim: &Claim,
) -> Result<Option<Post>, Failure> {
    let rows: Vec<PostAndTargetRow> = sqlx::query_as(BY_CLAIM)
        .bind(claim.work_id.0)
        .bind(claim.number)
        .fetch_all(connection)
        .await?;
    Ok(read_post(rows)?)
}

pub(super) async fn taken_instants(
    connection: &mut Connection,
    account: AccountId,
    from: Instant,
) -> Result<BTreeSet<DateTime<Utc>>, Failure> {
    let taken: Vec<Instant> =
        sqlx::query_scalar(TAKEN).bind(account.0).bind(from).fetch_all(connection).await?;
    Ok(taken.into_iter().map(|at| at.0).collect())
}

pub(super) async fn held_instants(
    connection: &mut Connection,
    accounts: &[AccountId],
    from: Instant,
    to: Instant,
) -> Result<Vec<Held>, Failure> {
    let accounts: Vec<Uuid> = accounts.iter().map(|account| account.0).collect();
    let rows: Vec<HeldRow> = sqlx::query_as(dialect::HELD)
        .bind(dialect::id_list(&accounts))
        .bind(from)
        .bind(to)
        .fetch_all(connection)
        .await?;
    let held = rows.into_iter().map(|row| Held {
        account_id: AccountId(row.account_id),
        at: row.at.0,
        target_id: TargetId(row.target_id),
        post_id: PostId(row.post_id),
    });
    Ok(held.collect())
}

#[cfg(test)]
mod tests {
    use super::super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn what_accounts_hold_is_found_by_its_indexes() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        let plan = plans.of("held", dialect::HELD).await;
        for index in ["targets_by_slot", "targets_by_due"] {
            assert!(plan.contains(index), "{index}:\n{plan}");
        }
    }
}
