//! What the cases are made of.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::idempotency::{Fingerprint, IdempotencyKey};
use scheduler_core::ids::{
    AccountId, EventId, KeyId, MediaId, PersonId, PostId, TargetId, WebhookId, WorkspaceId,
};
use scheduler_core::key::{AgentPolicy, Confirmation, Key, KeyValue, Preset, WebhookSecret};
use scheduler_core::media::{Media, MediaKind, MediaStatus, Transfer};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AddOutcome, Claim, ClaimRequest, ConnectOutcome, CreateOutcome, Place, PublishContext,
    Recorded, Store, WorkAfter, WorkKind,
};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::session::Person;
use scheduler_core::target::{Failure, FailureCode, Progress, Remote, Target};
use scheduler_core::webhook::{Event, EventKind, WEBHOOKS_MAX, Webhook};
use scheduler_core::workspace::Workspace;
use serde_json::{Map, json};
use uuid::Uuid;

/// No month has so many posts.
pub(crate) const NO_LIMIT: u64 = u64::MAX;

/// An instant: 2026-11-21 at noon and so many seconds.
pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    let noon: DateTime<Utc> = "2026-11-21T12:00:00Z".parse().unwrap();
    noon + TimeDelta::seconds(seconds)
}

/// A new id; later ones sort after earlier ones.
pub(crate) fn id() -> Uuid {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let mut random = [0; 10];
    random[2..].copy_from_slice(&number.to_be_bytes());
    random[9] = random[9].wrapping_mul(151);
    let millis = u64::try_from(at(0).timestamp_millis()).unwrap() + number;
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

/// Somebody of this name.
pub(crate) fn person(name: &str) -> Person {
    Person { id: PersonId(id()), name: name.parse().unwrap() }
}

/// A key whose first request said something.
pub(crate) fn idempotency_key(text: &str) -> IdempotencyKey {
    IdempotencyKey::stored(text.to_owned(), Some(Fingerprint::of(text.as_bytes())))
}

/// A store with one workspace in it.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) workspace: WorkspaceId,
}

pub(crate) fn workspace(name: &str) -> Workspace {
    Workspace {
        id: WorkspaceId(id()),
        name: name.to_owned(),
        plan: Plan::Studio,
        timezone: None,
        picture: None,
        second_pair: false,
        links: Default::default(),
        created_at: at(0),
    }
}

pub(crate) fn key(workspace: WorkspaceId, seed: u8) -> Key {
    let value = KeyValue::from_random([seed; 32]);
    Key {
        id: KeyId(id()),
        workspace_id: workspace,
        name: format!("key {seed}"),
        hash: value.hash(),
        hint: value.hint(),
        scopes: Preset::Publish.scopes(),
        agents: AgentPolicy {
            confirmation: Confirmation::ALL[usize::from(seed % 3)],
            live_per_hour: u32::from(seed),
        },
        created_at: at(i64::from(seed)),
        expires_at: at(86_400),
    }
}

pub(crate) fn account(workspace: WorkspaceId, platform: Platform, network_id: &str) -> Account {
    Account {
        username: Some(format!("{network_id}.example")),
        ..Account::new(AccountId(id()), workspace, platform, network_id, at(0))
    }
}

pub(crate) fn credentials(secret: &str) -> Credentials {
    Credentials::new(secret.to_owned(), Some(at(3_600)))
}

/// A pending target on Bluesky.
pub(crate) fn target(account: AccountId, due_at: Option<DateTime<Utc>>) -> Target {
    Target::new(TargetId(id()), Platform::Bluesky, account, Map::new(), due_at, None)
}

/// The same in a slot of the account's schedule.
pub(crate) fn slotted(account: AccountId, slot: DateTime<Utc>) -> Target {
    let mut slotted = target(account, None);
    slotted.reschedule(Some(slot), Some(slot));
    slotted
}

