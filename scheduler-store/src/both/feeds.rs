//! Feeds whose items become posts.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::feeds::{Feed, FeedState};
use scheduler_core::ids::{FeedId, WorkspaceId};
use scheduler_core::ports::{FeedStore, Recorded, StoreError};
use scheduler_core::webhook::Event;
use uuid::Uuid;

use super::deliveries::add_events;
use super::{Backend, Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::feed::{FeedRow, feed_columns};
use crate::rows::to_json;

const COUNT: &str = "SELECT count(*) FROM feeds WHERE workspace_id = $1";
const INSERT: &str = "INSERT INTO feeds (id, workspace_id, input, paused, created_at, next_at, \
    read_at, posted_at, failures, error, etag, last_modified, known, written_by, rests_until) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    feed_columns!(),
    " FROM feeds f WHERE f.workspace_id = $1 ORDER BY f.created_at, f.id"
);
const OF_ID: &str =
    concat!("SELECT ", feed_columns!(), " FROM feeds f WHERE f.id = $2 AND f.workspace_id = $1");
const ONE: &str = concat!("SELECT ", feed_columns!(), " FROM feeds f WHERE f.id = $1");
const UPDATE: &str = "UPDATE feeds SET input = $3, paused = $4, \
    next_at = CASE WHEN rests_until > $5 THEN rests_until ELSE coalesce($5, next_at) END, \
    written_by = $6 \
    WHERE id = $2 AND workspace_id = $1";
const HURRY: &str = "UPDATE feeds \
    SET next_at = CASE WHEN rests_until > $3 THEN rests_until ELSE $3 END \
    WHERE id = $2 AND workspace_id = $1";
const DELETE: &str = "DELETE FROM feeds WHERE id = $2 AND workspace_id = $1";
/// Who comes second finds that it is not due any more.
const CLAIM: &str = "UPDATE feeds SET next_at = $2, rests_until = $2 WHERE next_at <= $1 AND id = \
    (SELECT id FROM feeds WHERE next_at <= $1 AND NOT paused ORDER BY next_at, id LIMIT 1) \
    RETURNING id";
const RECORD: &str = "UPDATE feeds SET next_at = $3, read_at = $4, posted_at = $5, failures = $6, \
    error = $7, etag = $8, last_modified = $9, known = $10, rests_until = $11 \
    WHERE id = $1 AND next_at = $2";

/// The author of a feed's posts, as it is stored.
fn author(feed: &Feed) -> Result<Option<String>, StoreError> {
    feed.written_by.as_ref().map(|person| to_json("feeds.written_by", person)).transpose()
}

async fn create(
    connection: &mut Connection,
    feed: &Feed,
    state: &FeedState,
    limit: u32,
) -> Result<bool, Failure> {
    dialect::lock_workspace(connection, feed.workspace_id).await?;
    let query = sqlx::query_scalar(COUNT).bind(feed.workspace_id.0);
    let count: i64 = query.fetch_one(&mut *connection).await?;
    if count >= i64::from(limit) {
        return Ok(false);
    }
    sqlx::query(INSERT)
        .bind(feed.id.0)
        .bind(feed.workspace_id.0)
        .bind(to_json("feeds.input", &feed.input)?)
        .bind(feed.input.paused)
        .bind(Instant(feed.created_at))
        .bind(Instant(state.next_at))
        .bind(state.read_at.map(Instant))
        .bind(state.posted_at.map(Instant))
        .bind(i64::from(state.failures))
        .bind(&state.error)
        .bind(&state.etag)
        .bind(&state.last_modified)
        .bind(state.known.to_bytes())
        .bind(author(feed)?)
        .bind(state.rests_until.map(Instant))
        .execute(connection)
        .await?;
    Ok(true)
}

async fn claim(
    connection: &mut Connection,
    now: Instant,
    lease_until: Instant,
) -> Result<Option<FeedRow>, Failure> {
    let claimed: Option<Uuid> = sqlx::query_scalar(CLAIM)
        .bind(now)
        .bind(lease_until)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(id) = claimed else { return Ok(None) };
    Ok(Some(sqlx::query_as(ONE).bind(id).fetch_one(connection).await?))
}

