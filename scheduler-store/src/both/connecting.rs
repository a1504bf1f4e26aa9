//! Connections that people are making.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::connecting::PendingConnection;
use scheduler_core::ports::{ConnectingStore, PendingConnectionOf, StoreError};

use super::Backend;
use crate::instant::Instant;
use crate::rows::connecting::{PendingConnectionRow, pending_connection_columns, sealed_stage};

const INSERT: &str = "INSERT INTO pending_connections \
    (id, workspace_id, platform, pass, stage, created_at, expires_at, version) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const ONE: &str = concat!(
    "SELECT ",
    pending_connection_columns!(),
    " FROM pending_connections p WHERE p.id = $1"
);
const BY_PASS: &str = concat!(
    "SELECT ",
    pending_connection_columns!(),
    " FROM pending_connections p WHERE p.pass = $1"
);
const SAVE: &str = "UPDATE pending_connections SET pass = $3, stage = $4, version = version + 1 \
    WHERE id = $1 AND version = $2";
const DELETE_EXPIRED: &str = "DELETE FROM pending_connections WHERE expires_at <= $1";

#[async_trait]
impl ConnectingStore for Backend {
    async fn create_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<(), StoreError> {
        let stage = sealed_stage(pending, &self.sealer)?;
        self.write(
            "create_pending_connection",
            (pending.clone(), stage),
            |connection, (pending, stage)| {
                Box::pin(async move {
                    sqlx::query(INSERT)
                        .bind(pending.id.0)
                        .bind(pending.workspace_id.0)
                        .bind(pending.platform.as_str())
                        .bind(pending.pass.0.to_vec())
                        .bind(stage)
                        .bind(Instant(pending.created_at))
                        .bind(Instant(pending.expires_at))
                        .bind(pending.version)
                        .execute(connection)
                        .await?;
                    Ok(())
                })
            },
        )
        .await
    }

    async fn pending_connection(
        &self,
        of: PendingConnectionOf,
    ) -> Result<Option<PendingConnection>, StoreError> {
        self.read("pending_connection", (of, self.sealer.clone()), |connection, (of, sealer)| {
            Box::pin(async move {
                let query = match of {
                    PendingConnectionOf::Id(id) => sqlx::query_as(ONE).bind(id.0),
                    PendingConnectionOf::Pass(pass) => {
                        sqlx::query_as(BY_PASS).bind(pass.0.to_vec())
                    }
                };
                let row: Option<PendingConnectionRow> = query.fetch_optional(connection).await?;
                Ok(row.map(|row| row.open(sealer)).transpose()?)
            })
        })
        .await
    }

    async fn save_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<bool, StoreError> {
        let stage = sealed_stage(pending, &self.sealer)?;
        let arguments = (pending.id, pending.version, pending.pass.0.to_vec(), stage);
        self.write(
            "save_pending_connection",
            arguments,
            |connection, (id, version, pass, stage)| {
                Box::pin(async move {
                    let query = sqlx::query(SAVE).bind(id.0).bind(*version).bind(pass).bind(stage);
                    Ok(query.execute(connection).await?.rows_affected() > 0)
                })
            },
        )
        .await
    }

    async fn remove_pending_connections(&self, until: DateTime<Utc>) -> Result<u64, StoreError> {
        self.write("remove_pending_connections", Instant(until), |connection, until| {
            Box::pin(async move {
                let query = sqlx::query(DELETE_EXPIRED).bind(*until);
                Ok(query.execute(connection).await?.rows_affected())
            })
        })
        .await
    }
}
