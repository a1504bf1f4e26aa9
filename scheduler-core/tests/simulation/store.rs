//! The in-memory store behind a line that breaks, with an eye on every promise of the queue.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::connecting::{PassHash, PendingConnection};
use scheduler_core::ids::{
    AccountId, ConnectionId, DeliveryId, KeyId, MediaId, PostId, TargetId, WebhookId, WorkId,
    WorkspaceId,
};
use scheduler_core::key::{Key, KeyHash};
use scheduler_core::media::{Media, MediaEvent, MediaStatus};
use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::{
    AccountStore, CallBudget, Claim, ClaimRequest, ConnectOutcome, ConnectingStore, CreateOutcome,
    DeclareOutcome, DeliveryContext, DeliveryRecord, EraseOutcome, Followers, KeyStore,
    MediaContext, MediaStore, PostStore, PublishContext, ReadingContext, ReadingStore,
    ReadingsTaken, Recorded, RefreshClaim, RefreshOutcome, RemoveOutcome, SaveOutcome, StoreError,
    StoredCredentials, WebhookStore, WorkAfter, WorkQueue, WorkspaceStore,
};
use scheduler_core::post::{ListQuery, Month, Post};
use scheduler_core::reading::Reading;
use scheduler_core::target::{Target, TargetEvent, TargetStatus};
use scheduler_core::webhook::{Delivery, DeliveryAttempt, Event, Webhook};
use scheduler_core::workspace::Workspace;

use crate::world::World;

pub(crate) struct FaultyStore {
    pub(crate) world: Arc<World>,
    pub(crate) inner: MemoryStore,
    watch: Mutex<Watch>,
}

/// What has been seen to be stored.
#[derive(Default)]
struct Watch {
    newest_claim: BTreeMap<WorkId, i64>,
    /// How often each target has ended, which is how many events it must have.
    ends: BTreeMap<TargetId, u32>,
    events: BTreeMap<TargetId, u32>,
}

impl FaultyStore {
    pub(crate) fn new(world: Arc<World>) -> Self {
        Self { world, inner: MemoryStore::new(), watch: Mutex::default() }
    }

    /// Targets that ended another number of times than they have events.
    pub(crate) fn ends_without_their_event(&self) -> Vec<(TargetId, u32, u32)> {
        let watch = self.watch.lock().expect("not poisoned");
        let all: BTreeSet<&TargetId> = watch.ends.keys().chain(watch.events.keys()).collect();
        all.into_iter()
            .map(|id| (*id, count(&watch.ends, id), count(&watch.events, id)))
            .filter(|(_, ends, events)| ends != events)
            .collect()
    }

    async fn before(&self) -> Result<(), StoreError> {
        self.world.pause().await;
        if self.world.fault(60) { Err(unavailable()) } else { Ok(()) }
    }

    /// The act is done; its answer may still get lost.
    async fn after<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        self.world.pause().await;
        if self.world.fault(60) { Err(unavailable()) } else { answer }
    }

    fn watch_media(&self, claim: &Claim, old: &Media, new: &Media) {
        let watch = self.watch.lock().expect("not poisoned");
        if watch.newest_claim.get(&claim.work_id) != Some(&claim.number) {
            self.world.violated(format!("a stale holder recorded {:?}", new.id));
        }
        if old.version != new.version {
            self.world.violated(format!("{:?} was recorded over a newer one", new.id));
        }
        if !is_legal_for_a_file(old.status, new.status) {
            let (old, new_status) = (old.status, new.status);
            self.world.violated(format!("{:?} moved from {old:?} to {new_status:?}", new.id));
        }
    }

    fn watch_record(&self, claim: &Claim, old: Option<TargetStatus>, new: &Target, event: bool) {
        let mut watch = self.watch.lock().expect("not poisoned");
        let newest = watch.newest_claim.get(&claim.work_id).copied();
        if newest != Some(claim.number) {
            self.world.violated(format!(
                "a stale holder recorded {:?}: claim {} of {newest:?}",
                new.id, claim.number
            ));
        }
        if let Some(old) = old
            && old != new.status
        {
            if !is_legal(old, new.status) {
                self.world.violated(format!("{:?} moved from {old:?} to {:?}", new.id, new.status));
            }
            if new.status.has_ended() {
                *watch.ends.entry(new.id).or_default() += 1;
            }
        }
        if event {
            *watch.events.entry(new.id).or_default() += 1;
        }
    }
}

