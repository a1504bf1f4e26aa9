//! Rows of `workspaces`.

use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::StoreError;
use scheduler_core::workspace::Workspace;
use uuid::Uuid;

use super::parse;
use crate::instant::Instant;

/// The columns of `workspaces w`.
macro_rules! workspace_columns {
    () => {
        "w.id AS workspace_id, w.name AS workspace_name, w.plan AS plan, w.timezone AS timezone, \
         w.created_at AS workspace_created_at"
    };
}
pub(crate) use workspace_columns;

/// A row of `workspaces`.
#[derive(sqlx::FromRow)]
pub(crate) struct WorkspaceRow {
    workspace_id: Uuid,
    workspace_name: String,
    plan: String,
    timezone: Option<String>,
    workspace_created_at: Instant,
}

impl WorkspaceRow {
    pub(crate) fn read(self) -> Result<Workspace, StoreError> {
        Ok(Workspace {
            id: WorkspaceId(self.workspace_id),
            name: self.workspace_name,
            plan: parse("workspaces.plan", &self.plan)?,
            timezone: self.timezone.map(|name| parse("workspaces.timezone", &name)).transpose()?,
            created_at: self.workspace_created_at.0,
        })
    }
}
