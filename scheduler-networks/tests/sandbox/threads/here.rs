//! A sandbox with Threads on it, and files that it can fetch.

use std::sync::Arc;

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileKey, MediaFacts, MediaKind};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, JobFile, LivePost, Metered, NoMedia, PublishJob,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use secrecy::SecretString;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use crate::served::Served;
use crate::support::{World, present};

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
        JobFile { alt_text: Some(format!("file {number}")), ..JobFile::new(id, folder, facts) }
    }

    pub(crate) fn access(&self) -> Access {
        let PublishJob { account, credentials, now, .. } = self.world.job(1, "", &json!({}));
        Access { account, credentials, now, meter: Metered::free() }
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
