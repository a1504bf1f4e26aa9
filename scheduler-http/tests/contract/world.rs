//! A server over a real store, workspaces with a key each, and a book of what was answered.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use chrono::TimeDelta;
use http::Method;
use scheduler_core::account::Account;
use scheduler_core::app::{NewKeyInput, NewWorkspace, Ports, Scheduler, Settings};
use scheduler_core::ids::KeyId;
use scheduler_core::key::{AgentPolicy, Key, KeyValue, Preset, Scope, Scopes};
use scheduler_core::media::FileKey;
use scheduler_core::memory::MemoryFiles;
use scheduler_core::plan::{Allowances, Plan, Plans};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    After, ClaimRequest, Clock as _, ConnectInput, Ids as _, NetworkError, Networks, NoMail, Place,
    Random as _, Store,
};
use scheduler_core::workspace::Workspace;
use scheduler_http::{App, ConnectPages, RateLimit, Server, ServerSettings};
use scheduler_worker::{Health, Notifier, OsRandom, SystemClock, SystemTasks, UuidV7};
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::fakes::{Everywhere, ManualClock, Measures, Outside, Scripted};
use crate::refusals::Refusals;
use crate::shapes::{ERROR, Shape};
use crate::table::{Row, TABLE};

/// Everything of one run over one database.
pub(crate) struct World {
    pub(crate) scheduler: Scheduler,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) network: Arc<Everywhere>,
    pub(crate) assistant: Arc<Scripted>,
    pub(crate) files: Arc<MemoryFiles>,
    pub(crate) examiner: Arc<Measures>,
    /// A client of a server without a limit on keys worth the name, and without a key.
    client: Client,
    workspaces: AtomicU32,
    pub(crate) book: Mutex<Book>,
}

/// What was answered.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// What a scenario asked for and got, by row.
    pub(crate) reached: BTreeMap<usize, BTreeSet<u16>>,
    /// Error codes.
    pub(crate) codes: BTreeSet<String>,
    /// Answers whose status is none of their row's.
    pub(crate) beyond: BTreeSet<String>,
    /// The refusals, by row.
    pub(crate) refusals: Refusals,
}

/// Plans so small that a test can use them up.
fn plans() -> Plans {
    let plans = Plans::default();
    let free = Allowances {
        posts_a_month: 2,
        channels: 2,
        upload_bytes_a_month: 1_000,
        file_bytes: 600,
        ..plans.free
    };
    let pro = Allowances { captions_a_month: 2, reviews_a_month: 2, ..plans.pro };
    Plans { free, pro, ..plans }
}

pub(crate) fn many() -> RateLimit {
    let many = NonZeroU32::new(1_000_000).unwrap();
    RateLimit { per_minute: many, burst: many }
}

impl World {
    pub(crate) async fn new(store: Arc<dyn Store>) -> Arc<Self> {
        let clock = Arc::new(ManualClock::new());
        let network = Arc::new(Everywhere::default());
        let assistant = Arc::new(Scripted::default());
        let files = Arc::new(MemoryFiles::new());
        let examiner = Arc::new(Measures::default());
        let ports = Ports {
            store,
            networks: Platform::ALL
                .into_iter()
                .fold(Networks::default(), |all, platform| all.with(platform, network.clone())),
            after: Platform::ALL
                .into_iter()
                .fold(After::default(), |all, platform| all.with(platform, network.clone())),
            assistant: assistant.clone(),
            sender: Arc::new(Outside),
            mail: Arc::new(NoMail),
            files: files.clone(),
            fetcher: Arc::new(Outside),
            examiner: examiner.clone(),
            clock: clock.clone(),
            ids: Arc::new(UuidV7),
            random: Arc::new(OsRandom),
            wake: Arc::new(Notifier::new()),
            tasks: Arc::new(SystemTasks::new()),
        };
        let settings = Settings { plans: plans(), ..Settings::default() };
        let scheduler = Scheduler::new(ports, settings);
        let client = serve(&scheduler, many()).await;
        Arc::new(Self {
            scheduler,
            clock,
            network,
            assistant,
            files,
            examiner,
            client,
            workspaces: AtomicU32::new(0),
            book: Mutex::default(),
        })
    }

    /// A workspace on plan studio.
    pub(crate) async fn tenant(self: &Arc<Self>) -> Tenant {
        self.tenant_on(Plan::Studio).await
    }

    /// A workspace and a key to everything in it.
    pub(crate) async fn tenant_on(self: &Arc<Self>, plan: Plan) -> Tenant {
        let number = self.workspaces.fetch_add(1, Ordering::SeqCst);
        let input = NewWorkspace { name: format!("workspace {number}"), plan: Plan::Studio };
        let workspace = self.scheduler.create_workspace(&input).await.unwrap();
        let input = NewKeyInput::new("k", Preset::Full);
        let key = self.scheduler.create_key(&workspace, &input).await.unwrap();
        self.scheduler.set_plan(&workspace, plan).await.unwrap();
        let key = key.value.expose().to_owned();
        let client = self.client.keyed(&key);
        Tenant { world: Arc::clone(self), workspace: Workspace { plan, ..workspace }, key, client }
    }

