//! A store of several parts: each port may be another's.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use futures_util::future::BoxFuture;

use super::{
    AccountStore, AddOutcome, ApprovalStore, ApprovalsOf, AssistantStore, AuditStore, Backlog,
    Budget, Claim, ClaimRequest, ConnectOutcome, ConnectingStore, CreateOutcome, DeliveryContext,
    DeliveryRecord, EraseOutcome, EventsRemoved, FigureQuery, FigureReading, Followers, Heartbeat,
    IdempotencyStore, InboxStore, KeyStore, LoginOf, MediaContext, MediaStore, NotifierStore,
    PendingConnectionOf, PostStore, PublishContext, ReadingContext, ReadingStore, ReadingsTaken,
    Recorded, RedeliverOutcome, RefreshClaim, RefreshOutcome, RemoveOutcome, RenameOutcome,
    SaveOutcome, SessionStore, SnippetStore, Spending, Store, StoreError, StoredCredentials,
    WebhookStore, WorkAfter, WorkQueue, WorkspaceStore,
};
use crate::account::{Account, Credentials};
use crate::assistant::{AssistantCall, Reviewed};
use crate::audit::{AuditCursor, AuditEntry};
use crate::changes::Changes;
use crate::connecting::PendingConnection;
use crate::idempotency::{KeyScope, KeyUse};
use crate::ids::{
    AccountId, CommentId, DeliveryId, KeyId, MediaId, NotifierId, PostId, SessionId, TargetId,
    WebhookId, WorkId, WorkspaceId,
};
use crate::inbox::{CommentChange, InboxQuery, Marked, ReceivedComment};
use crate::key::{Key, KeyHash};
use crate::media::{Media, MediaCursor};
use crate::notification::{Notifier, NotifierState};
use crate::post::{Approval, LastChange, ListQuery, Month, PageQuery, Post};
use crate::reading::Reading;
use crate::session::{Login, Session, SessionHash};
use crate::snippet::{Snippet, SnippetName};
use crate::target::Target;
use crate::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Event, EventPlace, Webhook};
use crate::workspace::Workspace;

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
    /// What workspaces keep to write with.
    pub snippets: Arc<dyn SnippetStore>,
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
            snippets: absent,
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
            snippets: store.clone(),
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
impl SnippetStore for Absent {}

/// Passes the operations of a port on.
macro_rules! pass_on {
    ($field:ident: $port:ident { $(fn $name:ident($($argument:ident: $of:ty),*) -> $answer:ty;)* }) => {
        #[async_trait]
        impl $port for Stores {
            $(async fn $name(&self, $($argument: $of),*) -> Result<$answer, StoreError> {
                let Some(line) = &self.line else { return self.$field.$name($($argument),*).await };
                let mut answer = None;
                let run = async {
                    let answered = self.$field.$name($($argument),*).await;
                    answer.insert(answered).is_ok()
                };
                line.carry(stringify!($name), Box::pin(run)).await?;
                // A line that runs nothing says why.
                answer.unwrap_or(Err(StoreError::Unsupported))
            })*
        }
    };
}

pass_on!(workspaces: WorkspaceStore {
    fn create_first_workspace(workspace: &Workspace, key: &Key) -> bool;
    fn create_workspace(workspace: &Workspace) -> bool;
    fn workspace(id: WorkspaceId) -> Option<Workspace>;
    fn workspaces() -> Vec<Workspace>;
    fn update_workspace(workspace: &Workspace) -> RenameOutcome;
});

pass_on!(keys: KeyStore {
    fn create_key(key: &Key) -> ();
    fn keys(workspace: WorkspaceId) -> Vec<Key>;
    fn key_by_hash(hash: KeyHash) -> Option<(Key, Workspace)>;
    fn revoke_key(id: KeyId) -> bool;
});

