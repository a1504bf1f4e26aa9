//! What the readings of an account need.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use scheduler_core::ports::{Claim, DueReading, LivePost, ReadingContext};
use uuid::Uuid;

use super::super::Connection;
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::account::{account_columns, credentials_columns};
use crate::rows::post::{DuePostRow, post_columns};
use crate::rows::reading::ReadingAccountRow;
use crate::rows::target::target_columns;
use crate::sealing::Sealer;

pub(super) const ACCOUNT: &str = concat!(
    "SELECT ",
    account_columns!(),
    ", ",
    credentials_columns!(),
    ", s.look_due_at AS look_due_at, s.blocked_until AS blocked_until, s.failures AS failures, s.mode AS mode \
     FROM work JOIN accounts a ON a.id = work.subject \
     JOIN reading_states s ON s.account_id = a.id \
     WHERE work.id = $1 AND work.claimed = $2 AND work.leased AND work.kind = 'read'"
);
pub(super) const DUE: &str = concat!(
    "SELECT ",
    post_columns!(),
    ", ",
    target_columns!(),
    ", r.comments_seen AS comments_seen FROM reading_plans r JOIN targets t ON t.id = r.target_id JOIN posts p ON p.id = t.post_id \
     WHERE r.account_id = $1 AND r.due_at IS NOT NULL AND r.due_at <= $2 \
     ORDER BY r.due_at, r.target_id LIMIT $3"
);
pub(super) const TAKEN: &str = "SELECT old.target_id, old.at \
    FROM readings old WHERE old.target_id IN (SELECT target_id FROM reading_plans \
      WHERE account_id = $1 AND due_at IS NOT NULL AND due_at <= $2 \
      ORDER BY due_at, target_id LIMIT $3) ORDER BY old.target_id, old.at";

/// Reads what the readings of an account need; `None` when the claim is not the current one.
pub(super) async fn context(
    connection: &mut Connection,
    claim: &Claim,
    now: DateTime<Utc>,
    limit: u32,
    sealer: &Sealer,
) -> Result<Option<ReadingContext>, Failure> {
    let row: Option<ReadingAccountRow> = sqlx::query_as(ACCOUNT)
        .bind(claim.work_id.0)
        .bind(claim.number)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let state = row.state()?;
    let account = row.account.account.read()?;
    let credentials = row.account.credentials.open(account.id.0, sealer)?;
    let due = due(connection, account.id.0, Instant(now), i64::from(limit)).await?;
    Ok(Some(ReadingContext { account, credentials, state, due }))
}

/// The posts whose figures are due, those first that were due first.
async fn due(
    connection: &mut Connection,
    account: Uuid,
    now: Instant,
    limit: i64,
) -> Result<Vec<DueReading>, Failure> {
    let rows: Vec<DuePostRow> =
        sqlx::query_as(DUE).bind(account).bind(now).bind(limit).fetch_all(&mut *connection).await?;
    let taken: Vec<(Uuid, Instant)> =
        sqlx::query_as(TAKEN).bind(account).bind(now).bind(limit).fetch_all(connection).await?;
    let mut taken_at: HashMap<Uuid, Vec<DateTime<Utc>>> = HashMap::new();
    for (target, at) in taken {
        taken_at.entry(target).or_default().push(at.0);
    }
    let mut due = Vec::with_capacity(rows.len());
    for row in rows {
        let (target_id, post, comments_seen) = row.read()?;
        due.push(DueReading {
            target_id,
            post_id: post.id,
            live: LivePost::of(&post, target_id),
            taken_at: taken_at.remove(&target_id.0).unwrap_or_default(),
            comments_seen,
        });
    }
    Ok(due)
}
