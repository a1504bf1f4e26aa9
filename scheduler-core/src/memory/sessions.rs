//! Logins and sessions of people.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::ids::{SessionId, WorkspaceId};
use crate::ports::{LoginOf, SessionStore, StoreError};
use crate::session::{Login, Person, Session, SessionHash};
use crate::workspace::Workspace;

#[async_trait]
impl SessionStore for MemoryStore {
    async fn create_login(&self, login: &Login) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let mut others = tables.logins.values();
        if others.any(|other| other.code == login.code || other.secret == login.secret) {
            return Ok(false);
        }
        tables.logins.insert(login.id, login.clone());
        Ok(true)
    }

    async fn login(&self, of: &LoginOf) -> Result<Option<Login>, StoreError> {
        let tables = self.tables();
        let found = tables.logins.values().find(|login| match of {
            LoginOf::Code(code) => login.code == *code,
            LoginOf::Secret(secret) => login.secret == *secret,
        });
        Ok(found.cloned())
    }

    async fn open_session(&self, session: &Session) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        if tables.sessions.contains_key(&session.id) {
            return Ok(false);
        }
        tables.sessions.insert(session.id, session.clone());
        Ok(true)
    }

    async fn session_by_hash(
        &self,
        hash: SessionHash,
    ) -> Result<Option<(Session, Workspace)>, StoreError> {
        let tables = self.tables();
        let session = tables.sessions.values().find(|session| session.hash == hash);
        Ok(session.and_then(|session| {
            let workspace = tables.workspaces.get(&session.workspace_id)?;
            Some((session.clone(), workspace.clone()))
        }))
    }

    async fn sessions(&self, workspace: WorkspaceId) -> Result<Vec<Session>, StoreError> {
        let tables = self.tables();
        let sessions = tables.sessions.values();
        let mut sessions: Vec<Session> =
            sessions.filter(|session| session.workspace_id == workspace).cloned().collect();
        sessions.sort_by_key(|session| (session.created_at, session.id));
        Ok(sessions)
    }

    async fn name_session(
        &self,
        workspace: WorkspaceId,
        id: SessionId,
        person: &Person,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let session = tables.sessions.get_mut(&id);
        let Some(session) = session.filter(|session| session.workspace_id == workspace) else {
            return Ok(false);
        };
        session.person = Some(person.clone());
        Ok(true)
    }

    async fn extend_session(
        &self,
        workspace: WorkspaceId,
        id: SessionId,
        until: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let session = tables.sessions.get_mut(&id);
        let Some(session) = session.filter(|session| session.workspace_id == workspace) else {
            return Ok(false);
        };
        session.expires_at = until;
        Ok(true)
    }

    async fn remove_session(
        &self,
        workspace: WorkspaceId,
        id: SessionId,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let is_there =
            tables.sessions.get(&id).is_some_and(|session| session.workspace_id == workspace);
        if is_there {
            tables.sessions.remove(&id);
        }
        Ok(is_there)
    }

    async fn remove_expired_sessions(&self, until: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let before = tables.logins.len() + tables.sessions.len();
        tables.logins.retain(|_, login| login.expires_at > until);
        tables.sessions.retain(|_, session| session.expires_at > until);
        let removed = before - tables.logins.len() - tables.sessions.len();
        Ok(u64::try_from(removed).unwrap_or(u64::MAX))
    }
}
