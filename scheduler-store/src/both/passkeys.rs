//! Passkeys of people, and what they are asked.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::connecting::PassHash;
use scheduler_core::ids::{PasskeyId, WorkspaceId};
use scheduler_core::passkey::{Challenge, Passkey};
use scheduler_core::ports::{PasskeyStore, StoreError};
use scheduler_core::workspace::Workspace;

use super::Backend;
use crate::instant::Instant;
use crate::rows::passkey::{
    ChallengeRow, PasskeyAndWorkspaceRow, PasskeyRow, challenge_columns, passkey_columns,
};
use crate::rows::workspace::workspace_columns;

const INSERT: &str = "INSERT INTO passkeys (id, workspace_id, person_id, person_name, role, \
    made_in, credential, public, state, created_at, used_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    passkey_columns!(),
    " FROM passkeys k WHERE k.workspace_id = $1 ORDER BY k.created_at, k.id"
);
const BY_CREDENTIAL: &str = concat!(
    "SELECT ",
    passkey_columns!(),
    ", ",
    workspace_columns!(),
    " FROM passkeys k JOIN workspaces w ON w.id = k.workspace_id WHERE k.credential = $1"
);
const USE: &str = "UPDATE passkeys SET state = $3, used_at = $4 WHERE id = $1 AND state = $2";
const DELETE: &str = "DELETE FROM passkeys WHERE workspace_id = $1 AND id = $2";
const DELETE_EXPIRED: &str = "DELETE FROM challenges WHERE expires_at <= $1";
const KEEP: &str = "INSERT INTO challenges (pass, session, state, expires_at) \
    SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM challenges) < $5";
const TAKE: &str =
    concat!("DELETE FROM challenges WHERE pass = $1 RETURNING ", challenge_columns!(names));

#[async_trait]
impl PasskeyStore for Backend {
    async fn create_passkey(&self, passkey: &Passkey) -> Result<bool, StoreError> {
        self.write("create_passkey", passkey.clone(), |connection, passkey| {
            Box::pin(async move {
                let result = sqlx::query(INSERT)
                    .bind(passkey.id.0)
                    .bind(passkey.workspace_id.0)
                    .bind(passkey.person.id.0)
                    .bind(passkey.person.name.as_str())
                    .bind(passkey.role.as_str())
                    .bind(&passkey.made_in)
                    .bind(&passkey.credential)
                    .bind(&passkey.public)
                    .bind(&passkey.state)
                    .bind(Instant(passkey.created_at))
                    .bind(passkey.used_at.map(Instant))
                    .execute(connection)
                    .await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }

    async fn passkeys(&self, workspace: WorkspaceId) -> Result<Vec<Passkey>, StoreError> {
        self.read("passkeys", workspace, |connection, workspace| {
            Box::pin(async move {
                let rows: Vec<PasskeyRow> =
                    sqlx::query_as(OF_WORKSPACE).bind(workspace.0).fetch_all(connection).await?;
                Ok(rows.into_iter().map(PasskeyRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn passkey_by_credential(
        &self,
        credential: &[u8],
    ) -> Result<Option<(Passkey, Workspace)>, StoreError> {
        self.read("passkey_by_credential", credential.to_vec(), |connection, credential| {
            Box::pin(async move {
                let query = sqlx::query_as(BY_CREDENTIAL).bind(credential);
                let row: Option<PasskeyAndWorkspaceRow> = query.fetch_optional(connection).await?;
                let Some(row) = row else { return Ok(None) };
                Ok(Some((row.passkey.read()?, row.workspace.read()?)))
            })
        })
        .await
    }

    async fn use_passkey(
        &self,
        read: &Passkey,
        state: &[u8],
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let bound = (read.id, read.state.clone(), state.to_vec(), Instant(at));
        self.write("use_passkey", bound, |connection, (id, read, state, at)| {
            Box::pin(async move {
                let query = sqlx::query(USE).bind(id.0).bind(read).bind(state).bind(*at);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn remove_passkey(
        &self,
        workspace: WorkspaceId,
        id: PasskeyId,
    ) -> Result<bool, StoreError> {
        self.write("remove_passkey", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0).bind(id.0);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn keep_challenge(
        &self,
        challenge: &Challenge,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let bound = (challenge.clone(), Instant(now), i64::from(most));
        self.write("keep_challenge", bound, |connection, (challenge, now, most)| {
            Box::pin(async move {
                sqlx::query(DELETE_EXPIRED).bind(*now).execute(&mut *connection).await?;
                let result = sqlx::query(KEEP)
                    .bind(challenge.pass.0.to_vec())
                    .bind(challenge.session.map(|id| id.0))
                    .bind(&challenge.state)
                    .bind(Instant(challenge.expires_at))
                    .bind(*most)
                    .execute(connection)
                    .await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }

    async fn take_challenge(&self, pass: PassHash) -> Result<Option<Challenge>, StoreError> {
        self.write("take_challenge", pass.0.to_vec(), |connection, pass| {
            Box::pin(async move {
                let query = sqlx::query_as(TAKE).bind(pass);
                let row: Option<ChallengeRow> = query.fetch_optional(connection).await?;
                Ok(row.map(ChallengeRow::read).transpose()?)
            })
        })
        .await
    }
}
