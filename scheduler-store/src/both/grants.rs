//! What people have granted programs.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::{GrantId, SessionId, WorkspaceId};
use scheduler_core::oauth::{Grant, GrantToken, TokenHash, USED_TOKENS_MAX};
use scheduler_core::ports::{GrantStore, StoreError};
use scheduler_core::session::Person;
use scheduler_core::workspace::Workspace;

use super::{Backend, Connection};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::grant::{GrantRow, TokenOfGrantRow, grant_columns, grant_token_columns};
use crate::rows::workspace::workspace_columns;

const DELETE_EXPIRED: &str = "DELETE FROM grants WHERE workspace_id = $1 AND expires_at <= $2";
const INSERT: &str = "INSERT INTO grants (id, workspace_id, session_id, person_id, person_name, \
    client_id, client_name, redirect_uri, challenge, resource, scopes, created_at, used_at, \
    expires_at) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 \
    WHERE (SELECT count(*) FROM grants WHERE workspace_id = $2) < $15";
const INSERT_TOKEN: &str = "INSERT INTO grant_tokens (hash, grant_id, kind, expires_at, used_at) \
    VALUES ($1, $2, $3, $4, $5)";
const TOKEN: &str = concat!(
    "SELECT ",
    grant_token_columns!(),
    ", ",
    grant_columns!(),
    ", ",
    workspace_columns!(),
    " FROM grant_tokens t JOIN grants g ON g.id = t.grant_id \
    JOIN workspaces w ON w.id = g.workspace_id WHERE t.hash = $1"
);
/// Grants are locked before their tokens, here and where they are removed.
const LOCK: &str = "UPDATE grants SET expires_at = expires_at WHERE id = $1";
const SPEND: &str = "UPDATE grant_tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
const PROLONG: &str = "UPDATE grants SET used_at = $2, expires_at = $3 WHERE id = $1";
/// Also those that open the tools until now: what comes next takes their place.
const DELETE_TOKENS: &str = "DELETE FROM grant_tokens \
    WHERE grant_id = $1 AND (kind = 'access' OR expires_at <= $2)";
/// Hashes break the tie of tokens that were used in one microsecond. SQLite knows an offset only with
/// a limit.
const DELETE_USED: &str = "DELETE FROM grant_tokens WHERE hash IN (SELECT hash FROM grant_tokens \
    WHERE grant_id = $1 AND used_at IS NOT NULL ORDER BY used_at DESC, hash DESC \
    LIMIT 1000000 OFFSET $2)";
/// One that is prolonged meanwhile is looked at again, and stays.
const DELETE_ENDED: &str = "DELETE FROM grants WHERE expires_at <= $1 AND id IN \
    (SELECT id FROM grants WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    grant_columns!(),
    " FROM grants g WHERE g.workspace_id = $1 ORDER BY g.created_at, g.id"
);
const NAME: &str = "UPDATE grants SET person_id = $3, person_name = $4 \
    WHERE workspace_id = $1 AND session_id = $2";
const DELETE_OF_SESSION: &str = "DELETE FROM grants \
    WHERE workspace_id = $1 AND session_id = $2 AND person_id IS NULL";
const DELETE: &str = "DELETE FROM grants WHERE workspace_id = $1 AND id = $2";

async fn insert_token(connection: &mut Connection, token: &GrantToken) -> Result<(), Failure> {
    sqlx::query(INSERT_TOKEN)
        .bind(token.hash.0.to_vec())
        .bind(token.grant_id.0)
        .bind(token.kind.as_str())
        .bind(Instant(token.expires_at))
        .bind(token.used_at.map(Instant))
        .execute(connection)
        .await?;
    Ok(())
}

#[async_trait]
impl GrantStore for Backend {
    async fn create_grant(
        &self,
        grant: &Grant,
        code: &GrantToken,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let bound = (grant.clone(), code.clone(), Instant(now), i64::from(most));
        self.write("create_grant", bound, |connection, (grant, code, now, most)| {
            Box::pin(async move {
                let expired = sqlx::query(DELETE_EXPIRED).bind(grant.workspace_id.0).bind(*now);
                expired.execute(&mut *connection).await?;
                let inserted = sqlx::query(INSERT)
                    .bind(grant.id.0)
                    .bind(grant.workspace_id.0)
                    .bind(grant.session_id.map(|id| id.0))
                    .bind(grant.person.as_ref().map(|person| person.id.0))
                    .bind(grant.person.as_ref().map(|person| person.name.as_str()))
                    .bind(grant.client_id.as_str())
                    .bind(&grant.client_name)
                    .bind(grant.redirect.as_str())
                    .bind(grant.challenge.0.to_vec())
                    .bind(&grant.resource)
                    .bind(grant.scopes.to_string())
                    .bind(Instant(grant.created_at))
                    .bind(grant.used_at.map(Instant))
                    .bind(Instant(grant.expires_at))
                    .bind(*most)
                    .execute(&mut *connection)
                    .await?;
                let is_stored = inserted.rows_affected() > 0;
                if is_stored {
                    insert_token(connection, code).await?;
                }
                Ok(is_stored)
            })
        })
        .await
    }

