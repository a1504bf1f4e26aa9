//! Storing readings.

use chrono::{DateTime, Utc};
use scheduler_core::effects::readings_due_at;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::ports::{Claim, ReadingState, ReadingsTaken, Recorded, WorkAfter};
use scheduler_core::reading::Reading;
use uuid::Uuid;

use super::super::deliveries::add_events;
use super::super::inbox;
use super::super::settle::settle;
use super::super::{Connection, dialect};
use super::history::number_of;
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::reading::ReadingValues;
use crate::rows::to_json;

const STATE: &str = "UPDATE reading_states SET look_due_at = $2, blocked_until = $3, \
    failures = $4, mode = $5 WHERE account_id = $1";
const LIMITS: &str = "UPDATE accounts SET limits = $2 WHERE id = $1";
const FOLLOWERS: &str = "INSERT INTO followers (account_id, day, followers) VALUES ($1, $2, $3) \
    ON CONFLICT (account_id, day) DO UPDATE SET followers = excluded.followers";
const FORGET_FOLLOWERS: &str = "DELETE FROM followers WHERE account_id = $1 AND day < $2";
pub(super) const FIRST_DUE: &str = "SELECT min(due_at) FROM reading_plans \
    WHERE account_id = $1 AND due_at IS NOT NULL";
/// The history goes with the plan.
pub(super) const FORGET: &str = "DELETE FROM reading_plans \
    WHERE target_id IN (SELECT id FROM targets WHERE post_id = $1)";

/// Stores what was read, and when the work is due next.
///
/// The work is locked before anything else. A target that goes live waits for it, or is seen
/// when the next due time is looked for.
pub(super) async fn record(
    connection: &mut Connection,
    claim: &Claim,
    taken: &ReadingsTaken,
) -> Result<Recorded, Failure> {
    if !dialect::lock_held(connection, claim).await? {
        return Ok(Recorded::Lost);
    }
    let account = claim.subject;
    let (mut due, mut new, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    for of_target in &taken.readings {
        due.push((of_target.target_id.0, of_target.next_due_at.map(Instant)));
        if let Some(reading) = &of_target.reading {
            new.push(ReadingValues::of(of_target.target_id.0, reading)?);
            gone.extend(others(of_target.target_id, reading, &of_target.superfluous));
        }
    }
    dialect::plan_readings(connection, due).await?;
    dialect::keep_readings(connection, new, gone).await?;
    store_followers(connection, account, taken).await?;
    for comments in &taken.comments {
        inbox::add(connection, comments).await?;
    }
    add_events(connection, taken.event.as_ref()).await?;
    if let Some(limits) = &taken.limits {
        let limits = to_json("accounts.limits", limits)?;
        sqlx::query(LIMITS).bind(account).bind(limits).execute(&mut *connection).await?;
    }
    let ReadingState { look_due_at, blocked_until, failures, mode } = taken.state;
    sqlx::query(STATE)
        .bind(account)
        .bind(Instant(look_due_at))
        .bind(blocked_until.map(Instant))
        .bind(i64::from(failures))
        .bind(mode.as_str())
        .execute(&mut *connection)
        .await?;
    let first: Option<Instant> =
        sqlx::query_scalar(FIRST_DUE).bind(account).fetch_one(&mut *connection).await?;
    let due_at = readings_due_at(&taken.state, first.map(|first| first.0));
    settle(connection, claim, WorkAfter::DueAt(due_at)).await
}

/// Stores a reading that somebody asked for, while its target has a plan.
pub(super) async fn add(
    connection: &mut Connection,
    target: TargetId,
    reading: &Reading,
    superfluous: &[DateTime<Utc>],
) -> Result<(), Failure> {
    let new = vec![ReadingValues::of(target.0, reading)?];
    let gone = others(target, reading, superfluous).collect();
    dialect::keep_readings(connection, new, gone).await
}

/// What is removed: never what has just been read.
fn others(
    target: TargetId,
    reading: &Reading,
    superfluous: &[DateTime<Utc>],
) -> impl Iterator<Item = (Uuid, Instant)> {
    superfluous.iter().filter(|at| **at != reading.at).map(move |at| (target.0, Instant(*at)))
}

async fn store_followers(
    connection: &mut Connection,
    account: Uuid,
    taken: &ReadingsTaken,
) -> Result<(), Failure> {
    if let Some(followers) = taken.followers {
        sqlx::query(FOLLOWERS)
            .bind(followers.account_id.0)
            .bind(number_of(followers.day))
            .bind(i64::try_from(followers.count).unwrap_or(i64::MAX))
            .execute(&mut *connection)
            .await?;
    }
    if let Some(before) = taken.forget_followers_before {
        sqlx::query(FORGET_FOLLOWERS)
            .bind(account)
            .bind(number_of(before))
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Removes the plans and readings of a post whose record is about to go.
pub(crate) async fn forget(connection: &mut Connection, post: PostId) -> Result<(), Failure> {
    sqlx::query(FORGET).bind(post.0).execute(connection).await?;
    Ok(())
}
