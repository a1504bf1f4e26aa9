//! The uses of Idempotency-Keys, other than for posts.

use async_trait::async_trait;
use scheduler_core::idempotency::{KeyScope, KeyUse};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::{IdempotencyStore, StoreError};
use uuid::Uuid;

use super::{Backend, Connection};
use crate::error::Failure;
use crate::rows::key_use::{KeyUseRow, body_of, key_use_columns, outcome_values};

const ONE: &str = concat!(
    "SELECT ",
    key_use_columns!(),
    " FROM idempotency_keys WHERE workspace_id = $1 AND scope = $2 AND key = $3"
);
/// Waits for whoever is storing the same key.
const BEGIN: &str = concat!(
    "INSERT INTO idempotency_keys (",
    key_use_columns!(names),
    ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
     ON CONFLICT (workspace_id, scope, key) DO NOTHING"
);
const SETTLE: &str = "UPDATE idempotency_keys SET state = $5, until_at = $6, answer = $7 \
    WHERE workspace_id = $1 AND scope = $2 AND key = $3 AND id = $4";
const FORGET: &str = "DELETE FROM idempotency_keys \
    WHERE workspace_id = $1 AND scope = $2 AND key = $3 AND id = $4";
const FORGET_OF: &str = "DELETE FROM idempotency_keys WHERE belongs_to = $1";

/// How often a use is stored again that another was in the way of, which then was gone.
const ATTEMPTS: usize = 3;

/// The use of this key has come and gone over and over.
#[derive(Debug, thiserror::Error)]
#[error("the use of this key keeps changing")]
struct KeyUnsettled;

async fn find(
    connection: &mut Connection,
    workspace: WorkspaceId,
    scope: &KeyScope,
    key: &str,
) -> Result<Option<KeyUse>, Failure> {
    let row: Option<KeyUseRow> = sqlx::query_as(ONE)
        .bind(workspace.0)
        .bind(scope.as_str())
        .bind(key)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(KeyUseRow::read).transpose()?)
}

/// Stores a use, unless its key has one: that is answered.
pub(super) async fn begin(
    connection: &mut Connection,
    new: &KeyUse,
) -> Result<Option<KeyUse>, Failure> {
    for _ in 0..ATTEMPTS {
        let (state, until_at, answer) = outcome_values(&new.outcome)?;
        let stored = sqlx::query(BEGIN)
            .bind(new.workspace_id.0)
            .bind(new.scope.as_str())
            .bind(new.key.as_str())
            .bind(body_of(&new.key))
            .bind(new.id)
            .bind(new.belongs_to)
            .bind(state)
            .bind(until_at)
            .bind(answer)
            .execute(&mut *connection)
            .await?;
        if stored.rows_affected() > 0 {
            return Ok(None);
        }
        let earlier = find(connection, new.workspace_id, &new.scope, new.key.as_str()).await?;
        if earlier.is_some() {
            return Ok(earlier);
        }
    }
    Err(StoreError::Unavailable(Box::new(KeyUnsettled)).into())
}

/// Removes the keys that belong to a thing which is removed.
pub(super) async fn forget_of(connection: &mut Connection, thing: Uuid) -> Result<(), Failure> {
    sqlx::query(FORGET_OF).bind(thing).execute(connection).await?;
    Ok(())
}

#[async_trait]
impl IdempotencyStore for Backend {
    async fn key_use(
        &self,
        workspace: WorkspaceId,
        scope: &KeyScope,
        key: &str,
    ) -> Result<Option<KeyUse>, StoreError> {
        let arguments = (workspace, scope.clone(), key.to_owned());
        self.read("key_use", arguments, |connection, (workspace, scope, key)| {
            Box::pin(async move { Ok(find(connection, *workspace, scope, key).await?) })
        })
        .await
    }

    async fn begin_key_use(&self, new: &KeyUse) -> Result<Option<KeyUse>, StoreError> {
        self.write("begin_key_use", new.clone(), |connection, new| {
            Box::pin(async move { Ok(begin(connection, new).await?) })
        })
        .await
    }

    async fn settle_key_use(&self, settled: &KeyUse) -> Result<bool, StoreError> {
        self.write("settle_key_use", settled.clone(), |connection, settled| {
            Box::pin(async move {
                let (state, until_at, answer) = outcome_values(&settled.outcome)?;
                let result = sqlx::query(SETTLE)
                    .bind(settled.workspace_id.0)
                    .bind(settled.scope.as_str())
                    .bind(settled.key.as_str())
                    .bind(settled.id)
                    .bind(state)
                    .bind(until_at)
                    .bind(answer)
                    .execute(connection)
                    .await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }

    async fn forget_key_use(&self, of: &KeyUse) -> Result<bool, StoreError> {
        self.write("forget_key_use", of.clone(), |connection, of| {
            Box::pin(async move {
                let result = sqlx::query(FORGET)
                    .bind(of.workspace_id.0)
                    .bind(of.scope.as_str())
                    .bind(of.key.as_str())
                    .bind(of.id)
                    .execute(connection)
                    .await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn many_keys_are_not_passed_over() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        for (name, statement, want) in [
            ("one", ONE, Plans::KEY_USE),
            ("settled", SETTLE, Plans::KEY_USE),
            ("forgotten", FORGET, Plans::KEY_USE),
            ("of a thing", FORGET_OF, "idempotency_keys_by_thing"),
        ] {
            let plan = plans.of(name, statement).await;
            assert!(plan.contains(want), "{name} wants {want}:\n{plan}");
        }
    }
}
