//! Rows of `grants` and `grant_tokens`.

use scheduler_core::ids::{GrantId, SessionId, WorkspaceId};
use scheduler_core::oauth::{
    Challenge, ClientId, Grant, GrantToken, Redirect, TokenHash, TokenKind,
};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::session::hash;
use super::workspace::WorkspaceRow;
use super::{find, parse, person, row};
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `grants`.
    pub(crate) struct GrantRow by grant_columns {
        g {
            id: Uuid,
            workspace_id: Uuid,
            session_id: Option<Uuid>,
            person_id: Option<Uuid>,
            person_name: Option<String>,
            client_id: String,
            client_name: String,
            redirect_uri: String,
            challenge: Vec<u8>,
            resource: String,
            scopes: String,
            created_at: Instant,
            used_at: Option<Instant>,
            expires_at: Instant,
        }
    }
}

row! {
    /// A row of `grant_tokens`.
    pub(crate) struct GrantTokenRow by grant_token_columns {
        t {
            token_hash = hash: Vec<u8>,
            token_kind = kind: String,
            token_expires_at = expires_at: Instant,
            token_used_at = used_at: Option<Instant>,
        }
    }
}

row! {
    /// A row of `grant_tokens` with those of its grant and its workspace.
    pub(crate) struct TokenOfGrantRow {
        ..pub(crate) token: GrantTokenRow,
        ..pub(crate) grant: GrantRow,
        ..pub(crate) workspace: WorkspaceRow,
    }
}

impl GrantRow {
    pub(crate) fn read(self) -> Result<Grant, StoreError> {
        let client_id = ClientId::parse(&self.client_id)
            .map_err(|_| corrupt("grants.client_id", "it is not the id of a client"))?;
        let redirect = Redirect::parse(&self.redirect_uri)
            .ok_or_else(|| corrupt("grants.redirect_uri", "it is no address to come back to"))?;
        Ok(Grant {
            id: GrantId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            session_id: self.session_id.map(SessionId),
            person: person("grants.person_name", self.person_id, self.person_name)?,
            client_id,
            client_name: self.client_name,
            redirect,
            challenge: Challenge(hash("grants.challenge", self.challenge)?),
            resource: self.resource,
            scopes: parse("grants.scopes", &self.scopes)?,
            created_at: self.created_at.0,
            used_at: self.used_at.map(|at| at.0),
            expires_at: self.expires_at.0,
        })
    }
}

impl GrantTokenRow {
    pub(crate) fn read(self, grant_id: GrantId) -> Result<GrantToken, StoreError> {
        Ok(GrantToken {
            hash: TokenHash(hash("grant_tokens.hash", self.token_hash)?),
            grant_id,
            kind: find(
                "grant_tokens.kind",
                TokenKind::ALL,
                |kind| kind.as_str(),
                &self.token_kind,
            )?,
            expires_at: self.token_expires_at.0,
            used_at: self.token_used_at.map(|at| at.0),
        })
    }
}
