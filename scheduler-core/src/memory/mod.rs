//! A store in memory: for tests, for simulation, and for embedding without a database.
//!
//! It keeps every promise of the store ports but one: nothing outlives the process. All operations
//! run under one lock, so each is a transaction.
//!
//! Beside it is what else a scheduler needs, for tests and examples: [`test_ports`] puts it
//! together.

mod account_sets;
mod accounts;
mod approvals;
mod assistant;
mod audit;
mod calendar;
mod clock;
mod connecting;
mod feeds;
mod files;
mod grants;
mod idempotency;
mod inbox;
mod links;
mod media;
mod network;
mod notifiers;
mod passkeys;
mod posts;
mod readings;
mod recurrences;
mod sessions;
mod snippets;
mod surroundings;
mod upload_links;
mod webhooks;
mod work;
mod workspaces;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, NaiveDate, Utc};

use crate::account::{Account, AccountSet, Credentials};
use crate::audit::{AuditCursor, AuditEntry};
use crate::calendar::CalendarFeed;
use crate::connecting::{PassHash, PendingConnection};
use crate::feeds::{Feed, FeedState};
use crate::idempotency::KeyUse;
use crate::ids::{
    AccountId, AccountSetId, ConnectionId, DeliveryId, EventId, FeedId, GrantId, KeyId, MediaId,
    NotifierId, PasskeyId, PostId, PostVersionId, SessionId, TargetId, WebhookId, WorkspaceId,
};
use crate::key::Key;
use crate::links::ShortLink;
use crate::media::{Media, UploadLink};
use crate::notification::{Notifier, NotifierState};
use crate::oauth::{Grant, GrantToken, TokenHash};
use crate::passkey::{Challenge, Passkey};
use crate::ports::WorkKind;
use crate::post::{Approval, LastChange, Month, Post, PostVersion};
use crate::session::{Login, Session};
use crate::snippet::{Snippet, SnippetName};
use crate::webhook::{Delivery, DeliveryAttempt, Event, Webhook};
use crate::workspace::Workspace;

use assistant::Assisted;
use idempotency::KeyPlace;
use readings::Readings;
use recurrences::Recurrences;
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
    /// The posts of targets; one that is missing is looked for among all.
    posts_of_targets: BTreeMap<TargetId, PostId>,
    posts_in_month: BTreeMap<(WorkspaceId, Month), u64>,
    approvals: BTreeMap<PostId, Approval>,
    media: BTreeMap<MediaId, Media>,
    webhooks: BTreeMap<WebhookId, Webhook>,
    passkeys: BTreeMap<PasskeyId, Passkey>,
    challenges: BTreeMap<PassHash, Challenge>,
    upload_links: BTreeMap<PassHash, UploadLink>,
    grants: BTreeMap<GrantId, Grant>,
    grant_tokens: BTreeMap<TokenHash, GrantToken>,
    account_sets: BTreeMap<AccountSetId, AccountSet>,
    snippets: BTreeMap<(WorkspaceId, SnippetName), Snippet>,
    calendar_feeds: BTreeMap<WorkspaceId, CalendarFeed>,
    feeds: BTreeMap<FeedId, (Feed, FeedState)>,
    short_links: BTreeMap<String, ShortLink>,
    clicks: BTreeMap<(String, NaiveDate), u64>,
    last_changes: BTreeMap<PostId, LastChange>,
    versions: BTreeMap<PostVersionId, PostVersion>,
    notifiers: BTreeMap<NotifierId, (Notifier, NotifierState)>,
    events: BTreeMap<EventId, Event>,
    deliveries: BTreeMap<DeliveryId, DeliveryRow>,
    queue: Queue,
    readings: Readings,
    recurrences: Recurrences,
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

    /// When other work than readings is due, which end with no post; for rehearsals and tests.
    #[must_use]
    pub fn next_due_but_readings(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.tables().queue.next_due(now, |kind| kind != WorkKind::Read)
    }

    /// Every piece of work, and when it can be claimed; for tests.
    #[must_use]
    pub fn work(&self) -> Vec<(WorkKind, DateTime<Utc>)> {
        self.tables().queue.all().collect()
    }

    /// Adds files as they are: nothing is done with them any more.
    pub(crate) fn put_media(&self, files: impl IntoIterator<Item = Media>) {
        let files = files.into_iter().map(|file| (file.id, Media { due_at: None, ..file }));
        self.tables().media.extend(files);
    }

    /// Adds a post as it is, and the work on its targets, without what is checked of a new one.
    pub(crate) fn put_post(&self, post: Post) {
        let mut tables = self.tables();
        tables.queue_targets(&post);
        tables.index_targets(&post);
        tables.posts.insert(post.id, post);
    }

    /// Takes a post out with all that belongs to it, where it is as wanted.
    pub(crate) fn take_post_if(
        &self,
        id: PostId,
        is_wanted: impl FnOnce(&Post) -> bool,
    ) -> Option<Post> {
        let mut tables = self.tables();
        tables.posts.get(&id).filter(|post| is_wanted(post))?;
        let post = tables.posts.remove(&id)?;
        for target in &post.targets {
            tables.posts_of_targets.remove(&target.id);
            tables.queue.remove(WorkKind::Publish, target.id.0);
        }
        tables.readings.remove(&post.targets);
        Some(post)
    }

    /// Leaves a target as it is: nobody publishes it any more.
    pub(crate) fn drop_publish(&self, target: TargetId) {
        self.tables().queue.remove(WorkKind::Publish, target.0);
    }

    /// Every post, oldest first; for tests.
    #[must_use]
    pub fn posts(&self) -> Vec<Post> {
        self.tables().posts.values().cloned().collect()
    }
}
