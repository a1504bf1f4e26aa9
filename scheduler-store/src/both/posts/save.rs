//! Storing a post that was changed.

use std::collections::BTreeSet;

use scheduler_core::ids::MediaId;
use scheduler_core::ports::SaveOutcome;
use scheduler_core::post::Post;
use scheduler_core::target::{Target, TargetStatus};
use uuid::Uuid;

use super::{Connection, count, dialect};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::from_json;
use crate::rows::post::PostValues;
use crate::rows::target::TargetValues;
use crate::rows::work::WorkValues;

const TARGETS: &str =
    "SELECT id, status, options FROM targets WHERE post_id = $1 ORDER BY position";
const MOVE: &str = "UPDATE targets SET position = $2 WHERE id = $1";
const UPDATE: &str = "UPDATE posts SET status = $2, content = $3, link_url = $4, media_ids = $5, \
    alt_texts = $6, scheduled_at = $7, approval_state = $8, created_at = $9, updated_at = $10, \
    idempotency_key = $11, version = $12, moment = $13, went_out = $14, allowance_month = $15 \
    WHERE id = $1";

pub(super) async fn save(
    connection: &mut Connection,
    post: &Post,
    posts_a_month: u64,
) -> Result<SaveOutcome, Abort<SaveOutcome>> {
    let stored = dialect::lock_post(connection, post.workspace_id, post.id).await?;
    let Some(stored) = stored else { return Ok(SaveOutcome::Missing) };
    if stored.version != post.version {
        return Ok(SaveOutcome::Stale);
    }
    let values = PostValues::of(post)?;
    let version = post.version + 1;
    let Some(files) = replace_targets(connection, post).await? else {
        return Err(Abort::Outcome(SaveOutcome::SlotTaken));
    };
    dialect::insert_work(connection, WorkValues::of_post(post, version)).await?;
    update(connection, post, &values, version).await?;
    if post.status.is_unfinished() && dialect::is_any_deleted(connection, &files).await? {
        return Err(Abort::Outcome(SaveOutcome::FileDeleted));
    }
    dialect::remove_other_files(connection, post.id, &files).await?;
    dialect::insert_files(connection, post, &files).await?;
    let (old, new) = (stored.allowance_month, values.allowance_month);
    if !count(connection, post.workspace_id, old, new, posts_a_month).await? {
        return Err(Abort::Outcome(SaveOutcome::LimitReached));
    }
    Ok(SaveOutcome::Saved)
}

/// Replaces the targets of a post and removes their work; returns the files that the post then
/// needs, `None` when a slot is taken.
///
/// A target that is going out belongs to the holder of its work, who may have written down how
/// far it has come after the caller read it: it stays as it is stored, and so does its work.
async fn replace_targets(
    connection: &mut Connection,
    post: &Post,
) -> Result<Option<Vec<Uuid>>, Failure> {
    let stored: Vec<(Uuid, String, String)> =
        sqlx::query_as(TARGETS).bind(post.id.0).fetch_all(&mut *connection).await?;
    let publishing = TargetStatus::Publishing;
    // The options with which a target is going out; `None` when it is not.
    let going_out = |id: Uuid| {
        let is_given =
            post.targets.iter().any(|target| target.id.0 == id && target.status == publishing);
        let found =
            stored.iter().find(|(other, status, _)| *other == id && status == publishing.as_str());
        found.filter(|_| is_given).map(|(_, _, options)| options.as_str())
    };
    let replaced: Vec<Uuid> =
        stored.iter().map(|(id, ..)| *id).filter(|id| going_out(*id).is_none()).collect();
    dialect::remove_targets(connection, &replaced).await?;
    let mut files: BTreeSet<MediaId> = post.media_ids.iter().copied().collect();
    let mut targets = Vec::with_capacity(post.targets.len());
    for (position, target) in (0_i64..).zip(&post.targets) {
        if let Some(options) = going_out(target.id.0) {
            let options = from_json("targets.options", options)?;
            files.extend(Target { options, ..target.clone() }.thumbnail());
            sqlx::query(MOVE).bind(target.id.0).bind(position).execute(&mut *connection).await?;
        } else {
            files.extend(target.thumbnail());
            targets.push((position, TargetValues::of(target)?));
        }
    }
    if !dialect::insert_targets(connection, post.id, targets).await? {
        return Ok(None);
    }
    Ok(Some(files.into_iter().map(|id| id.0).collect()))
}

async fn update(
    connection: &mut Connection,
    post: &Post,
    values: &PostValues,
    version: i64,
) -> Result<(), Failure> {
    sqlx::query(UPDATE)
        .bind(post.id.0)
        .bind(post.status.as_str())
        .bind(&post.content)
        .bind(&post.link_url)
        .bind(&values.media_ids)
        .bind(&values.alt_texts)
        .bind(post.scheduled_at.map(Instant))
        .bind(post.approval_state.map(|state| state.as_str()))
        .bind(Instant(post.created_at))
        .bind(Instant(post.updated_at))
        .bind(&post.idempotency_key)
        .bind(version)
        .bind(values.moment)
        .bind(values.went_out)
        .bind(values.allowance_month)
        .execute(connection)
        .await?;
    Ok(())
}
