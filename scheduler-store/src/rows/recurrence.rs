//! Rows of `recurrences` and `entry_uses`.

use scheduler_core::ids::{AccountId, EntryId, RecurrenceId, TargetId, WorkspaceId};
use scheduler_core::ports::StoreError;
use scheduler_core::recurrence::{EntryUse, Progress, Recurrence, RecurrenceState};
use uuid::Uuid;

use super::{find, from_json, row};
use crate::instant::Instant;

row! {
    /// A row of `recurrences`.
    pub(crate) struct RecurrenceRow by recurrence_columns {
        r {
            id: Uuid,
            workspace_id: Uuid,
            name: String,
            state: String,
            terms: String,
            created_at: Instant,
            updated_at: Instant,
            revision: i64,
            planned: String,
            problem: Option<String>,
            planned_revision: i64,
            next_at: Instant,
        }
    }
}

impl RecurrenceRow {
    pub(crate) fn read(self) -> Result<(Recurrence, Progress), StoreError> {
        let state = |state: &RecurrenceState| state.as_str();
        let recurrence = Recurrence {
            id: RecurrenceId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            name: self.name,
            state: find("recurrences.state", RecurrenceState::ALL, state, &self.state)?,
            terms: from_json("recurrences.terms", &self.terms)?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            revision: self.revision,
        };
        let progress = Progress {
            planned: from_json("recurrences.planned", &self.planned)?,
            problem: self
                .problem
                .map(|problem| from_json("recurrences.problem", &problem))
                .transpose()?,
            next_at: self.next_at.0,
            revision: self.planned_revision,
        };
        Ok((recurrence, progress))
    }
}

row! {
    /// A row of `entry_uses`.
    pub(crate) struct EntryUseRow by entry_use_columns {
        u {
            entry_id: Uuid,
            account_id: Uuid,
            recurrence_id: Uuid,
            target_id: Uuid,
            used_at: Instant,
            texts: String,
        }
    }
}

impl EntryUseRow {
    pub(crate) fn read(self) -> Result<EntryUse, StoreError> {
        Ok(EntryUse {
            recurrence_id: RecurrenceId(self.recurrence_id),
            entry_id: EntryId(self.entry_id),
            account_id: AccountId(self.account_id),
            target_id: TargetId(self.target_id),
            used_at: self.used_at.0,
            texts: from_json("entry_uses.texts", &self.texts)?,
        })
    }
}
