//! Storing a new post.

use std::sync::LazyLock;

use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ports::CreateOutcome;
use scheduler_core::post::Post;

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::both::deliveries::tell_scheduled;
use super::both::links;
use super::both::posts::find::index_post;
use super::both::shared::insert_files;
use super::both::{count, post_by_key};
use super::dialect;
use crate::error::{Abort, corrupt};
use crate::export::Described as _;
use crate::rows::post::{PostValues, post_values};
use crate::rows::target::TargetValues;
use crate::rows::work::WorkValues;
use crate::rows::{Values as _, numbered};

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let statement = concat!(
        "INSERT INTO posts (id, ",
        post_values!(),
        ") VALUES ({id}, {post}) ON CONFLICT (workspace_id, idempotency_key) \
        WHERE idempotency_key IS NOT NULL DO NOTHING"
    );
    numbered(statement, &[("id", 1), ("post", PostValues::COLUMNS.len())])
});

pub(super) async fn create(
    connection: &mut SqliteConnection,
    post: &Post,
    posts_a_month: u64,
) -> Result<CreateOutcome, Abort<CreateOutcome>> {
    let values = PostValues::of(post)?;
    let month = values.allowance_month;
    let query = values.bind_to(sqlx::query(INSERT.as_str()).bind(post.id.0));
    if query.execute(&mut *connection).await?.rows_affected() == 0 {
        let key = post.idempotency_key.as_ref().map(IdempotencyKey::as_str).unwrap_or_default();
        let existing = post_by_key(connection, post.workspace_id, key).await?;
        let existing = existing.ok_or_else(|| corrupt("posts", "a post has no targets"))?;
        return Ok(CreateOutcome::Existing(existing));
    }
    index_post(connection, None, post).await?;
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
    insert_files(connection, post, &files).await?;
    if !count(connection, post.workspace_id, None, month, posts_a_month).await? {
        return Err(Abort::Outcome(CreateOutcome::LimitReached));
    }
    links::keep(connection, post).await?;
    tell_scheduled(connection, None, post).await?;
    Ok(CreateOutcome::Created)
}
