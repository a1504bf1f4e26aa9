//! Facebook.

mod after;
mod connecting;
mod publishing;
mod uploads;

use std::sync::Arc;
use std::time::Duration;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, Files, JobFile, LivePost, Metered, Network, PublishJob,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Adapters, Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

pub(super) use crate::support::png;
use crate::support::{World, present};

/// A sandbox that needs no time for videos, with a Page.
pub(super) struct Facebook {
    pub(super) world: World,
    /// The adapter with an application, which has no files.
    pub(super) network: Arc<dyn Network>,
    pub(super) after: Arc<dyn AfterPublishing>,
    pub(super) control: reqwest::Client,
}

impl Facebook {
    pub(super) async fn new() -> Self {
        let options = Options { media_processing: Duration::ZERO, ..Options::default() };
        let world = World::with(Platform::Facebook, options).await;
        let base = Url::parse(&format!("{}/facebook", world.sandbox.url())).unwrap();
        let client = Client { id: "770".to_owned(), secret: "secret".into() };
        let chosen = NetworkSettings {
            api_base: Some(base),
            client: Some(client),
            ..NetworkSettings::default()
        };
        let networks = [(Platform::Facebook, chosen)].into();
        let settings = Settings { allow_private: true, networks };
        let files: Arc<dyn Files> = Arc::new(scheduler_core::memory::MemoryFiles::new());
        let examiner = Arc::new(scheduler_core::ports::NoMedia);
        let Adapters { networks, after, .. } =
            adapters(&settings, StoredFiles { files, examiner }).unwrap();
        let redirect = reqwest::redirect::Policy::none();
        Self {
            network: networks.network(Platform::Facebook).unwrap().clone(),
            after: after.network(Platform::Facebook).unwrap().clone(),
            control: reqwest::Client::builder().redirect(redirect).build().unwrap(),
            world,
        }
    }

    /// A post with files.
    pub(super) fn job(
        &self,
        target: u128,
        content: &str,
        files: Vec<JobFile>,
        options: &Value,
    ) -> PublishJob {
        PublishJob { files, ..self.world.job(target, content, options) }
    }

    pub(super) fn access(&self) -> Access {
        let PublishJob { account, credentials, .. } = self.world.job(1, "", &json!({}));
        Access { account, credentials, now: present(), meter: Metered::free() }
    }

    pub(super) fn live_post(&self, remote: Remote, file_count: usize) -> LivePost {
        let job = self.world.job(1, "", &json!({}));
        LivePost {
            target_id: job.target_id,
            remote,
            content: String::new(),
            link_url: None,
            file_count,
            options: job.options,
            published_at: present(),
        }
    }

    /// Another Page of the same sandbox, and its token.
    pub(super) async fn page(&self, name: &str) -> (String, String) {
        let url = format!("{}/_sandbox/accounts", self.world.sandbox.url());
        let body = json!({ "platform": "facebook", "name": name });
        let made: Value =
            self.control.post(url).json(&body).send().await.unwrap().json().await.unwrap();
        let person = made["accessToken"].as_str().unwrap();
        let url = format!("{}/facebook/v26.0/me/accounts", self.world.sandbox.url());
        let call = self.control.get(url).bearer_auth(person);
        let pages: Value = call.send().await.unwrap().json().await.unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&made["account"]), text(&pages["data"][0]["access_token"]))
    }

    /// Asks the sandbox as another Page does.
    pub(super) async fn ask(&self, token: &str, path: &str, form: &[(&str, &str)]) -> Value {
        let url = format!("{}/facebook/v26.0{path}", self.world.sandbox.url());
        let call = self.control.post(url).bearer_auth(token).form(form);
        call.send().await.unwrap().json().await.unwrap()
    }

    /// The requests that the sandbox has had, oldest first.
    pub(super) async fn requests(&self) -> Vec<Value> {
        let url = format!("{}/_sandbox/requests", self.world.sandbox.url());
        let mut body: Value = self.control.get(url).send().await.unwrap().json().await.unwrap();
        serde_json::from_value(body["data"].take()).unwrap()
    }
}

/// A video of a length, whose bytes differ by `seed`.
pub(super) fn mp4(length: usize, seed: u8) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.resize(length, seed);
    bytes
}

/// How the sandbox shows a file that came in one piece.
pub(super) fn shown(media_type: &str, bytes: &[u8]) -> Value {
    let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    json!({ "type": media_type, "bytes": bytes.len(), "sha256": sha256 })
}
