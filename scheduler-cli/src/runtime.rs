//! The scheduler over its database and the networks, for the server and for the commands that
//! work on the database directly.

use std::sync::Arc;

use anyhow::Context as _;
use scheduler_core::app::{Ports, Scheduler, Settings};
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::workspace::Workspace;
use scheduler_http::system::{Bell, OsRandom, SystemClock, UuidV7};
use scheduler_networks::outbound::{Guard, WebhookSender};
use scheduler_networks::registry;
use scheduler_store::Database;
use secrecy::ExposeSecret as _;

use crate::commands::Context;
use crate::config::{
    ConfigError, NetworkSettings, Sources, StorageOptions, StorageSettings, make_private_folder,
    plans, waits,
};
use crate::failure::Failure;

/// What an application is put together from.
#[derive(Clone, Debug)]
pub(crate) struct ApplicationSettings {
    /// Where everything is kept.
    pub(crate) storage: StorageSettings,
    /// Where the networks are.
    pub(crate) networks: NetworkSettings,
    /// What the core can be told.
    pub(crate) core: Settings,
}

impl ApplicationSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError`] by variant.
    pub(crate) fn load(options: StorageOptions, sources: &Sources) -> Result<Self, ConfigError> {
        let networks = NetworkSettings::load(sources)?;
        let core = Settings {
            plans: plans(sources)?,
            waits: waits(sources)?,
            connect_twitter: networks.connect_twitter,
        };
        Ok(Self { storage: StorageSettings::load(options, sources)?, networks, core })
    }
}

/// The scheduler over an open database.
pub(crate) struct Application {
    /// The use cases.
    pub(crate) scheduler: Scheduler,
    /// The database.
    pub(crate) database: Database,
    /// What wakes the worker of this process.
    pub(crate) bell: Arc<Bell>,
}

impl Application {
    /// Opens the database of the settings.
    ///
    /// # Errors
    /// [`Failure::Config`] for wrong settings, [`Failure::Other`] when the database cannot be
    /// opened.
    pub(crate) async fn open(context: &Context, options: StorageOptions) -> Result<Self, Failure> {
        Ok(Self::start(ApplicationSettings::load(options, &context.sources)?).await?)
    }

    /// Opens the database and puts the ports together.
    ///
    /// # Errors
    /// When the data folder, the secret key or the database cannot be used.
    pub(crate) async fn start(settings: ApplicationSettings) -> anyhow::Result<Self> {
        let ApplicationSettings { storage, networks, core } = settings;
        make_private_folder(&storage.data)?;
        let key = storage.sealing_key()?;
        let database = Database::open(storage.database.expose_secret(), &key)
            .await
            .context("cannot use the database; see --database and --data")?;
        let bell = Arc::new(Bell::new());
        let ports = Ports {
            store: database.store(),
            networks: registry::networks(&networks.adapters)?,
            sender: Arc::new(WebhookSender::new(Guard::new(networks.webhooks_allow_private))?),
            clock: Arc::new(SystemClock::new()),
            ids: Arc::new(UuidV7),
            random: Arc::new(OsRandom),
            wake: bell.clone(),
        };
        Ok(Self { scheduler: Scheduler::new(ports, core), database, bell })
    }

    /// The workspace that a person names, or the only one.
    ///
    /// # Errors
    /// [`Failure::Refused`] when there is none of that name, or several and none is named.
    pub(crate) async fn workspace(&self, name: Option<&str>) -> Result<Workspace, Failure> {
        self.scheduler.workspace_named(name).await.map_err(|error| match error {
            AppError::Refused(mut refusal) if refusal.code == ErrorCode::NotFound => {
                refusal.message.push_str(" `scheduler workspace list` shows those that there are, `scheduler workspace create` makes one.");
                refusal.into()
            }
            error @ (AppError::Refused(_) | AppError::Store(_)) => error.into(),
        })
    }
}