/// A post of these targets, made at noon: scheduled, or a draft when none has a time.
pub(crate) fn post(workspace: WorkspaceId, targets: Vec<Target>) -> Post {
    let scheduled_at = targets.iter().filter_map(Target::due_at).min();
    Post {
        status: if scheduled_at.is_some() { PostStatus::Scheduled } else { PostStatus::Draft },
        content: "Hello".to_owned(),
        scheduled_at,
        version: 1,
        targets,
        ..Post::new(PostId(id()), workspace, at(0))
    }
}

/// An image of so many bytes that was declared at noon and awaits them for a day.
pub(crate) fn file(world: &World, size_bytes: u64) -> Media {
    let (id, kind) = (MediaId(id()), MediaKind::Image);
    Media {
        mime_type: Some("image/png".to_owned()),
        size_bytes: Some(size_bytes),
        due_at: Some(at(86_400)),
        ..Media::declared(id, world.workspace, kind, Transfer::Single, at(0))
    }
}

/// Stores a webhook, for which there is room.
pub(crate) async fn add_webhook(store: &dyn Store, webhook: &Webhook) {
    let outcome = store.create_webhook(webhook, WEBHOOKS_MAX, None).await.unwrap();
    assert_eq!(outcome, AddOutcome::Stored);
}

pub(crate) fn webhook(workspace: WorkspaceId, events: &[EventKind]) -> Webhook {
    Webhook {
        id: WebhookId(id()),
        workspace_id: workspace,
        url: "https://receiver.example/hook".to_owned(),
        events: events.to_vec(),
        secret: WebhookSecret::from_random([7; 32]),
        created_at: at(0),
        disabled_at: None,
    }
}

impl World {
    pub(crate) async fn new(store: Arc<dyn Store>) -> Self {
        Self::add(store, "first").await
    }

    /// Another workspace in the same store.
    pub(crate) async fn add(store: Arc<dyn Store>, name: &str) -> Self {
        let workspace = workspace(name);
        assert!(store.create_workspace(&workspace).await.unwrap());
        Self { store, workspace: workspace.id }
    }

    pub(crate) async fn account(&self) -> Account {
        let account = account(self.workspace, Platform::Bluesky, &format!("did:{}", id()));
        let outcome =
            self.store.connect_account(&account, &credentials("token"), NO_LIMIT).await.unwrap();
        assert_eq!(outcome, ConnectOutcome::Added);
        account
    }

    /// Puts off what is due of readings, for cases on when the next work is due.
    pub(crate) async fn put_off_readings(&self) {
        for claim in self.store.claim(&everything(at(0), 1_000, 1)).await.unwrap() {
            assert_eq!(claim.kind, WorkKind::Read);
            let released = self.store.release(&claim, at(1_000_000)).await.unwrap();
            assert_eq!(released, Recorded::Stored);
        }
    }

    /// Stores a post and gives it back.
    pub(crate) async fn create(&self, post: Post) -> Post {
        let outcome = self.store.create_post(&post, NO_LIMIT).await.unwrap();
        assert_eq!(outcome, CreateOutcome::Created);
        post
    }

    /// Stores a post with one target.
    pub(crate) async fn due(&self, account: AccountId, due_at: DateTime<Utc>) -> Post {
        self.create(post(self.workspace, vec![target(account, Some(due_at))])).await
    }

    pub(crate) async fn read(&self, id: PostId) -> Post {
        self.store.post(self.workspace, id).await.unwrap().expect("the post is there")
    }

    /// Stores a file and gives it back.
    pub(crate) async fn declare(&self, media: Media) -> Media {
        let outcome = self.store.create_media(&media, NO_LIMIT, None).await.unwrap();
        assert_eq!(outcome, AddOutcome::Stored);
        media
    }

    /// Stores a file that can be used.
    pub(crate) async fn ready(&self) -> Media {
        let media = file(self, 5);
        self.declare(Media { status: MediaStatus::Ready, due_at: None, ..media }).await
    }

    pub(crate) async fn media(&self, id: MediaId) -> Media {
        let found = self.store.media(self.workspace, &[id]).await.unwrap();
        found.into_iter().next().expect("the file is there")
    }

    /// Claims the work on one file, which is the only one that is due.
    pub(crate) async fn claim_media(&self, id: MediaId, now: DateTime<Utc>) -> Claim {
        let claim = self.claim_one(now).await;
        assert_eq!(claim.subject, id.0);
        claim
    }

