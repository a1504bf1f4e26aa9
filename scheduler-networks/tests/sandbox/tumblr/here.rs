//! A sandbox with a user of Tumblr on it, and an application of the operator.

use std::sync::Arc;
use std::time::Duration;

use scheduler_core::media::MediaKind;
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, Files, LivePost, Metered, Network, NoMedia, PublishJob,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use url::Url;

use crate::support::{World, present};
pub(crate) use crate::support::{mp4, png};

pub(crate) struct Here {
    pub(crate) world: World,
    /// The adapter with an application; it has no files.
    pub(crate) network: Arc<dyn Network>,
    pub(crate) after: Arc<dyn AfterPublishing>,
    pub(crate) http: reqwest::Client,
}

impl Here {
    pub(crate) async fn new() -> Self {
        Self::with(Duration::ZERO).await
    }

    /// One whose videos take so long.
    pub(crate) async fn with(media_processing: Duration) -> Self {
        let options = Options { media_processing, ..Options::default() };
        let world = World::with(Platform::Tumblr, options).await;
        let base = Url::parse(&format!("{}/tumblr", world.sandbox.url())).unwrap();
        let client = Client { id: "scheduler".to_owned(), secret: "secret".into() };
        let chosen = NetworkSettings {
            api_base: Some(base),
            client: Some(client),
            ..NetworkSettings::default()
        };
        let networks = [(Platform::Tumblr, chosen)].into();
        let settings = Settings { allow_private: true, networks };
        let files: Arc<dyn Files> = Arc::new(MemoryFiles::new());
        let adapters = adapters(&settings, StoredFiles { files, examiner: Arc::new(NoMedia) });
        let adapters = adapters.unwrap();
        let network = adapters.networks.network(Platform::Tumblr).unwrap().clone();
        let after = adapters.after.network(Platform::Tumblr).unwrap().clone();
        let redirect = reqwest::redirect::Policy::none();
        let http =
            reqwest::Client::builder().redirect(redirect).user_agent("test").build().unwrap();
        Self { world, network, after, http }
    }

    /// A job with files of these types.
    pub(crate) fn job(
        &self,
        target: u128,
        content: &str,
        options: &Value,
        media_types: &[&str],
    ) -> PublishJob {
        let mut job = self.world.job(target, content, options);
        let files = media_types.iter().zip(1_u8..).map(|(media_type, number)| {
            let bytes = if media_type.starts_with("video") { mp4() } else { png(number) };
            self.world.file(u128::from(number), media_type, &bytes)
        });
        job.files = files.collect();
        for file in &mut job.files {
            let is_video = file.facts.kind == MediaKind::Video;
            file.facts.duration_seconds = is_video.then_some(10.0);
        }
        job
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

    /// Another user of the sandbox, as its control names it.
    pub(crate) async fn another(&self, name: &str) -> Value {
        let url = format!("{}/_sandbox/accounts", self.world.sandbox.url());
        let body = json!({ "platform": "tumblr", "name": name });
        self.http.post(url).json(&body).send().await.unwrap().json().await.unwrap()
    }

    /// A call as a user of the sandbox.
    pub(crate) async fn call(&self, user: &Value, path: &str, body: &Value) -> Value {
        let url = format!("{}/tumblr/v2{path}", self.world.sandbox.url());
        let call = self.http.post(url).bearer_auth(user["accessToken"].as_str().unwrap());
        let answer = call.json(body).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {answer:?}");
        answer.json().await.unwrap()
    }

    /// What of the drafts is still there.
    pub(crate) async fn drafts(&self) -> usize {
        let account = self.world.job(1, "", &json!({}));
        let kept: Value = serde_json::from_str(account.credentials.expose()).unwrap();
        let blog = &account.account.network_id;
        let url = format!("{}/tumblr/v2/blog/{blog}/posts/draft", self.world.sandbox.url());
        let call = self.http.get(url).bearer_auth(kept["accessToken"].as_str().unwrap());
        let answer: Value = call.send().await.unwrap().json().await.unwrap();
        answer["response"]["posts"].as_array().unwrap().len()
    }
}
