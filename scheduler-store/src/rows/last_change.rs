//! Rows of `last_changes`.

use scheduler_core::ids::{PostId, WorkspaceId};
use scheduler_core::ports::StoreError;
use scheduler_core::post::LastChange;
use uuid::Uuid;

use super::{from_json, from_name, row};
use crate::instant::Instant;

row! {
    /// A row of `last_changes`.
    pub(crate) struct LastChangeRow by last_change_columns {
        l {
            post_id: Uuid,
            workspace_id: Uuid,
            at: Instant,
            revision: i64,
            kind: String,
            before: String,
        }
    }
}

impl LastChangeRow {
    pub(crate) fn read(self) -> Result<LastChange, StoreError> {
        Ok(LastChange {
            post_id: PostId(self.post_id),
            workspace_id: WorkspaceId(self.workspace_id),
            at: self.at.0,
            revision: self.revision,
            kind: from_name("last_changes.kind", &self.kind)?,
            before: from_json("last_changes.before", &self.before)?,
        })
    }
}
