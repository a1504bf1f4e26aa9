//! Networks that forget answers, and what is live on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ids::TargetId;
use scheduler_core::media::Recipe;
use scheduler_core::ports::{
    Clock as _, ConnectInput, Connected, ExamineError, Examiner as _, Files as _, FilesError,
    JobFile, Located, Network, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::post::{ApprovalState, Post};
use scheduler_core::target::{Remote, Target};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::{GOOD, SimulatedExaminer, SimulatedFiles};
use crate::run::Bug;
use crate::store::FaultyStore;
use crate::world::World;

/// How a network lets us never post twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// It recognises a key that we choose: a repeat does nothing.
    Keyed,
    /// It recognises a key for an hour; what is live can be found after that too.
    KeyedForAnHour,
    /// It forgets keys, but what is live can be found.
    Searchable,
    /// Neither.
    Blind,
}

/// What the simulated network holds, and everything that was ever done to it.
#[derive(Default)]
pub(crate) struct Wall {
    /// How often each part of a target went live.
    live: Mutex<BTreeMap<(TargetId, u32), u32>>,
    /// Until when each part's key is recognised.
    keys: Mutex<BTreeMap<(TargetId, u32), DateTime<Utc>>>,
    /// The access token that each account accepts, and the refresh token, which is good for one
    /// use: both by number.
    tokens: Mutex<BTreeMap<String, (u64, u64)>>,
    /// Refresh tokens that are taken again.
    forgiven: Mutex<BTreeSet<(String, u64)>>,
    /// How often the second item of each album went live.
    albums: Mutex<BTreeMap<TargetId, u32>>,
    pub(crate) refreshes: Mutex<u32>,
    /// Targets whose first part has files.
    with_files: Mutex<BTreeSet<TargetId>>,
    /// How often a network has answered a target that something of it is live.
    answers: Mutex<BTreeMap<TargetId, u32>>,
}

impl Wall {
    pub(crate) fn answers(&self, target: TargetId) -> u32 {
        let answers = self.answers.lock().expect("not poisoned");
        answers.get(&target).copied().unwrap_or_default()
    }

    pub(crate) fn parts(&self, target: TargetId) -> Vec<u32> {
        let live = self.live.lock().expect("not poisoned");
        live.range((target, 0)..=(target, u32::MAX)).map(|(_, count)| *count).collect()
    }

    pub(crate) fn with_files(&self) -> usize {
        self.with_files.lock().expect("not poisoned").len()
    }

    /// Makes a part live, and the rest of an album with it, unless it recognises a repeat.
    fn take(
        &self,
        memory: Memory,
        target: TargetId,
        part: u32,
        has_more: bool,
        now: DateTime<Utc>,
    ) {
        let mut live = self.live.lock().expect("not poisoned");
        let count = live.entry((target, part)).or_default();
        let mut keys = self.keys.lock().expect("not poisoned");
        let until = keys.entry((target, part)).or_insert(now + TimeDelta::hours(1));
        let is_repeat = match memory {
            Memory::Keyed => *count > 0,
            Memory::KeyedForAnHour => *count > 0 && now < *until,
            Memory::Searchable | Memory::Blind => false,
        };
        *count += u32::from(!is_repeat);
        if has_more && !is_repeat {
            *self.albums.lock().expect("not poisoned").entry(target).or_default() += 1;
        }
    }

    fn is_live(&self, target: TargetId, part: u32) -> bool {
        self.live.lock().expect("not poisoned").contains_key(&(target, part))
    }

    /// How often each item of an album after the first went live at most.
    pub(crate) fn items(&self, target: TargetId) -> u32 {
        self.albums.lock().expect("not poisoned").get(&target).copied().unwrap_or_default()
    }

    fn tokens_of<T>(&self, account: &str, act: impl FnOnce(&mut (u64, u64)) -> T) -> T {
        act(self.tokens.lock().expect("not poisoned").entry(account.to_owned()).or_insert((1, 1)))
    }

    /// What opens an account now.
    fn credentials(&self, account: &str) -> Credentials {
        let (access, refresh) = self.tokens_of(account, |tokens| *tokens);
        Credentials::new(format!("{access}.{refresh}"), None)
    }

