//! Rows of `pending_connections`.

use scheduler_core::connecting::{ConnectingStage, PassHash, PendingConnection};
use scheduler_core::ids::{ConnectionId, WorkspaceId};
use scheduler_core::ports::StoreError;
use secrecy::ExposeSecret as _;
use uuid::Uuid;

use super::{parse, row};
use crate::error::corrupt;
use crate::instant::Instant;
use crate::sealing::{Sealed, Sealer};

row! {
    /// A row of `pending_connections`.
    pub(crate) struct PendingConnectionRow by pending_connection_columns {
        p {
            id: Uuid,
            workspace_id: Uuid,
            platform: String,
            pass: Vec<u8>,
            stage: Vec<u8>,
            created_at: Instant,
            expires_at: Instant,
            version: i64,
        }
    }
}

impl PendingConnectionRow {
    pub(crate) fn open(self, sealer: &Sealer) -> Result<PendingConnection, StoreError> {
        let pass = <[u8; 32]>::try_from(self.pass)
            .map_err(|_| corrupt("pending_connections.pass", "the hash is not 32 bytes"))?;
        let stage = sealer.open(Sealed::ConnectingStage, self.id, &self.stage)?;
        let stage = ConnectingStage::from_text(&stage)
            .map_err(|_| corrupt("pending_connections.stage", "the stage has another form"))?;
        Ok(PendingConnection {
            id: ConnectionId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            platform: parse("pending_connections.platform", &self.platform)?,
            pass: PassHash(pass),
            stage,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
            version: self.version,
        })
    }
}

/// The stage as it is stored.
pub(crate) fn sealed_stage(
    pending: &PendingConnection,
    sealer: &Sealer,
) -> Result<Vec<u8>, StoreError> {
    let text = pending
        .stage
        .to_text()
        .map_err(|_| corrupt("pending_connections.stage", "the stage cannot be written as JSON"))?;
    sealer.seal(Sealed::ConnectingStage, pending.id.0, text.expose_secret())
}