    /// Claims everything that is due, one of each lane.
    pub(crate) async fn claim(&self, now: DateTime<Utc>) -> Vec<Claim> {
        self.claim_with(now, 1_000, 1).await
    }

    pub(crate) async fn claim_with(
        &self,
        now: DateTime<Utc>,
        lanes: u32,
        per_lane: u32,
    ) -> Vec<Claim> {
        self.store.claim(&request(now, lanes, per_lane)).await.unwrap()
    }

    /// The one piece of work that is due.
    pub(crate) async fn claim_one(&self, now: DateTime<Utc>) -> Claim {
        let mut claims = self.claim(now).await;
        assert_eq!(claims.len(), 1, "{claims:?}");
        claims.remove(0)
    }

    pub(crate) async fn context(&self, claim: &Claim) -> PublishContext {
        self.store.publish_context(claim).await.unwrap().expect("the claim is current")
    }

    /// The target of a claim.
    pub(crate) async fn target(&self, claim: &Claim) -> Target {
        self.context(claim).await.target().cloned().unwrap()
    }

    /// Begins an attempt, and keeps the work for a minute.
    pub(crate) async fn start(&self, claim: &Claim, now: DateTime<Utc>) -> Target {
        let target = begun(self.target(claim).await);
        let after = WorkAfter::Held(now + TimeDelta::seconds(60));
        let recorded = self.store.record_publish(claim, &target, None, after, now).await.unwrap();
        assert_eq!(recorded, Recorded::Stored);
        target
    }

    /// Begins an attempt and has it succeed.
    pub(crate) async fn publish(&self, claim: &Claim, now: DateTime<Utc>) -> Recorded {
        let target = self.start(claim, now).await;
        self.succeed(claim, target, now).await
    }

    pub(crate) async fn succeed(
        &self,
        claim: &Claim,
        target: Target,
        now: DateTime<Utc>,
    ) -> Recorded {
        let target = live(target, now);
        let event = published(self.workspace, &target, now);
        let store = &self.store;
        store.record_publish(claim, &target, Some(&event), WorkAfter::Done, now).await.unwrap()
    }
}

/// The lease is ten seconds. Readings are left alone: only the cases on them want any.
pub(crate) fn request(now: DateTime<Utc>, lanes: u32, per_lane: u32) -> ClaimRequest {
    everything(now, lanes, per_lane).without([Place::Read])
}

/// The same with readings.
pub(crate) fn everything(now: DateTime<Utc>, lanes: u32, per_lane: u32) -> ClaimRequest {
    ClaimRequest::new(now, now + TimeDelta::seconds(10), lanes, per_lane)
}

pub(crate) fn progress(state: &str) -> Progress {
    Progress::new(json!({ "step": state }), at(0))
}

/// The target in its first attempt.
pub(crate) fn begun(target: Target) -> Target {
    let mut target = target.start().unwrap();
    target.keep_progress(progress("begun"));
    target
}

/// A target that is going out, once it is live.
pub(crate) fn live(target: Target, now: DateTime<Utc>) -> Target {
    let remote = Remote::new(format!("at://{}", target.id), None);
    target.succeed(now, Some(remote), None).unwrap()
}

/// The same with a step that follows.
pub(crate) fn followed(target: Target, now: DateTime<Utc>) -> Target {
    let mut target = live(target, now);
    target.keep_progress(progress("comment"));
    target
}

/// A target that is taken down where it is live, and cancelled before.
pub(crate) fn skip(target: &mut Target) {
    let before = target.clone();
    let after = if before.published_at().is_some() { before.take_down() } else { before.cancel() };
    *target = after.unwrap();
}

pub(crate) fn failure() -> Failure {
    Failure { message: "later".to_owned(), code: FailureCode::RateLimited, permanent: false }
}

pub(crate) fn published(workspace: WorkspaceId, target: &Target, now: DateTime<Utc>) -> Event {
    Event::published(EventId(id()), workspace, PostId(Uuid::nil()), target, now)
}
