//! A store in memory: for tests, for simulation, and for embedding without a database.
//!
//! It keeps every promise of the store ports but one: nothing outlives the process. All operations
//! run under one lock, so each is a transaction.
//!
//! Beside it is what else a scheduler needs, for tests and examples: [`test_ports`] puts it
//! together.

mod accounts;
mod approvals;
mod assistant;
mod audit;
mod clock;
mod connecting;
mod files;
mod idempotency;
mod inbox;
mod media;
mod network;
mod notifiers;
mod posts;
mod readings;
mod sessions;
mod snippets;
mod surroundings;
mod webhooks;
mod work;
mod workspaces;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

use crate::account::{Account, Credentials};
use crate::audit::{AuditCursor, AuditEntry};
use crate::connecting::PendingConnection;
use crate::idempotency::KeyUse;
use crate::ids::{
    AccountId, ConnectionId, DeliveryId, EventId, KeyId, MediaId, NotifierId, PostId, SessionId,
    WebhookId, WorkspaceId,
};
use crate::key::Key;
use crate::media::Media;
use crate::notification::{Notifier, NotifierState};
use crate::ports::WorkKind;
use crate::post::{Approval, LastChange, Month, Post};
use crate::session::{Login, Session};
use crate::snippet::{Snippet, SnippetName};
use crate::webhook::{Delivery, DeliveryAttempt, Event, Webhook};
use crate::workspace::Workspace;

use assistant::Assisted;
use idempotency::KeyPlace;
use readings::Readings;
use work::Queue;

pub use files::MemoryFiles;
pub use network::MemoryNetwork;
pub use surroundings::{
    ClockTasks, CountedIds, DeterministicRandom, ManualClock, NoSender, NoWake, test_ports,
};

/// A store in memory.
///
/// ```
/// use std::sync::Arc;
///
/// use scheduler_core::memory::MemoryStore;
/// use scheduler_core::ports::Store;
///
/// let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
/// # let _ = store;
/// ```
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: Mutex<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    workspaces: BTreeMap<WorkspaceId, Workspace>,
    keys: BTreeMap<KeyId, Key>,
    logins: BTreeMap<SessionId, Login>,
    sessions: BTreeMap<SessionId, Session>,
    accounts: BTreeMap<AccountId, AccountRow>,
    pending_connections: BTreeMap<ConnectionId, PendingConnection>,
    posts: BTreeMap<PostId, Post>,
    posts_in_month: BTreeMap<(WorkspaceId, Month), u64>,
    approvals: BTreeMap<PostId, Approval>,
    media: BTreeMap<MediaId, Media>,
    webhooks: BTreeMap<WebhookId, Webhook>,
    snippets: BTreeMap<(WorkspaceId, SnippetName), Snippet>,
    last_changes: BTreeMap<PostId, LastChange>,
    notifiers: BTreeMap<NotifierId, (Notifier, NotifierState)>,
    events: BTreeMap<EventId, Event>,
    deliveries: BTreeMap<DeliveryId, DeliveryRow>,
    queue: Queue,
    readings: Readings,
    audit: BTreeMap<AuditCursor, AuditEntry>,
    assisted: Assisted,
    key_uses: BTreeMap<KeyPlace, KeyUse>,
    /// The latest instant that the clock was seen at.
    seen_at: Option<DateTime<Utc>>,
}

#[derive(Debug)]
struct AccountRow {
    account: Account,
    /// Gone while the account is disconnected.
    credentials: Option<Credentials>,
    version: i64,
    refresh_until: Option<DateTime<Utc>>,
}

#[derive(Debug)]
struct DeliveryRow {
    delivery: Delivery,
    attempts: Vec<DeliveryAttempt>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        // No operation panics while it holds the lock, so a poisoned lock still guards whole
        // operations.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every event that was ever recorded, oldest first; for tests.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.tables().events.values().cloned().collect()
    }

    /// Every file, oldest first; for tests.
    #[must_use]
    pub fn all_media(&self) -> Vec<Media> {
        self.tables().media.values().cloned().collect()
    }

    /// When other work than readings is due, which end with no post; for tests.
    #[must_use]
    pub fn next_due_but_readings(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.tables().queue.next_due(now, |kind| kind != WorkKind::Read)
    }

    /// Every piece of work, and when it can be claimed; for tests.
    #[must_use]
    pub fn work(&self) -> Vec<(WorkKind, DateTime<Utc>)> {
        self.tables().queue.all().collect()
    }

    /// Every post, oldest first; for tests.
    #[must_use]
    pub fn posts(&self) -> Vec<Post> {
        self.tables().posts.values().cloned().collect()
    }
}