    /// A client without a key.
    pub(crate) fn stranger(self: &Arc<Self>, tenant: &Tenant) -> Tenant {
        let client = self.client.without("authorization");
        let workspace = tenant.workspace.clone();
        Tenant { world: Arc::clone(self), workspace, key: String::new(), client }
    }

    /// Does all publishing, delivering and work on files that is due.
    pub(crate) async fn work(&self) {
        loop {
            let now = self.clock.now();
            let lease_until = now + scheduler_core::engine::LEASE;
            let request = ClaimRequest::new(now, lease_until, 100, 10).without([Place::Read]);
            let claims = self.scheduler.ports().store.claim(&request).await.unwrap();
            if claims.is_empty() {
                return;
            }
            for claim in &claims {
                self.scheduler.run(claim).await.unwrap();
            }
        }
    }

    /// What the next act on a network after publishing answers.
    pub(crate) fn will_fail(&self, error: NetworkError) {
        *self.network.next_error.lock().unwrap() = Some(error);
    }
}

/// A client of a new server over the same scheduler; it ends with the test.
pub(crate) async fn serve(scheduler: &Scheduler, rate_limit: RateLimit) -> Client {
    let app = App {
        scheduler: scheduler.clone(),
        settings: ServerSettings { rate_limit, ..ServerSettings::default() },
        worker: None,
        health: Health::new(scheduler.ports().store.clone(), Arc::new(SystemClock::new())),
        signed_files: None,
        connecting: ConnectPages::at("https://s.example".parse().unwrap()),
        doctor: None,
        pages: &[],
    };
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), app).await.unwrap();
    let address = server.address();
    tokio::spawn(server.serve(std::future::pending()));
    Client::new(address, "none").without("authorization")
}

/// A workspace, and a client with a key to it.
#[derive(Clone)]
pub(crate) struct Tenant {
    pub(crate) world: Arc<World>,
    pub(crate) workspace: Workspace,
    /// A key to everything in it.
    pub(crate) key: String,
    pub(crate) client: Client,
}

/// An answer that is yet to be looked at.
pub(crate) struct Reply {
    world: Arc<World>,
    row: Option<usize>,
    name: String,
    pub(crate) answer: Answer,
}

impl Tenant {
    /// The same workspace through another key.
    pub(crate) async fn keyed(&self, scopes: &[Scope]) -> Self {
        let now = self.world.clock.now();
        let value = KeyValue::from_random(OsRandom.bytes());
        let key = Key {
            id: KeyId(UuidV7.next(now)),
            workspace_id: self.workspace.id,
            name: "scoped".into(),
            hash: value.hash(),
            hint: value.hint(),
            scopes: Scopes::of(scopes),
            agents: AgentPolicy::default(),
            created_at: now,
            expires_at: now + TimeDelta::days(1),
        };
        self.world.scheduler.ports().store.create_key(&key).await.unwrap();
        Self { client: self.client.keyed(value.expose()), ..self.clone() }
    }

