//! A month of readings for 10 000 targets over accounts of every network, on a manual clock.
//!
//! The networks count every request, of readings and of publishing, in sliding windows of what they
//! allow. Some are down for hours, some want to be left alone, and people ask for fresh figures now
//! and then. At the end every post has been read as often as its network lets it, what is kept is
//! bounded, and no network was asked more than it allows.
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

mod limits;
mod network;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Ports, Scheduler, Settings};
use scheduler_core::engine::LEASE;
use scheduler_core::ids::{AccountId, PostId, TargetId, WorkspaceId};
use scheduler_core::memory::{ClockTasks, MemoryFiles, MemoryStore};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AccountStore as _, After, Claim, ClaimRequest, EventSender, Networks, NoAssistant, NoMail,
    NoMedia, PostStore as _, Random, ReadingStore as _, RefreshOutcome, Request, Response,
    SendError, Wake, WorkAfter, WorkKind, WorkQueue as _,
};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::reading::HISTORY_MAX;
use scheduler_core::target::{Remote, Target};
use serde_json::Map;
use uuid::Uuid;

use network::{Chance, ManualClock, SimulatedNetwork};

const TARGETS: usize = 10_000;
const TARGETS_OF_A_POST: usize = 4;
const PUBLISHING: TimeDelta = TimeDelta::days(14);
const MONTH: TimeDelta = TimeDelta::days(31);
const WORKSPACES: usize = 3;
const STAGES: usize = 16;

/// What a network has of everything, and how many of the 16 readings each post has at least: fewer
/// where the network allows fewer calls than there are posts to read.
struct Share {
    platform: Platform,
    accounts: usize,
    /// Of 1 000 targets.
    targets: usize,
    stages_min: usize,
}

const fn share(platform: Platform, accounts: usize, targets: usize, stages_min: usize) -> Share {
    Share { platform, accounts, targets, stages_min }
}

const SHARES: [Share; 13] = [
    share(Platform::Youtube, 20, 90, 14),
    share(Platform::Tiktok, 20, 90, 14),
    share(Platform::Instagram, 20, 90, 14),
    share(Platform::Facebook, 20, 90, 14),
    share(Platform::Threads, 20, 90, 14),
    // Six calls a day.
    share(Platform::Twitter, 20, 90, 12),
    // Twenty-four posts a day in all.
    share(Platform::Linkedin, 5, 4, 4),
    // 480 calls a day in all.
    share(Platform::Pinterest, 20, 70, 5),
    share(Platform::Bluesky, 20, 90, 14),
    share(Platform::Mastodon, 20, 100, 14),
    // No figures.
    share(Platform::Telegram, 20, 96, 0),
    share(Platform::Discord, 20, 10, 0),
    share(Platform::Tumblr, 20, 90, 14),
];

fn done<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("nothing here waits")
}

struct Nobody;

#[async_trait]
impl EventSender for Nobody {
    async fn send(&self, _: &Request) -> Result<Response, SendError> {
        Ok(Response { status: 204, body_start: String::new() })
    }

    fn check_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}

impl Random for Nobody {
    fn bytes(&self) -> [u8; 32] {
        [7; 32]
    }
}

impl Wake for Nobody {
    fn wake(&self) {}
}

#[derive(Default)]
struct Numbers(Mutex<u128>);

impl Numbers {
    fn next(&self) -> Uuid {
        let mut last = self.0.lock().unwrap();
        *last += 1;
        Uuid::from_u128(*last)
    }
}

impl scheduler_core::ports::Ids for Numbers {
    fn next(&self, _: DateTime<Utc>) -> Uuid {
        self.next()
    }
}

struct World {
    store: Arc<MemoryStore>,
    clock: Arc<ManualClock>,
    numbers: Arc<Numbers>,
    networks: BTreeMap<Platform, Arc<SimulatedNetwork>>,
    scheduler: Scheduler,
    begin: DateTime<Utc>,
    accounts: Vec<Account>,
}

impl World {
    fn new() -> Self {
        let begin = "2026-11-01T00:00:00Z".parse().unwrap();
        let clock = Arc::new(ManualClock(Mutex::new(begin)));
        let network = |platform| Arc::new(SimulatedNetwork::new(platform, &clock, begin));
        let networks: BTreeMap<Platform, _> =
            Platform::ALL.into_iter().map(|platform| (platform, network(platform))).collect();
        let add = |all: After, (platform, network): (&Platform, &Arc<SimulatedNetwork>)| {
            all.with(*platform, network.clone())
        };
        let store = Arc::new(MemoryStore::new());
        let numbers = Arc::new(Numbers::default());
        let ports = Ports {
            store: store.clone(),
            networks: Networks::default(),
            after: networks.iter().fold(After::default(), add),
            assistant: Arc::new(NoAssistant),
            sender: Arc::new(Nobody),
            mail: Arc::new(NoMail),
            files: Arc::new(MemoryFiles::new()),
            fetcher: Arc::new(NoMedia),
            examiner: Arc::new(NoMedia),
            clock: clock.clone(),
            ids: numbers.clone(),
            random: Arc::new(Nobody),
            wake: Arc::new(Nobody),
            tasks: Arc::new(ClockTasks::new(clock.clone())),
        };
        let scheduler = Scheduler::new(ports, Settings::default());
        Self { store, clock, numbers, networks, scheduler, begin, accounts: Vec::new() }
    }