/// The moves of a file that an engine makes.
fn is_legal_for_a_file(old: MediaStatus, new: MediaStatus) -> bool {
    let after = |event| old.transition(event).ok();
    old == new || MediaEvent::ALL.into_iter().any(|event| after(event) == Some(new))
}

fn count(map: &BTreeMap<TargetId, u32>, id: &TargetId) -> u32 {
    map.get(id).copied().unwrap_or_default()
}

/// One move, or a start and an end that are stored together.
fn is_legal(old: TargetStatus, new: TargetStatus) -> bool {
    let moves = |from: TargetStatus| {
        TargetEvent::ALL.into_iter().filter_map(move |event| from.transition(event).ok())
    };
    moves(old).any(|next| {
        next == new || (next == TargetStatus::Publishing && moves(next).any(|end| end == new))
    })
}

fn unavailable() -> StoreError {
    StoreError::Unavailable("the line broke".into())
}

/// Forwards an act to the store inside, over the line that breaks.
macro_rules! relay {
    ($self:ident.$name:ident($($argument:expr),*)) => {{
        $self.before().await?;
        let answer = $self.inner.$name($($argument),*).await;
        $self.after(answer).await
    }};
}

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
    async fn create_webhook(&self, webhook: &Webhook) -> Result<(), StoreError> {
        relay!(self.create_webhook(webhook))
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
        limit: u32,
    ) -> Result<Vec<DeliveryRecord>, StoreError> {
        relay!(self.deliveries(workspace, limit))
    }
}

#[async_trait]
impl MediaStore for FaultyStore {
    async fn create_media(
        &self,
        media: &Media,
        upload_bytes_a_month: u64,
    ) -> Result<DeclareOutcome, StoreError> {
        relay!(self.create_media(media, upload_bytes_a_month))
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
    ) -> Result<Vec<Post>, StoreError> {
        relay!(self.posts_of_media(workspace, id))
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
impl WorkQueue for FaultyStore {
    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claim>, StoreError> {
        self.before().await?;
        let claims = self.inner.claim(request).await?;
        {
            let mut watch = self.watch.lock().expect("not poisoned");
            for claim in &claims {
                let newest = watch.newest_claim.insert(claim.work_id, claim.number);
                if newest.is_some_and(|newest| newest >= claim.number) {
                    self.world.violated(format!("claim {claim:?} is not newer than {newest:?}"));
                }
            }
        }
        self.after(Ok(claims)).await
    }

    async fn renew(
        &self,
        claims: &[Claim],
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<WorkId>, StoreError> {
        // A heartbeat has no fault of its own: a lease lapses only where the clock jumps.
        self.inner.renew(claims, lease_until).await
    }

    async fn release(&self, claim: &Claim, due_at: DateTime<Utc>) -> Result<Recorded, StoreError> {
        relay!(self.release(claim, due_at))
    }

    async fn next_due(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        relay!(self.next_due(now))
    }

    async fn next_due_after(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        relay!(self.next_due_after(now))
    }

    async fn publish_context(&self, claim: &Claim) -> Result<Option<PublishContext>, StoreError> {
        relay!(self.publish_context(claim))
    }

    async fn record_publish(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>,
    ) -> Result<Recorded, StoreError> {
        self.before().await?;
        let old = self.inner.posts().iter().find_map(|post| post.target(target.id).cloned());
        let answer = self.inner.record_publish(claim, target, event, after, at).await;
        if let Ok(Recorded::Stored) = answer {
            self.watch_record(claim, old.map(|old| old.status), target, event.is_some());
        }
        self.after(answer).await
    }

    async fn media_context(&self, claim: &Claim) -> Result<Option<MediaContext>, StoreError> {
        relay!(self.media_context(claim))
    }

    async fn record_media(&self, claim: &Claim, media: &Media) -> Result<Recorded, StoreError> {
        self.before().await?;
        let old = self.inner.all_media().into_iter().find(|old| old.id == media.id);
        let answer = self.inner.record_media(claim, media).await;
        if let (Ok(Recorded::Stored), Some(old)) = (&answer, old) {
            self.watch_media(claim, &old, media);
        }
        self.after(answer).await
    }

    async fn delivery_context(&self, claim: &Claim) -> Result<Option<DeliveryContext>, StoreError> {
        relay!(self.delivery_context(claim))
    }

    async fn record_delivery(
        &self,
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter,
    ) -> Result<Recorded, StoreError> {
        relay!(self.record_delivery(claim, delivery, attempt, after))
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

    async fn spend_calls(&self, budget: &CallBudget, calls: u32) -> Result<bool, StoreError> {
        relay!(self.spend_calls(budget, calls))
    }
}
