//! Logins and sessions of people.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::{SessionId, WorkspaceId};
use scheduler_core::ports::{LoginOf, SessionStore, StoreError};
use scheduler_core::session::{Login, Person, Session, SessionHash};
use scheduler_core::workspace::Workspace;

use super::Backend;
use crate::instant::Instant;
use crate::rows::session::{
    LoginRow, SessionAndWorkspaceRow, SessionRow, login_columns, session_columns,
};
use crate::rows::workspace::workspace_columns;

const INSERT_LOGIN: &str = "INSERT INTO logins \
    (id, code, secret, session, client, api, created_at, expires_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
const LOGIN_BY_CODE: &str =
    concat!("SELECT ", login_columns!(), " FROM logins l WHERE l.code = $1");
const LOGIN_BY_SECRET: &str =
    concat!("SELECT ", login_columns!(), " FROM logins l WHERE l.secret = $1");
const INSERT_SESSION: &str = "INSERT INTO sessions \
    (id, workspace_id, hash, role, person_id, person_name, client, api, created_at, expires_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING";
const SESSION_BY_HASH: &str = concat!(
    "SELECT ",
    session_columns!(),
    ", ",
    workspace_columns!(),
    " FROM sessions s JOIN workspaces w ON w.id = s.workspace_id WHERE s.hash = $1"
);
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    session_columns!(),
    " FROM sessions s WHERE s.workspace_id = $1 ORDER BY s.created_at, s.id"
);
const NAME: &str = "UPDATE sessions SET person_id = $3, person_name = $4 \
    WHERE workspace_id = $1 AND id = $2";
const EXTEND: &str = "UPDATE sessions SET expires_at = $3 WHERE workspace_id = $1 AND id = $2";
const DELETE: &str = "DELETE FROM sessions WHERE workspace_id = $1 AND id = $2";
const DELETE_EXPIRED_LOGINS: &str = "DELETE FROM logins WHERE expires_at <= $1";
const DELETE_EXPIRED_SESSIONS: &str = "DELETE FROM sessions WHERE expires_at <= $1";

#[async_trait]
impl SessionStore for Backend {
    async fn create_login(&self, login: &Login) -> Result<bool, StoreError> {
        self.write("create_login", login.clone(), |connection, login| {
            Box::pin(async move {
                let result = sqlx::query(INSERT_LOGIN)
                    .bind(login.id.0)
                    .bind(login.code.to_string())
                    .bind(login.secret.0.to_vec())
                    .bind(login.session.0.to_vec())
                    .bind(&login.client)
                    .bind(login.api)
                    .bind(Instant(login.created_at))
                    .bind(Instant(login.expires_at))
                    .execute(connection)
                    .await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }

    async fn login(&self, of: &LoginOf) -> Result<Option<Login>, StoreError> {
        self.read("login", of.clone(), |connection, of| {
            Box::pin(async move {
                let query = match of {
                    LoginOf::Code(code) => sqlx::query_as(LOGIN_BY_CODE).bind(code.to_string()),
                    LoginOf::Secret(secret) => {
                        sqlx::query_as(LOGIN_BY_SECRET).bind(secret.0.to_vec())
                    }
                };
                let row: Option<LoginRow> = query.fetch_optional(connection).await?;
                Ok(row.map(LoginRow::read).transpose()?)
            })
        })
        .await
    }

    async fn open_session(&self, session: &Session) -> Result<bool, StoreError> {
        self.write("open_session", session.clone(), |connection, session| {
            Box::pin(async move {
                let result = sqlx::query(INSERT_SESSION)
                    .bind(session.id.0)
                    .bind(session.workspace_id.0)
                    .bind(session.hash.0.to_vec())
                    .bind(session.role.as_str())
                    .bind(session.person.as_ref().map(|person| person.id.0))
                    .bind(session.person.as_ref().map(|person| person.name.as_str()))
                    .bind(&session.client)
                    .bind(session.api)
                    .bind(Instant(session.created_at))
                    .bind(Instant(session.expires_at))
                    .execute(connection)
                    .await?;
                Ok(result.rows_affected() > 0)
            })
        })
        .await
    }

    async fn session_by_hash(
        &self,
        hash: SessionHash,
    ) -> Result<Option<(Session, Workspace)>, StoreError> {
        self.read("session_by_hash", hash.0.to_vec(), |connection, hash| {
            Box::pin(async move {
                let row: Option<SessionAndWorkspaceRow> =
                    sqlx::query_as(SESSION_BY_HASH).bind(hash).fetch_optional(connection).await?;
                let Some(row) = row else { return Ok(None) };
                Ok(Some((row.session.read()?, row.workspace.read()?)))
            })
        })
        .await
    }

    async fn sessions(&self, workspace: WorkspaceId) -> Result<Vec<Session>, StoreError> {
        self.read("sessions", workspace, |connection, workspace| {
            Box::pin(async move {
                let rows: Vec<SessionRow> =
                    sqlx::query_as(OF_WORKSPACE).bind(workspace.0).fetch_all(connection).await?;
                Ok(rows.into_iter().map(SessionRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn name_session(
        &self,
        workspace: WorkspaceId,
        id: SessionId,
        person: &Person,
    ) -> Result<bool, StoreError> {
        let bound = (workspace, id, person.clone());
        self.write("name_session", bound, |connection, (workspace, id, person)| {
            Box::pin(async move {
                let query = sqlx::query(NAME).bind(workspace.0).bind(id.0);
                let query = query.bind(person.id.0).bind(person.name.as_str());
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn extend_session(
        &self,
        workspace: WorkspaceId,
        id: SessionId,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let bound = (workspace, id, Instant(until));
        self.write("extend_session", bound, |connection, (workspace, id, until)| {
            Box::pin(async move {
                let query = sqlx::query(EXTEND).bind(workspace.0).bind(id.0).bind(*until);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn remove_session(
        &self,
        workspace: WorkspaceId,
        id: SessionId,
    ) -> Result<bool, StoreError> {
        self.write("remove_session", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0).bind(id.0);
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }

    async fn remove_expired_sessions(&self, until: DateTime<Utc>) -> Result<u64, StoreError> {
        self.write("remove_expired_sessions", Instant(until), |connection, until| {
            Box::pin(async move {
                let logins = sqlx::query(DELETE_EXPIRED_LOGINS).bind(*until);
                let logins = logins.execute(&mut *connection).await?.rows_affected();
                let sessions = sqlx::query(DELETE_EXPIRED_SESSIONS).bind(*until);
                Ok(logins + sessions.execute(connection).await?.rows_affected())
            })
        })
        .await
    }
}