    /// The same with a header more.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        Self { client: self.client.with(name, value), ..self.clone() }
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.json(Method::POST, path, body).await
    }

    pub(crate) async fn post_nothing(&self, path: &str) -> Reply {
        self.send(Method::POST, path, "").await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Reply {
        self.json(Method::PATCH, path, body).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.send(Method::DELETE, path, "").await
    }

    pub(crate) async fn json(&self, method: Method, path: &str, body: &Value) -> Reply {
        self.with("content-type", "application/json").send(method, path, &body.to_string()).await
    }

    /// Sends a request to a path below `/v1`.
    pub(crate) async fn send(&self, method: Method, path: &str, body: &str) -> Reply {
        let begin: String = body.chars().take(120).collect();
        let name = format!("{method} {path} {begin}");
        let place = path.split('?').next().unwrap();
        let row = TABLE.iter().position(|row| row.fits(method.as_str(), place));
        let answer = self.client.send(method, &format!("/v1{path}"), body).await;
        if let Some(index) = row {
            let row: &Row = &TABLE[index];
            let status = answer.status.as_u16();
            if status >= 400 && !answer.body.is_empty() {
                self.world.book.lock().unwrap().refusals.add(index, status, &answer.json());
            }
            if !row.statuses().contains(&status) {
                let text = format!("{} answered {status} to {name}", row.name());
                self.world.book.lock().unwrap().beyond.insert(text);
            }
        }
        Reply { world: Arc::clone(&self.world), row, name, answer }
    }

    pub(crate) async fn connect(&self, platform: Platform, name: &str) -> Account {
        let input = ConnectInput([("name".to_owned(), name.to_owned())].into());
        // Which accounts a plan covers goes by when they were connected.
        self.world.clock.advance(TimeDelta::seconds(1));
        let scheduler = &self.world.scheduler;
        scheduler.connect_account(&self.workspace, platform, &input).await.unwrap().account
    }

    /// A post that is stored.
    pub(crate) async fn new_post(&self, body: &Value) -> Value {
        self.post("/posts", body).await.ok(201, &crate::shapes::POST)
    }

    /// A post to the only account of a network.
    pub(crate) async fn post_to(&self, platform: Platform, content: &str, timing: Value) -> Value {
        let mut body = json!({"content": content, "targets": [{"platform": platform}]});
        body.as_object_mut().unwrap().extend(timing.as_object().unwrap().clone());
        self.new_post(&body).await
    }

    /// A post that was handed to its network at once; the path of its only target.
    pub(crate) async fn sent(&self, platform: Platform, content: &str) -> String {
        let post = self.post_to(platform, content, json!({"publishNow": true})).await;
        self.world.work().await;
        target_path(&post)
    }

    /// A file that is ready.
    pub(crate) async fn file(&self, kind: &str) -> String {
        let body = json!({"kind": kind, "sizeBytes": 4});
        let declared = self.post("/media", &body).await.ok(201, &crate::shapes::SINGLE);
        let id = text(&declared["media"]["id"]);
        self.put(&id, "four");
        self.world.examiner.is_video.store(kind == "video", Ordering::SeqCst);
        self.post_nothing(&format!("/media/{id}/uploaded"))
            .await
            .ok(200, &crate::shapes::SHOWN_MEDIA);
        self.world.work().await;
        self.world.examiner.is_video.store(false, Ordering::SeqCst);
        id
    }

    /// Sends the bytes of a file, as to its address.
    pub(crate) fn put(&self, id: &str, bytes: &'static str) {
        let folder = FileKey::folder(self.workspace.id, id.parse().unwrap());
        self.world.files.put(folder.sent(), bytes.into());
    }
}

/// `/posts/{id}/targets/{targetId}` of the first target.
pub(crate) fn target_path(post: &Value) -> String {
    format!("/posts/{}/targets/{}", text(&post["id"]), text(&post["targets"][0]["id"]))
}

/// The text that a value is.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

impl Reply {
    fn is(&self, status: u16) {
        assert_eq!(self.answer.status, status, "{}: {:?}", self.name, self.answer);
        assert!(self.answer.header("x-request-id").is_some(), "{}", self.name);
        if let Some(row) = self.row {
            let mut book = self.world.book.lock().unwrap();
            book.reached.entry(row).or_default().insert(status);
        }
    }

    /// The body of an answer of this shape.
    #[track_caller]
    pub(crate) fn ok(self, status: u16, shape: &Shape) -> Value {
        self.is(status);
        let body = self.answer.json();
        let faults = shape.faults(&body, "$");
        assert!(faults.is_empty(), "{}: {}", self.name, faults.join("; "));
        body
    }

    /// An answer without a body.
    #[track_caller]
    pub(crate) fn nothing(self) {
        self.is(204);
        assert!(self.answer.body.is_empty(), "{}", self.name);
    }

    /// A body that is no JSON.
    #[track_caller]
    pub(crate) fn bytes(self, status: u16) -> Answer {
        self.is(status);
        self.answer
    }

    /// The error of a refusal.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> Value {
        self.is(status);
        let body = self.answer.json();
        let faults = ERROR.faults(&body, "$");
        assert!(faults.is_empty(), "{}: {}", self.name, faults.join("; "));
        let error = body["error"].clone();
        assert_eq!(error["code"], code, "{}: {body}", self.name);
        assert!(!text(&error["message"]).is_empty(), "{}", self.name);
        if status == 402 {
            assert!(error["limit"].is_u64(), "{}: {body}", self.name);
            assert!(error["upgradeTo"].is_string(), "{}: {body}", self.name);
        }
        if status == 429 {
            let wait = self.answer.header("retry-after").and_then(|wait| wait.parse().ok());
            assert!(wait.is_some_and(|wait: u64| wait > 0), "{}: {wait:?}", self.name);
        }
        if status == 401 {
            assert_eq!(self.answer.header("www-authenticate"), Some("Bearer"), "{}", self.name);
        }
        assert_eq!(error["issues"].is_array(), code == "validation_failed", "{}", self.name);
        self.world.book.lock().unwrap().codes.insert(code.to_owned());
        error
    }

    /// The same, about one field.
    #[track_caller]
    pub(crate) fn invalid(self, field: &str) {
        let name = self.name.clone();
        let error = self.refused(400, "invalid_request");
        assert_eq!(error["field"], field, "{name}");
    }
}
