//! A sandbox with an account of Instagram, and a file store whose links it can follow.

use std::sync::Arc;

use scheduler_core::account::Account;
use scheduler_core::ids::{AccountId, MediaId, TargetId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, Connected, Derived, ExamineError, Examined, Examiner, Files, JobFile,
    LivePost, Metered, Network, NetworkError, NetworkErrorKind as Kind, PublishJob,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::{Options, Sandbox};
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use url::Url;
use uuid::Uuid;

use crate::engine::{Clock, Engine};
use crate::quoted::Differences;
use crate::served::Served;
use crate::support::{input, present};

pub(super) struct World {
    pub(super) sandbox: Sandbox,
    pub(super) network: Arc<dyn Network>,
    pub(super) after: Arc<dyn AfterPublishing>,
    pub(super) connected: Connected,
    /// What the sandbox said of the account.
    pub(super) made: Value,
    pub(super) control: reqwest::Client,
    files: Arc<Served>,
    clock: Clock,
    _quoted: Differences,
}

impl World {
    /// A sandbox whose account is connected in a way.
    pub(super) async fn new(way: &str) -> Self {
        let quoted = Differences::default();
        let watcher = Some(quoted.watcher());
        let options = crate::support::recorded(Options { watcher, ..Options::default() });
        let sandbox = Sandbox::start("127.0.0.1:0".parse().unwrap(), options).await.unwrap();
        let base = Url::parse(&format!("{}/instagram", sandbox.url())).unwrap();
        let client = |id: &str| Client { id: id.to_owned(), secret: SecretString::from("secret") };
        let own = NetworkSettings {
            api_base: Some(base),
            client: Some(client("990")),
            ..NetworkSettings::default()
        };
        let meta = NetworkSettings { client: Some(client("770")), ..NetworkSettings::default() };
        let networks = [(Platform::Instagram, own), (Platform::Facebook, meta)].into();
        let settings = Settings { allow_private: true, networks };
        let files = Served::start().await;
        let examiner = Arc::new(AsItCame(files.kept.clone()));
        let stored = StoredFiles { files: files.clone(), examiner };
        let adapters = adapters(&settings, stored).unwrap();
        let network = adapters.networks.network(Platform::Instagram).unwrap().clone();
        let after = adapters.after.network(Platform::Instagram).unwrap().clone();
        let redirect = reqwest::redirect::Policy::none();
        let control = reqwest::Client::builder().redirect(redirect).build().unwrap();
        let made = account(&control, &sandbox, "ana").await;
        let connected = network.connect(&input(&given(&made, way))).await.unwrap().remove(0);
        let clock = Clock::default();
        Self { sandbox, network, after, connected, made, control, files, clock, _quoted: quoted }
    }

    /// Another account of the same sandbox.
    pub(super) async fn account(&self, name: &str) -> Value {
        account(&self.control, &self.sandbox, name).await
    }

    /// A job to publish a text with files and options.
    pub(super) fn job(&self, content: &str, files: Vec<JobFile>, options: &Value) -> PublishJob {
        let Access { account, credentials, now, .. } = self.access();
        PublishJob {
            target_id: TargetId(Uuid::from_u128(1)),
            revision: 0,
            content: content.to_owned(),
            link_url: None,
            files,
            thumbnail: None,
            thread_files: Vec::new(),
            options: options.as_object().cloned().unwrap_or_else(Map::new),
            account,
            credentials,
            begun_at: now,
            now,
        }
    }

    pub(super) fn access(&self) -> Access {
        let now = self.clock.now();
        let account = Account {
            username: self.connected.username.clone(),
            connection: self.connected.connection,
            limits: self.connected.limits.clone(),
            ..Account::new(
                AccountId(Uuid::from_u128(2)),
                WorkspaceId(Uuid::from_u128(3)),
                Platform::Instagram,
                self.connected.network_id.clone(),
                now,
            )
        };
        Access {
            account,
            credentials: self.connected.credentials.clone(),
            now,
            meter: Metered::free(),
        }
    }

    pub(super) fn live_post(&self, remote: Remote) -> LivePost {
        LivePost {
            target_id: TargetId(Uuid::from_u128(1)),
            remote,
            content: String::new(),
            link_url: None,
            file_count: 1,
            options: Map::new(),
            published_at: present(),
        }
    }

    /// Keeps a file, as one that a post has.
    pub(super) fn file(&self, number: u128, media_type: &str, bytes: &[u8]) -> JobFile {
        let id = MediaId(Uuid::from_u128(number));
        let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(3)), id);
        self.files.kept.put(folder.original(), bytes.to_vec().into());
        let is_video = media_type.starts_with("video/");
        let kind = if is_video { MediaKind::Video } else { MediaKind::Image };
        let facts = MediaFacts {
            mime_type: Some(media_type.to_owned()),
            size_bytes: u64::try_from(bytes.len()).ok(),
            ..MediaFacts::of_kind(kind)
        };
        JobFile { alt_text: Some(format!("file {number}")), ..JobFile::new(id, folder, facts) }
    }

    /// Takes the server of the files away.
    pub(super) fn unserve(&self) {
        self.files.leave();
    }

    /// Publishes as the engine does, attempt after attempt; also what went wrong on the way.
    pub(super) async fn publish(
        &self,
        job: PublishJob,
    ) -> (Result<Remote, NetworkError>, Vec<Kind>) {
        let Self { network, sandbox, control, clock, .. } = self;
        Engine { network: network.as_ref(), sandbox, control, clock }.publish(job).await
    }

    /// Arms a fault.
    pub(super) async fn fault(&self, mut fault: Value) {
        fault["platform"] = json!("instagram");
        let url = format!("{}/_sandbox/faults", self.sandbox.url());
        let answer = self.control.post(url).json(&fault).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{fault}");
    }

    /// What is live, oldest first.
    pub(super) async fn live(&self) -> Vec<Value> {
        let url = format!("{}/_sandbox/posts?deleted=false", self.sandbox.url());
        let mut body: Value = self.control.get(url).send().await.unwrap().json().await.unwrap();
        serde_json::from_value(body["data"].take()).unwrap()
    }

    /// Asks the sandbox as another account does.
    pub(super) async fn ask(&self, token: &str, path: &str, form: &[(&str, &str)]) -> Value {
        let url = format!("{}/instagram{path}", self.sandbox.url());
        let call = self.control.post(url).bearer_auth(token).form(form);
        call.send().await.unwrap().json().await.unwrap()
    }
}

async fn account(control: &reqwest::Client, sandbox: &Sandbox, name: &str) -> Value {
    let url = format!("{}/_sandbox/accounts", sandbox.url());
    let body = json!({ "platform": "instagram", "name": name });
    control.post(url).json(&body).send().await.unwrap().json().await.unwrap()
}

/// What connects an account in a way.
pub(super) fn given(made: &Value, way: &str) -> Value {
    let token = if way == "direct" { "instagramToken" } else { "accessToken" };
    json!({ "connection": way, "accessToken": made[token] })
}

/// Takes every picture for one that is as it should be.
struct AsItCame(Arc<MemoryFiles>);

#[async_trait::async_trait]
impl Examiner for AsItCame {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        Err(ExamineError::Unusable("This test examines no files.".to_owned()))
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        let key = folder.derived(recipe.name);
        let whole = self.0.read(&folder.original(), None).await?.collect().await?;
        self.0.put(key.clone(), whole);
        let facts = MediaFacts {
            mime_type: Some("image/jpeg".to_owned()),
            ..MediaFacts::of_kind(MediaKind::Image)
        };
        Ok(Derived { key, facts })
    }
}
