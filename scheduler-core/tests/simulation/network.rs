//! Networks that forget answers, and what is live on them.

use std::collections::{BTreeMap, BTreeSet};
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
use scheduler_core::post::Post;
use scheduler_core::target::{Remote, Target};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::{GOOD, SimulatedExaminer, SimulatedFiles};
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
    /// The token that each account accepts.
    tokens: Mutex<BTreeMap<String, u64>>,
    pub(crate) refreshes: Mutex<u32>,
    /// Targets whose first part has files.
    with_files: Mutex<BTreeSet<TargetId>>,
}

impl Wall {
    pub(crate) fn parts(&self, target: TargetId) -> Vec<u32> {
        let live = self.live.lock().expect("not poisoned");
        live.range((target, 0)..=(target, u32::MAX)).map(|(_, count)| *count).collect()
    }

    pub(crate) fn with_files(&self) -> usize {
        self.with_files.lock().expect("not poisoned").len()
    }

    fn is_live(&self, target: TargetId, part: u32) -> bool {
        self.live.lock().expect("not poisoned").contains_key(&(target, part))
    }

    pub(crate) fn token(&self, account: &str) -> u64 {
        *self.tokens.lock().expect("not poisoned").entry(account.to_owned()).or_insert(1)
    }
}

pub(crate) struct SimulatedNetwork {
    pub(crate) world: Arc<World>,
    pub(crate) wall: Arc<Wall>,
    pub(crate) memory: Memory,
    /// A planted bug: sends again without looking.
    pub(crate) skips_the_look: bool,
    pub(crate) store: Arc<FaultyStore>,
    pub(crate) files: Arc<SimulatedFiles>,
    pub(crate) examiner: Arc<SimulatedExaminer>,
}

/// What a network makes of a picture before it takes it.
const RECIPE: Recipe = Recipe {
    name: "smaller",
    longest_side: 1_000,
    bytes_max: 1_000,
    media_types: &["image/png"],
    strips_metadata: true,
};

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
            *self.wall.tokens.lock().expect("not poisoned").entry(account.clone()).or_insert(1) +=
                1;
        }
        if job.credentials.expose() == self.wall.token(account).to_string() {
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
                    let is_open = |target: &Target| !target.status.has_ended();
                    post.media_ids.contains(&file.id)
                        && post.target(job.target_id).is_some_and(is_open)
                };
                if posts.iter().any(|post| needs(&post)) {
                    self.world.violated(format!("{} goes out and {file:?} is gone", job.target_id));
                }
                Err(NetworkError::new(NetworkErrorKind::Permanent, "it is gone"))
            }
            Err(ExamineError::Files(_) | ExamineError::Temporary(_)) => {
                Err(NetworkError::new(NetworkErrorKind::Temporary, "the file store is down"))
            }
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

    /// The call that others can see.
    async fn make_live(&self, job: &PublishJob, part: u32) -> Result<(), NetworkError> {
        self.maybe_slow().await;
        let lost = || {
            let is_answered = self.world.fault(3);
            let kind =
                if is_answered { NetworkErrorKind::Unsettled } else { NetworkErrorKind::InDoubt };
            NetworkError::new(kind, "the connection broke")
        };
        if self.world.fault(12) {
            return Err(lost());
        }
        {
            let mut live = self.wall.live.lock().expect("not poisoned");
            let count = live.entry((job.target_id, part)).or_default();
            let mut keys = self.wall.keys.lock().expect("not poisoned");
            let now = self.world.now();
            let until = keys.entry((job.target_id, part)).or_insert(now + TimeDelta::hours(1));
            let is_repeat = match self.memory {
                Memory::Keyed => *count > 0,
                Memory::KeyedForAnHour => *count > 0 && now < *until,
                Memory::Searchable | Memory::Blind => false,
            };
            *count += u32::from(!is_repeat);
        }
        if self.world.now() < job.begun_at {
            self.world.violated(format!("{} went out before it began", job.target_id));
        }
        self.maybe_slow().await;
        if self.world.fault(8) { Err(lost()) } else { Ok(()) }
    }
}

#[async_trait]
impl Network for SimulatedNetwork {
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let name = input.value("name").expect("every test names its account");
        let credentials = Credentials::new(self.wall.token(name).to_string(), None);
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
        state.part += 1;
        if state.part == state.parts {
            Ok(Step::Live(remote(job).into()))
        } else {
            Ok(Step::Next(written(&state)))
        }
    }

    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        let mut state = read(progress);
        if self.skips_the_look {
            return Ok(Located::Continue(written(&state)));
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
        if self.wall.is_live(job.target_id, state.part) {
            state.part += 1;
        }
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
        _: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        self.maybe_slow().await;
        if self.world.fault(10) {
            return Err(NetworkError::new(NetworkErrorKind::Temporary, "no"));
        }
        *self.wall.refreshes.lock().expect("not poisoned") += 1;
        Ok(Credentials::new(self.wall.token(&account.network_id).to_string(), None))
    }
}
