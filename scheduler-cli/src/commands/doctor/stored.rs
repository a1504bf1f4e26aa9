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

use super::finding::{Finding, Id, chain};
use super::reach::TIMEOUT;

/// Deliveries of a workspace that are looked at, the latest first. Source: our decision.
const DELIVERIES: u32 = 200;

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

impl Stored {
    /// Reads it, or says why it cannot be read.
    pub(super) async fn at(
        database: &Database,
        plans: &Plans,
        now: DateTime<Utc>,
    ) -> Result<Self, Finding> {
        let reason = match timeout(TIMEOUT, Self::read(database, plans, now)).await {
            Ok(Ok(found)) => return Ok(found),
            Ok(Err(error)) => chain(&error),
            Err(_) => "the database does not answer in time".to_owned(),
        };
        Err(Finding::problem(
            Id::AccountsUnreadable,
            format!("what the database holds cannot be read: {reason}"),
            "see that this release is the one that wrote it; else bring back a copy",
        ))
    }

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
