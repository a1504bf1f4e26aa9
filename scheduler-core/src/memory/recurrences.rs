//! Posts that come again.

use std::collections::BTreeMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::ids::{AccountId, EntryId, RecurrenceId, WorkspaceId};
use crate::ports::{Recorded, RecurrenceStore, StoreError};
use crate::recurrence::{EntryUse, Progress, Recurrence, UseOutcome};
use crate::target::TargetStatus;
use crate::webhook::Event;

#[derive(Debug)]
struct Row {
    recurrence: Recurrence,
    progress: Progress,
    lease_until: Option<DateTime<Utc>>,
}

impl Row {
    fn is_taken(&self, now: DateTime<Utc>) -> bool {
        self.lease_until.is_some_and(|until| until > now)
    }

    fn is_due(&self, now: DateTime<Utc>) -> bool {
        let is_stale = self.progress.revision < self.recurrence.revision;
        !self.is_taken(now) && (is_stale || self.progress.next_at <= now)
    }

    fn read(&self) -> (Recurrence, Progress) {
        (self.recurrence.clone(), self.progress.clone())
    }
}

/// What is kept of recurrences.
#[derive(Debug, Default)]
pub(super) struct Recurrences {
    rows: BTreeMap<RecurrenceId, Row>,
    uses: BTreeMap<(EntryId, AccountId), EntryUse>,
}

#[async_trait]
impl RecurrenceStore for MemoryStore {
    async fn create_recurrence(
        &self,
        recurrence: &Recurrence,
        limit: u32,
    ) -> Result<bool, StoreError> {
        let rows = &mut self.tables().recurrences.rows;
        let workspace = recurrence.workspace_id;
        let known = rows.values().filter(|row| row.recurrence.workspace_id == workspace);
        if known.count() >= limit as usize {
            return Ok(false);
        }
        let progress = Progress::new(recurrence.created_at);
        let row = Row { recurrence: recurrence.clone(), progress, lease_until: None };
        rows.insert(recurrence.id, row);
        Ok(true)
    }

    async fn recurrences(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Vec<(Recurrence, Progress)>, StoreError> {
        let rows = &self.tables().recurrences.rows;
        let theirs = rows.values().filter(|row| row.recurrence.workspace_id == workspace);
        let mut theirs: Vec<_> = theirs.map(Row::read).collect();
        theirs.sort_by_key(|(one, _)| (one.created_at, one.id));
        Ok(theirs)
    }

    async fn recurrence(
        &self,
        workspace: WorkspaceId,
        id: RecurrenceId,
    ) -> Result<Option<(Recurrence, Progress)>, StoreError> {
        let rows = &self.tables().recurrences.rows;
        let row = rows.get(&id).filter(|row| row.recurrence.workspace_id == workspace);
        Ok(row.map(Row::read))
    }

    async fn save_recurrence(&self, recurrence: &Recurrence) -> Result<bool, StoreError> {
        let rows = &mut self.tables().recurrences.rows;
        let Some(row) = rows.get_mut(&recurrence.id) else { return Ok(false) };
        let follows = row.recurrence.revision + 1 == recurrence.revision;
        if follows {
            row.recurrence.clone_from(recurrence);
        }
        Ok(follows)
    }

    async fn remove_recurrence(
        &self,
        recurrence: &Recurrence,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let kept = &mut self.tables().recurrences;
        let is_free = kept.rows.get(&recurrence.id).is_some_and(|row| {
            row.recurrence.revision == recurrence.revision && !row.is_taken(now)
        });
        if is_free {
            kept.rows.remove(&recurrence.id);
            kept.uses.retain(|_, used| used.recurrence_id != recurrence.id);
        }
        Ok(is_free)
    }

    async fn claim_recurrence(
        &self,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Option<(Recurrence, Progress)>, StoreError> {
        let rows = &mut self.tables().recurrences.rows;
        let due = rows.values_mut().filter(|row| row.is_due(now));
        let Some(row) = due.min_by_key(|row| (row.progress.next_at, row.recurrence.id)) else {
            return Ok(None);
        };
        row.lease_until = Some(lease_until);
        Ok(Some(row.read()))
    }

    async fn record_planned(
        &self,
        id: RecurrenceId,
        lease_until: DateTime<Utc>,
        progress: &Progress,
        renewed: Option<DateTime<Utc>>,
        event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        let mut tables = self.tables();
        let row = tables.recurrences.rows.get_mut(&id);
        let Some(row) = row.filter(|row| row.lease_until == Some(lease_until)) else {
            return Ok(Recorded::Lost);
        };
        row.progress.clone_from(progress);
        row.lease_until = renewed;
        tables.add_events(event);
        Ok(Recorded::Stored)
    }

    async fn use_entry(
        &self,
        _workspace: WorkspaceId,
        used: &EntryUse,
        forbidden_from: Option<DateTime<Utc>>,
    ) -> Result<UseOutcome, StoreError> {
        let mut tables = self.tables();
        if !tables.recurrences.rows.contains_key(&used.recurrence_id) {
            return Ok(UseOutcome::Stored);
        }
        let place = (used.entry_id, used.account_id);
        let kept = match tables.recurrences.uses.get(&place) {
            None => Ok(used.clone()),
            Some(earlier) => {
                let target = tables.posts.values().find_map(|post| post.target(earlier.target_id));
                let is_under_way = target.is_some_and(|target| {
                    let is_due = target.due_at().is_some_and(|at| at <= used.used_at);
                    target.status() == TargetStatus::Publishing
                        || (target.status() == TargetStatus::Pending && is_due)
                });
                used.clone().after(earlier, is_under_way, forbidden_from)
            }
        };
        match kept {
            Ok(kept) => {
                tables.recurrences.uses.insert(place, kept);
                Ok(UseOutcome::Stored)
            }
            Err(outcome) => Ok(outcome),
        }
    }

    async fn entry_uses(&self, id: RecurrenceId) -> Result<Vec<EntryUse>, StoreError> {
        let uses = &self.tables().recurrences.uses;
        Ok(uses.values().filter(|used| used.recurrence_id == id).cloned().collect())
    }
}