pass_on!(sessions: SessionStore {
    fn create_login(login: &Login) -> bool;
    fn login(of: &LoginOf) -> Option<Login>;
    fn open_session(session: &Session) -> bool;
    fn session_by_hash(hash: SessionHash) -> Option<(Session, Workspace)>;
    fn sessions(workspace: WorkspaceId) -> Vec<Session>;
    fn extend_session(workspace: WorkspaceId, id: SessionId, until: DateTime<Utc>) -> bool;
    fn remove_session(workspace: WorkspaceId, id: SessionId) -> bool;
    fn remove_expired_sessions(until: DateTime<Utc>) -> u64;
});

pass_on!(accounts: AccountStore {
    fn connect_account(account: &Account, credentials: &Credentials, limit: u64) -> ConnectOutcome;
    fn account(workspace: WorkspaceId, id: AccountId) -> Option<Account>;
    fn accounts(workspace: WorkspaceId) -> Vec<Account>;
    fn accounts_expiring(until: DateTime<Utc>, limit: u32) -> Vec<Account>;
    fn update_account(account: &Account) -> bool;
    fn disconnect_account(workspace: WorkspaceId, id: AccountId, at: DateTime<Utc>) -> bool;
    fn mark_needs_reconnect(id: AccountId, version: i64, event: Option<&Event>) -> bool;
    fn credentials(id: AccountId) -> Option<StoredCredentials>;
    fn claim_refresh(
        id: AccountId,
        version: i64,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>
    ) -> RefreshClaim;
    fn replace_credentials(of: &[(AccountId, i64)], credentials: &Credentials) -> Vec<AccountId>;
});

pass_on!(connecting: ConnectingStore {
    fn create_pending_connection(pending: &PendingConnection) -> ();
    fn pending_connection(of: PendingConnectionOf) -> Option<PendingConnection>;
    fn save_pending_connection(pending: &PendingConnection) -> bool;
    fn remove_pending_connections(until: DateTime<Utc>) -> u64;
});

pass_on!(posts: PostStore {
    fn create_post(post: &Post, posts_a_month: u64) -> CreateOutcome;
    fn post(workspace: WorkspaceId, id: PostId) -> Option<Post>;
    fn post_ids(workspace: WorkspaceId, from: PostId, to: PostId, limit: u32) -> Vec<PostId>;
    fn post_by_key(workspace: WorkspaceId, key: &str) -> Option<Post>;
    fn list_posts(query: &ListQuery) -> Vec<Post>;
    fn save_post(post: &Post, posts_a_month: u64) -> SaveOutcome;
    fn last_change(workspace: WorkspaceId, post: PostId) -> Option<LastChange>;
    fn last_changes(workspace: WorkspaceId, since: DateTime<Utc>, limit: u32) -> Vec<LastChange>;
    fn changes(workspace: WorkspaceId, since: DateTime<Utc>) -> Changes;
    fn remove_post(workspace: WorkspaceId, id: PostId, version: i64) -> RemoveOutcome;
    fn taken_instants(account: AccountId, from: DateTime<Utc>) -> BTreeSet<DateTime<Utc>>;
    fn posts_in_month(workspace: WorkspaceId, month: Month) -> u64;
});

pass_on!(approvals: ApprovalStore {
    fn save_approvals(changes: &[(Post, Option<Approval>)], event: Option<&Event>) -> SaveOutcome;
    fn approvals(of: ApprovalsOf) -> Vec<(Approval, Post)>;
});

