//! Rows of `workspaces`.

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::ports::StoreError;
use scheduler_core::workspace::Workspace;
use uuid::Uuid;

use super::{from_json, parse, row};
use crate::instant::Instant;

row! {
    /// A row of `workspaces`.
    pub(crate) struct WorkspaceRow by workspace_columns {
        w {
            workspace_id = id: Uuid,
            workspace_name = name: String,
            plan: String,
            timezone: Option<String>,
            picture_id: Option<Uuid>,
            second_pair: bool,
            workspace_links = links: Option<String>,
            workspace_created_at = created_at: Instant,
        }
    }
}

impl WorkspaceRow {
    pub(crate) fn read(self) -> Result<Workspace, StoreError> {
        Ok(Workspace {
            id: WorkspaceId(self.workspace_id),
            name: self.workspace_name,
            plan: parse("workspaces.plan", &self.plan)?,
            timezone: self.timezone.map(|name| parse("workspaces.timezone", &name)).transpose()?,
            picture: self.picture_id.map(MediaId),
            second_pair: self.second_pair,
            links: self
                .workspace_links
                .map(|json| from_json("workspaces.links", &json))
                .transpose()?
                .unwrap_or_default(),
            created_at: self.workspace_created_at.0,
        })
    }
}