    /// Whether these credentials open an account.
    pub(crate) fn accepts(&self, account: &str, credentials: &Credentials) -> bool {
        numbers(credentials).0 == self.tokens_of(account, |tokens| tokens.0)
    }

    /// The process that had exchanged the refresh token of an account is gone, and with it what
    /// nobody can have stored: only then does the network take the earlier one again.
    pub(crate) fn forgive(&self, account: &str, stored: &Credentials) {
        let stored = numbers(stored).1;
        if self.tokens_of(account, |tokens| tokens.1) != stored {
            let mut forgiven = self.forgiven.lock().expect("not poisoned");
            forgiven.insert((account.to_owned(), stored));
        }
    }
}

pub(crate) struct SimulatedNetwork {
    pub(crate) world: Arc<World>,
    pub(crate) wall: Arc<Wall>,
    pub(crate) memory: Memory,
    pub(crate) bug: Option<Bug>,
    pub(crate) store: Arc<FaultyStore>,
    pub(crate) files: Arc<SimulatedFiles>,
    pub(crate) examiner: Arc<SimulatedExaminer>,
}

/// What a network makes of a picture before it takes it.
const RECIPE: Recipe =
    Recipe { media_types: &["image/png"], ..Recipe::jpeg("smaller", 1_000, 1_000) };

/// What is done of a publish.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    parts: u32,
    part: u32,
    /// The network still has to process it before the first part can go live.
    processing: bool,
}

fn read(progress: &Value) -> State {
    serde_json::from_value(progress.clone()).expect("our own state")
}

fn written(state: &State) -> Value {
    serde_json::to_value(state).expect("plain values")
}

fn remote(job: &PublishJob) -> Remote {
    Remote::new(job.target_id.to_string(), None)
}

impl SimulatedNetwork {
    fn check_token(&self, job: &PublishJob) -> Result<(), NetworkError> {
        let account = &job.account.network_id;
        if self.world.fault(25) {
            self.wall.tokens_of(account, |tokens| tokens.0 += 1);
        }
        if self.wall.accepts(account, &job.credentials) {
            Ok(())
        } else {
            Err(NetworkError::new(NetworkErrorKind::TokenExpired, "expired"))
        }
    }

    /// Reads a file as it is sent: every second network wants another form of it.
    async fn read(&self, job: &PublishJob, file: &JobFile) -> Result<(), NetworkError> {
        let key = match self.memory {
            Memory::Keyed | Memory::Blind => {
                let derived = self.examiner.derive(&file.folder, &RECIPE).await;
                derived.map(|derived| derived.key)
            }
            Memory::KeyedForAnHour | Memory::Searchable => Ok(file.folder.original()),
        };
        let content = match key {
            Ok(key) => match self.files.read(&key, None).await {
                Ok(bytes) => bytes.collect().await.map_err(ExamineError::Files),
                Err(error) => Err(ExamineError::Files(error)),
            },
            Err(error) => Err(error),
        };
        match content {
            Ok(content) if content == GOOD => {
                let mut with_files = self.wall.with_files.lock().expect("not poisoned");
                with_files.insert(job.target_id);
                Ok(())
            }
            Ok(_) | Err(ExamineError::Unusable(_)) => {
                self.world.violated(format!("a file that is no picture goes out: {file:?}"));
                Err(NetworkError::new(NetworkErrorKind::Permanent, "no picture"))
            }
            Err(ExamineError::Files(FilesError::Missing)) => {
                let posts = self.store.inner.posts();
                let needs = |post: &&Post| {
                    let is_open = |target: &Target| !target.status().has_ended();
                    post.media_ids.contains(&file.id)
                        && post.target(job.target_id).is_some_and(is_open)
                };
                if posts.iter().any(|post| needs(&post)) {
                    self.world.violated(format!("{} goes out and {file:?} is gone", job.target_id));
                }
                Err(NetworkError::new(NetworkErrorKind::Permanent, "it is gone"))
            }
            Err(
                ExamineError::Files(_)
                | ExamineError::Temporary(_)
                | ExamineError::InProgress { .. },
            ) => Err(NetworkError::new(NetworkErrorKind::Temporary, "the file store is down")),
        }
    }

