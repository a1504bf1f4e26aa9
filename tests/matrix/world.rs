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
use scheduler_core::ports::{ClaimRequest, Clock, Examiner, WorkKind, WorkQueue as _};
use scheduler_core::post::Post;
use scheduler_core::retry::Waits;
use scheduler_media::{ExaminerSettings, MediaExaminer, Tools};
use scheduler_networks::registry::{self, Client};
use scheduler_networks::{StoredFiles, sandbox};
use scheduler_sandbox::{Options, Sandbox};
use scheduler_worker::SystemTasks;
use serde_json::{Map, Value, json};
use url::Url;

use crate::served::Served;
use crate::{browser, film};

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

pub(crate) struct World {
    pub(crate) platform: Platform,
    /// The files of its posts.
    files: Vec<MediaId>,
    scheduler: Scheduler,
    caller: Caller,
    account: Account,
    store: Arc<MemoryStore>,
    clock: Arc<Ahead>,
    control: reqwest::Client,
    sandbox: Sandbox,
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
        let listen = "127.0.0.1:0".parse().unwrap();
        let sandbox = Sandbox::start(listen, Options::default()).await.unwrap();
        let url = Url::parse(sandbox.url()).unwrap();
        let served = Served::start().await;
        let clock = Arc::new(Ahead::default());
        let store = Arc::new(MemoryStore::new());
        let tools = Tools::find(None, None, "".as_ref());
        let examiner: Arc<dyn Examiner> =
            Arc::new(MediaExaminer::new(served.clone(), tools, ExaminerSettings::default()));
        let scheduler = |application: Option<&str>| {
            let stored = StoredFiles { files: served.clone(), examiner: Arc::clone(&examiner) };
            let adapters = registry::adapters(&settings(&url, application), stored).unwrap();
            let ports = Ports {
                store: store.clone(),
                networks: adapters.networks,
                after: adapters.after,
                files: served.clone(),
                examiner: Arc::clone(&examiner),
                tasks: Arc::new(SystemTasks::new()),
                ..test_ports(clock.clone())
            };
            let waits = Waits { publish: [TimeDelta::minutes(1); 5], ..Waits::default() };
            let settings = Settings { waits, connect_twitter: true, ..Settings::default() };
            Scheduler::new(ports, settings)
        };
        let redirect = reqwest::redirect::Policy::none();
        let control = reqwest::Client::builder().no_proxy().redirect(redirect).build().unwrap();

        let application = (wiring == Wiring::Connected).then_some("first-application");
        let connecting = scheduler(application);
        let first = connecting.first_start().await.unwrap().unwrap();
        let caller = connecting.authenticate(Some(first.key.value.expose())).await.unwrap();
        let workspace = &caller.workspace;
        if wiring == Wiring::Served
            || !browser::connect(&connecting, workspace, &control, platform).await
        {
            sandbox::connect_new(&connecting, workspace, &control, &url, platform).await.unwrap();
        }
        let account = connecting.accounts(workspace.id).await.unwrap().remove(0);
        let scheduler = match wiring {
            Wiring::Served => connecting,
            Wiring::Connected => scheduler(Some("second-application")),
        };
        let mut world = Self {
            platform,
            files: Vec::new(),
            scheduler,
            caller,
            account,
            store,
            clock,
            control,
            sandbox,
        };
        if let Some((kind, count)) = files {
            for shade in (0..count).map(|number| [100, 200][number]) {
                let bytes = match kind {
                    MediaKind::Image => picture(shade),
                    MediaKind::Video => film::bytes(),
                };
                let id = world.upload(&served, kind, bytes).await;
                world.files.push(id);
            }
        }
        world
    }

    async fn upload(&self, served: &Served, kind: MediaKind, bytes: Vec<u8>) -> MediaId {
        let declared = json!({"kind": kind, "sizeBytes": bytes.len(), "fileName": "file"});
        let declared = serde_json::from_value(declared).unwrap();
        let id = self.scheduler.declare_media(&self.caller, declared).await.unwrap().media.id;
        let folder = FileKey::folder(self.caller.workspace.id, id);
        served.kept.put(folder.sent(), bytes.into());
        self.scheduler.confirm_upload(&self.caller, id).await.unwrap();
        assert_eq!(self.work(false).await, Worked::All);
        id
    }

    async fn post_to(&self, call: &str, body: &Value) {
        let url = format!("{}/_sandbox/{call}", self.sandbox.url());
        let answer = self.control.post(url).json(body).send().await.unwrap();
        assert!(answer.status().is_success(), "{call} {body}");
    }

    async fn list(&self, call: &str) -> Vec<Value> {
        let url = format!("{}/_sandbox/{call}", self.sandbox.url());
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
        options.extend(self.required().await);
        let target = json!({
            "platform": self.platform, "accountId": self.account.id, "options": options,
        });
        let mut body = json!({ "content": text, "publishNow": true, "targets": [target] });
        if self.has_files() {
            body["mediaIds"] = json!(self.files);
        }
        let input = serde_json::from_value(body).unwrap();
        self.scheduler.create_post(&self.caller, input, None).await.unwrap().post.id
    }

    /// The first value of each option that the network requires.
    async fn required(&self) -> Map<String, Value> {
        let (scheduler, caller, id) = (&self.scheduler, &self.caller, self.account.id);
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
        self.scheduler.post(&self.caller, id).await.unwrap()
    }

    /// The kinds of the events that tell of a post.
    pub(crate) fn events(&self, id: PostId) -> Vec<&'static str> {
        let events = self.store.events();
        let of_post = events.iter().filter(|event| event.body.contains(&id.to_string()));
        of_post.map(|event| event.kind.as_str()).collect()
    }

    /// Does everything that is due but readings. With `is_killed` the process dies as soon as a
    /// request has run into a fault.
    pub(crate) async fn work(&self, is_killed: bool) -> Worked {
        let work = async {
            loop {
                let now = self.clock.now();
                let request = ClaimRequest {
                    now,
                    lease_until: now + LEASE,
                    lanes: 1,
                    per_lane: 1,
                    without_platforms: Vec::new(),
                    without_deliveries: false,
                    without_media: false,
                    without_readings: true,
                };
                let claims = self.store.claim(&request).await.unwrap();
                if claims.is_empty() {
                    return Worked::All;
                }
                for claim in claims {
                    self.scheduler.run(&claim).await.unwrap();
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
        tokio::select! {
            biased;
            worked = killed => worked,
            worked = work => worked,
        }
    }

    /// Lets the time pass until a publish can be gone on with, here and at the network; false when
    /// none can ever be. What a network fetches by links goes by no clock, and gets `pause`.
    pub(crate) async fn wait(&self, pause: Duration) -> bool {
        tokio::time::sleep(pause).await;
        let now = self.clock.now();
        let publishes =
            self.store.work().into_iter().filter(|(kind, _)| *kind == WorkKind::Publish);
        let Some(due) = publishes.map(|(_, due)| due).min() else { return false };
        let milliseconds = (due - now).num_milliseconds().max(0) + 1;
        self.post_to("clock", &json!({ "advanceMilliseconds": milliseconds })).await;
        *self.clock.0.lock().unwrap() += TimeDelta::milliseconds(milliseconds);
        true
    }

    /// Whether the account has to be connected again.
    pub(crate) async fn needs_reconnect(&self) -> bool {
        let accounts = self.scheduler.accounts(self.caller.workspace.id).await.unwrap();
        accounts.iter().any(|account| account.needs_reconnect)
    }
}
