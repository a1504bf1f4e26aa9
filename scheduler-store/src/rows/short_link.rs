//! Rows of `short_links`.

use scheduler_core::ids::WorkspaceId;
use scheduler_core::links::ShortLink;
use uuid::Uuid;

use super::row;
use crate::instant::Instant;

row! {
    /// A row of `short_links`.
    pub(crate) struct ShortLinkRow by short_link_columns {
        s {
            code: String,
            workspace_id: Uuid,
            destination: String,
            created_at: Instant,
        }
    }
}

impl ShortLinkRow {
    pub(crate) fn read(self) -> ShortLink {
        ShortLink {
            code: self.code,
            workspace_id: WorkspaceId(self.workspace_id),
            destination: self.destination,
            created_at: self.created_at.0,
        }
    }
}
