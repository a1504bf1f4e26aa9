//! What is forwarded to the store inside, and watched by nobody.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::assistant::{AssistantCall, Reviewed};
use scheduler_core::connecting::{PassHash, PendingConnection};
use scheduler_core::idempotency::{KeyScope, KeyUse};
use scheduler_core::ids::{
    AccountId, ConnectionId, DeliveryId, KeyId, MediaId, PostId, TargetId, WebhookId, WorkspaceId,
};
use scheduler_core::key::{Key, KeyHash};
use scheduler_core::media::Media;
use scheduler_core::ports::{
    AccountStore, AddOutcome, ApprovalStore, AssistantStore, CallBudget, Claim, ConnectOutcome,
    ConnectingStore, CreateOutcome, DeliveryRecord, EraseOutcome, EventsRemoved, Followers,
    IdempotencyStore, KeyStore, MediaStore, PostStore, ReadingContext, ReadingStore, ReadingsTaken,
    Recorded, RedeliverOutcome, RefreshClaim, RefreshOutcome, RemoveOutcome, SaveOutcome, Spending,
    StoreError, StoredCredentials, WebhookStore, WorkspaceStore,
};
use scheduler_core::post::{Approval, ListQuery, Month, PageQuery, Post};
use scheduler_core::reading::Reading;
use scheduler_core::webhook::{DeliveryStatus, EventPlace, Webhook};
use scheduler_core::workspace::Workspace;

use super::FaultyStore;

#[async_trait]
impl WorkspaceStore for FaultyStore {
    async fn create_first_workspace(
        &self,
        workspace: &Workspace,
        key: &Key,
    ) -> Result<bool, StoreError> {
        relay!(self.create_first_workspace(workspace, key))
    }

    async fn create_workspace(&self, workspace: &Workspace) -> Result<bool, StoreError> {
        relay!(self.create_workspace(workspace))
    }

    async fn workspace(&self, id: WorkspaceId) -> Result<Option<Workspace>, StoreError> {
        relay!(self.workspace(id))
    }

    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        relay!(self.workspaces())
    }

    async fn update_workspace(&self, workspace: &Workspace) -> Result<bool, StoreError> {
        relay!(self.update_workspace(workspace))
    }
}

#[async_trait]
impl KeyStore for FaultyStore {
    async fn create_key(&self, key: &Key) -> Result<(), StoreError> {
        relay!(self.create_key(key))
    }

    async fn keys(&self, workspace: WorkspaceId) -> Result<Vec<Key>, StoreError> {
        relay!(self.keys(workspace))
    }

    async fn key_by_hash(&self, hash: KeyHash) -> Result<Option<(Key, Workspace)>, StoreError> {
        relay!(self.key_by_hash(hash))
    }

    async fn revoke_key(&self, id: KeyId) -> Result<bool, StoreError> {
        relay!(self.revoke_key(id))
    }
}

#[async_trait]
impl AccountStore for FaultyStore {
    async fn connect_account(
        &self,
        account: &Account,
        credentials: &Credentials,
        limit: u64,
    ) -> Result<ConnectOutcome, StoreError> {
        relay!(self.connect_account(account, credentials, limit))
    }

    async fn account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
    ) -> Result<Option<Account>, StoreError> {
        relay!(self.account(workspace, id))
    }

    async fn accounts(&self, workspace: WorkspaceId) -> Result<Vec<Account>, StoreError> {
        relay!(self.accounts(workspace))
    }

    async fn update_account(&self, account: &Account) -> Result<bool, StoreError> {
        relay!(self.update_account(account))
    }

    async fn disconnect_account(
        &self,
        workspace: WorkspaceId,
        id: AccountId,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        relay!(self.disconnect_account(workspace, id, at))
    }

    async fn accounts_expiring(
        &self,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        relay!(self.accounts_expiring(until, limit))
    }

    async fn mark_needs_reconnect(&self, id: AccountId, version: i64) -> Result<bool, StoreError> {
        relay!(self.mark_needs_reconnect(id, version))
    }

    async fn credentials(&self, id: AccountId) -> Result<Option<StoredCredentials>, StoreError> {
        relay!(self.credentials(id))
    }

    async fn claim_refresh(
        &self,
        id: AccountId,
        version: i64,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<RefreshClaim, StoreError> {
        relay!(self.claim_refresh(id, version, now, lease_until))
    }

    async fn replace_credentials(
        &self,
        of: &[(AccountId, i64)],
        credentials: &Credentials,
    ) -> Result<Vec<AccountId>, StoreError> {
        relay!(self.replace_credentials(of, credentials))
    }
}

#[async_trait]
impl ConnectingStore for FaultyStore {
    async fn create_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<(), StoreError> {
        relay!(self.create_pending_connection(pending))
    }

