//! A server's parts around one network: its accounts, adapters, files and engine, over a sandbox.

use std::io::Cursor;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use image::{ImageFormat, Rgb, RgbImage};
use scheduler_core::account::Account;
use scheduler_core::app::{Caller, Ports, Scheduler, Settings};
use scheduler_core::engine::LEASE;
use scheduler_core::ids::{MediaId, PostId};
use scheduler_core::media::{FileKey, MediaKind};
use scheduler_core::memory::{MemoryStore, test_ports};
use scheduler_core::platform::{OptionValue, Platform, Required};
use scheduler_core::ports::{
    ClaimRequest, Clock, Examiner, Place, Task, Tasks, WorkKind, WorkQueue as _,
};
use scheduler_core::post::Post;
use scheduler_core::retry::Waits;
use scheduler_media::{ExaminerSettings, MediaExaminer, Tools};
use scheduler_networks::registry::{self, Client, Surroundings};
use scheduler_networks::{Signing, StoredFiles, sandbox};
use scheduler_sandbox::{Options, Sandbox};
use serde_json::{Map, Value, json};
use tokio::task::AbortHandle;
use url::Url;

use crate::served::Served;
use crate::{browser, document, film};

/// How an account was connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wiring {
    /// As `serve --sandbox` does it.
    Served,
    /// As `accounts connect` does it, on the network's page where it has one; since then the
    /// operator has changed the application.
    Connected,
}

/// The machine's clock, moved ahead: the sandbox goes by the same.
#[derive(Debug, Default)]
pub(crate) struct Ahead(Mutex<TimeDelta>);

impl Clock for Ahead {
    fn now(&self) -> DateTime<Utc> {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap();
        let micros = i64::try_from(since.as_micros()).unwrap();
        DateTime::from_timestamp_micros(micros).unwrap() + *self.0.lock().unwrap()
    }
}

/// What comes of the work that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worked {
    /// All of it was done.
    All,
    /// The process died at a request that ran into a fault.
    Killed,
}

/// Runs tasks until its process is killed.
#[derive(Debug, Default)]
struct ProcessTasks(Mutex<Vec<AbortHandle>>);

impl Tasks for ProcessTasks {
    fn spawn(&self, task: Task) {
        self.0.lock().unwrap().push(tokio::spawn(task).abort_handle());
    }

    fn sleep(&self, time: TimeDelta) -> Task {
        Box::pin(tokio::time::sleep(time.to_std().unwrap_or_default()))
    }
}

/// A running server: what it remembers is gone when it is killed.
struct Process {
    scheduler: Scheduler,
    tasks: Arc<ProcessTasks>,
}

/// What outlives a process.
struct Lasting {
    sandbox: Sandbox,
    served: Arc<Served>,
    examiner: Arc<dyn Examiner>,
    store: Arc<MemoryStore>,
    clock: Arc<Ahead>,
}

impl Lasting {
    async fn new() -> Self {
        let listen = "127.0.0.1:0".parse().unwrap();
        // Long enough for a busy machine: what takes part in a publish is always the same.
        let media_processing = Duration::from_secs(20);
        let options = Options { media_processing, ..Options::default() };
        let sandbox = Sandbox::start(listen, options).await.unwrap();
        let served = Served::start().await;
        let tools = Tools::find(None, None, "".as_ref());
        let examiner = MediaExaminer::new(served.clone(), tools, ExaminerSettings::default());
        Self {
            sandbox,
            served,
            examiner: Arc::new(examiner),
            store: Arc::new(MemoryStore::new()),
            clock: Arc::new(Ahead::default()),
        }
    }

    fn url(&self) -> Url {
        Url::parse(self.sandbox.url()).unwrap()
    }

    /// Starts a process under an application of this name if any.
    fn start(&self, application: Option<&str>) -> Process {
        let files = self.served.clone();
        let stored = StoredFiles { files, examiner: Arc::clone(&self.examiner) };
        let usual = test_ports(self.clock.clone());
        let secrets = vec!["secret".to_owned().into()];
        let signing = Signing { clock: self.clock.clone(), ids: usual.ids.clone(), secrets };
        let surroundings = Surroundings { signing: Some(signing), ..Surroundings::default() };
        let settings = settings(&self.url(), application);
        let adapters = registry::adapters_within(&settings, stored, surroundings).unwrap();
        let tasks = Arc::new(ProcessTasks::default());
        let ports = Ports {
            store: self.store.clone(),
            networks: adapters.networks,
            after: adapters.after,
            files: self.served.clone(),
            examiner: Arc::clone(&self.examiner),
            tasks: tasks.clone(),
            ..usual
        };
        let waits = Waits { publish: [TimeDelta::minutes(1); 5], ..Waits::default() };
        let settings = Settings { waits, connect_twitter: true, ..Settings::default() };
        Process { scheduler: Scheduler::new(ports, settings), tasks }
    }
}

