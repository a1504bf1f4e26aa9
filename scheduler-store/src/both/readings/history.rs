//! Earlier readings of a target, and the followers of accounts day by day.

use chrono::{DateTime, Days, NaiveDate, Utc};
use scheduler_core::ids::{AccountId, TargetId, WorkspaceId};
use scheduler_core::ports::{FigureQuery, FigureReading, Followers, StoreError};
use scheduler_core::reading::Reading;
use uuid::Uuid;

use super::super::{Connection, dialect};
use crate::error::{Failure, corrupt};
use crate::instant::{EARLIEST, Instant};
use crate::rows::narrow;
use crate::rows::reading::ReadingRow;

pub(super) const LATEST: &str = "SELECT at, figures FROM readings \
    WHERE target_id = $1 AND at >= $2 ORDER BY at DESC LIMIT $3";
pub(super) const FOLLOWERS: &str = "SELECT f.account_id, f.day, f.followers \
    FROM accounts a JOIN followers f ON f.account_id = a.id \
    WHERE a.workspace_id = $1 AND a.disconnected_at IS NULL AND f.day >= $2 \
    ORDER BY f.account_id, f.day";

/// The latest readings of a target from `since` on, oldest first.
pub(super) async fn latest(
    connection: &mut Connection,
    target: TargetId,
    since: Option<DateTime<Utc>>,
    limit: i64,
) -> Result<Vec<Reading>, Failure> {
    let rows: Vec<ReadingRow> = sqlx::query_as(LATEST)
        .bind(target.0)
        .bind(since.map_or(EARLIEST, Instant))
        .bind(limit)
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().rev().map(ReadingRow::read).collect::<Result<_, _>>()?)
}

/// Readings of one figure of the posts on a workspace's connected accounts.
pub(super) async fn figures(
    connection: &mut Connection,
    workspace: WorkspaceId,
    query: &FigureQuery,
) -> Result<Vec<FigureReading>, Failure> {
    type Row = (Uuid, Uuid, Instant, Instant, f64);
    let rows: Vec<Row> = sqlx::query_as(dialect::FIGURES)
        .bind(workspace.0)
        .bind(query.metric.as_str())
        .bind(query.account_id.map(|account| account.0))
        .bind(Instant(query.from))
        .bind(Instant(query.to))
        .bind(query.within.num_microseconds().unwrap_or(i64::MAX))
        .bind(i64::from(query.limit))
        .fetch_all(connection)
        .await?;
    let reading = |(account, target, published_at, at, value): Row| FigureReading {
        account_id: AccountId(account),
        target_id: TargetId(target),
        published_at: published_at.0,
        at: at.0,
        value,
    };
    Ok(rows.into_iter().map(reading).collect())
}

/// The followers of a workspace's connected accounts from a day on.
pub(super) async fn followers(
    connection: &mut Connection,
    workspace: WorkspaceId,
    from: NaiveDate,
) -> Result<Vec<Followers>, Failure> {
    let rows: Vec<(Uuid, i64, i64)> = sqlx::query_as(FOLLOWERS)
        .bind(workspace.0)
        .bind(number_of(from))
        .fetch_all(connection)
        .await?;
    let mut followers = Vec::with_capacity(rows.len());
    for (account, day, count) in rows {
        followers.push(Followers {
            account_id: AccountId(account),
            day: day_of("followers.day", day)?,
            count: narrow("followers.followers", count)?,
        });
    }
    Ok(followers)
}

/// A day from what is stored of it.
pub(in super::super) fn day_of(column: &'static str, number: i64) -> Result<NaiveDate, StoreError> {
    let days = u64::try_from(number).ok();
    let day = days.and_then(|days| NaiveDate::default().checked_add_days(Days::new(days)));
    day.ok_or_else(|| corrupt(column, "the number is not a day"))
}

/// A day as it is stored: so many days after 1970-01-01.
pub(in super::super) fn number_of(day: NaiveDate) -> i64 {
    day.signed_duration_since(NaiveDate::default()).num_days()
}
