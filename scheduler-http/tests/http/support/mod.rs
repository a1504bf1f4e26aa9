//! What the tests work with: a scheduler over a store in memory and a network of their own, a
//! server over it, and a client.

mod after;
mod client;
mod examiner;
mod exposition;
mod fetcher;
mod network;
mod store;

use std::num::NonZeroU32;
use std::sync::Arc;

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use scheduler_core::account::Account;
use scheduler_core::app::{Caller, NewKeyInput, NewWorkspace, Ports, Scheduler, Settings};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::key::{AgentPolicy, Key, KeyValue, Preset, Scope, Scopes};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::plan::Plan;
use scheduler_core::platform::{Platform, RequiredMedia};
use scheduler_core::ports::{
    After, ClaimRequest, Clock, ConnectInput, Ids as _, KeyStore as _, Networks, NoAssistant,
    NoMail, Place, Random as _, WorkQueue as _,
};
use scheduler_core::post::{Post, PostInput};
use scheduler_core::target::TargetStatus;
use scheduler_core::workspace::Workspace;
use scheduler_http::{
    App, ConnectPages, Metrics, MetricsAccess, RateLimit, Server, ServerSettings,
};
use scheduler_worker::WorkerStatus;
use scheduler_worker::{Health, Notifier, OsRandom, SystemClock, SystemTasks, UuidV7};
use serde_json::{Value, json};

pub(crate) use after::FakeAfter;
pub(crate) use client::{Answer, Client};
pub(crate) use examiner::FakeExaminer;
pub(crate) use exposition::Scrape;
pub(crate) use fetcher::FakeFetcher;
pub(crate) use network::{FakeNetwork, FakeSender};
pub(crate) use store::FaultyStore;

/// A clock that goes with tokio's, so that it stands still and jumps when that does.
#[derive(Debug)]
pub(crate) struct TokioClock {
    base: DateTime<Utc>,
    start: tokio::time::Instant,
}

impl TokioClock {
    pub(crate) fn new() -> Self {
        let base = "2026-11-21T12:00:00Z".parse().unwrap();
        Self { base, start: tokio::time::Instant::now() }
    }
}

impl Clock for TokioClock {
    fn now(&self) -> DateTime<Utc> {
        (self.base + self.start.elapsed()).trunc_subsecs(6)
    }
}

/// How browsers reach the servers of the tests, as these are told.
pub(crate) fn server_url() -> url::Url {
    "https://s.example/scheduler".parse().unwrap()
}

/// Everything of one test.
pub(crate) struct World {
    pub(crate) scheduler: Scheduler,
    pub(crate) store: Arc<FaultyStore>,
    pub(crate) network: Arc<FakeNetwork>,
    pub(crate) after: Arc<FakeAfter>,
    pub(crate) sender: Arc<FakeSender>,
    pub(crate) files: Arc<MemoryFiles>,
    pub(crate) examiner: Arc<FakeExaminer>,
    pub(crate) notifier: Arc<Notifier>,
    pub(crate) metrics: Metrics,
    pub(crate) workspace: Workspace,
    /// A key to everything in the workspace.
    pub(crate) key: String,
}

impl World {
    /// A server of its API at an address of this machine.
    pub(crate) async fn server(&self) -> Server {
        let app = App {
            scheduler: self.scheduler.clone(),
            settings: ServerSettings::default(),
            worker: None,
            health: self.health(),
            signed_files: None,
            connecting: ConnectPages::at(server_url()),
            doctor: None,
            pages: scheduler_web::pages(),
        };
        Server::bind("127.0.0.1:0".parse().unwrap(), app).await.unwrap()
    }

    /// What is known of its store; nobody watches it.
    pub(crate) fn health(&self) -> Health {
        Health::new(self.store.stores(), Arc::new(SystemClock::new()))
    }

    /// A world on the system's clock.
    pub(crate) async fn new() -> Self {
        Self::with_clock(Arc::new(SystemClock::new())).await
    }

