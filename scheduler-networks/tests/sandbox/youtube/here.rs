//! A sandbox with a channel that is connected through the network's own page.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, AuthorizeInput, ConnectInput, Connected, Files, LivePost, Metered,
    Network, PublishJob,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Adapters, Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use url::Url;

use crate::support::{World, present};

/// A video of two pieces.
pub(crate) const VIDEO_BYTES: usize = 9_000_000;

/// A sandbox, its channel, and what comes after publishing.
pub(crate) struct Here {
    pub(crate) world: World,
    pub(crate) after: Arc<dyn AfterPublishing>,
    /// The adapter that knows an application, without which nothing can be refreshed.
    pub(crate) network: Arc<dyn Network>,
}

impl Here {
    pub(crate) async fn new() -> Self {
        Self::granting(None).await
    }

    /// The same where the person leaves only these boxes ticked.
    pub(crate) async fn granting(scopes: Option<&str>) -> Self {
        let options = Options { media_processing: Duration::ZERO, ..Options::default() };
        let mut world = World::with(Platform::Youtube, options).await;
        let Adapters { networks, after, .. } = adapters_of(&world);
        let network = networks.network(Platform::Youtube).unwrap().clone();
        let mut accounts = network.connect(&code(&world, &*network, scopes).await).await.unwrap();
        assert_eq!(accounts.len(), 1, "one grant is one channel");
        world.connected = accounts.remove(0);
        let after = after.network(Platform::Youtube).unwrap().clone();
        Self { world, after, network }
    }

    /// Another channel of the same sandbox.
    pub(crate) async fn other(&self) -> Connected {
        let url = format!("{}/_sandbox/accounts", self.world.sandbox.url());
        let client = reqwest::Client::builder().build().unwrap();
        let made = client.post(url).json(&json!({ "platform": "youtube" })).send().await.unwrap();
        let account: Value = made.json().await.unwrap();
        self.network.connect(&crate::support::input(&account)).await.unwrap().remove(0)
    }

    pub(crate) fn account(&self, connected: &Connected) -> Account {
        let mut account = self.world.job(1, "", &json!({})).account;
        account.network_id = connected.network_id.clone();
        account
    }

    pub(crate) fn access_of(&self, connected: &Connected) -> Access {
        let account = self.account(connected);
        Access {
            account,
            credentials: connected.credentials.clone(),
            now: present(),
            meter: Metered::free(),
        }
    }

    pub(crate) fn access(&self) -> Access {
        self.access_of(&self.world.connected)
    }

    /// A job to publish a video whose bytes differ by its text.
    pub(crate) fn job(&self, target: u128, content: &str, options: &Value) -> PublishJob {
        let mut job = self.world.job(target, content, options);
        job.files = vec![self.world.file(target, "video/mp4", &mp4(content))];
        job
    }

    pub(crate) fn live_post(&self, remote: Remote) -> LivePost {
        let job = self.world.job(1, "", &json!({}));
        LivePost {
            target_id: job.target_id,
            remote,
            content: String::new(),
            link_url: None,
            file_count: 1,
            options: job.options,
            published_at: present(),
        }
    }

    /// Publishes a video and gives it as a live post.
    pub(crate) async fn published(&self, target: u128, options: &Value) -> LivePost {
        let job = self.job(target, &format!("Video {target}"), options);
        self.live_post(self.world.publish(job).await.0.unwrap())
    }

    /// What a call of the network answers to the channel.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let kept: Value = serde_json::from_str(self.world.connected.credentials.expose()).unwrap();
        let client = reqwest::Client::builder().build().unwrap();
        let url = format!("{}/youtube{path}", self.world.sandbox.url());
        let call = client.get(url).bearer_auth(kept["accessToken"].as_str().unwrap());
        call.send().await.unwrap().json().await.unwrap()
    }
}

/// Adapters for the same sandbox that know an application and need no files.
fn adapters_of(world: &World) -> Adapters {
    let base = Url::parse(&format!("{}/youtube", world.sandbox.url())).unwrap();
    let client = Client { id: "scheduler".to_owned(), secret: "secret".into() };
    let chosen = NetworkSettings {
        api_base: Some(base),
        client: Some(client),
        ..NetworkSettings::default()
    };
    let networks = [(Platform::Youtube, chosen)].into();
    let settings = Settings { allow_private: true, networks };
    let files: Arc<dyn Files> = Arc::new(scheduler_core::memory::MemoryFiles::new());
    let examiner = Arc::new(scheduler_core::ports::NoMedia);
    adapters(&settings, StoredFiles { files, examiner }).unwrap()
}

/// Lets the application in on the network's page, as a person does, and gives what came back.
async fn code(world: &World, network: &dyn Network, granted: Option<&str>) -> ConnectInput {
    let redirect_uri = "https://s.example/connect/youtube/callback";
    let asked = AuthorizeInput {
        values: ConnectInput::default(),
        redirect_uri: redirect_uri.to_owned(),
        state: "the-state".to_owned(),
        code_verifier: "x".repeat(43).into(),
    };
    let page = Url::parse(&network.authorize(&asked).await.unwrap().url).unwrap();
    let mut fields: Vec<(String, String)> =
        page.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    fields.push(("channel".to_owned(), world.connected.network_id.clone()));
    fields.push(("decision".to_owned(), "allow".to_owned()));
    fields.extend(granted.map(|granted| ("granted".to_owned(), granted.to_owned())));
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let mut bare = page.clone();
    bare.set_query(None);
    let answer = client.post(bare).form(&fields).send().await.unwrap();
    let location = answer.headers()["location"].to_str().unwrap();
    let back = Url::parse(location).unwrap();
    let given = |wanted: &str| {
        let pair = back.query_pairs().find(|(name, _)| name == wanted);
        pair.unwrap_or_else(|| panic!("{wanted} is missing: {back}")).1.into_owned()
    };
    assert_eq!(given("state"), "the-state");
    let pairs = [
        ("code", given("code")),
        ("redirectUri", redirect_uri.to_owned()),
        ("codeVerifier", "x".repeat(43)),
    ];
    ConnectInput(pairs.map(|(name, value)| (name.to_owned(), value)).into())
}

pub(crate) fn mp4(seed: &str) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.extend(seed.bytes());
    bytes.resize(VIDEO_BYTES, 7);
    bytes
}

pub(crate) fn png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x30\x08\x02\0\0\0".to_vec();
    bytes.extend([1; 200]);
    bytes
}

/// How long an access token of the network lives.
pub(crate) fn lives_an_hour(expires_at: Option<DateTime<Utc>>) -> bool {
    let left = expires_at.unwrap() - present();
    (59..=60).contains(&left.num_minutes())
}
