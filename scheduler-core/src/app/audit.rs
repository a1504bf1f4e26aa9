//! The audit log: who changed what in a workspace.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::Scheduler;
use crate::audit::{ActorKind, AuditCursor, AuditEntry, AuditPage, AuditView};
use crate::error::AppError;
use crate::ids::WorkspaceId;
use crate::ports::StoreError;
use crate::post::{PageInput, parse_number, unreadable_cursor};

/// Entries in one answer at most, and unless another number is asked for.
///
/// Source: our decision.
const LIMIT_MAX: i64 = 200;
const LIMIT_DEFAULT: i64 = 50;

impl Scheduler {
    /// Stores entries of the audit log, those of keys with the names that the keys have.
    ///
    /// # Errors
    /// [`StoreError`]; storing the same entries again does no harm.
    pub async fn keep_audit(&self, entries: &mut [AuditEntry]) -> Result<(), StoreError> {
        let mut names = BTreeMap::new();
        let is_nameless =
            |entry: &&mut AuditEntry| entry.by.kind == ActorKind::Key && entry.by.name.is_none();
        for entry in entries.iter_mut().filter(is_nameless) {
            let named = match names.entry(entry.workspace_id) {
                Entry::Occupied(named) => named.into_mut(),
                Entry::Vacant(place) => {
                    let keys = self.store().keys(entry.workspace_id).await?;
                    let keys = keys.into_iter().map(|key| (Some(key.id.0), key.name));
                    place.insert(keys.collect::<BTreeMap<_, _>>())
                }
            };
            entry.by.name = named.get(&entry.by.id).cloned();
        }
        self.store().add_audit(entries).await
    }

    /// A page of the audit log of a workspace, newest first.
    ///
    /// # Errors
    /// `invalid_request` naming `limit` or `before`.
    pub async fn audit(
        &self,
        workspace: WorkspaceId,
        page: &PageInput,
    ) -> Result<AuditPage, AppError> {
        let limit = parse_number("limit", page.limit.as_deref(), LIMIT_DEFAULT, LIMIT_MAX)?;
        let limit = u32::try_from(limit).unwrap_or_default();
        let before = page.before.as_deref().map(AuditCursor::decode).transpose();
        let before = before.map_err(|_| unreadable_cursor())?;
        let mut found = self.store().audit(workspace, limit + 1, before).await?;
        let is_last = found.len() <= limit as usize;
        found.truncate(limit as usize);
        let last = found.last().filter(|_| !is_last);
        let next_cursor = last.map(|entry| AuditCursor::of(entry).encode());
        Ok(AuditPage { data: found.into_iter().map(AuditView::from).collect(), next_cursor })
    }
}
