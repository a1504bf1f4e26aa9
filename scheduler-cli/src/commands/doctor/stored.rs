//! What the database holds that can be wrong.

use chrono::{DateTime, Utc};
use scheduler_core::account::{Account, is_paused};
use scheduler_core::key::Key;
use scheduler_core::plan::Plans;
use scheduler_core::ports::{DeliveryRecord, StoreError, StoredCredentials};
use scheduler_core::webhook::Webhook;
use scheduler_core::workspace::Workspace;
use scheduler_store::Database;
use tokio::time::timeout;

use super::finding::chain;
use super::subject::PATIENCE;

/// Deliveries of a workspace that are looked at, the latest first. Source: our decision.
const DELIVERIES: u32 = 200;

/// What the database holds.
pub(super) enum StoredLook {
    /// Why nobody knows.
    Unknown(String),
    /// Why it cannot be read.
    Failed(String),
    /// There is no database yet, or it is empty.
    Nothing,
    Found(Stored),
}

/// What the database holds.
pub(super) struct Stored {
    pub(super) workspaces: Vec<Held>,
    /// Since when the earliest work that nobody holds is due, or will be.
    pub(super) next_due: Option<DateTime<Utc>>,
}

/// What a workspace holds.
pub(super) struct Held {
    pub(super) workspace: Workspace,
    pub(super) accounts: Vec<Connected>,
    pub(super) keys: Vec<Key>,
    pub(super) webhooks: Vec<Webhook>,
    /// The latest, newest first.
    pub(super) deliveries: Vec<DeliveryRecord>,
}

/// A connected account.
pub(super) struct Connected {
    pub(super) account: Account,
    /// True when the plan does not cover it.
    pub(super) is_paused: bool,
    pub(super) credentials: Result<Option<StoredCredentials>, StoreError>,
}

impl StoredLook {
    /// Reads it.
    pub(super) async fn at(database: &Database, plans: &Plans, now: DateTime<Utc>) -> Self {
        match timeout(PATIENCE, Stored::read(database, plans, now)).await {
            Ok(Ok(found)) => Self::Found(found),
            Ok(Err(error)) => Self::Failed(chain(&error)),
            Err(_) => Self::Failed("the database does not answer in time".to_owned()),
        }
    }

    /// Every connected account.
    pub(super) fn accounts(&self) -> impl Iterator<Item = &Connected> {
        let workspaces = match self {
            Self::Found(stored) => stored.workspaces.as_slice(),
            Self::Unknown(_) | Self::Failed(_) | Self::Nothing => &[],
        };
        workspaces.iter().flat_map(|held| &held.accounts)
    }
}

impl Stored {
    async fn read(
        database: &Database,
        plans: &Plans,
        now: DateTime<Utc>,
    ) -> Result<Self, StoreError> {
        let store = database.store();
        let mut workspaces = Vec::new();
        for workspace in store.workspaces().await? {
            let channels = plans.of(workspace.plan).channels;
            let all = store.accounts(workspace.id).await?;
            let mut accounts = Vec::new();
            for account in &all {
                let credentials = store.credentials(account.id).await;
                let is_paused = is_paused(&all, account.id, channels);
                accounts.push(Connected { account: account.clone(), is_paused, credentials });
            }
            workspaces.push(Held {
                accounts,
                keys: store.keys(workspace.id).await?,
                webhooks: store.webhooks(workspace.id).await?,
                deliveries: store.deliveries(workspace.id, None, DELIVERIES).await?,
                workspace,
            });
        }
        Ok(Self { workspaces, next_due: store.next_due(now).await? })
    }
}
