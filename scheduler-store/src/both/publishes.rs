//! What a publish reads and what it records.

use chrono::{DateTime, Utc};
use scheduler_core::ids::TargetId;
use scheduler_core::ports::{Claim, PublishContext, Recorded, WorkAfter};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::Target;
use scheduler_core::webhook::Event;

use super::posts::{count, read};
use super::{Connection, deliveries, dialect, work};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::account::{OpenAccountRow, account_columns, credentials_columns};
use crate::rows::post::PostValues;
use crate::rows::target::TargetValues;
use crate::sealing::Sealer;

const ACCOUNT: &str = concat!(
    "SELECT ",
    account_columns!(),
    ", ",
    credentials_columns!(),
    " FROM accounts a WHERE a.id = $1"
);
const UPDATE_TARGET: &str = "UPDATE targets SET platform = $2, account_id = $3, status = $4, \
    options = $5, due_at = $6, slot_at = $7, remote_id = $8, remote_url = $9, \
    published_at = $10, failure_message = $11, failure_code = $12, failure_permanent = $13, \
    attempts = $14, spent_tries = $15, spent_rate_limits = $16, revision = $17, progress = $18 \
    WHERE id = $1";
const UPDATE_POST: &str = "UPDATE posts SET status = $2, updated_at = $3, version = $4, \
    moment = $5, went_out = $6, allowance_month = $7 WHERE id = $1";

/// Reads what a publish needs; `None` when the claim is not the current one.
pub(super) async fn context(
    connection: &mut Connection,
    claim: &Claim,
    sealer: &Sealer,
) -> Result<Option<PublishContext>, Failure> {
    let Some(post) = read::by_claim(connection, claim).await? else { return Ok(None) };
    let target_id = TargetId(claim.subject);
    let Some(target) = post.target(target_id) else { return Ok(None) };
    let row: Option<OpenAccountRow> =
        sqlx::query_as(ACCOUNT).bind(target.account_id.0).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let credentials = row.credentials.open(row.account.id, sealer)?;
    let account = row.account.read()?;
    Ok(Some(PublishContext { post, target_id, account, credentials }))
}

/// Stores a target, what its post has become by it, its event, and the fate of the work.
///
/// The post is locked before anything else, as by a save: two targets that end at the same moment
/// on different nodes take turns, and the second sees what the first has stored.
pub(super) async fn record(
    connection: &mut Connection,
    claim: &Claim,
    target: &Target,
    event: Option<&Event>,
    after: WorkAfter,
    at: DateTime<Utc>,
) -> Result<Recorded, Abort<Recorded>> {
    let stored = dialect::lock_post_of(connection, target.id).await?;
    if work::settle(connection, claim, after).await? == Recorded::Lost {
        return Ok(Recorded::Lost);
    }
    // Work without its target is none: a save that drops a target drops its work as well.
    let Some(stored) = stored else { return Err(Abort::Outcome(Recorded::Lost)) };
    update_target(connection, target).await?;
    let has_moved = stored.target(target.id).is_some_and(|old| old.status != target.status);
    let post = after_target(&stored, target, has_moved, at);
    update_post(connection, &stored, &post).await?;
    if let Some(event) = event {
        deliveries::add_event(connection, event, at).await?;
    }
    Ok(Recorded::Stored)
}

/// The post as its changed target leaves it.
fn after_target(stored: &Post, target: &Target, has_moved: bool, at: DateTime<Utc>) -> Post {
    let mut post = stored.clone();
    if let Some(slot) = post.targets.iter_mut().find(|other| other.id == target.id) {
        *slot = target.clone();
    }
    if has_moved {
        post.version += 1;
        post.updated_at = at;
        // The other two are a person's decisions.
        if !matches!(post.status, PostStatus::Draft | PostStatus::Canceled) {
            post.status = PostStatus::of_targets(&post.targets);
        }
    }
    post
}

async fn update_post(
    connection: &mut Connection,
    stored: &Post,
    post: &Post,
) -> Result<(), Failure> {
    let (old, new) = (PostValues::of(stored)?, PostValues::of(post)?);
    if stored.version == post.version && old.moment == new.moment && old.went_out == new.went_out {
        return Ok(());
    }
    sqlx::query(UPDATE_POST)
        .bind(post.id.0)
        .bind(post.status.as_str())
        .bind(Instant(post.updated_at))
        .bind(post.version)
        .bind(new.moment)
        .bind(new.went_out)
        .bind(new.allowance_month)
        .execute(&mut *connection)
        .await?;
    // What has gone out counts, limit or not.
    let (old, new) = (old.allowance_month, new.allowance_month);
    count(connection, post.workspace_id, old, new, u64::MAX).await?;
    Ok(())
}

async fn update_target(connection: &mut Connection, target: &Target) -> Result<(), Failure> {
    let values = TargetValues::of(target)?;
    sqlx::query(UPDATE_TARGET)
        .bind(values.id)
        .bind(values.platform)
        .bind(values.account_id)
        .bind(values.status)
        .bind(values.options)
        .bind(values.due_at)
        .bind(values.slot_at)
        .bind(values.remote_id)
        .bind(values.remote_url)
        .bind(values.published_at)
        .bind(values.failure_message)
        .bind(values.failure_code)
        .bind(values.failure_permanent)
        .bind(values.attempts)
        .bind(values.spent_tries)
        .bind(values.spent_rate_limits)
        .bind(values.revision)
        .bind(values.progress)
        .execute(connection)
        .await?;
    Ok(())
}