    async fn grant_token(
        &self,
        hash: TokenHash,
    ) -> Result<Option<(GrantToken, Grant, Workspace)>, StoreError> {
        self.read("grant_token", hash.0.to_vec(), |connection, hash| {
            Box::pin(async move {
                let row: Option<TokenOfGrantRow> =
                    sqlx::query_as(TOKEN).bind(hash).fetch_optional(connection).await?;
                let Some(row) = row else { return Ok(None) };
                let grant = row.grant.read()?;
                Ok(Some((row.token.read(grant.id)?, grant, row.workspace.read()?)))
            })
        })
        .await
    }

    async fn exchange_token(
        &self,
        shown: TokenHash,
        grant: &Grant,
        next: &[GrantToken],
    ) -> Result<bool, StoreError> {
        let times = (grant.used_at.map(Instant), Instant(grant.expires_at));
        let bound = (shown.0.to_vec(), grant.id, times, next.to_vec());
        self.write("exchange_token", bound, |connection, (shown, grant, times, next)| {
            Box::pin(async move {
                let (used_at, expires_at) = *times;
                sqlx::query(LOCK).bind(grant.0).execute(&mut *connection).await?;
                let spend = sqlx::query(SPEND).bind(shown).bind(used_at);
                if spend.execute(&mut *connection).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                let prolong = sqlx::query(PROLONG).bind(grant.0).bind(used_at).bind(expires_at);
                prolong.execute(&mut *connection).await?;
                let delete = sqlx::query(DELETE_TOKENS).bind(grant.0).bind(used_at);
                delete.execute(&mut *connection).await?;
                let delete = sqlx::query(DELETE_USED).bind(grant.0);
                delete.bind(i64::from(USED_TOKENS_MAX)).execute(&mut *connection).await?;
                for token in next {
                    insert_token(connection, token).await?;
                }
                Ok(true)
            })
        })
        .await
    }

    async fn grants(&self, workspace: WorkspaceId) -> Result<Vec<Grant>, StoreError> {
        self.read("grants", workspace, |connection, workspace| {
            Box::pin(async move {
                let rows: Vec<GrantRow> =
                    sqlx::query_as(OF_WORKSPACE).bind(workspace.0).fetch_all(connection).await?;
                Ok(rows.into_iter().map(GrantRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn name_grants(
        &self,
        workspace: WorkspaceId,
        session: SessionId,
        person: &Person,
    ) -> Result<(), StoreError> {
        let bound = (workspace, session, person.clone());
        self.write("name_grants", bound, |connection, (workspace, session, person)| {
            Box::pin(async move {
                sqlx::query(NAME)
                    .bind(workspace.0)
                    .bind(session.0)
                    .bind(person.id.0)
                    .bind(person.name.as_str())
                    .execute(connection)
                    .await?;
                Ok(())
            })
        })
        .await
    }

    async fn remove_grants_of_session(
        &self,
        workspace: WorkspaceId,
        session: SessionId,
    ) -> Result<(), StoreError> {
        let bound = (workspace, session);
        self.write("remove_grants_of_session", bound, |connection, (workspace, session)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE_OF_SESSION).bind(workspace.0).bind(session.0);
                query.execute(connection).await?;
                Ok(())
            })
        })
        .await
    }

    async fn remove_grant(&self, workspace: WorkspaceId, id: GrantId) -> Result<bool, StoreError> {
        self.write("remove_grant", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0).bind(id.0);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn remove_expired_grants(
        &self,
        now: DateTime<Utc>,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let bound = (Instant(now), i64::from(limit));
        self.write("remove_expired_grants", bound, |connection, (now, limit)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE_ENDED).bind(*now).bind(*limit);
                Ok(query.execute(connection).await?.rows_affected())
            })
        })
        .await
    }
}
