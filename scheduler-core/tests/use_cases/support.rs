//! A scheduler over a store in memory, and short words for what the tests ask of it.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use scheduler_core::account::Account;
use scheduler_core::app::{Caller, CheckReport, NewWorkspace, Ports, Scheduler, Settings};
use scheduler_core::engine::{LEASE, RunOutcome};
use scheduler_core::error::{AppError, Refusal};
use scheduler_core::idempotency::{Fingerprint, IdempotencyKey, Made};
use scheduler_core::ids::{MediaId, PostId};
use scheduler_core::key::{Scope, Scopes};
use scheduler_core::media::{Media, MediaFacts, MediaKind, MediaStatus, Transfer};
use scheduler_core::memory::{MemoryFiles, MemoryStore};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    After, Claim, ClaimRequest, Clock as _, ConnectInput, Ids as _, MediaStore as _, Networks,
    NoAssistant, Place, PostStore as _, WorkKind, WorkQueue as _,
};
use scheduler_core::post::{ListInput, Post, PostPage};
use scheduler_core::target::Target;
use serde_json::{Value, json};

use crate::after::ScriptedAfter;
use crate::fakes::{
    CollectedTasks, CountedWake, CountingRandom, ManualClock, ScriptedExaminer, ScriptedMail,
    ScriptedNetwork, ScriptedReceiver, ScriptedSource, SequentialIds,
};

/// A Saturday.
pub(crate) const NOW: &str = "2026-11-21T12:00:00Z";

pub(crate) fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The result of a future that never waits, as none does over a store in memory.
pub(crate) fn done<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("nothing here waits")
}

pub(crate) struct World {
    pub(crate) scheduler: Scheduler,
    parts: Parts,
    /// A full access key of a workspace on plan studio.
    pub(crate) caller: Caller,
}

impl std::ops::Deref for World {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl World {
    /// A workspace without accounts.
    pub(crate) fn empty() -> Self {
        Self::with(Settings { connect_twitter: true, ..Settings::default() })
    }

    pub(crate) fn with(settings: Settings) -> Self {
        let parts = Parts::new();
        let scheduler = Scheduler::new(parts.ports(), settings);
        let caller = new_caller(&scheduler, "home", Plan::Studio);
        Self { scheduler, parts, caller }
    }

    /// A scheduler without any workspace.
    pub(crate) fn bare(settings: Settings) -> Scheduler {
        Scheduler::new(Parts::new().ports(), settings)
    }

    /// A workspace with one account of Bluesky, Mastodon and Telegram each.
    pub(crate) fn new() -> Self {
        let world = Self::empty();
        for platform in [Platform::Bluesky, Platform::Mastodon, Platform::Telegram] {
            world.connect(platform, "me");
        }
        world
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) fn caller_with(&self, scopes: &[Scope]) -> Caller {
        Caller { scopes: Scopes::of(scopes), ..self.caller.clone() }
    }

    /// The same caller after its workspace has moved to another plan.
    pub(crate) fn caller_on(&self, plan: Plan) -> Caller {
        let mut caller = self.caller.clone();
        caller.workspace.plan = plan;
        caller
    }

    /// A caller of another workspace.
    pub(crate) fn stranger(&self) -> Caller {
        new_caller(&self.scheduler, "elsewhere", Plan::Studio)
    }

    pub(crate) fn connect(&self, platform: Platform, name: &str) -> Account {
        self.connect_for(&self.caller, platform, name)
    }

    pub(crate) fn connect_for(&self, caller: &Caller, platform: Platform, name: &str) -> Account {
        done(self.scheduler.connect_account(&caller.workspace, platform, &named(name)))
            .unwrap()
            .account
    }

    pub(crate) fn account(&self, platform: Platform) -> Account {
        self.accounts().into_iter().find(|account| account.platform == platform).unwrap()
    }

    pub(crate) fn accounts(&self) -> Vec<Account> {
        done(self.scheduler.accounts(self.caller.workspace.id)).unwrap()
    }

    pub(crate) fn file(&self, status: MediaStatus) -> MediaId {
        self.file_of(&self.caller, MediaKind::Image, status)
    }

    pub(crate) fn file_of(&self, caller: &Caller, kind: MediaKind, status: MediaStatus) -> MediaId {
        let id = MediaId(self.ids.next(self.now()));
        self.put_file(caller, id, kind, status);
        id
    }

    pub(crate) fn put_file(&self, caller: &Caller, id: MediaId, kind: MediaKind, to: MediaStatus) {
        let is_video = kind == MediaKind::Video;
        let facts = MediaFacts {
            mime_type: Some(if is_video { "video/mp4" } else { "image/jpeg" }.into()),
            size_bytes: Some(100_000),
            duration_seconds: is_video.then_some(30.0),
            width: Some(1_080),
            height: Some(if is_video { 1_920 } else { 1_080 }),
            fps: is_video.then_some(30.0),
            ..MediaFacts::of_kind(kind)
        };
        self.put_measured(caller, id, &facts, to);
    }

