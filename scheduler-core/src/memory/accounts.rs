//! Connected accounts and files.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{AccountRow, MemoryStore};
use crate::account::{Account, Credentials};
use crate::effects::reconnected;
use crate::ids::{AccountId, WorkspaceId};
use crate::ports::{
    AccountStore, ConnectOutcome, RefreshClaim, StoreError, StoredCredentials, WorkKind,
};
use crate::webhook::Event;

impl AccountRow {
    fn stored(&self) -> Option<StoredCredentials> {
        self.credentials
            .clone()
            .map(|credentials| StoredCredentials { credentials, version: self.version })
    }
}

#[async_trait]
impl AccountStore for MemoryStore {
    async fn connect_account(
        &self,
        account: &Account,
        credentials: &Credentials,
        limit: u64,
    ) -> Result<ConnectOutcome, StoreError> {
        let mut tables = self.tables();
        let known = tables
            .accounts
            .values()
            .find(|row| {
                row.account.workspace_id == account.workspace_id
                    && row.account.platform == account.platform
                    && row.account.network_id == account.network_id
            })
            .map(|row| row.account.clone());
        let connected = tables
            .accounts
            .values()
            .filter(|row| {
                row.account.workspace_id == account.workspace_id && row.account.is_connected()
            })
            .count();
        let is_connected = known.as_ref().is_some_and(Account::is_connected);
        if !is_connected && u64::try_from(connected).is_ok_and(|count| count >= limit) {
            return Ok(ConnectOutcome::LimitReached);
        }
        let Some(known) = known else {
            let row = AccountRow {
                account: account.clone(),
                credentials: Some(credentials.clone()),
                version: 1,
                refresh_until: None,
            };
            tables.accounts.insert(account.id, row);
            tables.begin_reading(account.id, account.connected_at);
            return Ok(ConnectOutcome::Added);
        };
        // The account as given was connected just now.
        let connected_at = account.connected_at;
        let account = reconnected(known, account);
        if let Some(row) = tables.accounts.get_mut(&account.id) {
            row.account = account.clone();
            row.credentials = Some(credentials.clone());
            row.version += 1;
            row.refresh_until = None;
        }
        tables.begin_reading(account.id, connected_at);
        Ok(ConnectOutcome::Reconnected(account))
    }

    async fn account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
    ) -> Result<Option<Account>, StoreError> {
        let tables = self.tables();
        let row = tables.accounts.get(&id).filter(|row| row.account.workspace_id == workspace);
        Ok(row.map(|row| row.account.clone()))
    }

    async fn accounts(&self, workspace: WorkspaceId) -> Result<Vec<Account>, StoreError> {
        let tables = self.tables();
        let mut accounts: Vec<Account> = tables
            .accounts
            .values()
            .map(|row| &row.account)
            .filter(|account| account.workspace_id == workspace && account.is_connected())
            .cloned()
            .collect();
        accounts.sort_by_key(|account| (account.connected_at, account.id));
        Ok(accounts)
    }

    async fn accounts_expiring(
        &self,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        let tables = self.tables();
        let rows = tables.accounts.values().filter(|row| !row.account.needs_reconnect);
        let mut expiring: Vec<(DateTime<Utc>, &Account)> = rows
            .filter_map(|row| Some((row.credentials.as_ref()?.expires_at?, &row.account)))
            .filter(|(expires_at, _)| *expires_at <= until)
            .collect();
        expiring.sort_by_key(|(expires_at, account)| (*expires_at, account.id));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(expiring.into_iter().take(limit).map(|(_, account)| account.clone()).collect())
    }

    async fn update_account(&self, account: &Account) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let Some(row) = tables.accounts.get_mut(&account.id) else { return Ok(false) };
        row.account.timezone = account.timezone;
        row.account.schedule = account.schedule.clone();
        row.account.default_options = account.default_options.clone();
        Ok(true)
    }

    async fn disconnect_account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let row = tables
            .accounts
            .get_mut(&id)
            .filter(|row| row.account.workspace_id == workspace && row.account.is_connected());
        let Some(row) = row else { return Ok(false) };
        row.account.disconnected_at = Some(at);
        row.credentials = None;
        row.version += 1;
        row.refresh_until = None;
        tables.queue.remove(WorkKind::Read, id.0);
        Ok(true)
    }

    async fn mark_needs_reconnect(
        &self,
        id: AccountId,
        version: i64,
        event: Option<&Event>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let row = tables.accounts.get_mut(&id).filter(|row| row.version == version);
        let Some(row) = row else { return Ok(false) };
        if !std::mem::replace(&mut row.account.needs_reconnect, true) {
            tables.add_events(event);
        }
        Ok(true)
    }

    async fn credentials(&self, id: AccountId) -> Result<Option<StoredCredentials>, StoreError> {
        Ok(self.tables().accounts.get(&id).and_then(AccountRow::stored))
    }

    async fn claim_refresh(
        &self,
        id: AccountId,
        version: i64,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<RefreshClaim, StoreError> {
        let mut tables = self.tables();
        let Some(row) = tables.accounts.get_mut(&id) else { return Ok(RefreshClaim::Gone) };
        let Some(stored) = row.stored() else { return Ok(RefreshClaim::Gone) };
        if stored.version != version {
            return Ok(RefreshClaim::Newer(stored));
        }
        if let Some(until) = row.refresh_until.filter(|until| *until > now) {
            return Ok(RefreshClaim::Busy { until });
        }
        row.refresh_until = Some(lease_until);
        Ok(RefreshClaim::Granted)
    }

    async fn replace_credentials(
        &self,
        of: &[(AccountId, i64)],
        credentials: &Credentials,
    ) -> Result<Vec<AccountId>, StoreError> {
        let mut tables = self.tables();
        let mut replaced = Vec::new();
        for (id, version) in of {
            let row = tables
                .accounts
                .get_mut(id)
                .filter(|row| row.version == *version && row.credentials.is_some());
            let Some(row) = row else { continue };
            row.credentials = Some(credentials.clone());
            row.version += 1;
            row.refresh_until = None;
            row.account.needs_reconnect = false;
            replaced.push(*id);
        }
        Ok(replaced)
    }
}
