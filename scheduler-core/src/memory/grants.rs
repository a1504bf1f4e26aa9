//! What people have granted programs.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{MemoryStore, Tables};
use crate::ids::{GrantId, SessionId, WorkspaceId};
use crate::oauth::{Grant, GrantToken, TokenHash, TokenKind, USED_TOKENS_MAX};
use crate::ports::{GrantStore, StoreError};
use crate::session::Person;
use crate::workspace::Workspace;

impl Tables {
    /// Removes the tokens whose grants are gone.
    fn remove_tokens_of_nothing(&mut self) {
        let grants = &self.grants;
        self.grant_tokens.retain(|_, token| grants.contains_key(&token.grant_id));
    }
}

#[async_trait]
impl GrantStore for MemoryStore {
    async fn create_grant(
        &self,
        grant: &Grant,
        code: &GrantToken,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        tables
            .grants
            .retain(|_, other| other.workspace_id != grant.workspace_id || now < other.expires_at);
        tables.remove_tokens_of_nothing();
        let mine = tables.grants.values().filter(|other| other.workspace_id == grant.workspace_id);
        if mine.count() >= most as usize {
            return Ok(false);
        }
        tables.grants.insert(grant.id, grant.clone());
        tables.grant_tokens.insert(code.hash, code.clone());
        Ok(true)
    }

    async fn grant_token(
        &self,
        hash: TokenHash,
    ) -> Result<Option<(GrantToken, Grant, Workspace)>, StoreError> {
        let tables = self.tables();
        Ok(tables.grant_tokens.get(&hash).and_then(|token| {
            let grant = tables.grants.get(&token.grant_id)?;
            let workspace = tables.workspaces.get(&grant.workspace_id)?;
            Some((token.clone(), grant.clone(), workspace.clone()))
        }))
    }

    async fn exchange_token(
        &self,
        shown: TokenHash,
        grant: &Grant,
        next: &[GrantToken],
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let unused = tables.grant_tokens.get_mut(&shown).filter(|token| token.used_at.is_none());
        let Some(token) = unused else { return Ok(false) };
        token.used_at = grant.used_at;
        if let Some(kept) = tables.grants.get_mut(&grant.id) {
            (kept.used_at, kept.expires_at) = (grant.used_at, grant.expires_at);
        }
        tables.grant_tokens.retain(|_, token| {
            let has_expired = grant.used_at.is_some_and(|now| token.expires_at <= now);
            token.grant_id != grant.id || (token.kind != TokenKind::Access && !has_expired)
        });
        let tokens = tables.grant_tokens.values();
        let mut used: Vec<_> = tokens
            .filter(|token| token.grant_id == grant.id)
            .filter_map(|token| Some((token.used_at?, token.hash)))
            .collect();
        used.sort_unstable();
        for (_, hash) in used.iter().rev().skip(USED_TOKENS_MAX as usize) {
            tables.grant_tokens.remove(hash);
        }
        tables.grant_tokens.extend(next.iter().map(|token| (token.hash, token.clone())));
        Ok(true)
    }

    async fn grants(&self, workspace: WorkspaceId) -> Result<Vec<Grant>, StoreError> {
        let tables = self.tables();
        let grants = tables.grants.values();
        let mut mine: Vec<Grant> =
            grants.filter(|grant| grant.workspace_id == workspace).cloned().collect();
        mine.sort_by_key(|grant| (grant.created_at, grant.id));
        Ok(mine)
    }

    async fn name_grants(
        &self,
        workspace: WorkspaceId,
        session: SessionId,
        person: &Person,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let given = tables.grants.values_mut();
        for grant in given.filter(|grant| grant.workspace_id == workspace) {
            if grant.session_id == Some(session) {
                grant.person = Some(person.clone());
            }
        }
        Ok(())
    }

    async fn remove_grants_of_session(
        &self,
        workspace: WorkspaceId,
        session: SessionId,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.grants.retain(|_, grant| {
            let is_of_session =
                grant.workspace_id == workspace && grant.session_id == Some(session);
            !is_of_session || grant.person.is_some()
        });
        tables.remove_tokens_of_nothing();
        Ok(())
    }

    async fn remove_grant(&self, workspace: WorkspaceId, id: GrantId) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let is_there = tables.grants.get(&id).is_some_and(|grant| grant.workspace_id == workspace);
        if is_there {
            tables.grants.remove(&id);
            tables.remove_tokens_of_nothing();
        }
        Ok(is_there)
    }

    async fn remove_expired_grants(
        &self,
        now: DateTime<Utc>,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let expired = tables.grants.values().filter(|grant| grant.expires_at <= now);
        let expired: Vec<GrantId> = expired.map(|grant| grant.id).take(limit as usize).collect();
        for id in &expired {
            tables.grants.remove(id);
        }
        tables.remove_tokens_of_nothing();
        Ok(expired.len() as u64)
    }
}