pub(crate) struct World {
    pub(crate) platform: Platform,
    wiring: Wiring,
    /// The files of its posts.
    files: Vec<MediaId>,
    lasting: Lasting,
    process: Mutex<Process>,
    caller: Caller,
    account: Account,
    /// What its posts have to say, asked for once.
    required: Map<String, Value>,
    control: reqwest::Client,
}

/// The adapters of all networks at a sandbox, under an application of this name if any.
fn settings(sandbox: &Url, application: Option<&str>) -> registry::Settings {
    let mut settings = registry::Settings::default();
    if let Some(id) = application {
        for platform in Platform::ALL {
            let client = Client { id: id.to_owned(), secret: "secret".to_owned().into() };
            settings.networks.entry(platform).or_default().client = Some(client);
        }
    }
    settings.at_sandbox(sandbox).unwrap()
}

fn picture(shade: u8) -> Vec<u8> {
    let image = RgbImage::from_pixel(640, 640, Rgb([250, shade, 90]));
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Jpeg).unwrap();
    file.into_inner()
}

impl World {
    /// Connects an account of a network, for posts with so many files of a kind.
    pub(crate) async fn new(
        platform: Platform,
        wiring: Wiring,
        files: Option<(MediaKind, usize)>,
    ) -> Self {
        // Fails when it is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let lasting = Lasting::new().await;
        let redirect = reqwest::redirect::Policy::none();
        let control = reqwest::Client::builder().no_proxy().redirect(redirect).build().unwrap();

        let application = (wiring == Wiring::Connected).then_some("first-application");
        let process = lasting.start(application);
        let connecting = &process.scheduler;
        let first = connecting.first_start().await.unwrap().unwrap();
        let caller = connecting.authenticate(Some(first.key.value.expose())).await.unwrap();
        let workspace = &caller.workspace;
        if wiring == Wiring::Served
            || !browser::connect(connecting, workspace, &control, platform).await
        {
            let url = lasting.url();
            sandbox::connect_new(connecting, workspace, &control, &url, platform).await.unwrap();
        }
        let account = connecting.accounts(workspace.id).await.unwrap().remove(0);
        let mut world = Self {
            platform,
            wiring,
            files: Vec::new(),
            lasting,
            process: Mutex::new(process),
            caller,
            account,
            required: Map::new(),
            control,
        };
        world.required = world.required().await;
        world.start_again();
        if let Some((kind, count)) = files {
            for shade in (0..count).map(|number| [100, 200][number]) {
                let bytes = match kind {
                    MediaKind::Image => picture(shade),
                    MediaKind::Video => film::bytes(),
                    MediaKind::Document => document::bytes(),
                };
                let id = world.upload(kind, bytes).await;
                world.files.push(id);
            }
        }
        world
    }

    /// Starts the server anew, as it is set up since its account was connected.
    fn start_again(&self) {
        let application = (self.wiring == Wiring::Connected).then_some("second-application");
        let killed =
            std::mem::replace(&mut *self.process.lock().unwrap(), self.lasting.start(application));
        killed.tasks.0.lock().unwrap().iter().for_each(AbortHandle::abort);
    }

    fn scheduler(&self) -> Scheduler {
        self.process.lock().unwrap().scheduler.clone()
    }

    async fn upload(&self, kind: MediaKind, bytes: Vec<u8>) -> MediaId {
        let declared = json!({"kind": kind, "sizeBytes": bytes.len(), "fileName": "file"});
        let declared = serde_json::from_value(declared).unwrap();
        let id = self
            .scheduler()
            .declare_media(&self.caller, declared, None)
            .await
            .unwrap()
            .value
            .media
            .id;
        let folder = FileKey::folder(self.caller.workspace.id, id);
        self.lasting.served.kept.put(folder.sent(), bytes.into());
        self.scheduler().confirm_upload(&self.caller, id).await.unwrap();
        assert_eq!(self.work(false).await, Worked::All);
        id
    }

    async fn post_to(&self, call: &str, body: &Value) {
        let url = format!("{}/_sandbox/{call}", self.lasting.sandbox.url());
        let answer = self.control.post(url).json(body).send().await.unwrap();
        assert!(answer.status().is_success(), "{call} {body}");
    }

    async fn list(&self, call: &str) -> Vec<Value> {
        let url = format!("{}/_sandbox/{call}", self.lasting.sandbox.url());
        let mut body: Value = self.control.get(url).send().await.unwrap().json().await.unwrap();
        serde_json::from_value(body["data"].take()).unwrap()
    }

    /// Has the network forget posts, files, faults and requests.
    pub(crate) async fn reset(&self) {
        self.post_to("reset", &json!({})).await;
    }