    async fn pending_connection(
        &self,
        id: ConnectionId,
    ) -> Result<Option<PendingConnection>, StoreError> {
        relay!(self.pending_connection(id))
    }

    async fn pending_connection_by_pass(
        &self,
        pass: PassHash,
    ) -> Result<Option<PendingConnection>, StoreError> {
        relay!(self.pending_connection_by_pass(pass))
    }

    async fn save_pending_connection(
        &self,
        pending: &PendingConnection,
    ) -> Result<bool, StoreError> {
        relay!(self.save_pending_connection(pending))
    }

    async fn remove_pending_connections(&self, until: DateTime<Utc>) -> Result<u64, StoreError> {
        relay!(self.remove_pending_connections(until))
    }
}

#[async_trait]
impl PostStore for FaultyStore {
    async fn create_post(
        &self,
        post: &Post,
        posts_a_month: u64,
    ) -> Result<CreateOutcome, StoreError> {
        relay!(self.create_post(post, posts_a_month))
    }

    async fn post(&self, workspace: WorkspaceId, id: PostId) -> Result<Option<Post>, StoreError> {
        relay!(self.post(workspace, id))
    }

    async fn post_by_key(
        &self,
        workspace: WorkspaceId,
        key: &str,
    ) -> Result<Option<Post>, StoreError> {
        relay!(self.post_by_key(workspace, key))
    }

    async fn list_posts(&self, query: &ListQuery) -> Result<Vec<Post>, StoreError> {
        relay!(self.list_posts(query))
    }

    async fn save_post(&self, post: &Post, posts_a_month: u64) -> Result<SaveOutcome, StoreError> {
        relay!(self.save_post(post, posts_a_month))
    }

    async fn remove_post(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        version: i64,
    ) -> Result<RemoveOutcome, StoreError> {
        relay!(self.remove_post(workspace, id, version))
    }

    async fn taken_instants(
        &self,
        account: AccountId,
        from: DateTime<Utc>,
    ) -> Result<BTreeSet<DateTime<Utc>>, StoreError> {
        relay!(self.taken_instants(account, from))
    }

    async fn posts_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        relay!(self.posts_in_month(workspace, month))
    }
}

#[async_trait]
impl WebhookStore for FaultyStore {
    async fn create_webhook(
        &self,
        webhook: &Webhook,
        limit: u32,
        key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        relay!(self.create_webhook(webhook, limit, key_use))
    }

    async fn webhooks(&self, workspace: WorkspaceId) -> Result<Vec<Webhook>, StoreError> {
        relay!(self.webhooks(workspace))
    }

    async fn remove_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
    ) -> Result<bool, StoreError> {
        relay!(self.remove_webhook(workspace, id))
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryRecord>, StoreError> {
        relay!(self.delivery(id))
    }

    async fn deliveries(
        &self,
        workspace: WorkspaceId,
        status: Option<DeliveryStatus>,
        limit: u32,
    ) -> Result<Vec<DeliveryRecord>, StoreError> {
        relay!(self.deliveries(workspace, status, limit))
    }

    async fn redeliver(
        &self,
        workspace: WorkspaceId,
        id: DeliveryId,
        at: DateTime<Utc>,
    ) -> Result<RedeliverOutcome, StoreError> {
        relay!(self.redeliver(workspace, id, at))
    }

    async fn remove_ended_deliveries(
        &self,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<u64, StoreError> {
        relay!(self.remove_ended_deliveries(before, limit))
    }

    async fn remove_unnamed_events(
        &self,
        before: DateTime<Utc>,
        after: Option<EventPlace>,
        limit: u32,
    ) -> Result<EventsRemoved, StoreError> {
        relay!(self.remove_unnamed_events(before, after, limit))
    }
}

#[async_trait]
impl ApprovalStore for FaultyStore {
    async fn save_approval(
        &self,
        post: &Post,
        approval: Option<&Approval>,
    ) -> Result<SaveOutcome, StoreError> {
        relay!(self.save_approval(post, approval))
    }

    async fn approval(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Option<Approval>, StoreError> {
        relay!(self.approval(workspace, post))
    }

    async fn approval_by_pass(
        &self,
        pass: PassHash,
    ) -> Result<Option<(Approval, Post)>, StoreError> {
        relay!(self.approval_by_pass(pass))
    }

    async fn approvals(
        &self,
        workspace: WorkspaceId,
        limit: u32,
    ) -> Result<Vec<(Approval, Post)>, StoreError> {
        relay!(self.approvals(workspace, limit))
    }
}

#[async_trait]
impl MediaStore for FaultyStore {
    async fn create_media(
        &self,
        media: &Media,
        upload_bytes_a_month: u64,
        key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        relay!(self.create_media(media, upload_bytes_a_month, key_use))
    }

    async fn save_media(&self, media: &Media) -> Result<bool, StoreError> {
        relay!(self.save_media(media))
    }

    async fn erase_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        at: DateTime<Utc>,
    ) -> Result<EraseOutcome, StoreError> {
        relay!(self.erase_media(workspace, id, at))
    }

    async fn list_media(
        &self,
        workspace: WorkspaceId,
        limit: u32,
    ) -> Result<Vec<(Media, u64)>, StoreError> {
        relay!(self.list_media(workspace, limit))
    }

    async fn posts_of_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        page: PageQuery,
    ) -> Result<Vec<Post>, StoreError> {
        relay!(self.posts_of_media(workspace, id, page))
    }

    async fn bytes_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        relay!(self.bytes_in_month(workspace, month))
    }

    async fn media(
        &self,
        workspace: WorkspaceId,
        ids: &[MediaId],
    ) -> Result<Vec<Media>, StoreError> {
        relay!(self.media(workspace, ids))
    }
}