    /// A ready file of which everything is known that `facts` says.
    pub(crate) fn measured(&self, facts: &MediaFacts) -> MediaId {
        let id = MediaId(self.ids.next(self.now()));
        self.put_measured(&self.caller, id, facts, MediaStatus::Ready);
        id
    }

    fn put_measured(&self, caller: &Caller, id: MediaId, facts: &MediaFacts, status: MediaStatus) {
        let media = Media {
            status,
            mime_type: facts.mime_type.clone(),
            size_bytes: facts.size_bytes,
            duration_seconds: facts.duration_seconds,
            width: facts.width,
            height: facts.height,
            fps: facts.fps,
            video_codec: facts.video_codec,
            frame_count: facts.frame_count,
            due_at: None,
            ..Media::declared(id, caller.workspace.id, facts.kind, Transfer::Single, self.now())
        };
        done(self.store.create_media(&media, u64::MAX, None)).unwrap();
    }

    pub(crate) fn create_as(&self, caller: &Caller, body: Value) -> Result<Post, Refusal> {
        self.create_keyed(caller, body, None).map(|created| created.value)
    }

    pub(crate) fn create_keyed(
        &self,
        caller: &Caller,
        body: Value,
        key: Option<&str>,
    ) -> Result<Made<Post>, Refusal> {
        let fingerprint = Fingerprint::of(body.to_string().as_bytes());
        let input = serde_json::from_value(body).unwrap();
        let key = key.map(|key| IdempotencyKey::new(key, Some(fingerprint))).transpose()?;
        refused(done(self.scheduler.create_post(caller, input, key.as_ref())))
    }

    /// A post that is stored, as it is stored.
    pub(crate) fn create(&self, body: Value) -> Post {
        let post = self.create_as(&self.caller, body).unwrap();
        self.post(post.id)
    }

    pub(crate) fn patch_as(
        &self,
        caller: &Caller,
        id: PostId,
        body: Value,
    ) -> Result<Post, Refusal> {
        let input = serde_json::from_value(body).unwrap();
        let answered = refused(done(self.scheduler.update_post(caller, id, input, None)))?;
        assert_eq!(answered, self.post(id), "what is answered is what is stored");
        Ok(answered)
    }

    pub(crate) fn patch(&self, id: PostId, body: Value) -> Result<Post, Refusal> {
        self.patch_as(&self.caller, id, body)
    }

    pub(crate) fn delete(&self, id: PostId) -> Result<(), Refusal> {
        refused(done(self.scheduler.delete_post(&self.caller, id, None)))
    }

    pub(crate) fn retry(&self, id: PostId) -> Result<Post, Refusal> {
        let answered = refused(done(self.scheduler.retry_post(&self.caller, id)))?;
        assert_eq!(answered, self.post(id), "what is answered is what is stored");
        Ok(answered)
    }

    pub(crate) fn check_as(&self, caller: &Caller, body: Value) -> Result<CheckReport, Refusal> {
        let input = serde_json::from_value(body).unwrap();
        refused(done(self.scheduler.check_post(caller, input)))
    }

    pub(crate) fn list(&self, input: &ListInput) -> Result<PostPage, Refusal> {
        refused(done(self.scheduler.list_posts(&self.caller, input)))
    }

    pub(crate) fn post(&self, id: PostId) -> Post {
        done(self.store.post(self.caller.workspace.id, id)).unwrap().expect("the post is stored")
    }

    pub(crate) fn is_stored(&self, id: PostId) -> bool {
        self.store.posts().iter().any(|post| post.id == id)
    }

    /// Does all work that is due now, and what follows from it at once; all but readings.
    pub(crate) fn work(&self) -> Vec<RunOutcome> {
        self.work_on(Self::claim_all)
    }

    /// Takes all readings that are due now.
    pub(crate) fn take_readings(&self) -> Vec<RunOutcome> {
        self.work_on(Self::claim_readings)
    }

    fn work_on(&self, claim: impl Fn(&Self) -> Vec<Claim>) -> Vec<RunOutcome> {
        let mut all = Vec::new();
        loop {
            let claims = claim(self);
            if claims.is_empty() {
                return all;
            }
            all.extend(claims.iter().map(|claim| done(self.scheduler.run(claim)).unwrap()));
        }
    }

    /// Claims everything that is due but readings.
    pub(crate) fn claim_all(&self) -> Vec<Claim> {
        self.claim([Place::Read])
    }

    /// Claims the readings that are due.
    pub(crate) fn claim_readings(&self) -> Vec<Claim> {
        let mut claims = self.claim([]);
        claims.retain(|claim| claim.kind == WorkKind::Read);
        claims
    }