    async fn maybe_slow(&self) {
        if self.world.fault(10) {
            let seconds = i64::try_from(self.world.below(25)).expect("small");
            let until = self.world.now() + TimeDelta::seconds(seconds);
            self.world.until(until).await;
        }
        self.world.pause().await;
    }

    fn refusal(&self) -> Option<NetworkError> {
        let kind = if self.world.fault(12) {
            NetworkErrorKind::Temporary
        } else if self.world.fault(30) {
            NetworkErrorKind::RateLimited { wait: Some(TimeDelta::seconds(90)) }
        } else if self.world.fault(60) {
            NetworkErrorKind::Permanent
        } else if self.world.fault(300) {
            NetworkErrorKind::Reconnect
        } else {
            return None;
        };
        Some(NetworkError::new(kind, "no"))
    }

    /// Nothing goes out of a post that its client has not approved.
    fn check_approval(&self, job: &PublishJob) {
        let posts = self.store.inner.posts();
        let post = posts.iter().find(|post| post.target(job.target_id).is_some());
        let state = post.and_then(|post| post.approval_state);
        if matches!(state, Some(ApprovalState::Pending | ApprovalState::Changes)) {
            self.world.violated(format!("{} went out while {state:?}", job.target_id));
        }
    }

    /// The call that others can see. Once it has left, what it does is up to the network, whatever
    /// becomes of whoever has sent it.
    async fn make_live(&self, job: &PublishJob, part: u32) -> Result<(), NetworkError> {
        self.maybe_slow().await;
        // As the driver: what cannot end in time any more is not begun.
        if self.world.now() > job.now + SEND_WITHIN {
            return Err(NetworkError::new(NetworkErrorKind::Temporary, "too late to send"));
        }
        let outcome = Arc::new(Mutex::new(None));
        let landing = self.landing(job, part, Arc::clone(&outcome));
        self.world.spawn_outside(Box::pin(landing));
        let answer = self.world.told(&outcome).await;
        self.check_approval(job);
        if self.world.now() < job.begun_at {
            self.world.violated(format!("{} went out before it began", job.target_id));
        }
        if self.world.fault(80) {
            std::panic::resume_unwind(Box::new("a fault of the adapter"));
        }
        self.maybe_slow().await;
        if answer == Landed::Whole && !self.world.fault(8) {
            return Ok(());
        }
        if answer == Landed::InPart && self.bug == Some(Bug::PartIsFailure) {
            return Err(NetworkError::new(NetworkErrorKind::Temporary, "one item failed"));
        }
        let is_answered = answer == Landed::InPart || self.world.fault(3);
        let kind =
            if is_answered { NetworkErrorKind::Unsettled } else { NetworkErrorKind::InDoubt };
        Err(NetworkError::new(kind, "the connection broke"))
    }

