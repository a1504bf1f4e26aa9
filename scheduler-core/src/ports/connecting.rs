//! What is kept of connections that people are making.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::StoreError;
use crate::connecting::{PassHash, PendingConnection};
use crate::ids::ConnectionId;

/// Which connection is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingConnectionOf {
    /// That with this id.
    Id(ConnectionId),
    /// That whose browser shows this pass.
    Pass(PassHash),
}

/// Connections that people are making in a browser. Their stages hold secrets, which a store that
/// outlives the process seals.
#[async_trait]
pub trait ConnectingStore: Send + Sync {
    /// Stores a new one.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn create_pending_connection(
        &self,
        _pending: &PendingConnection,
    ) -> Result<(), StoreError> {
        Err(StoreError::Unsupported)
    }

    /// The one that is asked for, expired or not.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn pending_connection(
        &self,
        _of: PendingConnectionOf,
    ) -> Result<Option<PendingConnection>, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Stores the pass and the stage of one, if its version is still `pending.version`; raises the
    /// version by one. `false` when another was faster or it is gone: of many callers with one
    /// version, one succeeds.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn save_pending_connection(
        &self,
        _pending: &PendingConnection,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Unsupported)
    }

    /// Removes those that expired at `until` or before; returns how many.
    ///
    /// # Errors
    /// [`StoreError`]
    async fn remove_pending_connections(&self, _until: DateTime<Utc>) -> Result<u64, StoreError> {
        Ok(0)
    }
}
