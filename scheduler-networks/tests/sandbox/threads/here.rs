//! A sandbox with Threads on it, and files that it can fetch.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, MediaFacts, MediaKind, PartPlan, UploadedPart};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, ByteStream, Files, FilesError, FinishError, JobFile, LivePost,
    NoMedia, PublishJob, UploadLink,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;
use uuid::Uuid;

use crate::support::{World, present};

/// Files in memory, whose links are served on this machine.
#[derive(Debug)]
pub(crate) struct Served {
    kept: MemoryFiles,
    base: String,
    links: Mutex<Vec<(FileKey, String)>>,
}

impl Served {
    async fn start() -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let served = Arc::new(Self { kept: MemoryFiles::new(), base, links: Mutex::default() });
        let files = Arc::clone(&served);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => head.push(byte),
                        Err(_) => break,
                    }
                }
                let head = String::from_utf8(head).unwrap();
                let number = head.split(['/', ' ']).nth(2).and_then(|text| text.parse().ok());
                let answer = files.answer(number).await;
                // Whoever has gone away has no use for it.
                let _ = stream.write_all(&answer).await;
            }
        });
        served
    }

    async fn answer(&self, number: Option<usize>) -> Vec<u8> {
        let link = number.and_then(|number| self.links.lock().unwrap().get(number).cloned());
        let Some((key, media_type)) = link else {
            return b"HTTP/1.0 404 Not Found\r\n\r\n".to_vec();
        };
        let bytes = self.kept.read(&key, None).await.unwrap().collect().await.unwrap();
        let head = format!(
            "HTTP/1.0 200 OK\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        [head.as_bytes(), &bytes].concat()
    }
}

#[async_trait]
impl Files for Served {
    async fn upload_link(
        &self,
        key: &FileKey,
        size_bytes: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError> {
        self.kept.upload_link(key, size_bytes, expires_at).await
    }

    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError> {
        self.kept.begin_parts(key).await
    }

    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError> {
        self.kept.part_links(key, upload, plan, expires_at).await
    }

    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError> {
        self.kept.finish_parts(key, upload, plan, parts).await
    }

    async fn abandon_parts(&self, key: &FileKey, upload: &str) -> Result<(), FilesError> {
        self.kept.abandon_parts(key, upload).await
    }

    async fn size(&self, key: &FileKey) -> Result<Option<u64>, FilesError> {
        self.kept.size(key).await
    }

    async fn read(
        &self,
        key: &FileKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, FilesError> {
        self.kept.read(key, range).await
    }

    async fn write(
        &self,
        key: &FileKey,
        media_type: &str,
        bytes: ByteStream,
    ) -> Result<u64, FilesError> {
        self.kept.write(key, media_type, bytes).await
    }

    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError> {
        self.kept.settle(from, to).await
    }

    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError> {
        self.kept.erase(folder).await
    }

    async fn read_link(
        &self,
        key: &FileKey,
        media_type: &str,
        _: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        let mut links = self.links.lock().unwrap();
        links.push((key.clone(), media_type.to_owned()));
        Ok(format!("{}/{}", self.base, links.len() - 1))
    }
}

/// A sandbox with one account, both sides of the adapter, and a client of its own.
pub(crate) struct Here {
    pub(crate) world: World,
    pub(crate) after: Arc<dyn AfterPublishing>,
    pub(crate) http: reqwest::Client,
    files: Arc<Served>,
}

impl Here {
    pub(crate) async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        let mut world = World::with(Platform::Threads, options).await;
        let base = Url::parse(&format!("{}/threads", world.sandbox.url())).unwrap();
        let client = Client { id: "app".to_owned(), secret: SecretString::from("app-secret") };
        let settings = NetworkSettings {
            api_base: Some(base),
            client: Some(client),
            ..NetworkSettings::default()
        };
        let networks = [(Platform::Threads, settings)].into();
        let settings = Settings { allow_private: true, networks };
        let files = Served::start().await;
        let stored = StoredFiles { files: files.clone(), examiner: Arc::new(NoMedia) };
        let adapters = adapters(&settings, stored).unwrap();
        world.network = adapters.networks.network(Platform::Threads).unwrap().clone();
        let after = adapters.after.network(Platform::Threads).unwrap().clone();
        let http =
            reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { world, after, http, files }
    }

    /// Keeps a file, as one that the post has.
    pub(crate) async fn file(&self, number: u128, media_type: &str, bytes: &[u8]) -> JobFile {
        let id = MediaId(Uuid::from_u128(number));
        let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(3)), id);
        self.files.kept.put(folder.original(), bytes.to_vec().into());
        let is_video = media_type.starts_with("video");
        let kind = if is_video { MediaKind::Video } else { MediaKind::Image };
        let facts =
            MediaFacts { mime_type: Some(media_type.to_owned()), ..MediaFacts::of_kind(kind) };
        JobFile { id, folder, facts, alt_text: Some(format!("file {number}")) }
    }

    pub(crate) fn access(&self) -> Access {
        let PublishJob { account, credentials, now, .. } = self.world.job(1, "", &json!({}));
        Access { account, credentials, now }
    }

    /// A post that was published, as it is known afterwards.
    pub(crate) fn live_post(&self, remote: Remote) -> LivePost {
        let job = self.world.job(1, "", &json!({}));
        LivePost {
            target_id: job.target_id,
            remote,
            content: String::new(),
            link_url: None,
            file_count: 0,
            options: job.options,
            published_at: present(),
        }
    }

    /// The forms of the requests to a path that ends like this, as they were received.
    pub(crate) async fn forms(&self, path: &str) -> Vec<Vec<(String, String)>> {
        let url = format!("{}/_sandbox/requests", self.world.sandbox.url());
        let body: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        let entries = body["data"].as_array().unwrap().iter();
        let entries = entries.filter(|entry| entry["path"].as_str().unwrap().ends_with(path));
        entries
            .map(|entry| {
                let form = entry["body"].as_str().unwrap();
                url::form_urlencoded::parse(form.as_bytes()).into_owned().collect()
            })
            .collect()
    }

    /// Another account, which says something on a post; the id of the reply.
    pub(crate) async fn reply_of_another(&self, name: &str, post: &str, text: &str) -> String {
        let root = self.world.sandbox.url();
        let made = self.http.post(format!("{root}/_sandbox/accounts"));
        let made = made.json(&json!({ "platform": "threads", "name": name }));
        let account: Value = made.send().await.unwrap().json().await.unwrap();
        let user = account["accountId"].as_str().unwrap();
        let mut id = String::new();
        for (call, form) in [
            ("threads", vec![("media_type", "TEXT"), ("text", text), ("reply_to_id", post)]),
            ("threads_publish", vec![]),
        ] {
            let mut form = form;
            if form.is_empty() {
                form.push(("creation_id", &id));
            }
            let call = self.http.post(format!("{root}/threads/v1.0/{user}/{call}"));
            let call = call.bearer_auth(account["accessToken"].as_str().unwrap()).form(&form);
            let answer: Value = call.send().await.unwrap().json().await.unwrap();
            id = answer["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        }
        id
    }
}
