//! Connections that people are making.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::connecting::PendingConnection;
use crate::ports::{ConnectingStore, PendingConnectionOf, StoreError};

#[async_trait]
impl ConnectingStore for MemoryStore {
    async fn create_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<(), StoreError> {
        self.tables().pending_connections.insert(pending.id, pending.clone());
        Ok(())
    }

    async fn pending_connection(
        &self,
        of: PendingConnectionOf,
    ) -> Result<Option<PendingConnection>, StoreError> {
        let tables = self.tables();
        let mut all = tables.pending_connections.values();
        let found = all.find(|pending| match of {
            PendingConnectionOf::Id(id) => pending.id == id,
            PendingConnectionOf::Pass(pass) => pending.pass == pass,
        });
        Ok(found.cloned())
    }

    async fn save_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let row = tables
            .pending_connections
            .get_mut(&pending.id)
            .filter(|row| row.version == pending.version);
        let Some(row) = row else { return Ok(false) };
        row.pass = pending.pass;
        row.stage = pending.stage.clone();
        row.version += 1;
        Ok(true)
    }

    async fn remove_pending_connections(&self, until: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let before = tables.pending_connections.len();
        tables.pending_connections.retain(|_, pending| pending.expires_at > until);
        let removed = before - tables.pending_connections.len();
        Ok(u64::try_from(removed).unwrap_or(u64::MAX))
    }
}
