//! Storing a post that was changed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use scheduler_core::effects::belongs_to_holder;
use scheduler_core::ids::{MediaId, TargetId};
use scheduler_core::ports::SaveOutcome;
use scheduler_core::post::Post;
use scheduler_core::target::{Target, TargetStatus};
use uuid::Uuid;

use super::super::deliveries::tell_scheduled;
use super::super::{Connection, dialect, links, shared};
use super::count::count;
use super::{find, last_changes, read};
use crate::error::{Abort, Failure};
use crate::export::Described as _;
use crate::rows::post::{PostValues, post_values};
use crate::rows::target::{TargetValues, read_files};
use crate::rows::work::WorkValues;
use crate::rows::{Values as _, from_json, numbered, row, to_json};

const TARGETS: &str = "SELECT id, status, options, files, progress IS NOT NULL AS has_progress \
    FROM targets WHERE post_id = $1 ORDER BY position";
/// The history goes with the plan.
const FORGET_READINGS: &str = "DELETE FROM reading_plans WHERE target_id = $1";
const UPDATE_HELD: &str = "UPDATE targets SET position = $2, options = $3 WHERE id = $1";
static UPDATE: LazyLock<String> = LazyLock::new(|| {
    let statement = concat!("UPDATE posts SET (", post_values!(), ") = ({post}) WHERE id = {id}");
    numbered(statement, &[("id", 1), ("post", PostValues::COLUMNS.len())])
});

pub(in super::super) async fn save(
    connection: &mut Connection,
    post: &Post,
    posts_a_month: u64,
) -> Result<SaveOutcome, Abort<SaveOutcome>> {
    let stored = shared::lock_post(connection, post.workspace_id, post.id).await?;
    let Some(stored) = stored else { return Ok(SaveOutcome::Missing) };
    if stored.version != post.version {
        return Ok(SaveOutcome::Stale);
    }
    let before = read::by_id(connection, post.workspace_id, post.id).await?;
    let version = post.version + 1;
    let mut values = PostValues::of(post)?;
    values.version = version;
    let (old, new) = (stored.allowance_month, values.allowance_month);
    let Some(files) = replace_targets(connection, post).await? else {
        return Err(Abort::Outcome(SaveOutcome::SlotTaken));
    };
    dialect::insert_work(connection, WorkValues::of_post(post, version)).await?;
    let query = values.bind_to(sqlx::query(UPDATE.as_str()).bind(post.id.0));
    query.execute(&mut *connection).await?;
    find::index_post(connection, before.as_ref(), post).await?;
    let needed: Vec<Uuid> = post.needed_files().into_iter().map(|id| id.0).collect();
    if dialect::is_any_deleted(connection, &needed).await? {
        return Err(Abort::Outcome(SaveOutcome::FileDeleted));
    }
    shared::remove_other_files(connection, post.id, &files).await?;
    shared::insert_files(connection, post, &files).await?;
    if !count(connection, post.workspace_id, old, new, posts_a_month).await? {
        return Err(Abort::Outcome(SaveOutcome::LimitReached));
    }
    links::keep(connection, post).await?;
    last_changes::keep(connection, before.as_ref(), post).await?;
    tell_scheduled(connection, before.as_ref(), post).await?;
    Ok(SaveOutcome::Saved)
}

row! {
    /// What of a stored target decides whether a save may replace it.
    struct StoredTarget {
        id: Uuid,
        status: String,
        options: String,
        files: Option<String>,
        has_progress: bool,
    }
}

impl StoredTarget {
    fn is_held(&self, given: &Target) -> bool {
        let status = given.status();
        self.status == status.as_str() && belongs_to_holder(status, self.has_progress, given)
    }
}

/// Replaces the targets of a post and removes their work; returns the files that the post then
/// needs, `None` when a slot is taken.
///
/// A target that is going out, or live and followed, belongs to the holder of its work, who may
/// have written down how far it has come after the caller read it: it stays as it is stored, but
/// for the options of one that is live, and so does its work.
async fn replace_targets(
    connection: &mut Connection,
    post: &Post,
) -> Result<Option<Vec<Uuid>>, Failure> {
    let stored: Vec<StoredTarget> =
        sqlx::query_as(TARGETS).bind(post.id.0).fetch_all(&mut *connection).await?;
    let held = |given: &Target| {
        stored.iter().find(|target| target.id == given.id.0 && target.is_held(given))
    };
    let is_replaced =
        |target: &&StoredTarget| post.target(TargetId(target.id)).and_then(held).is_none();
    let replaced: Vec<Uuid> = stored.iter().filter(is_replaced).map(|target| target.id).collect();
    dialect::remove_targets(connection, &replaced).await?;
    for id in replaced.iter().filter(|id| post.target(TargetId(**id)).is_none()) {
        sqlx::query(FORGET_READINGS).bind(*id).execute(&mut *connection).await?;
    }
    let mut files: BTreeSet<MediaId> = post.media_ids.iter().copied().collect();
    let mut targets = Vec::with_capacity(post.targets.len());
    for (position, target) in (0_i64..).zip(&post.targets) {
        let Some(stored) = held(target) else {
            files.extend(target.named_files());
            targets.push((position, TargetValues::of(target)?));
            continue;
        };
        let mut stays = target.clone();
        if stays.status() != TargetStatus::Published {
            stays.options = from_json("targets.options", &stored.options)?;
        }
        stays.files = read_files(stored.files.as_deref())?;
        files.extend(stays.named_files());
        sqlx::query(UPDATE_HELD)
            .bind(stays.id.0)
            .bind(position)
            .bind(to_json("targets.options", &stays.options)?)
            .execute(&mut *connection)
            .await?;
    }
    if !dialect::insert_targets(connection, post.id, targets).await? {
        return Ok(None);
    }
    Ok(Some(files.into_iter().map(|id| id.0).collect()))
}