    pub(crate) async fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Self::with_networks(clock, &[Platform::Bluesky, Platform::Mastodon]).await
    }

    /// A world on the system's clock in which accounts of every network are connected.
    pub(crate) async fn everywhere() -> Self {
        Self::everywhere_by(Arc::new(SystemClock::new())).await
    }

    /// The same by a clock of one's own.
    pub(crate) async fn everywhere_by(clock: Arc<dyn Clock>) -> Self {
        Self::with_networks(clock, &Platform::ALL).await
    }

    async fn with_networks(clock: Arc<dyn Clock>, platforms: &[Platform]) -> Self {
        let store = Arc::new(FaultyStore::default());
        let network = Arc::new(FakeNetwork::default());
        let sender = Arc::new(FakeSender::default());
        let files = Arc::new(MemoryFiles::new());
        let examiner = Arc::new(FakeExaminer::default());
        let notifier = Arc::new(Notifier::new());
        let after = Arc::new(FakeAfter::default());
        let networks = platforms
            .iter()
            .fold(Networks::default(), |all, platform| all.with(*platform, network.clone()));
        let sides = platforms
            .iter()
            .fold(After::default(), |all, platform| all.with(*platform, after.clone()));
        let ports = Ports {
            store: store.stores(),
            networks,
            after: sides,
            assistant: Arc::new(NoAssistant),
            sender: sender.clone(),
            mail: Arc::new(NoMail),
            files: files.clone(),
            fetcher: Arc::new(FakeFetcher),
            examiner: examiner.clone(),
            clock,
            ids: Arc::new(UuidV7),
            random: Arc::new(OsRandom),
            wake: notifier.clone(),
            tasks: Arc::new(SystemTasks::new()),
        };
        let scheduler = Scheduler::new(ports, Settings::default());
        let first = scheduler.first_start().await.unwrap().unwrap();
        let key = first.key.value.expose().to_owned();
        let workspace = first.workspace;
        let metrics = Metrics::new(scheduler.ports().clock.now()).unwrap();
        Self {
            scheduler,
            store,
            network,
            after,
            sender,
            files,
            examiner,
            notifier,
            metrics,
            workspace,
            key,
        }
    }

    /// Another workspace, and a key to everything in it.
    pub(crate) async fn other_workspace(&self, name: &str, plan: Plan) -> (Workspace, String) {
        let input = NewWorkspace { name: name.into(), plan: Plan::Studio };
        let workspace = self.scheduler.create_workspace(&input).await.unwrap();
        let input = NewKeyInput::new("k", Preset::Full);
        let key = self.scheduler.create_key(&workspace, &input).await.unwrap();
        self.scheduler.set_plan(&workspace, plan).await.unwrap();
        (Workspace { plan, ..workspace }, key.value.expose().to_owned())
    }

    /// A key with exactly these scopes.
    pub(crate) async fn key_with(&self, scopes: &[Scope]) -> String {
        let value = KeyValue::from_random(OsRandom.bytes());
        let now = self.now();
        let key = Key {
            id: scheduler_core::ids::KeyId(UuidV7.next(now)),
            workspace_id: self.workspace.id,
            name: "scoped".into(),
            hash: value.hash(),
            hint: value.hint(),
            scopes: Scopes::of(scopes),
            agents: AgentPolicy::default(),
            created_at: now,
            expires_at: now + TimeDelta::days(1),
        };
        self.store.inner.create_key(&key).await.unwrap();
        value.expose().to_owned()
    }

    pub(crate) async fn caller(&self) -> Caller {
        self.scheduler.authenticate(Some(&self.key)).await.unwrap()
    }

    pub(crate) async fn connect(&self, platform: Platform, name: &str) -> Account {
        self.connect_to(&self.workspace, platform, name).await
    }

    pub(crate) async fn connect_to(
        &self,
        workspace: &Workspace,
        platform: Platform,
        name: &str,
    ) -> Account {
        let input = ConnectInput([("name".to_owned(), name.to_owned())].into());
        self.scheduler.connect_account(workspace, platform, &input).await.unwrap().account
    }

    /// Creates a post to one account.
    pub(crate) async fn post(&self, account: &Account, content: &str, timing: Value) -> Post {
        self.post_as(&self.caller().await, account, content, timing).await
    }

    pub(crate) async fn post_as(
        &self,
        caller: &Caller,
        account: &Account,
        content: &str,
        timing: Value,
    ) -> Post {
        let mut body = json!({
            "content": content,
            "targets": [{"platform": account.platform, "accountId": account.id}],
        });
        body.as_object_mut().unwrap().extend(timing.as_object().unwrap().clone());
        let input: PostInput = serde_json::from_value(body).unwrap();
        self.scheduler.create_post(caller, input, None).await.unwrap().value
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.scheduler.ports().clock.now()
    }

    /// A post that is live on an account; its only target.
    pub(crate) async fn live(&self, account: &Account) -> (Post, String) {
        let mut fields = json!({"publishNow": true});
        if account.platform.sheet().requires_media != RequiredMedia::None {
            fields["mediaIds"] = json!([self.ready_file().await]);
        }
        let post = self.post(account, "x", fields).await;
        let now = self.now();
        let request = ClaimRequest::new(now, now + TimeDelta::minutes(1), 100, 1)
            .without(Place::BESIDE_PUBLISHES);
        for claim in self.store.inner.claim(&request).await.unwrap() {
            self.scheduler.run(&claim).await.unwrap();
        }
        let live = self.posts(self.workspace.id).into_iter().find(|found| found.id == post.id);
        let live = live.unwrap();
        assert_eq!(live.targets[0].status(), TargetStatus::Published);
        let path = format!("/v1/posts/{}/targets/{}", live.id, live.targets[0].id);
        (live, path)
    }

    /// The posts of a workspace as they are stored.
    pub(crate) fn posts(&self, workspace: WorkspaceId) -> Vec<Post> {
        let mut posts = self.store.inner.posts();
        posts.retain(|post| post.workspace_id == workspace);
        posts
    }

    /// Starts a server whose pages are told this.
    pub(crate) async fn serve_at(&self, connecting: ConnectPages) -> Client {
        self.serve_all(ServerSettings::default(), None, connecting).await
    }

    /// Starts a server without a limit worth the name.
    pub(crate) async fn serve(&self) -> Client {
        let many = NonZeroU32::new(1_000_000).unwrap();
        self.serve_with(RateLimit { per_minute: many, burst: many }, None).await
    }

    /// Starts a server; it ends with the test.
    pub(crate) async fn serve_with(
        &self,
        rate_limit: RateLimit,
        worker: Option<WorkerStatus>,
    ) -> Client {
        let settings = ServerSettings { rate_limit, ..ServerSettings::default() };
        self.serve_all(settings, worker, ConnectPages::at(server_url())).await
    }

    /// Starts a server that its operator has set so.
    pub(crate) async fn serve_set(&self, settings: ServerSettings) -> Client {
        self.serve_all(settings, None, ConnectPages::at(server_url())).await
    }

    async fn serve_all(
        &self,
        settings: ServerSettings,
        worker: Option<WorkerStatus>,
        connecting: ConnectPages,
    ) -> Client {
        let app = App {
            scheduler: self.scheduler.clone(),
            settings,
            worker,
            health: self.health(),
            signed_files: None,
            connecting,
            doctor: None,
            pages: crate::visiting::pages(),
        };
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), app).await.unwrap();
        let server = server.with_metrics(self.metrics.clone(), MetricsAccess::Open);
        let address = server.address();
        tokio::spawn(server.serve(std::future::pending()));
        Client::new(address, &self.key)
    }
}
