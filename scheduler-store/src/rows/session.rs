//! Rows of `logins` and `sessions`.

use scheduler_core::connecting::PassHash;
use scheduler_core::ids::{SessionId, WorkspaceId};
use scheduler_core::ports::StoreError;
use scheduler_core::session::{Login, Session, SessionHash};
use uuid::Uuid;

use super::workspace::WorkspaceRow;
use super::{parse, person, row};
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `logins`.
    pub(crate) struct LoginRow by login_columns {
        l {
            id: Uuid,
            code: String,
            secret: Vec<u8>,
            session: Vec<u8>,
            client: String,
            api: bool,
            created_at: Instant,
            expires_at: Instant,
        }
    }
}

row! {
    /// A row of `sessions`.
    pub(crate) struct SessionRow by session_columns {
        s {
            id: Uuid,
            workspace_id: Uuid,
            hash: Vec<u8>,
            role: String,
            person_id: Option<Uuid>,
            person_name: Option<String>,
            client: String,
            api: bool,
            created_at: Instant,
            expires_at: Instant,
        }
    }
}

row! {
    /// A row of `sessions` with that of its workspace.
    pub(crate) struct SessionAndWorkspaceRow {
        ..pub(crate) session: SessionRow,
        ..pub(crate) workspace: WorkspaceRow,
    }
}

impl LoginRow {
    pub(crate) fn read(self) -> Result<Login, StoreError> {
        Ok(Login {
            id: SessionId(self.id),
            code: parse("logins.code", &self.code)?,
            secret: PassHash(hash("logins.secret", self.secret)?),
            session: SessionHash(hash("logins.session", self.session)?),
            client: self.client,
            api: self.api,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
        })
    }
}

impl SessionRow {
    pub(crate) fn read(self) -> Result<Session, StoreError> {
        Ok(Session {
            id: SessionId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            hash: SessionHash(hash("sessions.hash", self.hash)?),
            role: parse("sessions.role", &self.role)?,
            person: person("sessions.person_name", self.person_id, self.person_name)?,
            client: self.client,
            api: self.api,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
        })
    }
}

pub(super) fn hash(column: &'static str, stored: Vec<u8>) -> Result<[u8; 32], StoreError> {
    stored.try_into().map_err(|_| corrupt(column, "the hash is not 32 bytes"))
}