    fn claim(&self, without: impl IntoIterator<Item = Place>) -> Vec<Claim> {
        let now = self.now();
        let request = ClaimRequest::new(now, now + LEASE, 100, 100).without(without);
        done(self.store.claim(&request)).unwrap()
    }

    pub(crate) fn work_after(&self, wait: TimeDelta) -> Vec<RunOutcome> {
        self.clock.advance(wait);
        self.work()
    }

    /// Lets time pass until nothing is due any more but readings, which never end.
    pub(crate) fn work_to_the_end(&self) -> Vec<RunOutcome> {
        let mut all = self.work();
        while let Some(due_at) = self.store.next_due_but_readings(self.now()) {
            self.clock.set(due_at);
            all.extend(self.work());
        }
        all
    }
}

pub(crate) struct Parts {
    pub(crate) tasks: Arc<CollectedTasks>,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) ids: Arc<SequentialIds>,
    pub(crate) wake: Arc<CountedWake>,
    pub(crate) network: Arc<ScriptedNetwork>,
    pub(crate) after: Arc<ScriptedAfter>,
    pub(crate) receiver: Arc<ScriptedReceiver>,
    pub(crate) mail: Arc<ScriptedMail>,
    pub(crate) files: Arc<MemoryFiles>,
    pub(crate) source: Arc<ScriptedSource>,
    pub(crate) examiner: Arc<ScriptedExaminer>,
}

impl Parts {
    fn new() -> Self {
        let clock = Arc::new(ManualClock::at(NOW));
        Self {
            tasks: Arc::new(CollectedTasks::new(clock.clone())),
            store: Arc::new(MemoryStore::new()),
            clock,
            ids: Arc::new(SequentialIds::default()),
            wake: Arc::new(CountedWake::default()),
            network: Arc::new(ScriptedNetwork::default()),
            after: Arc::new(ScriptedAfter::default()),
            receiver: Arc::new(ScriptedReceiver::default()),
            mail: Arc::new(ScriptedMail::default()),
            files: Arc::new(MemoryFiles::new()),
            source: Arc::new(ScriptedSource::default()),
            examiner: Arc::new(ScriptedExaminer::default()),
        }
    }

    fn ports(&self) -> Ports {
        let add = |all: Networks, platform| all.with(platform, self.network.clone());
        let add_after = |all: After, platform| all.with(platform, self.after.clone());
        Ports {
            store: self.store.clone(),
            networks: Platform::ALL.into_iter().fold(Networks::default(), add),
            after: Platform::ALL.into_iter().fold(After::default(), add_after),
            assistant: Arc::new(NoAssistant),
            sender: self.receiver.clone(),
            mail: self.mail.clone(),
            files: self.files.clone(),
            fetcher: self.source.clone(),
            examiner: self.examiner.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            random: Arc::new(CountingRandom::default()),
            wake: self.wake.clone(),
            tasks: self.tasks.clone(),
        }
    }
}

pub(crate) fn new_caller(scheduler: &Scheduler, name: &str, plan: Plan) -> Caller {
    let input = NewWorkspace { name: name.into(), plan };
    let workspace = done(scheduler.create_workspace(&input)).unwrap();
    Caller::for_workspace(workspace)
}

pub(crate) fn named(name: &str) -> ConnectInput {
    ConnectInput(BTreeMap::from([("name".to_owned(), name.to_owned())]))
}

/// The refusal of a use case; these tests have no store that fails.
pub(crate) fn refused<T>(result: Result<T, AppError>) -> Result<T, Refusal> {
    result.map_err(|error| match error {
        AppError::Refused(refusal) => refusal,
        AppError::Store(error) => panic!("{error}"),
        AppError::Files(error) => panic!("{error}"),
    })
}

/// `ok`, or code and field of a refusal, such as `invalid_request queue`.
pub(crate) fn outcome<T>(result: &Result<T, Refusal>) -> String {
    match result {
        Ok(_) => "ok".to_owned(),
        Err(refusal) => {
            let code = serde_json::to_value(refusal.code).unwrap();
            let code = code.as_str().unwrap().to_owned();
            match &refusal.field {
                Some(field) => format!("{code} {field}"),
                None => code,
            }
        }
    }
}

/// Statuses of a post and its targets, such as `publishing: published pending`.
pub(crate) fn statuses(post: &Post) -> String {
    let targets: Vec<&str> = post.targets.iter().map(|target| target.status().as_str()).collect();
    format!("{}: {}", post.status.as_str(), targets.join(" "))
}

pub(crate) fn target_of(post: &Post, platform: Platform) -> &Target {
    post.targets.iter().find(|target| target.platform == platform).unwrap()
}

/// A body for these networks, with more fields laid over it.
pub(crate) fn body(networks: &[&str], fields: Value) -> Value {
    let targets: Vec<Value> = networks.iter().map(|name| json!({ "platform": name })).collect();
    let mut body = json!({ "content": "Hello", "targets": targets });
    let fields = fields.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(fields);
    body
}
