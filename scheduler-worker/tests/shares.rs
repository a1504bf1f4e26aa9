//! One workspace whose servers hang takes its share of the places, and another goes on as if
//! nothing were.
//!
//! Time is tokio's and stands still but for sleeping, so half a minute takes no time.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Caller, NewKeyInput, NewWorkspace, Ports, Scheduler, Settings};
use scheduler_core::key::Preset;
use scheduler_core::media::{
    FileFolder, FileKey, MediaFacts, MediaKind, MediaListInput, MediaStatus, Recipe,
};
use scheduler_core::memory::{MemoryFiles, MemoryStore, test_ports};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    ByteStream, Clock, ConnectInput, Connected, Derived, EventSender, ExamineError, Examined,
    Examiner, FetchError, Fetched, Fetcher, Files as _, Located, Network, NetworkError, Networks,
    PublishJob, Request, Response, SendError, Step,
};
use scheduler_core::post::PostStatus;
use scheduler_core::target::Remote;
use scheduler_worker::{Notifier, Worker, WorkerSettings};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

/// How long everything of the one workspace takes.
const HANGS: Duration = Duration::from_secs(29);

/// A clock that goes with tokio's.
struct TokioClock {
    base: DateTime<Utc>,
    start: tokio::time::Instant,
}

impl Clock for TokioClock {
    fn now(&self) -> DateTime<Utc> {
        (self.base + self.start.elapsed()).trunc_subsecs(6)
    }
}

/// Everything outside: what has `slow` in its text or address takes long.
#[derive(Default)]
struct Outside {
    files: Arc<MemoryFiles>,
    /// Of what takes long, by kind: how many are under way, and how many were at most.
    slow: Mutex<BTreeMap<&'static str, (u32, u32)>>,
    /// Events that were taken at once.
    received: Mutex<usize>,
}

struct UnderWay<'a>(&'a Outside, &'static str);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.slow.lock().unwrap().get_mut(self.1).unwrap().0 -= 1;
    }
}

impl Outside {
    async fn wait(&self, what: &'static str, is_slow: bool) {
        if !is_slow {
            return;
        }
        let _under_way = {
            let mut slow = self.slow.lock().unwrap();
            let (now, most) = slow.entry(what).or_default();
            *now += 1;
            *most = (*most).max(*now);
            UnderWay(self, what)
        };
        sleep(HANGS).await;
    }

    fn slow(&self, what: &str) -> u32 {
        self.slow.lock().unwrap().get(what).map_or(0, |(now, _)| *now)
    }

    fn most(&self) -> BTreeMap<&'static str, u32> {
        self.slow.lock().unwrap().iter().map(|(what, (_, most))| (*what, *most)).collect()
    }
}

#[async_trait]
impl Network for Outside {
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let name = input.value("name").unwrap();
        Ok(vec![Connected::new(name, Credentials::new("none are needed", None))])
    }

    fn begin(&self, _: &PublishJob) -> Value {
        Value::Null
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, _: &Value) -> Result<Step, NetworkError> {
        self.wait("publish", job.content.contains("slow")).await;
        Ok(Step::Live(Remote::new("1", None).into()))
    }

    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        Ok(Located::Continue(progress.clone()))
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        Ok(old.clone())
    }
}

#[async_trait]
impl EventSender for Outside {
    async fn send(&self, request: &Request) -> Result<Response, SendError> {
        let is_slow = request.url.contains("slow");
        self.wait("deliver", is_slow).await;
        *self.received.lock().unwrap() += usize::from(!is_slow);
        Ok(Response { status: 204, body_start: String::new() })
    }

    fn check_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}

#[async_trait]
impl Fetcher for Outside {
    fn check_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }

    async fn fetch(&self, url: &str, _: u64) -> Result<Fetched, FetchError> {
        self.wait("fetch", url.contains("slow-source")).await;
        let bytes = Bytes::copy_from_slice(url.as_bytes());
        Ok(Fetched { bytes: ByteStream::once(bytes) })
    }
}

#[async_trait]
impl Examiner for Outside {
    async fn examine(&self, key: &FileKey) -> Result<Examined, ExamineError> {
        let bytes = self.files.read(key, None).await.unwrap().collect().await.unwrap();
        let is_slow = String::from_utf8_lossy(&bytes).contains("slow-to-examine");
        self.wait("examine", is_slow).await;
        Ok(Examined { facts: MediaFacts::of_kind(MediaKind::Image), preview: None })
    }

    async fn derive(&self, _: &FileFolder, _: &Recipe) -> Result<Derived, ExamineError> {
        Err(ExamineError::Temporary("not asked for".to_owned()))
    }
}

/// A workspace, as its own callers see it.
struct Tenant {
    scheduler: Scheduler,
    caller: Caller,
    store: Arc<MemoryStore>,
}

impl Tenant {
    async fn new(scheduler: &Scheduler, store: &Arc<MemoryStore>, name: &str) -> Self {
        let wanted = NewWorkspace { name: name.to_owned(), plan: Plan::Studio };
        let workspace = scheduler.create_workspace(&wanted).await.unwrap();
        let wanted = NewKeyInput::new("k", Preset::Full);
        let key = scheduler.create_key(&workspace, &wanted).await.unwrap();
        let caller = scheduler.authenticate(Some(key.value.expose())).await.unwrap();
        Self { scheduler: scheduler.clone(), caller, store: store.clone() }
    }