    /// What the network does of a call.
    fn landing(
        &self,
        job: &PublishJob,
        part: u32,
        outcome: Arc<Mutex<Option<Landed>>>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (world, wall, memory) = (Arc::clone(&self.world), Arc::clone(&self.wall), self.memory);
        let (target, is_album) = (job.target_id, part == 0 && job.content.contains("album"));
        world.landings.fetch_add(1, Ordering::Relaxed);
        async move {
            if world.fault(10) {
                let seconds = i64::try_from(world.below(25)).expect("small");
                world.until(world.now() + TimeDelta::seconds(seconds)).await;
            }
            let mut landed = Landed::Nothing;
            if !world.fault(12) {
                let in_part = is_album && world.fault(4);
                wall.take(memory, target, part, is_album && !in_part, world.now());
                landed = if in_part { Landed::InPart } else { Landed::Whole };
            }
            *outcome.lock().expect("not poisoned") = Some(landed);
            world.landings.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// What became of a call at the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Landed {
    Nothing,
    InPart,
    Whole,
}

/// How long after a step began its visible call may be sent; it lands 25 seconds later at most.
const SEND_WITHIN: TimeDelta = TimeDelta::seconds(60);

/// The numbers of the access token and the refresh token.
fn numbers(credentials: &Credentials) -> (u64, u64) {
    let (access, refresh) = credentials.expose().split_once('.').expect("our own form");
    (access.parse().expect("a number"), refresh.parse().expect("a number"))
}

#[async_trait]
impl Network for SimulatedNetwork {
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let name = input.value("name").expect("every test names its account");
        let credentials = self.wall.credentials(name);
        Ok(vec![Connected { username: Some(name.to_owned()), ..Connected::new(name, credentials) }])
    }

    fn begin(&self, job: &PublishJob) -> Value {
        let parts = 1 + u32::try_from(job.content.len() % 3).expect("small");
        let processing = job.content.contains("video");
        written(&State { parts, part: 0, processing })
    }

    fn is_visible(&self, progress: &Value) -> bool {
        !read(progress).processing
    }

    fn call_within(&self, _: &PublishJob, _: &Value) -> TimeDelta {
        if self.bug == Some(Bug::CallsHaveNoLength) {
            return TimeDelta::zero();
        }
        SEND_WITHIN + TimeDelta::seconds(30)
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        self.maybe_slow().await;
        self.check_token(job)?;
        if let Some(error) = self.refusal() {
            return Err(error);
        }
        let mut state = read(progress);
        if state.processing {
            state.processing = false;
            let until: DateTime<Utc> = self.world.now() + TimeDelta::seconds(45);
            return Ok(Step::Wait { progress: written(&state), until });
        }
        if state.part == 0 {
            for file in &job.files {
                self.read(job, file).await?;
            }
        }
        self.make_live(job, state.part).await?;
        *self.wall.answers.lock().expect("not poisoned").entry(job.target_id).or_default() += 1;
        state.part += 1;
        if state.part == state.parts {
            Ok(Step::Live(remote(job).into()))
        } else {
            Ok(Step::Next(written(&state)))
        }
    }

    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        let mut state = read(progress);
        if self.bug == Some(Bug::SkipsTheLook) {
            return Ok(Located::Absent(written(&state)));
        }
        self.maybe_slow().await;
        self.check_token(job)?;
        if let Some(error) = self.refusal() {
            return Err(error);
        }
        match self.memory {
            Memory::Blind => return Ok(Located::Unknown),
            // Five minutes are for the call itself.
            Memory::KeyedForAnHour if self.world.now() < job.begun_at + TimeDelta::minutes(55) => {
                return Ok(Located::Repeat(written(&state)));
            }
            Memory::Keyed | Memory::KeyedForAnHour | Memory::Searchable => {}
        }
        let is_excluded = self.bug == Some(Bug::ExcludesOwnPosts) && self.world.below(4) == 0;
        if is_excluded || !self.wall.is_live(job.target_id, state.part) {
            return Ok(Located::Absent(written(&state)));
        }
        state.part += 1;
        if state.part == state.parts {
            return Ok(Located::Live(remote(job).into()));
        }
        Ok(Located::Continue(written(&state)))
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        (read(progress).part > 0).then(|| Remote::new("part", None))
    }

    async fn refresh(
        &self,
        account: &Account,
        old: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        self.maybe_slow().await;
        if self.world.fault(10) {
            return Err(NetworkError::new(NetworkErrorKind::Temporary, "no"));
        }
        let network_id = &account.network_id;
        let used = (network_id.clone(), numbers(old).1);
        let is_forgiven = self.wall.forgiven.lock().expect("not poisoned").contains(&used);
        let is_good = self.wall.tokens_of(network_id, |tokens| {
            let is_good = tokens.1 == used.1 || is_forgiven;
            tokens.1 += u64::from(is_good);
            is_good
        });
        if !is_good {
            if !self.world.hazards.hostile {
                self.world.violated(format!("the refresh token of {network_id} was used twice"));
            }
            return Err(NetworkError::new(NetworkErrorKind::Reconnect, "used"));
        }
        *self.wall.refreshes.lock().expect("not poisoned") += 1;
        let new = self.wall.credentials(network_id);
        self.maybe_slow().await;
        Ok(new)
    }
}
