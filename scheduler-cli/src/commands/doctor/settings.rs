//! The settings, as far as they can be read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scheduler_core::plan::Plans;
use scheduler_core::platform::Platform;
use scheduler_networks::assistant::AssistantSettings;
use secrecy::ExposeSecret as _;
use url::Url;

use crate::address::reachable;
use crate::config::{
    KEYS, LettingIn, LogSettings, MediaSettings, NetworkSettings, ServerOptions, ServerSettings,
    Sources, StorageOptions, StorageSettings, UnknownVariable, assistant, mail, openid, plans,
};

/// The settings, as far as they can be read.
pub(super) struct Settings {
    /// What is wrong with those that cannot.
    pub(super) faults: Vec<String>,
    /// Variables that nobody reads.
    pub(super) unknown_variables: Vec<UnknownVariable>,
    /// The settings file.
    pub(super) file: Option<PathBuf>,
    pub(super) storage: Option<StorageSettings>,
    pub(super) networks: Option<NetworkSettings>,
    /// Of each network, whether the operator's application has an id, and whether a secret.
    pub(super) apps: BTreeMap<Platform, (bool, bool)>,
    pub(super) media: Option<MediaSettings>,
    pub(super) server: Option<ServerSettings>,
    pub(super) plans: Option<Plans>,
    /// The text model, where one is set.
    pub(super) assistant: Option<Option<AssistantSettings>>,
    /// The provider that lets people in, where one is set.
    pub(super) openid: Option<Option<LettingIn>>,
}

impl Settings {
    /// Reads them.
    pub(super) fn read(
        server: ServerOptions,
        storage: StorageOptions,
        sandbox: bool,
        sources: &Sources,
    ) -> Self {
        let mut faults: Vec<String> = sources.faults().iter().map(ToString::to_string).collect();
        let mut keep = |fault: String| {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        };
        macro_rules! read {
            ($loaded:expr) => {
                $loaded.map_err(|error| keep(error.to_string())).ok()
            };
        }
        let storage = read!(StorageSettings::load(storage, sources));
        let networks = read!(NetworkSettings::load(sources));
        let networks = networks
            .map(|networks| NetworkSettings { sandbox: networks.sandbox || sandbox, ..networks });
        let media = read!(MediaSettings::load(sources));
        let server = read!(ServerSettings::load(server, sources));
        let assistant = read!(assistant(sources));
        let _ = read!(mail(sources));
        let openid = read!(openid(sources));
        let plans = read!(plans(sources));
        let waits = sources.get(&KEYS.publish_retry_seconds);
        let _ = read!(waits.and(sources.get(&KEYS.delivery_retry_seconds)));
        let _ = read!(sources.get(&KEYS.metrics_refresh_seconds));
        let _ = read!(sources.get(&KEYS.history_days));
        let _ = read!(sources.get(&KEYS.file_bytes_max));
        let _ = read!(LogSettings::load(sources, tracing::Level::INFO));
        let file = sources.file().map(Path::to_owned);
        let unknown_variables = sources.unknown_variables();
        let is_set = |platform, what| sources.text(format!("{platform}_{what}")).is_some();
        let app = |platform| (is_set(platform, "client_id"), is_set(platform, "client_secret"));
        let apps = Platform::ALL.into_iter().map(|platform| (platform, app(platform))).collect();
        Self {
            faults,
            unknown_variables,
            file,
            storage,
            networks,
            apps,
            media,
            server,
            plans,
            assistant,
            openid,
        }
    }

    /// Where this machine would reach the server; `None` for a port that is chosen at the start.
    pub(super) fn own_url(&self) -> Option<Url> {
        let listen = self.server.as_ref()?.listen;
        let url = format!("http://{}", reachable(listen));
        if listen.port() == 0 { None } else { Url::parse(&url).ok() }
    }

    /// Whether the server runs on sandbox networks, which reach every address of this machine.
    pub(super) fn has_sandbox(&self) -> bool {
        let networks = self.networks.as_ref();
        networks.is_some_and(|networks| networks.sandbox || networks.sandbox_url.is_some())
    }

    /// The file of the database, where it is one.
    pub(super) fn database_file(&self) -> Option<PathBuf> {
        let storage = self.storage.as_ref()?;
        scheduler_store::sqlite_file(storage.database.expose_secret())
    }
}
