//! A sandbox, accounts on it, and a publish as the engine runs it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use scheduler_core::ids::{AccountId, MediaId, TargetId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::memory::{CountedIds, ManualClock, MemoryFiles};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    ConnectInput, Connected, Derived, ExamineError, Examined, Examiner, Files, JobFile, Network,
    NetworkError, NetworkErrorKind, PublishJob,
};
use scheduler_core::target::Remote;
use scheduler_networks::registry::{NetworkSettings, Settings, Surroundings, adapters_within};
use scheduler_networks::{Signing, StoredFiles};
use scheduler_sandbox::{Options, Sandbox};
use serde_json::{Map, Value, json};
use url::Url;
use uuid::Uuid;

use crate::engine::{Clock, Engine};
use crate::quoted::Differences;

/// The present: the sandbox goes by the clock of the machine, as the networks do.
pub(crate) fn present() -> DateTime<Utc> {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap();
    DateTime::from_timestamp_micros(i64::try_from(since.as_micros()).unwrap()).unwrap()
}

/// What adapters sign with.
pub(crate) fn signing() -> Surroundings {
    let clock = Arc::new(ManualClock::at(present()));
    let secrets = vec!["secret".to_owned().into()];
    let signing = Signing { clock, ids: Arc::new(CountedIds::default()), secrets };
    Surroundings { signing: Some(signing), ..Surroundings::default() }
}

/// Has a sandbox keep its requests in a folder of its own below `JUDGE_RECORD`, where that is set:
/// `scripts/judge.sh` holds them against the networks' descriptions.
pub(crate) fn recorded(options: Options) -> Options {
    static KEPT: AtomicU32 = AtomicU32::new(0);
    let Some(folder) = std::env::var_os("JUDGE_RECORD") else { return options };
    let number = KEPT.fetch_add(1, Ordering::Relaxed);
    let folder = std::path::PathBuf::from(folder).join(number.to_string());
    Options { folder: Some(folder), ..options }
}

/// A sandbox with one account, and the adapter for it.
pub(crate) struct World {
    pub(crate) sandbox: Sandbox,
    pub(crate) network: Arc<dyn Network>,
    pub(crate) connected: Connected,
    files: Arc<MemoryFiles>,
    platform: Platform,
    control: reqwest::Client,
    clock: Clock,
    _quoted: Differences,
}

impl World {
    pub(crate) async fn new(platform: Platform) -> Self {
        Self::with(platform, Options::default()).await
    }

    pub(crate) async fn with(platform: Platform, options: Options) -> Self {
        let quoted = Differences::default();
        let options = Options { watcher: Some(quoted.watcher()), ..recorded(options) };
        let sandbox = Sandbox::start("127.0.0.1:0".parse().unwrap(), options).await.unwrap();
        let of = |platform: Platform| {
            let base = Url::parse(&format!("{}/{platform}", sandbox.url())).unwrap();
            (platform, NetworkSettings { api_base: Some(base), ..NetworkSettings::default() })
        };
        let networks = Platform::ALL.into_iter().map(of).collect();
        let settings = Settings { allow_private: true, networks };
        let files = Arc::new(MemoryFiles::new());
        let examiner = Arc::new(Halving(files.clone()));
        let stored = StoredFiles { files: files.clone(), examiner };
        let adapters = adapters_within(&settings, stored, signing()).unwrap();
        let network = adapters.networks.network(platform).unwrap().clone();
        let control = reqwest::Client::builder().build().unwrap();
        let url = format!("{}/_sandbox/accounts", sandbox.url());
        let made = control.post(url).json(&json!({ "platform": platform })).send().await.unwrap();
        let account: Value = made.json().await.unwrap();
        let connected = network.connect(&input(&account)).await.unwrap().remove(0);
        let clock = Clock::default();
        Self { sandbox, network, connected, files, platform, control, clock, _quoted: quoted }
    }

    /// A job to publish a text with options as the account.
    pub(crate) fn job(&self, target: u128, content: &str, options: &Value) -> PublishJob {
        let now = self.clock.now();
        let account = Account {
            server_url: self.connected.server_url.clone(),
            username: self.connected.username.clone(),
            limits: self.connected.limits.clone(),
            ..Account::new(
                AccountId(Uuid::from_u128(2)),
                WorkspaceId(Uuid::from_u128(3)),
                self.platform,
                self.connected.network_id.clone(),
                now,
            )
        };
        PublishJob {
            target_id: TargetId(Uuid::from_u128(target)),
            revision: 0,
            content: content.to_owned(),
            link_url: None,
            files: Vec::new(),
            thumbnail: None,
            thread_files: Vec::new(),
            options: options.as_object().cloned().unwrap_or_else(Map::new),
            account,
            credentials: self.connected.credentials.clone(),
            begun_at: now,
            now,
        }
    }

