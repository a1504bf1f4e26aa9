//! The audit log: who changed what in a workspace.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use uuid::Uuid;

use super::Scheduler;
use super::item_page::first_page;
use crate::audit::{
    AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX, ActorKind, AuditCursor, AuditEntry, AuditFilter,
    AuditPage, AuditView,
};
use crate::error::AppError;
use crate::ids::WorkspaceId;
use crate::ports::StoreError;
use crate::post::{PageInput, parse_number, unreadable_cursor};

impl Scheduler {
    /// Stores entries of the audit log, those without a name with the one that the key, or the
    /// program of the session, has now.
    ///
    /// # Errors
    /// [`StoreError`]; storing the same entries again does no harm.
    pub async fn keep_audit(&self, entries: &mut [AuditEntry]) -> Result<(), StoreError> {
        let mut names = BTreeMap::new();
        for entry in entries.iter_mut().filter(|entry| entry.by.name.is_none()) {
            let Some(id) = entry.by.id else { continue };
            let place = (entry.workspace_id, entry.by.kind);
            let named = match names.entry(place) {
                Entry::Occupied(named) => named.into_mut(),
                Entry::Vacant(vacant) => vacant.insert(self.names_of(place).await?),
            };
            entry.by.name = named.get(&id).cloned();
        }
        self.store().add_audit(entries).await
    }

    /// What keys, connected programs, or the programs of sessions of a workspace are called, by their
    /// ids.
    pub(super) async fn names_of(
        &self,
        (workspace, kind): (WorkspaceId, ActorKind),
    ) -> Result<BTreeMap<Uuid, String>, StoreError> {
        Ok(match kind {
            ActorKind::Key => {
                let keys = self.store().keys(workspace).await?;
                keys.into_iter().map(|key| (key.id.0, key.name)).collect()
            }
            ActorKind::Session => {
                let sessions = self.store().sessions(workspace).await?;
                sessions.into_iter().map(|session| (session.id.0, session.client)).collect()
            }
            ActorKind::Grant => {
                let grants = self.store().grants(workspace).await?;
                grants.into_iter().map(|grant| (grant.id.0, grant.client_name)).collect()
            }
            ActorKind::Server => BTreeMap::new(),
        })
    }

    /// A page of the audit log of a workspace, newest first, as far as it is asked for.
    ///
    /// # Errors
    /// `invalid_request` naming `limit` or `before`.
    pub async fn audit(
        &self,
        workspace: WorkspaceId,
        page: &PageInput,
        filter: AuditFilter,
    ) -> Result<AuditPage, AppError> {
        let limit = page.limit.as_deref();
        let limit = parse_number("limit", limit, AUDIT_LIMIT_DEFAULT, AUDIT_LIMIT_MAX)?;
        let limit = u32::try_from(limit).unwrap_or_default();
        let before = page.before.as_deref().map(AuditCursor::decode).transpose();
        let before = before.map_err(|_| unreadable_cursor())?;
        let found = self.store().audit(workspace, limit + 1, before, filter).await?;
        let cursor = |entry: &AuditEntry| AuditCursor::of(entry).encode();
        let (found, next_cursor) = first_page(found, limit as usize, cursor);
        Ok(AuditPage { data: found.into_iter().map(AuditView::from).collect(), next_cursor })
    }
}