pass_on!(webhooks: WebhookStore {
    fn create_webhook(webhook: &Webhook, limit: u32, key_use: Option<&KeyUse>) -> AddOutcome;
    fn webhooks(workspace: WorkspaceId) -> Vec<Webhook>;
    fn set_webhook_disabled(
        workspace: WorkspaceId,
        id: WebhookId,
        at: Option<DateTime<Utc>>
    ) -> bool;
    fn remove_webhook(workspace: WorkspaceId, id: WebhookId) -> bool;
    fn delivery(id: DeliveryId) -> Option<DeliveryRecord>;
    fn deliveries(
        workspace: WorkspaceId,
        status: Option<DeliveryStatus>,
        limit: u32
    ) -> Vec<DeliveryRecord>;
    fn redeliver(workspace: WorkspaceId, id: DeliveryId, at: DateTime<Utc>) -> RedeliverOutcome;
    fn remove_ended_deliveries(before: DateTime<Utc>, limit: u32) -> u64;
    fn remove_unnamed_events(
        before: DateTime<Utc>,
        after: Option<EventPlace>,
        limit: u32
    ) -> EventsRemoved;
});

pass_on!(media: MediaStore {
    fn create_media(
        media: &Media,
        upload_bytes_a_month: u64,
        key_use: Option<&KeyUse>
    ) -> AddOutcome;
    fn save_media(media: &Media) -> bool;
    fn erase_media(workspace: WorkspaceId, id: MediaId, at: DateTime<Utc>) -> EraseOutcome;
    fn list_media(workspace: WorkspaceId, limit: u32, before: Option<MediaCursor>) -> Vec<(Media, u64)>;
    fn posts_of_media(workspace: WorkspaceId, id: MediaId, page: PageQuery) -> Vec<Post>;
    fn bytes_in_month(workspace: WorkspaceId, month: Month) -> u64;
    fn media(workspace: WorkspaceId, ids: &[MediaId]) -> Vec<Media>;
});

pass_on!(readings: ReadingStore {
    fn reading_context(claim: &Claim, now: DateTime<Utc>, limit: u32) -> Option<ReadingContext>;
    fn record_readings(claim: &Claim, taken: &ReadingsTaken) -> Recorded;
    fn add_reading(target: TargetId, reading: &Reading, superfluous: &[DateTime<Utc>]) -> ();
    fn readings(target: TargetId, since: Option<DateTime<Utc>>, limit: u32) -> Vec<Reading>;
    fn figure_readings(workspace: WorkspaceId, query: &FigureQuery) -> Vec<FigureReading>;
    fn refresh_readings(
        workspace: WorkspaceId,
        now: DateTime<Utc>,
        published_since: DateTime<Utc>,
        every: TimeDelta
    ) -> RefreshOutcome;
    fn followers(workspace: WorkspaceId, from: NaiveDate) -> Vec<Followers>;
    fn spend(budgets: &[Budget], amount: u32) -> Spending;
    fn spent(budgets: &[Budget]) -> Vec<u32>;
});

pass_on!(assistant: AssistantStore {
    fn take_call(workspace: WorkspaceId, month: Month, call: AssistantCall, limit: u64) -> bool;
    fn give_back_call(workspace: WorkspaceId, month: Month, call: AssistantCall) -> ();
    fn calls_in_month(workspace: WorkspaceId, month: Month, call: AssistantCall) -> u64;
    fn post_of_target(workspace: WorkspaceId, target: TargetId) -> Option<Post>;
    fn save_review(workspace: WorkspaceId, post: PostId, reviewed: &Reviewed) -> bool;
    fn review(workspace: WorkspaceId, target: TargetId) -> Option<Reviewed>;
});

pass_on!(notifiers: NotifierStore {
    fn create_notifier(notifier: &Notifier, state: &NotifierState, limit: u32) -> bool;
    fn notifiers(workspace: WorkspaceId) -> Vec<(Notifier, NotifierState)>;
    fn remove_notifier(workspace: WorkspaceId, id: NotifierId) -> bool;
    fn claim_notifier(
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>
    ) -> Option<(Notifier, NotifierState)>;
    fn news(
        notifier: &Notifier,
        after: EventPlace,
        until: DateTime<Utc>,
        limit: u32
    ) -> Vec<Event>;
    fn record_notified(
        id: NotifierId,
        lease_until: DateTime<Utc>,
        state: &NotifierState
    ) -> Recorded;
});

