//! Storing files, with their work and what they count for.
//!
//! Every operation locks the file first, then its work, and the count of the month last.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use scheduler_core::effects::after_file;
use scheduler_core::idempotency::KeyUse;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{Media, MediaStatus};
use scheduler_core::ports::{AddOutcome, Claim, EraseOutcome, Recorded, WorkKind};
use scheduler_core::post::Month;
use scheduler_core::webhook::Event;

use super::super::deliveries::add_events;
use super::super::settle::settle;
use super::super::{Connection, dialect, idempotency, shared};
use super::count::{self, Share};
use crate::error::{Abort, Failure};
use crate::export::Described as _;
use crate::rows::media::{LockedMediaRow, MediaValues, media_values};
use crate::rows::work::WorkValues;
use crate::rows::{Values as _, numbered};
use crate::sealing::Sealer;

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let statement =
        concat!("INSERT INTO media (", media_values!(), ", version) VALUES ({media}, {version})");
    numbered(statement, &[("media", MediaValues::COLUMNS.len()), ("version", 1)])
});
pub(super) const UPDATE: &str = "UPDATE media SET kind = $3, status = $4, mime_type = $5, size_bytes = $6, \
    duration_seconds = $7, width = $8, height = $9, fps = $10, video_codec = $11, \
    frame_count = $12, file_name = $13, error = $14, created_at = $15, transfer = $16, \
    source_url = $17, has_preview = $18, due_at = $19, tries = $20, allowance_bytes = $21, \
    description = $22, version = $23 WHERE id = $1 AND workspace_id = $2";
pub(super) const DELETE_WORK: &str =
    "DELETE FROM work WHERE kind IN ('fetch', 'examine', 'erase') AND subject = $1";
const TURN_WORK: &str = "UPDATE work SET kind = $2 WHERE id = $1";
pub(super) const IS_NEEDED: &str = "SELECT EXISTS (SELECT 1 FROM post_files f JOIN posts p ON p.id = f.post_id \
    WHERE f.workspace_id = $1 AND f.media_id = $2 \
    AND p.status IN ('draft', 'scheduled', 'publishing'))";

pub(super) async fn create(
    connection: &mut Connection,
    media: &Media,
    upload_bytes_a_month: u64,
    key_use: Option<&KeyUse>,
    sealer: &Sealer,
) -> Result<AddOutcome, Abort<AddOutcome>> {
    if let Some(key_use) = key_use
        && let Some(earlier) = idempotency::begin(connection, key_use).await?
    {
        return Ok(AddOutcome::Existing(earlier));
    }
    let values = MediaValues::of(media, sealer)?;
    let share = share(media, &values);
    store(connection, &INSERT, values, media.version).await?;
    let pieces = WorkValues::of_media(media, media.version);
    dialect::insert_work(connection, pieces.into_iter().collect()).await?;
    if !count::add(connection, media.workspace_id, share, upload_bytes_a_month).await? {
        return Err(Abort::Outcome(AddOutcome::LimitReached));
    }
    Ok(AddOutcome::Stored)
}

/// Stores a changed file and new work in the place of the old; `false` when another change came
/// first.
pub(super) async fn save(
    connection: &mut Connection,
    media: &Media,
    sealer: &Sealer,
) -> Result<bool, Failure> {
    let locked = shared::lock_media(connection, media.workspace_id, media.id).await?;
    let Some(locked) = locked.filter(|row| row.media.version == media.version) else {
        return Ok(false);
    };
    let version = media.version + 1;
    replace_work(connection, media, version).await?;
    update(connection, &locked, media, version, sealer).await?;
    Ok(true)
}

/// Deletes a file that no unfinished post needs.
///
/// The file is locked before posts are looked at, and a post is stored only with a lock on its
/// files: of the two, the later sees the earlier.
pub(super) async fn erase(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: MediaId,
    at: DateTime<Utc>,
    sealer: &Sealer,
) -> Result<EraseOutcome, Failure> {
    let Some(locked) = shared::lock_media(connection, workspace, id).await? else {
        return Ok(EraseOutcome::Missing);
    };
    let media = locked.media.clone().open(sealer)?;
    if media.status == MediaStatus::Deleted {
        return Ok(EraseOutcome::Deleted(media));
    }
    let is_needed = sqlx::query_scalar(IS_NEEDED).bind(workspace.0).bind(id.0);
    if is_needed.fetch_one(&mut *connection).await? {
        return Ok(EraseOutcome::InUse);
    }
    let deleted = Media { version: media.version + 1, ..media.deleted(at) };
    replace_work(connection, &deleted, deleted.version).await?;
    update(connection, &locked, &deleted, deleted.version, sealer).await?;
    Ok(EraseOutcome::Deleted(deleted))
}

/// Stores a file as the holder of its work leaves it, what happened, and the fate of the work.
pub(in super::super) async fn record(
    connection: &mut Connection,
    claim: &Claim,
    media: &Media,
    event: Option<&Event>,
    sealer: &Sealer,
) -> Result<Recorded, Failure> {
    let locked = shared::lock_media(connection, media.workspace_id, media.id).await?;
    let Some(locked) = locked else { return Ok(Recorded::Lost) };
    if settle(connection, claim, after_file(media)).await? == Recorded::Lost {
        return Ok(Recorded::Lost);
    }
    let kind = WorkKind::of_file(media.status);
    if kind != claim.kind {
        let turned = sqlx::query(TURN_WORK).bind(claim.work_id.0).bind(kind.as_str());
        turned.execute(&mut *connection).await?;
    }
    update(connection, &locked, media, media.version + 1, sealer).await?;
    add_events(connection, event).await?;
    Ok(Recorded::Stored)
}

async fn replace_work(
    connection: &mut Connection,
    media: &Media,
    version: i64,
) -> Result<(), Failure> {
    sqlx::query(DELETE_WORK).bind(media.id.0).execute(&mut *connection).await?;
    let pieces = WorkValues::of_media(media, version);
    dialect::insert_work(connection, pieces.into_iter().collect()).await
}

async fn update(
    connection: &mut Connection,
    locked: &LockedMediaRow,
    media: &Media,
    version: i64,
    sealer: &Sealer,
) -> Result<(), Failure> {
    let values = MediaValues::of(media, sealer)?;
    let month = Month::of(locked.media.created_at.0);
    let old = Share { month, bytes: locked.allowance_bytes };
    let new = share(media, &values);
    store(connection, UPDATE, values, version).await?;
    count::shift(connection, media.workspace_id, old, new).await
}

fn share(media: &Media, values: &MediaValues) -> Share {
    Share { month: media.allowance_month(), bytes: values.allowance_bytes }
}

async fn store(
    connection: &mut Connection,
    statement: &'static str,
    values: MediaValues,
    version: i64,
) -> Result<(), Failure> {
    values.bind_to(sqlx::query(statement)).bind(version).execute(connection).await?;
    Ok(())
}
