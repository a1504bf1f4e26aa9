//! One run: callers and workers over a faulty world, until everything has ended.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::app::{Caller, Ports, Scheduler, Settings, WebhookInput};
use scheduler_core::ids::{MediaId, PostId, WorkspaceId};
use scheduler_core::media::MediaStatus;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AccountStore as _, After, Clock as _, ConnectInput, Networks, NoAssistant, NoMail,
    ReadingStore as _, WorkQueue as _,
};
use scheduler_core::target::TargetStatus;
use scheduler_core::webhook::EventKind;

use crate::approvals;
use crate::callers::call;
use crate::end::{check_the_end, has_ended};
use crate::executor::{Executor, Place};
use crate::files::{SimulatedExaminer, SimulatedFiles, SimulatedSource};
use crate::network::{Memory, SimulatedNetwork, Wall};
use crate::nodes::start_node;
use crate::readings::SimulatedAfter;
use crate::receiver::Receiver;
use crate::store::FaultyStore;
use crate::uploads::upload;
use crate::world::{SimulatedTasks, World};

const NODES: usize = 2;
const CALLERS: u64 = 14;
const UPLOADERS: u64 = 10;
const CLIENTS: u64 = 6;

/// The networks of a run: their platform stands for how they remember.
pub(crate) const NETWORKS: [(Platform, Memory); 4] = [
    (Platform::Bluesky, Memory::Keyed),
    (Platform::Threads, Memory::KeyedForAnHour),
    (Platform::Mastodon, Memory::Searchable),
    (Platform::Tumblr, Memory::Blind),
];

/// What a run is about.
#[derive(Clone, Copy, Default)]
pub(crate) struct Scene {
    /// Callers upload files and send them.
    pub(crate) has_files: bool,
    /// Readings are taken.
    pub(crate) has_readings: bool,
    /// Posts are shown to clients, who approve them or do not.
    pub(crate) has_clients: bool,
    /// What is wrong on purpose, to see that it is found.
    pub(crate) bug: Option<Bug>,
}

/// A planted bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bug {
    /// A network's step is taken again without a look.
    SkipsTheLook,
    /// A look does not recognise our own post now and then.
    ExcludesOwnPosts,
    /// A call that others can see counts as over at once.
    CallsHaveNoLength,
    /// An album that went out in part counts as one that did not.
    PartIsFailure,
    /// Nodes go by their wall clocks.
    NodesGoByTheWall,
}

/// What a run has shown.
pub(crate) struct Report {
    pub(crate) violations: Vec<String>,
    pub(crate) published: usize,
    pub(crate) failed: usize,
    /// Files that are ready, that have failed, that were deleted.
    pub(crate) files: [usize; 3],
    /// Targets that went out with files.
    pub(crate) with_files: usize,
    /// Readings that are kept.
    pub(crate) readings: usize,
    /// Targets that went out after a client approved their post.
    pub(crate) approved: usize,
    pub(crate) simulated: TimeDelta,
}