    fn now(&self) -> DateTime<Utc> {
        *self.clock.0.lock().unwrap()
    }

    fn set(&self, now: DateTime<Utc>) {
        *self.clock.0.lock().unwrap() = now;
    }

    /// Connects every account, one a minute.
    fn connect(&mut self) {
        let workspaces: Vec<_> =
            (0..WORKSPACES).map(|_| WorkspaceId(self.numbers.next())).collect();
        for share in &SHARES {
            for number in 0..share.accounts {
                let account = Account::new(
                    AccountId(self.numbers.next()),
                    workspaces[number % WORKSPACES],
                    share.platform,
                    number.to_string(),
                    self.now() + TimeDelta::minutes(self.accounts.len() as i64),
                );
                let token = Credentials::new("token", None);
                done(self.store.connect_account(&account, &token, 1_000)).unwrap();
                self.accounts.push(account);
            }
        }
    }

    /// Posts of four targets of one workspace each, and when they go out.
    fn posts(&self, chance: &mut Chance) -> Vec<Post> {
        let mut of_workspace: BTreeMap<WorkspaceId, Vec<&Account>> = BTreeMap::new();
        for share in &SHARES {
            let accounts: Vec<_> =
                self.accounts.iter().filter(|found| found.platform == share.platform).collect();
            for number in 0..TARGETS * share.targets / 1_000 {
                let account = accounts[number % accounts.len()];
                of_workspace.entry(account.workspace_id).or_default().push(account);
            }
        }
        let mut posts = Vec::new();
        for (workspace, mut accounts) in of_workspace {
            for last in (1..accounts.len()).rev() {
                accounts.swap(last, chance.below(last as u64 + 1) as usize);
            }
            for accounts in accounts.chunks(TARGETS_OF_A_POST) {
                let seconds = chance.below(PUBLISHING.num_seconds() as u64) as i64;
                posts.push(self.post(
                    workspace,
                    accounts,
                    self.begin + TimeDelta::seconds(seconds),
                ));
            }
        }
        posts.sort_by_key(|post| post.scheduled_at);
        posts
    }

    fn post(&self, workspace: WorkspaceId, accounts: &[&Account], at: DateTime<Utc>) -> Post {
        let target = |account: &&Account| {
            let id = TargetId(self.numbers.next());
            Target::new(id, account.platform, account.id, Map::new(), Some(at), None)
        };
        let id = PostId(self.numbers.next());
        Post {
            status: PostStatus::Scheduled,
            content: "Hello".to_owned(),
            scheduled_at: Some(at),
            targets: accounts.iter().map(target).collect(),
            ..Post::new(id, workspace, self.begin)
        }
    }

    /// Does what is due, and counts what came of readings.
    fn work(&self, ran: &mut BTreeMap<&str, usize>) {
        loop {
            let now = self.now();
            let request = ClaimRequest::new(now, now + LEASE, 1_000, 1);
            let claims = done(self.store.claim(&request)).unwrap();
            if claims.is_empty() {
                return;
            }
            for claim in &claims {
                if claim.kind == WorkKind::Publish {
                    self.publish(claim);
                } else {
                    let what = done(self.scheduler.run(claim)).unwrap().as_str();
                    *ran.entry(what).or_default() += 1;
                }
            }
        }
    }

    /// Has a target live at once.
    fn publish(&self, claim: &Claim) {
        let context = done(self.store.publish_context(claim)).unwrap().unwrap();
        let network = &self.networks[&context.account.platform];
        network.published(&context.account.network_id);
        let going_out = context.target().unwrap().clone().start().unwrap();
        let remote = Remote::new(context.target_id.to_string(), None);
        let target = going_out.succeed(self.now(), Some(remote), None).unwrap();
        let after = WorkAfter::Done;
        done(self.store.record_publish(claim, &target, None, after, self.now())).unwrap();
    }

    /// Somebody asks for fresh figures of a workspace.
    fn refresh(&self, number: usize) -> u64 {
        let workspace = self.accounts[number % WORKSPACES].workspace_id;
        let since = self.now() - TimeDelta::days(14);
        let every = TimeDelta::minutes(10);
        match done(self.store.refresh_readings(workspace, self.now(), since, every)).unwrap() {
            RefreshOutcome::Queued(count) => count,
            RefreshOutcome::TooSoon { .. } => 0,
        }
    }
}