    /// Keeps a file, as one that the post has.
    pub(crate) fn file(&self, number: u128, media_type: &str, bytes: &[u8]) -> JobFile {
        let id = MediaId(Uuid::from_u128(number));
        let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(3)), id);
        self.files.put(folder.original(), bytes.to_vec().into());
        let kind = match media_type.split('/').next() {
            Some("video") => MediaKind::Video,
            Some("application") => MediaKind::Document,
            _ => MediaKind::Image,
        };
        let facts = MediaFacts {
            mime_type: Some(media_type.to_owned()),
            size_bytes: u64::try_from(bytes.len()).ok(),
            width: Some(64),
            height: Some(48),
            ..MediaFacts::of_kind(kind)
        };
        JobFile { alt_text: Some(format!("file {number}")), ..JobFile::new(id, folder, facts) }
    }

    /// Publishes as the engine does, attempt after attempt; also what went wrong on the way.
    pub(crate) async fn publish(
        &self,
        job: PublishJob,
    ) -> (Result<Remote, NetworkError>, Vec<NetworkErrorKind>) {
        self.engine().publish(job).await
    }

    /// The engine of its network.
    pub(crate) fn engine(&self) -> Engine<'_> {
        let Self { network, sandbox, control, clock, .. } = self;
        Engine { network: network.as_ref(), sandbox, control, clock }
    }

    /// Arms a fault.
    pub(crate) async fn fault(&self, mut fault: Value) {
        fault["platform"] = json!(self.platform);
        let url = format!("{}/_sandbox/faults", self.sandbox.url());
        let answer = self.control.post(url).json(&fault).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{fault}");
    }

    /// What is live, oldest first.
    pub(crate) async fn live(&self) -> Vec<Value> {
        let url = format!("{}/_sandbox/posts?deleted=false", self.sandbox.url());
        let answer = self.control.get(url).send().await.unwrap();
        let mut body: Value = answer.json().await.unwrap();
        serde_json::from_value(body["data"].take()).unwrap()
    }

    /// The texts of what is live, oldest first.
    pub(crate) async fn texts(&self) -> Vec<String> {
        let live = self.live().await;
        live.iter().map(|post| post["text"].as_str().unwrap().to_owned()).collect()
    }

    /// The bodies of the requests to a path that ends like this.
    pub(crate) async fn bodies(&self, path: &str) -> Vec<Value> {
        let sent = self.sent(path).await.into_iter();
        sent.map(|body| match &body {
            Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
            other => other.clone(),
        })
        .collect()
    }

    /// The same as they were sent, forms as texts.
    pub(crate) async fn sent(&self, path: &str) -> Vec<Value> {
        let url = format!("{}/_sandbox/requests", self.sandbox.url());
        let answer = self.control.get(url).send().await.unwrap();
        let body: Value = answer.json().await.unwrap();
        let entries = body["data"].as_array().unwrap().iter();
        let entries = entries.filter(|entry| entry["path"].as_str().unwrap().ends_with(path));
        entries.map(|entry| entry["body"].clone()).collect()
    }
}

/// Makes of a picture its first half, so that a test sees that a derived file was sent.
struct Halving(Arc<MemoryFiles>);

#[async_trait::async_trait]
impl Examiner for Halving {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        Err(ExamineError::Unusable("This test examines no files.".to_owned()))
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        let key = folder.derived(recipe.name);
        let whole = self.0.read(&folder.original(), None).await?.collect().await?;
        let half = whole.slice(..whole.len().div_ceil(2));
        self.0.put(key.clone(), half);
        let facts = MediaFacts {
            mime_type: Some("image/png".to_owned()),
            ..MediaFacts::of_kind(MediaKind::Image)
        };
        Ok(Derived { key, facts })
    }
}

/// What the sandbox says of an account, as input for connecting it.
pub(crate) fn input(account: &Value) -> ConnectInput {
    let pairs = account.as_object().unwrap().iter();
    let pairs: BTreeMap<String, String> = pairs
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect();
    ConnectInput(pairs)
}

/// A picture whose bytes differ by `seed`.
pub(crate) fn png(seed: u8) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x30\x08\x02\0\0\0".to_vec();
    bytes.extend([seed; 200]);
    bytes
}

/// A video of several pieces.
pub(crate) fn mp4() -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(3_000_000, 7);
    bytes
}
