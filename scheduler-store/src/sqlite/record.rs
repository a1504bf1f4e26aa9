//! Recording what came of work.

use chrono::{DateTime, Utc};
use scheduler_core::effects::{after_target, first_reading};
use scheduler_core::ports::{Claim, Recorded, WorkAfter};
use scheduler_core::post::Post;
use scheduler_core::target::Target;
use scheduler_core::webhook::{Delivery, DeliveryAttempt, Event};
use sqlx::SqliteConnection;

use super::both::deliveries::add_event;
use super::both::posts::find::index_facets;
use super::both::settle::settle;
use super::both::{count, post_by_target};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::post::PostValues;
use crate::rows::target::TargetValues;

const UPDATE_TARGET: &str = "UPDATE targets SET platform = $2, account_id = $3, status = $4, \
    due_at = $5, slot_at = $6, remote_id = $7, remote_url = $8, remote_record = $9, \
    published_at = $10, failure_message = $11, failure_code = $12, failure_permanent = $13, \
    attempts = $14, spent_tries = $15, spent_rate_limits = $16, revision = $17, progress = $18, \
    failed_attempts = $19 WHERE id = $1";
const UPDATE_POST: &str = "UPDATE posts SET status = $2, updated_at = $3, version = $4, \
    moment = $5, went_out = $6, allowance_month = $7, due_at = $8 WHERE id = $1";

const PLAN_READING: &str = "INSERT INTO reading_plans \
    (target_id, account_id, published_at, due_at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (target_id) DO UPDATE SET account_id = excluded.account_id, \
    published_at = excluded.published_at, due_at = excluded.due_at, comments_seen = NULL";
const HASTEN: &str = "UPDATE work SET due_at = $2, claimable_at = $2 \
    WHERE kind = 'read' AND subject = $1 AND NOT leased AND due_at > $2";
const UPDATE: &str =
    "UPDATE deliveries SET status = $2, attempts = $3, ended_at = $4 WHERE id = $1";
const INSERT_ATTEMPT: &str = "INSERT INTO delivery_attempts \
    (delivery_id, position, at, status, answer) \
    SELECT $1, coalesce(max(position), 0) + 1, $2, $3, $4 \
    FROM delivery_attempts WHERE delivery_id = $1";

/// Stores a target, what its post has become by it, its event, and the fate of the work.
pub(super) async fn publish(
    connection: &mut SqliteConnection,
    claim: &Claim,
    target: &Target,
    event: Option<&Event>,
    after: WorkAfter,
    at: DateTime<Utc>,
) -> Result<Recorded, Abort<Recorded>> {
    if settle(connection, claim, after).await? == Recorded::Lost {
        return Ok(Recorded::Lost);
    }
    // Work without its target is none: a save that drops a target drops its work as well.
    let Some(stored) = post_by_target(connection, target.id).await? else {
        return Err(Abort::Outcome(Recorded::Lost));
    };
    update_target(connection, target).await?;
    if let Some(due_at) = first_reading(&stored, target) {
        plan_readings(connection, target, due_at).await?;
    }
    update_post(connection, &stored, &after_target(&stored, target, at)).await?;
    if let Some(event) = event {
        add_event(connection, event, at).await?;
    }
    Ok(Recorded::Stored)
}

async fn update_post(
    connection: &mut SqliteConnection,
    stored: &Post,
    post: &Post,
) -> Result<(), Failure> {
    let (old, new) = (PostValues::of(stored)?, PostValues::of(post)?);
    let is_same = old.moment == new.moment && old.went_out == new.went_out;
    if stored.version == post.version && is_same && old.due_at == new.due_at {
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
        .bind(new.due_at)
        .execute(&mut *connection)
        .await?;
    index_facets(connection, Some(stored), post).await?;
    // What has gone out counts, limit or not.
    let (old, new) = (old.allowance_month, new.allowance_month);
    count(connection, post.workspace_id, old, new, u64::MAX).await?;
    Ok(())
}

async fn update_target(connection: &mut SqliteConnection, target: &Target) -> Result<(), Failure> {
    let values = TargetValues::of(target)?;
    sqlx::query(UPDATE_TARGET)
        .bind(values.id)
        .bind(values.platform)
        .bind(values.account_id)
        .bind(values.status)
        .bind(values.due_at)
        .bind(values.slot_at)
        .bind(values.remote_id)
        .bind(values.remote_url)
        .bind(values.remote_record)
        .bind(values.published_at)
        .bind(values.failure_message)
        .bind(values.failure_code)
        .bind(values.failure_permanent)
        .bind(values.attempts)
        .bind(values.spent_tries)
        .bind(values.spent_rate_limits)
        .bind(values.revision)
        .bind(values.progress)
        .bind(values.failed_attempts)
        .execute(connection)
        .await?;
    Ok(())
}

/// Has the figures of a target read, now that it is live, and the readings of its account taken no
/// later. Who holds them decides when they are due next.
async fn plan_readings(
    connection: &mut SqliteConnection,
    target: &Target,
    due_at: DateTime<Utc>,
) -> Result<(), Failure> {
    sqlx::query(PLAN_READING)
        .bind(target.id.0)
        .bind(target.account_id.0)
        .bind(target.published_at().map(Instant))
        .bind(Instant(due_at))
        .execute(&mut *connection)
        .await?;
    sqlx::query(HASTEN).bind(target.account_id.0).bind(Instant(due_at)).execute(connection).await?;
    Ok(())
}

/// Stores a delivery, its latest attempt, and the fate of the work.
pub(super) async fn delivery(
    connection: &mut SqliteConnection,
    claim: &Claim,
    delivery: &Delivery,
    attempt: &DeliveryAttempt,
    after: WorkAfter,
) -> Result<Recorded, Abort<Recorded>> {
    if settle(connection, claim, after).await? == Recorded::Lost {
        return Ok(Recorded::Lost);
    }
    sqlx::query(UPDATE)
        .bind(delivery.id.0)
        .bind(delivery.status.as_str())
        .bind(i64::from(delivery.attempts))
        .bind(delivery.ended_at(attempt).map(Instant))
        .execute(&mut *connection)
        .await?;
    sqlx::query(INSERT_ATTEMPT)
        .bind(delivery.id.0)
        .bind(Instant(attempt.at))
        .bind(attempt.status.map(i64::from))
        .bind(&attempt.answer)
        .execute(connection)
        .await?;
    Ok(Recorded::Stored)
}