pass_on!(audit: AuditStore {
    fn add_audit(entries: &[AuditEntry]) -> ();
    fn audit(workspace: WorkspaceId, limit: u32, before: Option<AuditCursor>) -> Vec<AuditEntry>;
    fn remove_audit(before: DateTime<Utc>, limit: u32) -> u64;
});

pass_on!(inbox: InboxStore {
    fn inbox(workspace: WorkspaceId, query: &InboxQuery) -> Vec<ReceivedComment>;
    fn unread_comments(workspace: WorkspaceId) -> u64;
    fn mark_comments(
        workspace: WorkspaceId,
        marked: &Marked,
        read_at: Option<DateTime<Utc>>
    ) -> u64;
    fn change_comment(id: CommentId, change: CommentChange) -> ();
});

pass_on!(snippets: SnippetStore {
    fn save_snippet(snippet: &Snippet, limit: u32) -> bool;
    fn snippets(workspace: WorkspaceId) -> Vec<Snippet>;
    fn remove_snippet(workspace: WorkspaceId, name: &SnippetName) -> bool;
});

pass_on!(idempotency: IdempotencyStore {
    fn key_use(workspace: WorkspaceId, scope: &KeyScope, key: &str) -> Option<KeyUse>;
    fn begin_key_use(new: &KeyUse) -> Option<KeyUse>;
    fn settle_key_use(settled: &KeyUse) -> bool;
    fn forget_key_use(of: &KeyUse) -> bool;
});

pass_on!(work: WorkQueue {
    fn heartbeat(at: DateTime<Utc>) -> Heartbeat;
    fn claim(request: &ClaimRequest) -> Vec<Claim>;
    fn renew(claims: &[Claim], lease_until: DateTime<Utc>) -> Vec<WorkId>;
    fn release(claim: &Claim, due_at: DateTime<Utc>) -> Recorded;
    fn next_due(now: DateTime<Utc>) -> Option<DateTime<Utc>>;
    fn next_due_after(now: DateTime<Utc>) -> Option<DateTime<Utc>>;
    fn backlog(now: DateTime<Utc>) -> Vec<Backlog>;
    fn publish_context(claim: &Claim) -> Option<PublishContext>;
    fn record_publish(
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>
    ) -> Recorded;
    fn delivery_context(claim: &Claim) -> Option<DeliveryContext>;
    fn record_delivery(
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter
    ) -> Recorded;
    fn media_context(claim: &Claim) -> Option<MediaContext>;
    fn record_media(claim: &Claim, media: &Media, event: Option<&Event>) -> Recorded;
});

#[cfg(test)]
mod tests {
    /// A method with a body of its own would else be absent without a word.
    #[test]
    fn every_act_is_passed_on() {
        let table = include_str!("stores.rs");
        let ports = [
            include_str!("store.rs"),
            include_str!("approvals.rs"),
            include_str!("assistant_store.rs"),
            include_str!("audit.rs"),
            include_str!("connecting.rs"),
            include_str!("idempotency.rs"),
            include_str!("inbox.rs"),
            include_str!("media_store.rs"),
            include_str!("notifiers.rs").split("pub trait Mailer").next().unwrap(),
            include_str!("readings.rs"),
            include_str!("sessions.rs"),
            include_str!("snippets.rs"),
            include_str!("webhook_store.rs"),
            include_str!("work.rs"),
        ];
        let operations = ports.iter().flat_map(|port| port.split("    async fn ").skip(1));
        let mut count = 0;
        for operation in operations {
            let name = operation.split('(').next().unwrap();
            assert!(table.contains(&format!("    fn {name}(")), "{name}");
            count += 1;
        }
        let others = ["fmt", "every_act_is_passed_on"];
        assert_eq!(table.matches("\n    fn ").count(), count + others.len(), "each once");
    }
}
