//! Short links, and how often they were followed.

use async_trait::async_trait;
use chrono::NaiveDate;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::links::{Clicks, DayClicks, ShortLink};
use scheduler_core::ports::{LinkStore, StoreError};
use scheduler_core::post::Post;

use super::readings::{day_of, number_of};
use super::{Backend, Connection};
use crate::error::Failure;
use crate::instant::{Instant, LATEST};
use crate::rows::narrow;
use crate::rows::short_link::{ShortLinkRow, short_link_columns};

const INSERT: &str = "INSERT INTO short_links (code, workspace_id, destination, created_at) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (code) DO NOTHING";
const ONE: &str =
    concat!("SELECT ", short_link_columns!(), " FROM short_links s WHERE s.code = $1");
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    short_link_columns!(),
    " FROM short_links s WHERE s.workspace_id = $1 AND (s.created_at, s.code) < ($2, $3) \
     ORDER BY s.created_at DESC, s.code DESC LIMIT $4"
);
/// Nothing where there is no such link.
const COUNT: &str = "INSERT INTO short_link_clicks (code, day, clicks) \
    SELECT s.code, $2, 1 FROM short_links s WHERE s.code = $1 \
    ON CONFLICT (code, day) DO UPDATE SET clicks = short_link_clicks.clicks + 1";
const DAYS: &str = "SELECT day, clicks FROM short_link_clicks WHERE code = $1 AND day >= $2 \
    ORDER BY day DESC";
const BEFORE: &str = "SELECT CAST(coalesce(sum(clicks), 0) AS bigint) FROM short_link_clicks \
    WHERE code = $1 AND day < $2";

/// Keeps the short links of a post; those that are there stay as they are.
///
/// # Errors
/// Where the code of one leads elsewhere.
pub(crate) async fn keep(connection: &mut Connection, post: &Post) -> Result<(), Failure> {
    for link in post.short_links() {
        let stored = sqlx::query(INSERT)
            .bind(&link.code)
            .bind(link.workspace_id.0)
            .bind(&link.destination)
            .bind(Instant(link.created_at))
            .execute(&mut *connection)
            .await?;
        if stored.rows_affected() == 0 {
            let kept: ShortLinkRow =
                sqlx::query_as(ONE).bind(&link.code).fetch_one(&mut *connection).await?;
            if !kept.read().is_same(&link) {
                return Err(link.refused().into());
            }
        }
    }
    Ok(())
}

async fn clicks(connection: &mut Connection, code: &str, since: i64) -> Result<Clicks, Failure> {
    let rows: Vec<(i64, i64)> =
        sqlx::query_as(DAYS).bind(code).bind(since).fetch_all(&mut *connection).await?;
    let before: i64 =
        sqlx::query_scalar(BEFORE).bind(code).bind(since).fetch_one(connection).await?;
    let mut days = Vec::with_capacity(rows.len());
    for (day, clicks) in rows {
        let clicks = narrow("short_link_clicks.clicks", clicks)?;
        days.push(DayClicks { day: day_of("short_link_clicks.day", day)?, clicks });
    }
    let before: u64 = narrow("short_link_clicks.clicks", before)?;
    Ok(Clicks { total: before + days.iter().map(|day| day.clicks).sum::<u64>(), days })
}

#[async_trait]
impl LinkStore for Backend {
    async fn short_link(&self, code: &str) -> Result<Option<ShortLink>, StoreError> {
        self.read("short_link", code.to_owned(), |connection, code| {
            Box::pin(async move {
                let query = sqlx::query_as(ONE).bind(code.as_str());
                let row: Option<ShortLinkRow> = query.fetch_optional(connection).await?;
                Ok(row.map(ShortLinkRow::read))
            })
        })
        .await
    }

    async fn count_click(&self, code: &str, day: NaiveDate) -> Result<(), StoreError> {
        self.write("count_click", (code.to_owned(), number_of(day)), |connection, (code, day)| {
            Box::pin(async move {
                sqlx::query(COUNT).bind(code.as_str()).bind(*day).execute(connection).await?;
                Ok(())
            })
        })
        .await
    }

    async fn short_links(
        &self,
        workspace: WorkspaceId,
        before: Option<ShortLink>,
        limit: u32,
    ) -> Result<Vec<ShortLink>, StoreError> {
        let place =
            before.map_or((LATEST, String::new()), |link| (Instant(link.created_at), link.code));
        let arguments = (workspace, place, limit);
        self.read("short_links", arguments, |connection, (workspace, (at, code), limit)| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_WORKSPACE).bind(workspace.0).bind(*at);
                let query = query.bind(code.as_str()).bind(i64::from(*limit));
                let rows: Vec<ShortLinkRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(ShortLinkRow::read).collect())
            })
        })
        .await
    }

    async fn clicks(&self, codes: &[String], since: NaiveDate) -> Result<Vec<Clicks>, StoreError> {
        let arguments = (codes.to_vec(), number_of(since));
        self.read("clicks", arguments, |connection, (codes, since)| {
            Box::pin(async move {
                let mut found = Vec::with_capacity(codes.len());
                for code in codes {
                    found.push(clicks(connection, code, *since).await?);
                }
                Ok(found)
            })
        })
        .await
    }
}
