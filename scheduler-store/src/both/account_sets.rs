//! Accounts that workspaces pick together.

use async_trait::async_trait;
use scheduler_core::account::{AccountSet, AccountSetChange};
use scheduler_core::ids::{AccountSetId, WorkspaceId};
use scheduler_core::ports::{AccountSetStore, SetOutcome, StoreError};
use uuid::Uuid;

use super::{Backend, Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::account_set::{AccountSetRow, account_set_columns};
use crate::rows::to_json;

const COUNT: &str = "SELECT count(*) FROM account_sets WHERE workspace_id = $1";
const COUNT_NAMESAKES: &str =
    "SELECT count(*) FROM account_sets WHERE workspace_id = $1 AND name = $2 AND id <> $3";
const INSERT: &str = "INSERT INTO account_sets (id, workspace_id, name, account_ids, created_at) \
    VALUES ($1, $2, $3, $4, $5)";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    account_set_columns!(),
    " FROM account_sets s WHERE s.workspace_id = $1 ORDER BY s.created_at, s.id"
);
/// What is not said stays, also where another caller changes it at the same time.
const UPDATE: &str = "UPDATE account_sets \
    SET name = COALESCE($3, name), account_ids = COALESCE($4, account_ids) \
    WHERE workspace_id = $1 AND id = $2";
const DELETE: &str = "DELETE FROM account_sets WHERE workspace_id = $1 AND id = $2";

/// Whether another set of the workspace, which is locked, has the name.
async fn is_taken(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: AccountSetId,
    name: &str,
) -> Result<bool, Failure> {
    let namesakes = sqlx::query_scalar(COUNT_NAMESAKES).bind(workspace.0).bind(name).bind(id.0);
    let namesakes: i64 = namesakes.fetch_one(connection).await?;
    Ok(namesakes > 0)
}

async fn create(
    connection: &mut Connection,
    set: &AccountSet,
    limit: u32,
) -> Result<SetOutcome, Failure> {
    dialect::lock_workspace(connection, set.workspace_id).await?;
    let count = sqlx::query_scalar(COUNT).bind(set.workspace_id.0);
    let count: i64 = count.fetch_one(&mut *connection).await?;
    if count >= i64::from(limit) {
        return Ok(SetOutcome::Full);
    }
    if is_taken(connection, set.workspace_id, set.id, &set.name).await? {
        return Ok(SetOutcome::NameTaken);
    }
    sqlx::query(INSERT)
        .bind(set.id.0)
        .bind(set.workspace_id.0)
        .bind(&set.name)
        .bind(to_json("account_sets.account_ids", &set.accounts)?)
        .bind(Instant(set.created_at))
        .execute(connection)
        .await?;
    Ok(SetOutcome::Stored)
}

async fn update(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: AccountSetId,
    change: &AccountSetChange,
) -> Result<SetOutcome, Failure> {
    if let Some(name) = &change.name {
        dialect::lock_workspace(connection, workspace).await?;
        if is_taken(connection, workspace, id, name).await? {
            return Ok(SetOutcome::NameTaken);
        }
    }
    let accounts = change.account_ids.as_ref();
    let accounts = accounts.map(|ids| to_json("account_sets.account_ids", ids)).transpose()?;
    let stored = sqlx::query(UPDATE)
        .bind(workspace.0)
        .bind(id.0)
        .bind(change.name.as_deref())
        .bind(accounts)
        .execute(connection)
        .await?;
    let is_there = stored.rows_affected() > 0;
    Ok(if is_there { SetOutcome::Stored } else { SetOutcome::Missing })
}

#[async_trait]
impl AccountSetStore for Backend {
    async fn create_account_set(
        &self,
        set: &AccountSet,
        limit: u32,
    ) -> Result<SetOutcome, StoreError> {
        self.write("create_account_set", (set.clone(), limit), |connection, (set, limit)| {
            Box::pin(async move { Ok(create(connection, set, *limit).await?) })
        })
        .await
    }

    async fn account_sets(&self, workspace: WorkspaceId) -> Result<Vec<AccountSet>, StoreError> {
        self.read("account_sets", workspace, |connection, workspace| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_WORKSPACE).bind::<Uuid>(workspace.0);
                let rows: Vec<AccountSetRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(AccountSetRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn update_account_set(
        &self,
        workspace: WorkspaceId,
        id: AccountSetId,
        change: &AccountSetChange,
    ) -> Result<SetOutcome, StoreError> {
        let given = (workspace, id, change.clone());
        self.write("update_account_set", given, |connection, (workspace, id, change)| {
            Box::pin(async move { Ok(update(connection, *workspace, *id, change).await?) })
        })
        .await
    }

    async fn remove_account_set(
        &self,
        workspace: WorkspaceId,
        id: AccountSetId,
    ) -> Result<bool, StoreError> {
        self.write("remove_account_set", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0).bind(id.0);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }
}
