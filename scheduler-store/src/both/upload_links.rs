//! Links under which a person gives files.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::connecting::PassHash;
use scheduler_core::media::UploadLink;
use scheduler_core::ports::{StoreError, UploadLinkStore};
use scheduler_core::workspace::Workspace;

use super::Backend;
use crate::instant::Instant;
use crate::rows::upload_link::{UploadLinkAndWorkspaceRow, upload_link_columns};
use crate::rows::workspace::workspace_columns;

const DELETE_EXPIRED: &str = "DELETE FROM upload_links WHERE expires_at <= $1";
const INSERT: &str = "INSERT INTO upload_links (pass, workspace_id, note, files, expires_at) \
    SELECT $1, $2, $3, $4, $5 \
    WHERE (SELECT count(*) FROM upload_links WHERE workspace_id = $2) < $6 \
    ON CONFLICT DO NOTHING";
const BY_PASS: &str = concat!(
    "SELECT ",
    upload_link_columns!(),
    ", ",
    workspace_columns!(),
    " FROM upload_links u JOIN workspaces w ON w.id = u.workspace_id WHERE u.pass = $1"
);
const TAKE: &str = "DELETE FROM upload_links WHERE pass = $1";

#[async_trait]
impl UploadLinkStore for Backend {
    async fn keep_upload_link(
        &self,
        link: &UploadLink,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let bound = (link.clone(), Instant(now), i64::from(most));
        self.write("keep_upload_link", bound, |connection, (link, now, most)| {
            Box::pin(async move {
                sqlx::query(DELETE_EXPIRED).bind(*now).execute(&mut *connection).await?;
                let query = sqlx::query(INSERT)
                    .bind(link.pass.0.to_vec())
                    .bind(link.workspace_id.0)
                    .bind(&link.note)
                    .bind(i64::from(link.files))
                    .bind(Instant(link.expires_at))
                    .bind(*most);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn upload_link(
        &self,
        pass: PassHash,
    ) -> Result<Option<(UploadLink, Workspace)>, StoreError> {
        self.read("upload_link", pass.0.to_vec(), |connection, pass| {
            Box::pin(async move {
                let row: Option<UploadLinkAndWorkspaceRow> =
                    sqlx::query_as(BY_PASS).bind(pass).fetch_optional(connection).await?;
                let Some(row) = row else { return Ok(None) };
                Ok(Some((row.link.read()?, row.workspace.read()?)))
            })
        })
        .await
    }

    async fn take_upload_link(&self, pass: PassHash) -> Result<bool, StoreError> {
        self.write("take_upload_link", pass.0.to_vec(), |connection, pass| {
            Box::pin(async move {
                let query = sqlx::query(TAKE).bind(pass);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }
}
