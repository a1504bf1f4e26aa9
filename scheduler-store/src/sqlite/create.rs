//! Storing a new post.

use scheduler_core::ports::CreateOutcome;
use scheduler_core::post::Post;

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::both::{count, post_by_key};
use super::dialect;
use crate::error::{Abort, Failure, corrupt};
use crate::instant::Instant;
use crate::rows::post::PostValues;
use crate::rows::target::TargetValues;
use crate::rows::work::WorkValues;

const INSERT: &str = "INSERT INTO posts (id, workspace_id, status, content, link_url, media_ids, \
    alt_texts, scheduled_at, approval_state, created_at, updated_at, idempotency_key, version, \
    moment, went_out, allowance_month, idempotency_body) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) \
    ON CONFLICT (workspace_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING";

pub(super) async fn create(
    connection: &mut SqliteConnection,
    post: &Post,
    posts_a_month: u64,
) -> Result<CreateOutcome, Abort<CreateOutcome>> {
    let values = PostValues::of(post)?;
    if !insert(connection, post, &values).await? {
        let key = values.idempotency_key.as_deref().unwrap_or_default();
        let existing = post_by_key(connection, post.workspace_id, key).await?;
        let existing = existing.ok_or_else(|| corrupt("posts", "a post has no targets"))?;
        return Ok(CreateOutcome::Existing(existing));
    }
    let mut targets = Vec::with_capacity(post.targets.len());
    for (position, target) in (0_i64..).zip(&post.targets) {
        targets.push((position, TargetValues::of(target)?));
    }
    if !dialect::insert_targets(connection, post.id, targets).await? {
        return Err(Abort::Outcome(CreateOutcome::SlotTaken));
    }
    dialect::insert_work(connection, WorkValues::of_post(post, post.version)).await?;
    let files: Vec<Uuid> = post.files().into_iter().map(|id| id.0).collect();
    if dialect::is_any_deleted(connection, &files).await? {
        return Err(Abort::Outcome(CreateOutcome::FileDeleted));
    }
    dialect::insert_files(connection, post, &files).await?;
    let month = values.allowance_month;
    if !count(connection, post.workspace_id, None, month, posts_a_month).await? {
        return Err(Abort::Outcome(CreateOutcome::LimitReached));
    }
    Ok(CreateOutcome::Created)
}

async fn insert(
    connection: &mut SqliteConnection,
    post: &Post,
    values: &PostValues,
) -> Result<bool, Failure> {
    let result = sqlx::query(INSERT)
        .bind(post.id.0)
        .bind(post.workspace_id.0)
        .bind(post.status.as_str())
        .bind(&post.content)
        .bind(&post.link_url)
        .bind(&values.media_ids)
        .bind(&values.alt_texts)
        .bind(post.scheduled_at.map(Instant))
        .bind(post.approval_state.map(|state| state.as_str()))
        .bind(Instant(post.created_at))
        .bind(Instant(post.updated_at))
        .bind(&values.idempotency_key)
        .bind(post.version)
        .bind(values.moment)
        .bind(values.went_out)
        .bind(values.allowance_month)
        .bind(&values.idempotency_body)
        .execute(connection)
        .await?;
    Ok(result.rows_affected() > 0)
}
