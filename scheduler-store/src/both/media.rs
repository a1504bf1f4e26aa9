//! Files.

use async_trait::async_trait;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::Media;
use scheduler_core::ports::{MediaStore, StoreError};
use scheduler_core::post::Month;
use uuid::Uuid;

use super::{Backend, Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::media::MediaRow;
use crate::rows::{narrow, number, to_name};

const INSERT: &str = "INSERT INTO media (id, workspace_id, kind, status, mime_type, size_bytes, \
    duration_seconds, width, height, fps, file_name, error, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
/// A sum is of no fixed type in PostgreSQL.
const BYTES: &str = "SELECT CAST(COALESCE(SUM(size_bytes), 0) AS BIGINT) FROM media \
    WHERE workspace_id = $1 AND created_at >= $2 AND created_at < $3";

async fn insert(connection: &mut Connection, media: &Media) -> Result<(), Failure> {
    let size_bytes = media.size_bytes.map(|bytes| number("media.size_bytes", bytes)).transpose()?;
    sqlx::query(INSERT)
        .bind(media.id.0)
        .bind(media.workspace_id.0)
        .bind(to_name("media.kind", &media.kind)?)
        .bind(media.status.as_str())
        .bind(&media.mime_type)
        .bind(size_bytes)
        .bind(media.duration_seconds)
        .bind(media.width.map(i64::from))
        .bind(media.height.map(i64::from))
        .bind(media.fps)
        .bind(&media.file_name)
        .bind(&media.error)
        .bind(Instant(media.created_at))
        .execute(connection)
        .await?;
    Ok(())
}

async fn bytes_in_month(
    connection: &mut Connection,
    workspace: WorkspaceId,
    month: Month,
) -> Result<u64, Failure> {
    let bytes: i64 = sqlx::query_scalar(BYTES)
        .bind(workspace.0)
        .bind(Instant(month.begin()))
        .bind(Instant(month.end()))
        .fetch_one(connection)
        .await?;
    Ok(narrow("media.size_bytes", bytes)?)
}

#[async_trait]
impl MediaStore for Backend {
    async fn create_media(&self, media: &Media) -> Result<(), StoreError> {
        self.write(media.clone(), |connection, media| {
            Box::pin(async move { Ok(insert(connection, media).await?) })
        })
        .await
    }

    async fn media(
        &self,
        workspace: WorkspaceId,
        ids: &[MediaId],
    ) -> Result<Vec<Media>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        self.read((workspace, ids), |connection, (workspace, ids)| {
            Box::pin(async move {
                let rows = dialect::media_of(connection, *workspace, ids).await?;
                Ok(rows.into_iter().map(MediaRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn bytes_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        self.read((workspace, month), |connection, (workspace, month)| {
            Box::pin(async move { Ok(bytes_in_month(connection, *workspace, *month).await?) })
        })
        .await
    }
}
