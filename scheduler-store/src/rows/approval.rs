//! Rows of `approvals`.

use scheduler_core::connecting::PassHash;
use scheduler_core::ids::{PostId, WorkspaceId};
use scheduler_core::ports::StoreError;
use scheduler_core::post::Approval;
use uuid::Uuid;

use super::{from_json, parse, row};
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `approvals`.
    pub(crate) struct ApprovalRow by approval_columns {
        a {
            post_id: Uuid,
            workspace_id: Uuid,
            pass: Vec<u8>,
            created_at: Instant,
            expires_at: Instant,
            decided_at: Option<Instant>,
            client: Option<String>,
            message: Option<String>,
            timezone: Option<String>,
            remarks: String,
            seen: Option<String>,
        }
    }
}

impl ApprovalRow {
    pub(crate) fn read(self) -> Result<Approval, StoreError> {
        let pass = <[u8; 32]>::try_from(self.pass)
            .map_err(|_| corrupt("approvals.pass", "the hash is not 32 bytes"))?;
        Ok(Approval {
            post_id: PostId(self.post_id),
            workspace_id: WorkspaceId(self.workspace_id),
            pass: PassHash(pass),
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
            decided_at: self.decided_at.map(|at| at.0),
            client: self.client,
            message: self.message,
            timezone: self.timezone.map(|name| parse("approvals.timezone", &name)).transpose()?,
            remarks: from_json("approvals.remarks", &self.remarks)?,
            seen: self.seen.map(|seen| from_json("approvals.seen", &seen)).transpose()?,
        })
    }
}
