//! A store of several parts: each port may be another's.

mod operations;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;

use super::{
    AccountSetStore, AccountStore, ApprovalStore, AssistantStore, AuditStore, CalendarStore,
    ConnectingStore, FeedStore, GrantStore, IdempotencyStore, InboxStore, KeyStore, LinkStore,
    MediaStore, NotifierStore, PasskeyStore, PostStore, ReadingStore, RecurrenceStore,
    SessionStore, SnippetStore, Store, StoreError, UploadLinkStore, WebhookStore, WorkQueue,
    WorkspaceStore,
};

/// What stands between a caller and its store: it may watch an operation, keep it from being run,
/// or lose its answer.
#[async_trait]
pub trait Line: Send + Sync {
    /// Has an operation run, whose name is that of its method; `run` tells whether it succeeded. An
    /// error is answered in place of what the operation has answered.
    ///
    /// # Errors
    /// [`StoreError`] for an operation that was not run, or whose answer got lost.
    async fn carry(
        &self,
        operation: &'static str,
        run: BoxFuture<'_, bool>,
    ) -> Result<(), StoreError>;
}

/// A store of which none of the optional ports is anything.
struct Absent;

/// A store that is put together of its ports, and is one itself.
///
/// A program that keeps posts in a database of its own writes the four ports that every scheduler
/// needs, of them the methods without a body; what is absent is refused as unsupported. One that
/// wants to see what becomes of posts puts its own in the place of one port:
///
/// ```
/// use std::sync::Arc;
///
/// use scheduler_core::memory::MemoryStore;
/// use scheduler_core::ports::{PostStore, Stores};
///
/// fn with_own_posts(posts: Arc<dyn PostStore>) -> Stores {
///     Stores { posts, ..Stores::of(Arc::new(MemoryStore::new())) }
/// }
/// # let _ = with_own_posts;
/// ```
#[derive(Clone)]
pub struct Stores {
    /// Workspaces.
    pub workspaces: Arc<dyn WorkspaceStore>,
    /// API keys.
    pub keys: Arc<dyn KeyStore>,
    /// Logins and sessions of people.
    pub sessions: Arc<dyn SessionStore>,
    /// Connected accounts and their credentials.
    pub accounts: Arc<dyn AccountStore>,
    /// Accounts that are picked together.
    pub account_sets: Arc<dyn AccountSetStore>,
    /// Accounts that are being connected.
    pub connecting: Arc<dyn ConnectingStore>,
    /// Posts.
    pub posts: Arc<dyn PostStore>,
    /// Approvals by clients.
    pub approvals: Arc<dyn ApprovalStore>,
    /// Webhooks and deliveries.
    pub webhooks: Arc<dyn WebhookStore>,
    /// Records of files.
    pub media: Arc<dyn MediaStore>,
    /// Readings of figures.
    pub readings: Arc<dyn ReadingStore>,
    /// What the assistant has said, and how often it was asked.
    pub assistant: Arc<dyn AssistantStore>,
    /// Uses of Idempotency-Keys.
    pub idempotency: Arc<dyn IdempotencyStore>,
    /// Who changed what.
    pub audit: Arc<dyn AuditStore>,
    /// What others have written under live posts.
    pub inbox: Arc<dyn InboxStore>,
    /// Who is told what happens.
    pub notifiers: Arc<dyn NotifierStore>,
    /// Passkeys of people.
    pub passkeys: Arc<dyn PasskeyStore>,
    /// What people have granted programs.
    pub grants: Arc<dyn GrantStore>,
    /// Links under which people give files.
    pub upload_links: Arc<dyn UploadLinkStore>,
    /// Posts that come again.
    pub recurrences: Arc<dyn RecurrenceStore>,
    /// What workspaces keep to write with.
    pub snippets: Arc<dyn SnippetStore>,
    /// Calendar feeds.
    pub calendar: Arc<dyn CalendarStore>,
    /// Feeds whose items become posts.
    pub feeds: Arc<dyn FeedStore>,
    /// Short links, which [`posts`](Self::posts) stores with the posts.
    pub links: Arc<dyn LinkStore>,
    /// The queue of everything that is due.
    pub work: Arc<dyn WorkQueue>,
    /// What every operation goes over.
    pub line: Option<Arc<dyn Line>>,
}

impl fmt::Debug for Stores {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stores").finish_non_exhaustive()
    }
}

impl Stores {
    /// The ports that every scheduler needs; the others are absent.
    #[must_use]
    pub fn new(
        workspaces: Arc<dyn WorkspaceStore>,
        accounts: Arc<dyn AccountStore>,
        posts: Arc<dyn PostStore>,
        work: Arc<dyn WorkQueue>,
    ) -> Self {
        let absent = Arc::new(Absent);
        Self {
            workspaces,
            accounts,
            posts,
            work,
            keys: absent.clone(),
            sessions: absent.clone(),
            account_sets: absent.clone(),
            connecting: absent.clone(),
            approvals: absent.clone(),
            webhooks: absent.clone(),
            media: absent.clone(),
            readings: absent.clone(),
            assistant: absent.clone(),
            idempotency: absent.clone(),
            audit: absent.clone(),
            inbox: absent.clone(),
            notifiers: absent.clone(),
            passkeys: absent.clone(),
            grants: absent.clone(),
            upload_links: absent.clone(),
            snippets: absent.clone(),
            calendar: absent.clone(),
            feeds: absent.clone(),
            links: absent.clone(),
            recurrences: absent,
            line: None,
        }
    }

    /// Every port of one store.
    #[must_use]
    pub fn of(store: Arc<dyn Store>) -> Self {
        Self {
            workspaces: store.clone(),
            keys: store.clone(),
            sessions: store.clone(),
            accounts: store.clone(),
            account_sets: store.clone(),
            connecting: store.clone(),
            posts: store.clone(),
            approvals: store.clone(),
            webhooks: store.clone(),
            media: store.clone(),
            readings: store.clone(),
            assistant: store.clone(),
            idempotency: store.clone(),
            audit: store.clone(),
            inbox: store.clone(),
            notifiers: store.clone(),
            passkeys: store.clone(),
            grants: store.clone(),
            upload_links: store.clone(),
            recurrences: store.clone(),
            snippets: store.clone(),
            calendar: store.clone(),
            feeds: store.clone(),
            links: store.clone(),
            work: store,
            line: None,
        }
    }

    /// The same with every operation over this line.
    #[must_use]
    pub fn over(self, line: Arc<dyn Line>) -> Self {
        Self { line: Some(line), ..self }
    }
}

impl KeyStore for Absent {}
impl SessionStore for Absent {}
impl AccountSetStore for Absent {}
impl ConnectingStore for Absent {}
impl ApprovalStore for Absent {}
impl WebhookStore for Absent {}
impl MediaStore for Absent {}
impl ReadingStore for Absent {}
impl AssistantStore for Absent {}
impl IdempotencyStore for Absent {}
impl AuditStore for Absent {}
impl InboxStore for Absent {}
impl NotifierStore for Absent {}
impl PasskeyStore for Absent {}
impl GrantStore for Absent {}
impl UploadLinkStore for Absent {}
impl RecurrenceStore for Absent {}

impl SnippetStore for Absent {}
impl CalendarStore for Absent {}
impl FeedStore for Absent {}
impl LinkStore for Absent {}