    /// Publishes to an account of its own, at once.
    async fn publish(&self, platform: Platform, name: &str, content: &str) {
        let input = ConnectInput([("name".to_owned(), name.to_owned())].into());
        let workspace = &self.caller.workspace;
        let account = self.scheduler.connect_account(workspace, platform, &input).await.unwrap();
        let post = json!({
            "content": content,
            "publishNow": true,
            "targets": [{"platform": platform, "accountId": account.account.id}],
        });
        let post = serde_json::from_value(post).unwrap();
        self.scheduler.create_post(&self.caller, post, None).await.unwrap();
    }

    async fn webhook(&self, url: &str) {
        let input = serde_json::from_value(json!({ "url": url })).unwrap();
        self.scheduler.create_webhook(&self.caller, input, None).await.unwrap();
    }

    async fn fetch(&self, url: &str) {
        let input = json!({"kind": "image", "sourceUrl": url});
        let input = serde_json::from_value(input).unwrap();
        self.scheduler.declare_media(&self.caller, input, None).await.unwrap();
    }

    fn published(&self) -> usize {
        let mut posts = self.store.posts();
        posts.retain(|post| post.workspace_id == self.caller.workspace.id);
        posts.iter().filter(|post| post.status == PostStatus::Done).count()
    }

    async fn ready(&self) -> usize {
        let files =
            self.scheduler.list_media(&self.caller, &MediaListInput::default()).await.unwrap();
        files.data.iter().filter(|file| file.media.status == MediaStatus::Ready).count()
    }
}

async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(1)).await;
        }
    };
    assert!(timeout(Duration::from_secs(20), waiting).await.is_ok(), "never: {what}");
}

#[tokio::test(start_paused = true)]
async fn another_workspace_goes_on_while_everything_of_one_hangs() {
    let outside = Arc::new(Outside::default());
    let (notifier, store) = (Arc::new(Notifier::new()), Arc::new(MemoryStore::new()));
    let base = "2026-11-21T12:00:00Z".parse().unwrap();
    let clock = Arc::new(TokioClock { base, start: tokio::time::Instant::now() });
    let network: Arc<dyn Network> = outside.clone();
    let ports = Ports {
        store: store.clone(),
        networks: Networks::default()
            .with(Platform::Bluesky, network.clone())
            .with(Platform::Mastodon, network),
        sender: outside.clone(),
        files: outside.files.clone(),
        fetcher: outside.clone(),
        examiner: outside.clone(),
        wake: notifier.clone(),
        ..test_ports(clock.clone())
    };
    let scheduler = Scheduler::new(ports, Settings::default());
    let one = Tenant::new(&scheduler, &store, "one").await;
    let two = Tenant::new(&scheduler, &store, "two").await;

    let settings = WorkerSettings {
        publishes: 24,
        per_network: 8,
        deliveries: 16,
        fetches: 4,
        examinations: 4,
        ..WorkerSettings::default()
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = Worker::new(scheduler.clone(), notifier, settings);
    let running = tokio::spawn(worker.run(async { drop(stopped.await) }));

    for number in 0..20 {
        one.webhook(&format!("https://slow{number}.example")).await;
        one.publish(Platform::Mastodon, &format!("a{number}"), "slow").await;
        one.publish(Platform::Bluesky, &format!("a{number}"), "quick").await;
        one.fetch(&format!("https://a.example/slow-source/{number}")).await;
        one.fetch(&format!("https://a.example/slow-to-examine/{number}")).await;
    }
    two.webhook("https://two.example").await;
    for kind in ["publish", "deliver", "fetch"] {
        until(kind, async || outside.slow(kind) > 0).await;
    }
    // Long enough for whatever would be taken beyond its share.
    sleep(Duration::from_secs(3)).await;

    for number in 1..=30 {
        let begun = clock.now();
        two.publish(Platform::Mastodon, &format!("b{number}"), "quick").await;
        two.fetch(&format!("https://b.example/{number}")).await;
        until("published", async || two.published() == number).await;
        let published = clock.now() - begun;
        until("received", async || *outside.received.lock().unwrap() >= number).await;
        let received = clock.now() - begun;
        until("ready", async || two.ready().await == number).await;
        let ready = clock.now() - begun;
        if number == 1 {
            println!("published after {published}, received {received}, ready {ready}");
        }
        assert!(ready <= TimeDelta::milliseconds(20), "{number}: {ready}");
    }
    // The slow sources are the first to be fetched, so let them end.
    sleep(HANGS * 3).await;
    until("examinations", async || outside.slow("examine") > 0).await;
    let begun = clock.now();
    two.fetch("https://b.example/last").await;
    until("ready", async || two.ready().await == 31).await;
    assert!(clock.now() - begun <= TimeDelta::milliseconds(20));

    let want = [("deliver", 8), ("examine", 2), ("fetch", 2), ("publish", 4)];
    assert_eq!(outside.most(), want.into(), "half of each");
    stop.send(()).unwrap();
    running.await.unwrap();
}