/// What callers were promised.
#[derive(Default)]
pub(crate) struct Promises {
    /// Posts whose creation was answered.
    pub(crate) created: BTreeSet<PostId>,
    /// The post of each Idempotency-Key that was answered.
    pub(crate) by_key: BTreeMap<String, PostId>,
    /// Posts whose removal may have been stored.
    pub(crate) removed: BTreeSet<PostId>,
    /// Files whose declaration was answered.
    pub(crate) declared: BTreeSet<MediaId>,
    /// The file of each pair of callers, and what is in it: who replaces a file that was examined
    /// is on their own.
    pub(crate) shares: BTreeMap<u64, (MediaId, &'static [u8])>,
    /// Files whose arrival was answered.
    pub(crate) confirmed: BTreeSet<MediaId>,
    /// Files that were seen to be ready.
    pub(crate) usable: Vec<MediaId>,
    /// Files whose deletion may have been stored.
    pub(crate) erased: BTreeSet<MediaId>,
}

pub(crate) struct Setting {
    pub(crate) world: Arc<World>,
    pub(crate) store: Arc<FaultyStore>,
    pub(crate) wall: Arc<Wall>,
    pub(crate) receiver: Arc<Receiver>,
    pub(crate) files: Arc<SimulatedFiles>,
    /// What callers use.
    pub(crate) scheduler: Scheduler,
    /// What nodes are started with.
    pub(crate) ports: Ports,
    pub(crate) workspace: WorkspaceId,
    pub(crate) promises: Mutex<Promises>,
    /// Callers that are still at it.
    pub(crate) callers_done: AtomicBool,
    /// Workers that hold a claim, or ask for one.
    pub(crate) busy: Arc<AtomicUsize>,
    pub(crate) scene: Scene,
}

/// Runs one seed.
pub(crate) fn run(seed: u64, scene: Scene) -> Report {
    let world = Arc::new(World::new(seed));
    let begun_at = world.now();
    let mut setting = setting(&world, scene);
    let caller = set_up(&setting);
    setting.workspace = caller.workspace.id;
    let setting = Arc::new(setting);

    let mut executor = Executor::new(Arc::clone(&world));
    for number in 0..CALLERS {
        executor.spawn(Place::Caller, call(Arc::clone(&setting), caller.clone(), number));
    }
    for number in 0..if scene.has_files { UPLOADERS } else { 0 } {
        executor.spawn(Place::Caller, upload(Arc::clone(&setting), caller.clone(), number));
    }
    for _ in 0..if scene.has_clients { CLIENTS } else { 0 } {
        executor.spawn(Place::Caller, approvals::act(Arc::clone(&setting), caller.clone()));
    }
    let mut down_until: [Option<DateTime<Utc>>; NODES] = [None; NODES];
    for node in 0..NODES {
        start_node(&mut executor, &setting, node);
    }

    let mut calm_since = None;
    let end = begun_at + TimeDelta::days(30);
    for polls in 0_u64.. {
        if polls == 6_000 {
            world.calm.store(true, Ordering::Relaxed);
            setting.callers_done.store(true, Ordering::Relaxed);
            calm_since = Some(world.now());
        }
        if polls > 400_000 {
            world.violated("it never came to an end".to_owned());
            break;
        }
        for (node, down) in down_until.iter_mut().enumerate() {
            if down.is_some_and(|until| world.now() >= until || calm_since.is_some()) {
                *down = None;
                start_node(&mut executor, &setting, node);
            } else if down.is_none() && world.fault(400) {
                executor.crash(Place::Node(node));
                forgive(&setting);
                let seconds = i64::try_from(world.below(40)).expect("small");
                *down = Some(world.now() + TimeDelta::seconds(seconds));
            }
        }
        if world.fault(150) {
            executor.crash_a_caller();
        }
        if world.fault(500) {
            let node = Place::Node(world.below(NODES as u64) as usize);
            let seconds = i64::try_from(world.below(60)).expect("small");
            executor.pause(node, world.now() + TimeDelta::seconds(seconds));
        }
        let may_jump = world.hazards.hostile && world.landings.load(Ordering::Relaxed) == 0;
        if may_jump && world.fault(200) {
            world.advance(TimeDelta::seconds(i64::try_from(world.below(3_600)).expect("small")));
        }
        if scene.has_files && may_jump && world.fault(6_000) {
            world.advance(TimeDelta::hours(23));
        }
        if scene.has_files && calm_since.is_some() && polls % 10 == 0 {
            sleep_until_due(&setting, end);
        }
        if scene.has_clients && calm_since.is_some() && polls % 50 == 0 {
            approvals::let_all_go(&setting);
        }
        let goes_on = executor.step(end);
        if calm_since.is_some() && polls % 50 == 0 && has_ended(&setting) {
            break;
        }
        if !goes_on && calm_since.is_some() {
            break;
        }
        if !goes_on {
            // Nothing waits: go on to the calm end.
            world.advance(TimeDelta::seconds(1));
        }
    }
    check_the_end(&setting);
    let approved = setting.store.inner.posts().iter().map(approvals::approved).sum();
    let targets: Vec<TargetStatus> = setting
        .store
        .inner
        .posts()
        .iter()
        .flat_map(|post| post.targets.iter().map(|target| target.status()))
        .collect();
    let files = setting.store.inner.all_media();
    let of_files = |status| files.iter().filter(|file| file.status == status).count();
    let count = |status| targets.iter().filter(|found| **found == status).count();
    Report {
        violations: world.violations(),
        published: count(TargetStatus::Published),
        failed: count(TargetStatus::Failed),
        files: [MediaStatus::Ready, MediaStatus::Failed, MediaStatus::Deleted].map(of_files),
        with_files: setting.wall.with_files(),
        readings: count_readings(&setting),
        approved,
        simulated: world.now() - begun_at,
    }
}

fn count_readings(setting: &Setting) -> usize {
    let posts = setting.store.inner.posts();
    let targets = posts.iter().flat_map(|post| &post.targets);
    targets
        .map(|target| block_on(setting.store.inner.readings(target.id, None, u32::MAX)))
        .map(|readings| readings.expect("memory").len())
        .sum()
}

/// When something is due that the scene has.
pub(crate) fn next_due(setting: &Setting) -> Option<DateTime<Utc>> {
    let now = setting.world.now();
    if setting.scene.has_readings {
        block_on(setting.store.inner.next_due(now)).expect("memory")
    } else {
        setting.store.inner.next_due_but_readings(now)
    }
}

/// Passes the time until something is due, when nobody is at work.
fn sleep_until_due(setting: &Setting, end: DateTime<Utc>) {
    if setting.busy.load(Ordering::Relaxed) > 0 {
        return;
    }
    let next = next_due(setting);
    if let Some(next) = next.filter(|next| *next <= end) {
        setting.world.advance_to(next);
    }
}

fn setting(world: &Arc<World>, scene: Scene) -> Setting {
    let store = Arc::new(FaultyStore::new(Arc::clone(world)));
    let wall = Arc::new(Wall::default());
    let receiver = Arc::new(Receiver {
        world: Arc::clone(world),
        secret: Mutex::default(),
        received: Mutex::default(),
    });
    let files = Arc::new(SimulatedFiles::new(Arc::clone(world)));
    let examiner =
        Arc::new(SimulatedExaminer { world: Arc::clone(world), files: Arc::clone(&files) });
    let mut networks = Networks::default();
    let mut after = After::default();
    for (platform, memory) in NETWORKS {
        let network = SimulatedNetwork {
            world: Arc::clone(world),
            wall: Arc::clone(&wall),
            memory,
            bug: scene.bug,
            store: Arc::clone(&store),
            files: Arc::clone(&files),
            examiner: Arc::clone(&examiner),
        };
        networks = networks.with(platform, Arc::new(network));
        let told = SimulatedAfter { world: Arc::clone(world), wall: Arc::clone(&wall) };
        after = after.with(platform, Arc::new(told));
    }
    let ports = Ports {
        store: store.stores(),
        networks,
        after,
        assistant: Arc::new(NoAssistant),
        sender: receiver.clone(),
        mail: Arc::new(NoMail),
        files: files.clone(),
        fetcher: Arc::new(SimulatedSource { world: Arc::clone(world) }),
        examiner,
        clock: world.clone(),
        ids: world.clone(),
        random: world.clone(),
        wake: world.clone(),
        tasks: Arc::new(SimulatedTasks(Arc::clone(world))),
    };
    Setting {
        ports: ports.clone(),
        world: Arc::clone(world),
        store,
        wall,
        receiver,
        files,
        scheduler: Scheduler::new(ports, Settings::default()),
        workspace: WorkspaceId(uuid::Uuid::nil()),
        promises: Mutex::default(),
        callers_done: AtomicBool::new(false),
        busy: Arc::default(),
        scene,
    }
}

/// A workspace, a key, an account of each network and a webhook, made without faults.
fn set_up(setting: &Setting) -> Caller {
    setting.world.calm.store(true, Ordering::Relaxed);
    let scheduler = &setting.scheduler;
    let caller = block_on(async {
        let first = scheduler.first_start().await.unwrap().unwrap();
        let caller = scheduler.authenticate(Some(first.key.value.expose())).await.unwrap();
        for (platform, _) in NETWORKS {
            let input = ConnectInput(BTreeMap::from([("name".into(), platform.to_string())]));
            scheduler.connect_account(&caller.workspace, platform, &input).await.unwrap();
        }
        let input = WebhookInput {
            url: Some("https://example.com".into()),
            events: Some(EventKind::ALL.to_vec()),
        };
        let webhook = scheduler.create_webhook(&caller, input, None).await.unwrap().value;
        *setting.receiver.secret.lock().unwrap() = webhook.secret;
        caller
    });
    setting.world.calm.store(false, Ordering::Relaxed);
    caller
}

/// Polls a future that only ever pauses.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

/// What a process that is gone had not stored is forgiven by the networks, and nothing else.
fn forgive(setting: &Setting) {
    for (account, stored) in credentials(setting) {
        setting.wall.forgive(&account, &stored);
    }
}

fn credentials(setting: &Setting) -> Vec<(String, Credentials)> {
    let store = &setting.store.inner;
    let accounts = block_on(store.accounts(setting.workspace)).expect("memory");
    let stored = accounts.into_iter().filter_map(|account| {
        let stored = block_on(store.credentials(account.id)).expect("memory")?;
        Some((account.network_id, stored.credentials))
    });
    stored.collect()
}