    /// Arms a fault.
    pub(crate) async fn fault(&self, fault: &Value) {
        self.post_to("faults", fault).await;
    }

    /// The texts of everything that stands at the network, sorted, with `tag` replaced.
    pub(crate) async fn live(&self, tag: &str) -> Vec<String> {
        let posts = self.list("posts?deleted=false").await;
        let text = |post: &Value| post["text"].as_str().unwrap().replace(tag, "#");
        let mut texts: Vec<String> = posts.iter().map(text).collect();
        texts.sort_unstable();
        texts
    }

    /// The operation of every request that the network has had, oldest first.
    pub(crate) async fn operations(&self) -> Vec<String> {
        let requests = self.list("requests").await;
        requests.iter().map(|one| one["operation"].as_str().unwrap().to_owned()).collect()
    }

    /// How many requests have run into a fault.
    pub(crate) async fn hits(&self) -> usize {
        self.list("requests").await.iter().filter(|one| !one["fault"].is_null()).count()
    }

    /// Whether its posts have files.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Creates a post for the network that is due at once.
    pub(crate) async fn create(&self, text: &str, mut options: Map<String, Value>) -> PostId {
        options.extend(self.required.clone());
        let target = json!({
            "platform": self.platform, "accountId": self.account.id, "options": options,
        });
        let mut body = json!({ "content": text, "publishNow": true, "targets": [target] });
        if self.has_files() {
            body["mediaIds"] = json!(self.files);
        }
        let input = serde_json::from_value(body).unwrap();
        self.scheduler().create_post(&self.caller, input, None).await.unwrap().value.id
    }

    /// The first value of each option that the network requires.
    async fn required(&self) -> Map<String, Value> {
        let (scheduler, caller, id) = (self.scheduler(), &self.caller, self.account.id);
        let mut options = Map::new();
        for fact in self.platform.sheet().options {
            if fact.required == Required::No {
                continue;
            }
            let value = match fact.value {
                OptionValue::OneOf(_) => {
                    scheduler.creator(caller, id).await.unwrap().privacy_levels.remove(0)
                }
                OptionValue::Digits { .. } => {
                    scheduler.boards(caller, id).await.unwrap().remove(0).id
                }
                _ => panic!("{}.{} cannot be chosen", self.platform, fact.key),
            };
            options.insert(fact.key.to_owned(), value.into());
        }
        options
    }

    pub(crate) async fn post(&self, id: PostId) -> Post {
        self.scheduler().post(&self.caller, id).await.unwrap()
    }

    /// The kinds of the events that tell of a post.
    pub(crate) fn events(&self, id: PostId) -> Vec<&'static str> {
        let events = self.lasting.store.events();
        let of_post = events.iter().filter(|event| event.body.contains(&id.to_string()));
        of_post.map(|event| event.kind.as_str()).collect()
    }

    /// Does everything that is due but readings. With `is_killed` the process dies as soon as a
    /// request has run into a fault.
    pub(crate) async fn work(&self, is_killed: bool) -> Worked {
        let scheduler = self.scheduler();
        let work = async {
            loop {
                let now = self.lasting.clock.now();
                let request = ClaimRequest::new(now, now + LEASE, 1, 1).without([Place::Read]);
                let claims = self.lasting.store.claim(&request).await.unwrap();
                if claims.is_empty() {
                    return Worked::All;
                }
                for claim in claims {
                    scheduler.run(&claim).await.unwrap();
                }
            }
        };
        if !is_killed {
            return work.await;
        }
        let killed = async {
            while self.hits().await == 0 {}
            Worked::Killed
        };
        let worked = tokio::select! {
            biased;
            worked = killed => worked,
            worked = work => worked,
        };
        if worked == Worked::Killed {
            self.start_again();
        }
        worked
    }

    /// Lets the time pass until a publish can be gone on with, here and at the network; false when
    /// none can ever be. What a network fetches by links goes by no clock, and gets `pause`.
    pub(crate) async fn wait(&self, pause: Duration) -> bool {
        tokio::time::sleep(pause).await;
        let now = self.lasting.clock.now();
        let publishes =
            self.lasting.store.work().into_iter().filter(|(kind, _)| *kind == WorkKind::Publish);
        let Some(due) = publishes.map(|(_, due)| due).min() else { return false };
        let milliseconds = (due - now).num_milliseconds().max(0) + 1;
        self.post_to("clock", &json!({ "advanceMilliseconds": milliseconds })).await;
        *self.lasting.clock.0.lock().unwrap() += TimeDelta::milliseconds(milliseconds);
        true
    }

    /// Whether the account has to be connected again.
    pub(crate) async fn needs_reconnect(&self) -> bool {
        let accounts = self.scheduler().accounts(self.caller.workspace.id).await.unwrap();
        accounts.iter().any(|account| account.needs_reconnect)
    }
}
