//! A store in memory that can be made to fail or to hang.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::assistant::{AssistantCall, Reviewed};
use scheduler_core::connecting::{PassHash, PendingConnection};
use scheduler_core::idempotency::{KeyScope, KeyUse};
use scheduler_core::ids::{
    AccountId, ConnectionId, DeliveryId, KeyId, MediaId, PostId, TargetId, WebhookId, WorkId,
    WorkspaceId,
};
use scheduler_core::key::{Key, KeyHash};
use scheduler_core::media::Media;
use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::*;
use scheduler_core::post::{Approval, ListQuery, Month, PageQuery, Post};
use scheduler_core::reading::Reading;
use scheduler_core::target::Target;
use scheduler_core::webhook::{
    Delivery, DeliveryAttempt, DeliveryStatus, Event, EventPlace, Webhook,
};
use scheduler_core::workspace::Workspace;

#[derive(Debug, Default)]
pub(crate) struct FaultyStore {
    pub(crate) inner: MemoryStore,
    /// Every act fails.
    pub(crate) is_broken: AtomicBool,
    /// There is no room: every act fails.
    pub(crate) is_full: AtomicBool,
    /// Every act is refused.
    pub(crate) refuses: AtomicBool,
    /// No act ends.
    pub(crate) hangs: AtomicBool,
    /// What the readings of an account need cannot be read.
    pub(crate) has_unreadable: AtomicBool,
    /// Acts that failed.
    pub(crate) failed: AtomicU32,
    /// Claims that were asked for.
    pub(crate) claims: AtomicU32,
}

impl FaultyStore {
    async fn gate(&self, act: &str) -> Result<(), StoreError> {
        if act == "claim" {
            self.claims.fetch_add(1, Ordering::SeqCst);
        }
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if self.is_broken.load(Ordering::SeqCst) {
            self.failed.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Unavailable("password=hunter2".into()));
        }
        for (fails, error) in
            [(&self.is_full, StoreError::Full as fn(_) -> _), (&self.refuses, StoreError::Refused)]
        {
            if fails.load(Ordering::SeqCst) {
                self.failed.fetch_add(1, Ordering::SeqCst);
                return Err(error("password=hunter2".into()));
            }
        }
        if act == "reading_context" && self.has_unreadable.load(Ordering::SeqCst) {
            self.failed.fetch_add(1, Ordering::SeqCst);
            return Err(StoreError::Corrupt { what: "targets.options", source: "no JSON".into() });
        }
        Ok(())
    }
}

macro_rules! delegate {
    ($port:ident { $(fn $name:ident($($arg:ident: $of:ty),*) -> $ret:ty;)* }) => {
        #[async_trait]
        impl $port for FaultyStore {
            $(async fn $name(&self, $($arg: $of),*) -> Result<$ret, StoreError> {
                self.gate(stringify!($name)).await?;
                self.inner.$name($($arg),*).await
            })*
        }
    };
}

delegate!(WorkspaceStore {
    fn create_first_workspace(workspace: &Workspace, key: &Key) -> bool;
    fn create_workspace(workspace: &Workspace) -> bool;
    fn workspace(id: WorkspaceId) -> Option<Workspace>;
    fn workspaces() -> Vec<Workspace>;
    fn update_workspace(workspace: &Workspace) -> bool;
});

delegate!(KeyStore {
    fn create_key(key: &Key) -> ();
    fn keys(workspace: WorkspaceId) -> Vec<Key>;
    fn key_by_hash(hash: KeyHash) -> Option<(Key, Workspace)>;
    fn revoke_key(id: KeyId) -> bool;
});

delegate!(AccountStore {
    fn connect_account(account: &Account, credentials: &Credentials, limit: u64) -> ConnectOutcome;
    fn account(workspace: WorkspaceId, id: AccountId) -> Option<Account>;
    fn accounts(workspace: WorkspaceId) -> Vec<Account>;
    fn accounts_expiring(until: DateTime<Utc>, limit: u32) -> Vec<Account>;
    fn update_account(account: &Account) -> bool;
    fn disconnect_account(workspace: WorkspaceId, id: AccountId, at: DateTime<Utc>) -> bool;
    fn mark_needs_reconnect(id: AccountId, version: i64) -> bool;
    fn credentials(id: AccountId) -> Option<StoredCredentials>;
    fn claim_refresh(
        id: AccountId,
        version: i64,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>
    ) -> RefreshClaim;
    fn replace_credentials(of: &[(AccountId, i64)], credentials: &Credentials) -> Vec<AccountId>;
});

