//! Stores that pass acts through to another store.

#[doc(hidden)]
pub mod names;

/// Implements traits of [`Store`](crate::ports::Store) for a store of one's own by passing each act
/// through to a field of it: for a wrapper that does something beside one or two of the traits, and
/// writes those itself.
///
/// The field is anything that acts can be called on: a store, a `Box` or an `Arc` of one.
///
/// ```
/// use scheduler_core::forward_store;
/// use scheduler_core::memory::MemoryStore;
/// use scheduler_core::ports::Store;
///
/// struct Wrapper {
///     inner: MemoryStore,
/// }
///
/// forward_store!(
///     Wrapper, inner: WorkspaceStore, KeyStore, AccountStore, ConnectingStore, PostStore,
///     ApprovalStore, WebhookStore, MediaStore, ReadingStore, AssistantStore, IdempotencyStore,
///     WorkQueue
/// );
///
/// fn is_store(_: &impl Store) {}
/// is_store(&Wrapper { inner: MemoryStore::new() });
/// ```
#[macro_export]
macro_rules! forward_store {
    ($wrapper:ty, $inner:ident: $first:ident, $($more:ident),+ $(,)?) => {
        $crate::forward_store!($wrapper, $inner: $first);
        $crate::forward_store!($wrapper, $inner: $($more),+);
    };
    ($wrapper:ty, $inner:ident: WorkspaceStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl WorkspaceStore for $wrapper {
                async fn create_first_workspace(
                    &self, workspace: &Workspace, key: &Key,
                ) -> Result<bool, StoreError> {
                    self.$inner.create_first_workspace(workspace, key).await
                }
                async fn create_workspace(
                    &self, workspace: &Workspace,
                ) -> Result<bool, StoreError> {
                    self.$inner.create_workspace(workspace).await
                }
                async fn workspace(
                    &self, id: WorkspaceId,
                ) -> Result<Option<Workspace>, StoreError> {
                    self.$inner.workspace(id).await
                }
                async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
                    self.$inner.workspaces().await
                }
                async fn update_workspace(
                    &self, workspace: &Workspace,
                ) -> Result<bool, StoreError> {
                    self.$inner.update_workspace(workspace).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: KeyStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl KeyStore for $wrapper {
                async fn create_key(&self, key: &Key) -> Result<(), StoreError> {
                    self.$inner.create_key(key).await
                }
                async fn keys(&self, workspace: WorkspaceId) -> Result<Vec<Key>, StoreError> {
                    self.$inner.keys(workspace).await
                }
                async fn key_by_hash(
                    &self, hash: KeyHash,
                ) -> Result<Option<(Key, Workspace)>, StoreError> {
                    self.$inner.key_by_hash(hash).await
                }
                async fn revoke_key(&self, id: KeyId) -> Result<bool, StoreError> {
                    self.$inner.revoke_key(id).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: AccountStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl AccountStore for $wrapper {
                async fn connect_account(
                    &self, account: &Account, credentials: &Credentials, limit: u64,
                ) -> Result<ConnectOutcome, StoreError> {
                    self.$inner.connect_account(account, credentials, limit).await
                }
                async fn account(
                    &self, workspace: WorkspaceId, id: AccountId,
                ) -> Result<Option<Account>, StoreError> {
                    self.$inner.account(workspace, id).await
                }
                async fn accounts(
                    &self, workspace: WorkspaceId,
                ) -> Result<Vec<Account>, StoreError> {
                    self.$inner.accounts(workspace).await
                }
                async fn accounts_expiring(
                    &self, until: DateTime<Utc>, limit: u32,
                ) -> Result<Vec<Account>, StoreError> {
                    self.$inner.accounts_expiring(until, limit).await
                }
                async fn update_account(&self, account: &Account) -> Result<bool, StoreError> {
                    self.$inner.update_account(account).await
                }
                async fn disconnect_account(
                    &self, workspace: WorkspaceId, id: AccountId, at: DateTime<Utc>,
                ) -> Result<bool, StoreError> {
                    self.$inner.disconnect_account(workspace, id, at).await
                }
                async fn mark_needs_reconnect(
                    &self, id: AccountId, version: i64,
                ) -> Result<bool, StoreError> {
                    self.$inner.mark_needs_reconnect(id, version).await
                }
                async fn credentials(
                    &self, id: AccountId,
                ) -> Result<Option<StoredCredentials>, StoreError> {
                    self.$inner.credentials(id).await
                }
                async fn claim_refresh(
                    &self,
                    id: AccountId,
                    version: i64,
                    now: DateTime<Utc>,
                    lease_until: DateTime<Utc>,
                ) -> Result<RefreshClaim, StoreError> {
                    self.$inner.claim_refresh(id, version, now, lease_until).await
                }
                async fn replace_credentials(
                    &self, of: &[(AccountId, i64)], credentials: &Credentials,
                ) -> Result<Vec<AccountId>, StoreError> {
                    self.$inner.replace_credentials(of, credentials).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: ConnectingStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl ConnectingStore for $wrapper {
                async fn create_pending_connection(
                    &self, pending: &PendingConnection,
                ) -> Result<(), StoreError> {
                    self.$inner.create_pending_connection(pending).await
                }
                async fn pending_connection(
                    &self, id: ConnectionId,
                ) -> Result<Option<PendingConnection>, StoreError> {
                    self.$inner.pending_connection(id).await
                }
                async fn pending_connection_by_pass(
                    &self, pass: PassHash,
                ) -> Result<Option<PendingConnection>, StoreError> {
                    self.$inner.pending_connection_by_pass(pass).await
                }
                async fn save_pending_connection(
                    &self, pending: &PendingConnection,
                ) -> Result<bool, StoreError> {
                    self.$inner.save_pending_connection(pending).await
                }
                async fn remove_pending_connections(
                    &self, until: DateTime<Utc>,
                ) -> Result<u64, StoreError> {
                    self.$inner.remove_pending_connections(until).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: PostStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl PostStore for $wrapper {
                async fn create_post(
                    &self, post: &Post, posts_a_month: u64,
                ) -> Result<CreateOutcome, StoreError> {
                    self.$inner.create_post(post, posts_a_month).await
                }
                async fn post(
                    &self, workspace: WorkspaceId, id: PostId,
                ) -> Result<Option<Post>, StoreError> {
                    self.$inner.post(workspace, id).await
                }
                async fn post_by_key(
                    &self, workspace: WorkspaceId, key: &str,
                ) -> Result<Option<Post>, StoreError> {
                    self.$inner.post_by_key(workspace, key).await
                }
                async fn list_posts(&self, query: &ListQuery) -> Result<Vec<Post>, StoreError> {
                    self.$inner.list_posts(query).await
                }
                async fn save_post(
                    &self, post: &Post, posts_a_month: u64,
                ) -> Result<SaveOutcome, StoreError> {
                    self.$inner.save_post(post, posts_a_month).await
                }
                async fn remove_post(
                    &self, workspace: WorkspaceId, id: PostId, version: i64,
                ) -> Result<RemoveOutcome, StoreError> {
                    self.$inner.remove_post(workspace, id, version).await
                }
                async fn taken_instants(
                    &self, account: AccountId, from: DateTime<Utc>,
                ) -> Result<BTreeSet<DateTime<Utc>>, StoreError> {
                    self.$inner.taken_instants(account, from).await
                }
                async fn posts_in_month(
                    &self, workspace: WorkspaceId, month: Month,
                ) -> Result<u64, StoreError> {
                    self.$inner.posts_in_month(workspace, month).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: ApprovalStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl ApprovalStore for $wrapper {
                async fn save_approval(
                    &self, post: &Post, approval: Option<&Approval>,
                ) -> Result<SaveOutcome, StoreError> {
                    self.$inner.save_approval(post, approval).await
                }
                async fn approval(
                    &self, workspace: WorkspaceId, post: PostId,
                ) -> Result<Option<Approval>, StoreError> {
                    self.$inner.approval(workspace, post).await
                }
                async fn approval_by_pass(
                    &self, pass: PassHash,
                ) -> Result<Option<(Approval, Post)>, StoreError> {
                    self.$inner.approval_by_pass(pass).await
                }
                async fn approvals(
                    &self, workspace: WorkspaceId, limit: u32,
                ) -> Result<Vec<(Approval, Post)>, StoreError> {
                    self.$inner.approvals(workspace, limit).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: WebhookStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl WebhookStore for $wrapper {
                async fn create_webhook(
                    &self, webhook: &Webhook, limit: u32, key_use: Option<&KeyUse>,
                ) -> Result<AddOutcome, StoreError> {
                    self.$inner.create_webhook(webhook, limit, key_use).await
                }
                async fn webhooks(
                    &self, workspace: WorkspaceId,
                ) -> Result<Vec<Webhook>, StoreError> {
                    self.$inner.webhooks(workspace).await
                }
                async fn remove_webhook(
                    &self, workspace: WorkspaceId, id: WebhookId,
                ) -> Result<bool, StoreError> {
                    self.$inner.remove_webhook(workspace, id).await
                }
                async fn delivery(
                    &self, id: DeliveryId,
                ) -> Result<Option<DeliveryRecord>, StoreError> {
                    self.$inner.delivery(id).await
                }
                async fn deliveries(
                    &self, workspace: WorkspaceId, status: Option<DeliveryStatus>, limit: u32,
                ) -> Result<Vec<DeliveryRecord>, StoreError> {
                    self.$inner.deliveries(workspace, status, limit).await
                }
                async fn redeliver(
                    &self, workspace: WorkspaceId, id: DeliveryId, at: DateTime<Utc>,
                ) -> Result<RedeliverOutcome, StoreError> {
                    self.$inner.redeliver(workspace, id, at).await
                }
                async fn remove_ended_deliveries(
                    &self, before: DateTime<Utc>, limit: u32,
                ) -> Result<u64, StoreError> {
                    self.$inner.remove_ended_deliveries(before, limit).await
                }
                async fn remove_unnamed_events(
                    &self, before: DateTime<Utc>, after: Option<EventPlace>, limit: u32,
                ) -> Result<EventsRemoved, StoreError> {
                    self.$inner.remove_unnamed_events(before, after, limit).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: MediaStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl MediaStore for $wrapper {
                async fn create_media(
                    &self,
                    media: &Media,
                    upload_bytes_a_month: u64,
                    key_use: Option<&KeyUse>,
                ) -> Result<AddOutcome, StoreError> {
                    self.$inner.create_media(media, upload_bytes_a_month, key_use).await
                }
                async fn save_media(&self, media: &Media) -> Result<bool, StoreError> {
                    self.$inner.save_media(media).await
                }
                async fn erase_media(
                    &self, workspace: WorkspaceId, id: MediaId, at: DateTime<Utc>,
                ) -> Result<EraseOutcome, StoreError> {
                    self.$inner.erase_media(workspace, id, at).await
                }
                async fn list_media(
                    &self, workspace: WorkspaceId, limit: u32,
                ) -> Result<Vec<(Media, u64)>, StoreError> {
                    self.$inner.list_media(workspace, limit).await
                }
                async fn posts_of_media(
                    &self, workspace: WorkspaceId, id: MediaId, page: PageQuery,
                ) -> Result<Vec<Post>, StoreError> {
                    self.$inner.posts_of_media(workspace, id, page).await
                }
                async fn bytes_in_month(
                    &self, workspace: WorkspaceId, month: Month,
                ) -> Result<u64, StoreError> {
                    self.$inner.bytes_in_month(workspace, month).await
                }
                async fn media(
                    &self, workspace: WorkspaceId, ids: &[MediaId],
                ) -> Result<Vec<Media>, StoreError> {
                    self.$inner.media(workspace, ids).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: ReadingStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl ReadingStore for $wrapper {
                async fn reading_context(
                    &self, claim: &Claim, now: DateTime<Utc>, limit: u32,
                ) -> Result<Option<ReadingContext>, StoreError> {
                    self.$inner.reading_context(claim, now, limit).await
                }
                async fn record_readings(
                    &self, claim: &Claim, taken: &ReadingsTaken,
                ) -> Result<Recorded, StoreError> {
                    self.$inner.record_readings(claim, taken).await
                }
                async fn add_reading(
                    &self, target: TargetId, reading: &Reading, superfluous: &[DateTime<Utc>],
                ) -> Result<(), StoreError> {
                    self.$inner.add_reading(target, reading, superfluous).await
                }
                async fn readings(
                    &self, target: TargetId, since: Option<DateTime<Utc>>, limit: u32,
                ) -> Result<Vec<Reading>, StoreError> {
                    self.$inner.readings(target, since, limit).await
                }
                async fn refresh_readings(
                    &self,
                    workspace: WorkspaceId,
                    now: DateTime<Utc>,
                    published_since: DateTime<Utc>,
                    every: TimeDelta,
                ) -> Result<RefreshOutcome, StoreError> {
                    self.$inner.refresh_readings(workspace, now, published_since, every).await
                }
                async fn followers(
                    &self, workspace: WorkspaceId, from: NaiveDate,
                ) -> Result<Vec<Followers>, StoreError> {
                    self.$inner.followers(workspace, from).await
                }
                async fn spend_calls(
                    &self, budgets: &[CallBudget], calls: u32,
                ) -> Result<Spending, StoreError> {
                    self.$inner.spend_calls(budgets, calls).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: AssistantStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl AssistantStore for $wrapper {
                async fn take_call(
                    &self, workspace: WorkspaceId, month: Month, call: AssistantCall, limit: u64,
                ) -> Result<bool, StoreError> {
                    self.$inner.take_call(workspace, month, call, limit).await
                }
                async fn give_back_call(
                    &self, workspace: WorkspaceId, month: Month, call: AssistantCall,
                ) -> Result<(), StoreError> {
                    self.$inner.give_back_call(workspace, month, call).await
                }
                async fn calls_in_month(
                    &self, workspace: WorkspaceId, month: Month, call: AssistantCall,
                ) -> Result<u64, StoreError> {
                    self.$inner.calls_in_month(workspace, month, call).await
                }
                async fn post_of_target(
                    &self, workspace: WorkspaceId, target: TargetId,
                ) -> Result<Option<Post>, StoreError> {
                    self.$inner.post_of_target(workspace, target).await
                }
                async fn save_review(
                    &self, workspace: WorkspaceId, post: PostId, reviewed: &Reviewed,
                ) -> Result<bool, StoreError> {
                    self.$inner.save_review(workspace, post, reviewed).await
                }
                async fn review(
                    &self, workspace: WorkspaceId, target: TargetId,
                ) -> Result<Option<Reviewed>, StoreError> {
                    self.$inner.review(workspace, target).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: IdempotencyStore) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl IdempotencyStore for $wrapper {
                async fn key_use(
                    &self, workspace: WorkspaceId, scope: &KeyScope, key: &str,
                ) -> Result<Option<KeyUse>, StoreError> {
                    self.$inner.key_use(workspace, scope, key).await
                }
                async fn begin_key_use(
                    &self, new: &KeyUse,
                ) -> Result<Option<KeyUse>, StoreError> {
                    self.$inner.begin_key_use(new).await
                }
                async fn settle_key_use(&self, settled: &KeyUse) -> Result<bool, StoreError> {
                    self.$inner.settle_key_use(settled).await
                }
                async fn forget_key_use(&self, of: &KeyUse) -> Result<bool, StoreError> {
                    self.$inner.forget_key_use(of).await
                }
            }
        };
    };
    ($wrapper:ty, $inner:ident: WorkQueue) => {
        const _: () = {
            use $crate::ports::forward::names::*;
            #[async_trait]
            impl WorkQueue for $wrapper {
                async fn heartbeat(&self, at: DateTime<Utc>) -> Result<Heartbeat, StoreError> {
                    self.$inner.heartbeat(at).await
                }
                async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claim>, StoreError> {
                    self.$inner.claim(request).await
                }
                async fn renew(
                    &self, claims: &[Claim], lease_until: DateTime<Utc>,
                ) -> Result<Vec<WorkId>, StoreError> {
                    self.$inner.renew(claims, lease_until).await
                }
                async fn release(
                    &self, claim: &Claim, due_at: DateTime<Utc>,
                ) -> Result<Recorded, StoreError> {
                    self.$inner.release(claim, due_at).await
                }
                async fn next_due(
                    &self, now: DateTime<Utc>,
                ) -> Result<Option<DateTime<Utc>>, StoreError> {
                    self.$inner.next_due(now).await
                }
                async fn next_due_after(
                    &self, now: DateTime<Utc>,
                ) -> Result<Option<DateTime<Utc>>, StoreError> {
                    self.$inner.next_due_after(now).await
                }
                async fn backlog(&self, now: DateTime<Utc>) -> Result<Vec<Backlog>, StoreError> {
                    self.$inner.backlog(now).await
                }
                async fn publish_context(
                    &self, claim: &Claim,
                ) -> Result<Option<PublishContext>, StoreError> {
                    self.$inner.publish_context(claim).await
                }
                async fn record_publish(
                    &self,
                    claim: &Claim,
                    target: &Target,
                    event: Option<&Event>,
                    after: WorkAfter,
                    at: DateTime<Utc>,
                ) -> Result<Recorded, StoreError> {
                    self.$inner.record_publish(claim, target, event, after, at).await
                }
                async fn delivery_context(
                    &self, claim: &Claim,
                ) -> Result<Option<DeliveryContext>, StoreError> {
                    self.$inner.delivery_context(claim).await
                }
                async fn record_delivery(
                    &self,
                    claim: &Claim,
                    delivery: &Delivery,
                    attempt: &DeliveryAttempt,
                    after: WorkAfter,
                ) -> Result<Recorded, StoreError> {
                    self.$inner.record_delivery(claim, delivery, attempt, after).await
                }
                async fn media_context(
                    &self, claim: &Claim,
                ) -> Result<Option<MediaContext>, StoreError> {
                    self.$inner.media_context(claim).await
                }
                async fn record_media(
                    &self, claim: &Claim, media: &Media,
                ) -> Result<Recorded, StoreError> {
                    self.$inner.record_media(claim, media).await
                }
            }
        };
    };
}
