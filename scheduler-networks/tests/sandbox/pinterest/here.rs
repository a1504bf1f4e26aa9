//! A sandbox with Pinterest on it, and both sides of an adapter that knows an application.

use std::sync::Arc;
use std::time::Duration;

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileKey, MediaFacts, MediaKind};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, AuthorizeInput, ConnectInput, JobFile, LivePost, Metered, NoMedia,
    PublishJob,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Adapters, Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use crate::support::{World, present};

/// A sandbox with one account, and a client of its own.
pub(crate) struct Here {
    pub(crate) world: World,
    pub(crate) after: Arc<dyn AfterPublishing>,
    pub(crate) http: reqwest::Client,
    pub(crate) board: String,
    files: Arc<MemoryFiles>,
}

impl Here {
    pub(crate) async fn new() -> Self {
        // What is waited for is over at once: the steps' own clock decides, not this machine's.
        let options = Options { media_processing: Duration::ZERO, ..Options::default() };
        let mut world = World::with(Platform::Pinterest, options).await;
        let files = Arc::new(MemoryFiles::new());
        let Adapters { networks, after, .. } = adapters_of(&world, "app", files.clone());
        world.network = networks.network(Platform::Pinterest).unwrap().clone();
        let after = after.network(Platform::Pinterest).unwrap().clone();
        let http =
            reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let mut here = Self { world, after, http, board: String::new(), files };
        here.board = here.after.boards(&here.access()).await.unwrap().remove(0).id;
        here
    }

    /// A Pin on the account's board that shows these files.
    pub(crate) fn job(&self, target: u128, content: &str, files: &[(&str, Vec<u8>)]) -> PublishJob {
        let options = json!({ "boardId": self.board, "title": "Soup" });
        let mut job = self.world.job(target, content, &options);
        job.link_url = Some("https://example.com/soup".to_owned());
        for (number, (media_type, bytes)) in files.iter().enumerate() {
            let id = MediaId(Uuid::from_u128(target << 8 | number as u128));
            let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(3)), id);
            self.files.put(folder.original(), bytes.clone().into());
            let is_video = media_type.starts_with("video");
            let kind = if is_video { MediaKind::Video } else { MediaKind::Image };
            let facts = MediaFacts {
                mime_type: Some((*media_type).to_owned()),
                ..MediaFacts::of_kind(kind)
            };
            job.files.push(JobFile {
                alt_text: Some(format!("file {number}")),
                ..JobFile::new(id, folder, facts)
            });
        }
        job
    }

    pub(crate) fn access(&self) -> Access {
        let PublishJob { account, credentials, now, .. } = self.world.job(1, "", &json!({}));
        Access { account, credentials, now, meter: Metered::free() }
    }

    /// A Pin that was published, as it is known afterwards.
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

    /// Lets an application in on the network's page, as a person does, and gives what came back.
    pub(crate) async fn code(&self, adapters: &Adapters) -> ConnectInput {
        let redirect_uri = "http://localhost/connect/pinterest";
        let input = AuthorizeInput {
            values: ConnectInput::default(),
            redirect_uri: redirect_uri.to_owned(),
            state: "the-state".to_owned(),
            code_verifier: "v".repeat(43).into(),
        };
        let network = adapters.networks.network(Platform::Pinterest).unwrap();
        let page = network.authorize(&input).await.unwrap().url;
        assert_eq!(self.http.get(&page).send().await.unwrap().status(), 200);
        let mut form: Vec<(String, String)> =
            Url::parse(&page).unwrap().query_pairs().into_owned().collect();
        let user = self.world.connected.network_id.clone();
        form.push(("user".to_owned(), user));
        form.push(("decision".to_owned(), "allow".to_owned()));
        let (page, _) = page.split_once('?').unwrap();
        let answer = self.http.post(page).form(&form).send().await.unwrap();
        let location = answer.headers()["location"].to_str().unwrap();
        let back = Url::parse(location).unwrap();
        let value = |name: &str| {
            let found = back.query_pairs().find(|(known, _)| known == name);
            found.unwrap().1.into_owned()
        };
        assert_eq!(value("state"), "the-state");
        let pairs = [("code", value("code")), ("redirectUri", redirect_uri.to_owned())];
        ConnectInput(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// What was received at a path that ends like this.
    pub(crate) async fn requests(&self, path: &str) -> Vec<Value> {
        let url = format!("{}/_sandbox/requests", self.world.sandbox.url());
        let body: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        let entries = body["data"].as_array().unwrap().iter();
        entries.filter(|entry| entry["path"].as_str().unwrap().ends_with(path)).cloned().collect()
    }
}

/// Adapters for the same sandbox that know an application of this name.
pub(crate) fn adapters_of(world: &World, client: &str, files: Arc<MemoryFiles>) -> Adapters {
    let base = Url::parse(&format!("{}/pinterest", world.sandbox.url())).unwrap();
    let client = Client { id: client.to_owned(), secret: "secret".into() };
    let chosen = NetworkSettings {
        api_base: Some(base),
        client: Some(client),
        ..NetworkSettings::default()
    };
    let networks = [(Platform::Pinterest, chosen)].into();
    let settings = Settings { allow_private: true, networks };
    adapters(&settings, StoredFiles { files, examiner: Arc::new(NoMedia) }).unwrap()
}
