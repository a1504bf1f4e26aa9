//! A sandbox with X on it, and the adapter with an application.

use std::sync::Arc;

use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, AfterPublishing, LivePost, Metered, NoMedia, PublishJob};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use crate::support::{World, present};

/// A sandbox with one account, both sides of the adapter, and a client of its own.
pub(crate) struct Here {
    pub(crate) world: World,
    pub(crate) after: Arc<dyn AfterPublishing>,
    pub(crate) http: reqwest::Client,
}

impl Here {
    pub(crate) async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        let mut world = World::with(Platform::Twitter, options).await;
        let base = Url::parse(&format!("{}/twitter", world.sandbox.url())).unwrap();
        let client = Client { id: "app".to_owned(), secret: SecretString::from("app-secret") };
        let settings = NetworkSettings {
            api_base: Some(base),
            client: Some(client),
            ..NetworkSettings::default()
        };
        let networks = [(Platform::Twitter, settings)].into();
        let settings = Settings { allow_private: true, networks };
        let files = Arc::new(MemoryFiles::new());
        let adapters =
            adapters(&settings, StoredFiles { files, examiner: Arc::new(NoMedia) }).unwrap();
        world.network = adapters.networks.network(Platform::Twitter).unwrap().clone();
        let after = adapters.after.network(Platform::Twitter).unwrap().clone();
        let http =
            reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { world, after, http }
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
}
