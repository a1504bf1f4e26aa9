//! Workspaces.

use async_trait::async_trait;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::key::Key;
use scheduler_core::links::LinkRules;
use scheduler_core::ports::{RenameOutcome, StoreError, WorkspaceStore};
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;

use super::{Backend, Connection, dialect};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::to_json;
use crate::rows::workspace::{WorkspaceRow, workspace_columns};

const INSERT: &str = "INSERT INTO workspaces (id, name, plan, timezone, created_at, picture_id, \
    second_pair, links) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING";
const UPDATE: &str = "UPDATE workspaces SET name = $2, plan = $3, timezone = $4, picture_id = $5, \
    second_pair = $6, links = $7 WHERE id = $1";
const NAME_IS_TAKEN: &str = "SELECT EXISTS (SELECT 1 FROM workspaces WHERE name = $2 AND id <> $1)";
const ANY: &str = "SELECT EXISTS (SELECT 1 FROM workspaces)";
const ONE: &str = concat!("SELECT ", workspace_columns!(), " FROM workspaces w WHERE w.id = $1");
const ALL: &str =
    concat!("SELECT ", workspace_columns!(), " FROM workspaces w ORDER BY w.created_at, w.id");

/// What a workspace wants of its links, as it is stored; null for nothing.
fn links_of(workspace: &Workspace) -> Result<Option<String>, StoreError> {
    let is_any = workspace.links != LinkRules::default();
    is_any.then(|| to_json("workspaces.links", &workspace.links)).transpose()
}

async fn insert(connection: &mut Connection, workspace: &Workspace) -> Result<bool, Failure> {
    let result = sqlx::query(INSERT)
        .bind(workspace.id.0)
        .bind(&workspace.name)
        .bind(workspace.plan.as_str())
        .bind(workspace.timezone.map(Zone::name))
        .bind(Instant(workspace.created_at))
        .bind(workspace.picture.map(|id| id.0))
        .bind(workspace.second_pair)
        .bind(links_of(workspace)?)
        .execute(connection)
        .await?;
    Ok(result.rows_affected() > 0)
}

async fn insert_first(
    connection: &mut Connection,
    workspace: &Workspace,
    key: &Key,
) -> Result<bool, Abort<bool>> {
    dialect::lock_workspaces(connection).await?;
    if sqlx::query_scalar::<_, bool>(ANY).fetch_one(&mut *connection).await? {
        return Ok(false);
    }
    let inserted = insert(connection, workspace).await?;
    super::keys::insert(connection, key).await?;
    Ok(inserted)
}

async fn update(
    connection: &mut Connection,
    workspace: &Workspace,
) -> Result<RenameOutcome, Failure> {
    // Two that take one name at once take turns.
    dialect::lock_workspaces(connection).await?;
    let is_taken = sqlx::query_scalar::<_, bool>(NAME_IS_TAKEN)
        .bind(workspace.id.0)
        .bind(&workspace.name)
        .fetch_one(&mut *connection)
        .await?;
    if is_taken {
        return Ok(RenameOutcome::NameTaken);
    }
    let result = sqlx::query(UPDATE)
        .bind(workspace.id.0)
        .bind(&workspace.name)
        .bind(workspace.plan.as_str())
        .bind(workspace.timezone.map(Zone::name))
        .bind(workspace.picture.map(|id| id.0))
        .bind(workspace.second_pair)
        .bind(links_of(workspace)?)
        .execute(connection)
        .await?;
    let is_there = result.rows_affected() > 0;
    Ok(if is_there { RenameOutcome::Saved } else { RenameOutcome::Missing })
}

#[async_trait]
impl WorkspaceStore for Backend {
    async fn create_first_workspace(
        &self,
        workspace: &Workspace,
        key: &Key,
    ) -> Result<bool, StoreError> {
        self.write(
            "create_first_workspace",
            (workspace.clone(), key.clone()),
            |connection, (workspace, key)| Box::pin(insert_first(connection, workspace, key)),
        )
        .await
    }

    async fn create_workspace(&self, workspace: &Workspace) -> Result<bool, StoreError> {
        self.write("create_workspace", workspace.clone(), |connection, workspace| {
            Box::pin(async move { Ok(insert(connection, workspace).await?) })
        })
        .await
    }

    async fn workspace(&self, id: WorkspaceId) -> Result<Option<Workspace>, StoreError> {
        self.read("workspace", id, |connection, id| {
            Box::pin(async move {
                let row: Option<WorkspaceRow> =
                    sqlx::query_as(ONE).bind(id.0).fetch_optional(connection).await?;
                Ok(row.map(WorkspaceRow::read).transpose()?)
            })
        })
        .await
    }

    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        self.read("workspaces", (), |connection, ()| {
            Box::pin(async move {
                let rows: Vec<WorkspaceRow> = sqlx::query_as(ALL).fetch_all(connection).await?;
                Ok(rows.into_iter().map(WorkspaceRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn update_workspace(&self, workspace: &Workspace) -> Result<RenameOutcome, StoreError> {
        self.write("update_workspace", workspace.clone(), |connection, workspace| {
            Box::pin(async move { Ok(update(connection, workspace).await?) })
        })
        .await
    }
}
