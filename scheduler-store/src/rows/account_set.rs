//! Rows of `account_sets`.

use scheduler_core::account::AccountSet;
use scheduler_core::ids::{AccountSetId, WorkspaceId};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{from_json, row};
use crate::instant::Instant;

row! {
    /// A row of `account_sets`.
    pub(crate) struct AccountSetRow by account_set_columns {
        s {
            id: Uuid,
            workspace_id: Uuid,
            name: String,
            account_ids: String,
            created_at: Instant,
        }
    }
}

impl AccountSetRow {
    pub(crate) fn read(self) -> Result<AccountSet, StoreError> {
        Ok(AccountSet {
            id: AccountSetId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            name: self.name,
            accounts: from_json("account_sets.account_ids", &self.account_ids)?,
            created_at: self.created_at.0,
        })
    }
}