#[async_trait]
impl IdempotencyStore for FaultyStore {
    async fn key_use(
        &self,
        workspace: WorkspaceId,
        scope: &KeyScope,
        key: &str,
    ) -> Result<Option<KeyUse>, StoreError> {
        relay!(self.key_use(workspace, scope, key))
    }

    async fn begin_key_use(&self, new: &KeyUse) -> Result<Option<KeyUse>, StoreError> {
        relay!(self.begin_key_use(new))
    }

    async fn settle_key_use(&self, settled: &KeyUse) -> Result<bool, StoreError> {
        relay!(self.settle_key_use(settled))
    }

    async fn forget_key_use(&self, of: &KeyUse) -> Result<bool, StoreError> {
        relay!(self.forget_key_use(of))
    }
}

#[async_trait]
impl AssistantStore for FaultyStore {
    async fn take_call(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
        limit: u64,
    ) -> Result<bool, StoreError> {
        relay!(self.take_call(workspace, month, call, limit))
    }

    async fn give_back_call(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
    ) -> Result<(), StoreError> {
        relay!(self.give_back_call(workspace, month, call))
    }

    async fn calls_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
    ) -> Result<u64, StoreError> {
        relay!(self.calls_in_month(workspace, month, call))
    }

    async fn post_of_target(
        &self,
        workspace: WorkspaceId,
        target: TargetId,
    ) -> Result<Option<Post>, StoreError> {
        relay!(self.post_of_target(workspace, target))
    }

    async fn save_review(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        reviewed: &Reviewed,
    ) -> Result<bool, StoreError> {
        relay!(self.save_review(workspace, post, reviewed))
    }

    async fn review(
        &self,
        workspace: WorkspaceId,
        target: TargetId,
    ) -> Result<Option<Reviewed>, StoreError> {
        relay!(self.review(workspace, target))
    }
}

#[async_trait]
impl ReadingStore for FaultyStore {
    async fn reading_context(
        &self,
        claim: &Claim,
        now: DateTime<Utc>,
        limit: u32,
    ) -> Result<Option<ReadingContext>, StoreError> {
        relay!(self.reading_context(claim, now, limit))
    }

    async fn record_readings(
        &self,
        claim: &Claim,
        taken: &ReadingsTaken,
    ) -> Result<Recorded, StoreError> {
        self.before().await?;
        let answer = self.inner.record_readings(claim, taken).await;
        if let Ok(Recorded::Stored) = answer {
            let watch = self.watch.lock().expect("not poisoned");
            if watch.newest_claim.get(&claim.work_id) != Some(&claim.number) {
                self.world.violated(format!("a stale holder recorded readings: {claim:?}"));
            }
        }
        self.after(answer).await
    }

    async fn add_reading(
        &self,
        target: TargetId,
        reading: &Reading,
        superfluous: &[DateTime<Utc>],
    ) -> Result<(), StoreError> {
        relay!(self.add_reading(target, reading, superfluous))
    }

    async fn readings(
        &self,
        target: TargetId,
        since: Option<DateTime<Utc>>,
        limit: u32,
    ) -> Result<Vec<Reading>, StoreError> {
        relay!(self.readings(target, since, limit))
    }

    async fn refresh_readings(
        &self,
        workspace: WorkspaceId,
        now: DateTime<Utc>,
        published_since: DateTime<Utc>,
        every: TimeDelta,
    ) -> Result<RefreshOutcome, StoreError> {
        relay!(self.refresh_readings(workspace, now, published_since, every))
    }

    async fn followers(
        &self,
        workspace: WorkspaceId,
        from: NaiveDate,
    ) -> Result<Vec<Followers>, StoreError> {
        relay!(self.followers(workspace, from))
    }

    async fn spend_calls(
        &self,
        budgets: &[CallBudget],
        calls: u32,
    ) -> Result<Spending, StoreError> {
        relay!(self.spend_calls(budgets, calls))
    }
}