async fn record(
    connection: &mut Connection,
    id: FeedId,
    lease_until: Instant,
    state: &FeedState,
    event: Option<&Event>,
) -> Result<Recorded, Failure> {
    let stored = sqlx::query(RECORD)
        .bind(id.0)
        .bind(lease_until)
        .bind(Instant(state.next_at))
        .bind(state.read_at.map(Instant))
        .bind(state.posted_at.map(Instant))
        .bind(i64::from(state.failures))
        .bind(&state.error)
        .bind(&state.etag)
        .bind(&state.last_modified)
        .bind(state.known.to_bytes())
        .bind(state.rests_until.map(Instant))
        .execute(&mut *connection)
        .await?;
    if stored.rows_affected() == 0 {
        return Ok(Recorded::Lost);
    }
    add_events(connection, event).await?;
    Ok(Recorded::Stored)
}

#[async_trait]
impl FeedStore for Backend {
    async fn create_feed(
        &self,
        feed: &Feed,
        state: &FeedState,
        limit: u32,
    ) -> Result<bool, StoreError> {
        let arguments = (feed.clone(), state.clone(), limit);
        self.write("create_feed", arguments, |connection, (feed, state, limit)| {
            Box::pin(async move { Ok(create(connection, feed, state, *limit).await?) })
        })
        .await
    }

    async fn feeds(&self, workspace: WorkspaceId) -> Result<Vec<(Feed, FeedState)>, StoreError> {
        self.read("feeds", workspace, |connection, workspace| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_WORKSPACE).bind(workspace.0);
                let rows: Vec<FeedRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(FeedRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn feed(
        &self,
        workspace: WorkspaceId,
        id: FeedId,
    ) -> Result<Option<(Feed, FeedState)>, StoreError> {
        self.read("feed", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_ID).bind(workspace.0).bind(id.0);
                let row: Option<FeedRow> = query.fetch_optional(connection).await?;
                Ok(row.map(FeedRow::read).transpose()?)
            })
        })
        .await
    }

    async fn update_feed(
        &self,
        feed: &Feed,
        next_at: Option<DateTime<Utc>>,
    ) -> Result<bool, StoreError> {
        let input = to_json("feeds.input", &feed.input)?;
        let of_input = (input, feed.input.paused, author(feed)?);
        let arguments = (feed.workspace_id, feed.id, of_input, next_at.map(Instant));
        self.write("update_feed", arguments, |connection, (workspace, id, of_input, at)| {
            Box::pin(async move {
                let (input, paused, author) = of_input;
                let query = sqlx::query(UPDATE).bind(workspace.0).bind(id.0).bind(input.as_str());
                let query = query.bind(*paused).bind(*at).bind(author.as_deref());
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn hurry_feed(
        &self,
        workspace: WorkspaceId,
        id: FeedId,
        next_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let arguments = (workspace, id, Instant(next_at));
        self.write("hurry_feed", arguments, |connection, (workspace, id, at)| {
            Box::pin(async move {
                let query = sqlx::query(HURRY).bind(workspace.0).bind(id.0).bind(*at);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn remove_feed(&self, workspace: WorkspaceId, id: FeedId) -> Result<bool, StoreError> {
        self.write("remove_feed", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0).bind(id.0);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn claim_feed(
        &self,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Option<(Feed, FeedState)>, StoreError> {
        let arguments = (Instant(now), Instant(lease_until));
        let row = self
            .write("claim_feed", arguments, |connection, (now, lease_until)| {
                Box::pin(async move { Ok(claim(connection, *now, *lease_until).await?) })
            })
            .await?;
        // Read once it is taken: one that cannot be read is not taken for ever.
        let claimed = row.map(FeedRow::read).transpose();
        if let Err(error) = &claimed {
            tracing::error!(%error, "a feed cannot be read");
        }
        claimed
    }

    async fn record_poll(
        &self,
        id: FeedId,
        lease_until: DateTime<Utc>,
        state: &FeedState,
        event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        let arguments = (id, Instant(lease_until), state.clone(), event.cloned());
        self.write("record_poll", arguments, |connection, (id, lease_until, state, event)| {
            Box::pin(async move {
                Ok(record(connection, *id, *lease_until, state, event.as_ref()).await?)
            })
        })
        .await
    }
}
