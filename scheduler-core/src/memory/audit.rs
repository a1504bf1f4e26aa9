//! Who changed what.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::audit::{AuditCursor, AuditEntry, AuditFilter};
use crate::ids::WorkspaceId;
use crate::ports::{AuditStore, StoreError};

#[async_trait]
impl AuditStore for MemoryStore {
    async fn add_audit(&self, entries: &[AuditEntry]) -> Result<(), StoreError> {
        let mut tables = self.tables();
        for entry in entries {
            tables.audit.entry(AuditCursor::of(entry)).or_insert_with(|| entry.clone());
        }
        Ok(())
    }

    async fn audit(
        &self,
        workspace: WorkspaceId,
        limit: u32,
        before: Option<AuditCursor>,
        filter: AuditFilter,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let tables = self.tables();
        let entries = tables.audit.iter().rev();
        let after = entries.filter(|(place, _)| before.is_none_or(|before| **place < before));
        let theirs = after.map(|(_, entry)| entry).filter(|entry| entry.workspace_id == workspace);
        let theirs = theirs.filter(|entry| {
            let is_of = |by| entry.by.id == Some(by);
            filter.calls == entry.call.is_some() && filter.by.is_none_or(is_of)
        });
        Ok(theirs.take(limit as usize).cloned().collect())
    }

    async fn remove_audit(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let old = tables.audit.keys().take_while(|place| place.at < before);
        let old: Vec<AuditCursor> = old.take(limit as usize).copied().collect();
        for place in &old {
            tables.audit.remove(place);
        }
        Ok(old.len() as u64)
    }
}