/// When somebody asks for fresh figures: now and then, and once again and again for an hour.
fn refreshes(begin: DateTime<Utc>) -> Vec<DateTime<Utc>> {
    let now_and_then = (1..8).map(|number| TimeDelta::hours(number * 73));
    let often = (0..7).map(|number| TimeDelta::hours(300) + TimeDelta::minutes(number * 11));
    let mut all: Vec<_> = now_and_then.chain(often).map(|after| begin + after).collect();
    all.sort_unstable();
    all
}

/// Which of the 16 stages a post was read for, be it by itself or because somebody asked.
fn stages(published_at: DateTime<Utc>, taken_at: &[DateTime<Utc>]) -> [bool; STAGES] {
    let hours = |stage: usize| match stage {
        0 => 1,
        1 => 6,
        day => 24 * (day as i64 - 1),
    };
    std::array::from_fn(|stage| {
        let from = published_at + TimeDelta::hours(hours(stage));
        let until = published_at + TimeDelta::hours(hours(stage + 1));
        taken_at.iter().any(|at| (from..until).contains(at))
    })
}

#[test]
fn a_month_of_readings_keeps_within_every_limit() {
    let begun = Instant::now();
    let mut world = World::new();
    world.connect();
    let posts = world.posts(&mut Chance::new(1));
    let (begin, end) = (world.begin, world.begin + MONTH);
    let mut to_come = posts.iter().peekable();
    let mut to_refresh = refreshes(begin).into_iter().enumerate().peekable();
    let mut ran = BTreeMap::new();
    let mut refreshed = 0;
    loop {
        let now = world.now();
        while let Some(post) = to_come.next_if(|post| post.scheduled_at.unwrap() <= now) {
            done(world.store.create_post(post, u64::MAX)).unwrap();
        }
        while let Some((number, _)) = to_refresh.next_if(|(_, at)| *at <= now) {
            refreshed += world.refresh(number);
        }
        world.work(&mut ran);
        let due = done(world.store.next_due(now)).unwrap();
        let to_go_out = to_come.peek().and_then(|post| post.scheduled_at);
        let asked = to_refresh.peek().map(|(_, at)| *at);
        let next = [due, to_go_out, asked].into_iter().flatten().min().unwrap();
        assert!(next > now, "it spins at {now}");
        if next >= end {
            break;
        }
        world.set(next);
    }
    world.set(end);

    let excesses: Vec<_> = world
        .networks
        .values()
        .flat_map(|network| network.meter.lock().unwrap().excesses())
        .collect();
    assert!(excesses.is_empty(), "{excesses:#?}");

    let mut rows = Vec::new();
    let mut by_stage = [0; STAGES];
    for share in &SHARES {
        let mut least = STAGES;
        let mut count = 0;
        let mut of_network = 0;
        for target in posts.iter().flat_map(|post| &post.targets) {
            if target.platform != share.platform {
                continue;
            }
            let readings = done(world.store.readings(target.id, None, u32::MAX)).unwrap();
            let taken_at: Vec<_> = readings.iter().map(|reading| reading.at).collect();
            let found = stages(target.due_at().unwrap(), &taken_at);
            for (sum, is_read) in by_stage.iter_mut().zip(found) {
                *sum += usize::from(is_read);
            }
            least = least.min(found.iter().filter(|is_read| **is_read).count());
            rows.push(readings.len());
            of_network += readings.len();
            count += 1;
        }
        let meter = world.networks[&share.platform].meter.lock().unwrap();
        println!(
            "{:10} {count:4} targets, {:4.1} readings of each, at least {least} stages; {:6} requests, at most {:2} % of a limit",
            share.platform.to_string(),
            of_network as f64 / count as f64,
            meter.requests_of_readings,
            meter.share(),
        );
        assert!(least >= share.stages_min, "{}: {least} stages", share.platform);
    }
    rows.sort_unstable();
    let (sum, most) = (rows.iter().sum::<usize>(), *rows.last().unwrap());
    assert!(most <= HISTORY_MAX, "{most} readings of one target are kept");
    let typical = rows[rows.len() / 2];
    assert!(typical <= 40, "{typical} readings of a typical target are kept");

    let mut days = 0;
    for account in &world.accounts {
        let found = done(world.store.followers(account.workspace_id, begin.date_naive())).unwrap();
        let found = found.iter().filter(|row| row.account_id == account.id).count();
        days += found;
        let wanted = if account.platform.sheet().reports_followers { 28..=31 } else { 0..=0 };
        assert!(wanted.contains(&found), "{} has {found} days", account.label());
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("by stage: {by_stage:?}");
    println!(
        "{} targets of {} accounts: {sum} readings kept, {typical} of a typical target and {most} at most, {days} counts of followers, {refreshed} asked for, {ran:?}; {seconds:.1} s, {:.0} x real time",
        rows.len(),
        world.accounts.len(),
        MONTH.as_seconds_f64() / seconds
    );
}