delegate!(ConnectingStore {
    fn create_pending_connection(pending: &PendingConnection) -> ();
    fn pending_connection(id: ConnectionId) -> Option<PendingConnection>;
    fn pending_connection_by_pass(pass: PassHash) -> Option<PendingConnection>;
    fn save_pending_connection(pending: &PendingConnection) -> bool;
    fn remove_pending_connections(until: DateTime<Utc>) -> u64;
});

delegate!(PostStore {
    fn create_post(post: &Post, posts_a_month: u64) -> CreateOutcome;
    fn post(workspace: WorkspaceId, id: PostId) -> Option<Post>;
    fn post_by_key(workspace: WorkspaceId, key: &str) -> Option<Post>;
    fn list_posts(query: &ListQuery) -> Vec<Post>;
    fn save_post(post: &Post, posts_a_month: u64) -> SaveOutcome;
    fn remove_post(workspace: WorkspaceId, id: PostId, version: i64) -> RemoveOutcome;
    fn taken_instants(account: AccountId, from: DateTime<Utc>) -> BTreeSet<DateTime<Utc>>;
    fn posts_in_month(workspace: WorkspaceId, month: Month) -> u64;
});

delegate!(ApprovalStore {
    fn save_approval(post: &Post, approval: Option<&Approval>) -> SaveOutcome;
    fn approval(workspace: WorkspaceId, post: PostId) -> Option<Approval>;
    fn approval_by_pass(pass: PassHash) -> Option<(Approval, Post)>;
    fn approvals(workspace: WorkspaceId, limit: u32) -> Vec<(Approval, Post)>;
});

delegate!(WebhookStore {
    fn create_webhook(webhook: &Webhook, limit: u32, key_use: Option<&KeyUse>) -> AddOutcome;
    fn webhooks(workspace: WorkspaceId) -> Vec<Webhook>;
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

delegate!(MediaStore {
    fn create_media(
        media: &Media,
        upload_bytes_a_month: u64,
        key_use: Option<&KeyUse>
    ) -> AddOutcome;
    fn save_media(media: &Media) -> bool;
    fn erase_media(workspace: WorkspaceId, id: MediaId, at: DateTime<Utc>) -> EraseOutcome;
    fn list_media(workspace: WorkspaceId, limit: u32) -> Vec<(Media, u64)>;
    fn posts_of_media(workspace: WorkspaceId, id: MediaId, page: PageQuery) -> Vec<Post>;
    fn bytes_in_month(workspace: WorkspaceId, month: Month) -> u64;
    fn media(workspace: WorkspaceId, ids: &[MediaId]) -> Vec<Media>;
});

delegate!(ReadingStore {
    fn reading_context(claim: &Claim, now: DateTime<Utc>, limit: u32) -> Option<ReadingContext>;
    fn record_readings(claim: &Claim, taken: &ReadingsTaken) -> Recorded;
    fn add_reading(target: TargetId, reading: &Reading, superfluous: &[DateTime<Utc>]) -> ();
    fn readings(target: TargetId, since: Option<DateTime<Utc>>, limit: u32) -> Vec<Reading>;
    fn refresh_readings(
        workspace: WorkspaceId,
        now: DateTime<Utc>,
        published_since: DateTime<Utc>,
        every: TimeDelta
    ) -> RefreshOutcome;
    fn followers(workspace: WorkspaceId, from: NaiveDate) -> Vec<Followers>;
    fn spend_calls(budgets: &[CallBudget], calls: u32) -> Spending;
});

delegate!(AssistantStore {
    fn take_call(workspace: WorkspaceId, month: Month, call: AssistantCall, limit: u64) -> bool;
    fn give_back_call(workspace: WorkspaceId, month: Month, call: AssistantCall) -> ();
    fn calls_in_month(workspace: WorkspaceId, month: Month, call: AssistantCall) -> u64;
    fn post_of_target(workspace: WorkspaceId, target: TargetId) -> Option<Post>;
    fn save_review(workspace: WorkspaceId, post: PostId, reviewed: &Reviewed) -> bool;
    fn review(workspace: WorkspaceId, target: TargetId) -> Option<Reviewed>;
});

delegate!(IdempotencyStore {
    fn key_use(workspace: WorkspaceId, scope: &KeyScope, key: &str) -> Option<KeyUse>;
    fn begin_key_use(new: &KeyUse) -> Option<KeyUse>;
    fn settle_key_use(settled: &KeyUse) -> bool;
    fn forget_key_use(of: &KeyUse) -> bool;
});

delegate!(WorkQueue {
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
    fn media_context(claim: &Claim) -> Option<MediaContext>;
    fn record_media(claim: &Claim, media: &Media) -> Recorded;
    fn delivery_context(claim: &Claim) -> Option<DeliveryContext>;
    fn record_delivery(
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter
    ) -> Recorded;
});
