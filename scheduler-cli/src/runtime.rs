//! The scheduler over its database and the networks, for the server and for the commands that
//! work on the database directly.

use std::sync::Arc;

use scheduler_core::app::{Member, Ports, Scheduler, Settings};
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::links::ShortLinks;
use scheduler_core::openid::OpenId;
use scheduler_core::ports::{Assistant, Clock as _, Examiner, Mailer, NoAssistant, NoMail};
use scheduler_core::retry::Waits;
use scheduler_core::workspace::Workspace;
use scheduler_http::{App, ConnectionCounts, Local, Metrics};
use scheduler_media::{ExaminerSettings, MediaExaminer};
use scheduler_networks::assistant::{AssistantSettings, ChatAssistant};
use scheduler_networks::mail::MailSender;
use scheduler_networks::openid::OpenIdProvider;
use scheduler_networks::outbound::{Guard, MediaFetcher, WebhookSender};
use scheduler_networks::registry::Surroundings;
use scheduler_networks::{Signing, StoredFiles, registry};
use scheduler_store::{Connections, Database, close_sqlite_files, sqlite_file};
use scheduler_worker::{Health, Notifier, OsRandom, SystemClock, SystemTasks, UuidV7};
use secrecy::ExposeSecret as _;
use url::Url;

use crate::client::{Client, local};
use crate::config::{
    ConfigError, KEYS, LettingIn, MediaSettings, NetworkSettings, Sources, StorageOptions,
    StorageSettings, assistant, mail, make_private_folder, openid, plans, set_public_url,
};
use crate::connecting;
use crate::context::Context;
use crate::failure::{Failure, List, Refused};
use crate::files::FileStore;
use crate::names::nearest;
use crate::node::public_url;
use crate::opening::{cannot_open, refuse_missing, refuse_moved, sealing_key};
use crate::optional::tools;
use crate::sandboxed::sandbox_of;

/// What an application is put together from.
#[derive(Clone, Debug)]
pub(crate) struct ApplicationSettings {
    /// Where everything is kept.
    pub(crate) storage: StorageSettings,
    /// Where the networks are.
    pub(crate) networks: NetworkSettings,
    /// How files are fetched and examined.
    pub(crate) media: MediaSettings,
    /// The text model; `None` sends content nowhere.
    pub(crate) assistant: Option<AssistantSettings>,
    /// The server that mail is handed over to; `None` sends none.
    pub(crate) mail: Option<MailSender>,
    /// The provider that lets people in, and whom; `None` where there is none.
    pub(crate) openid: Option<LettingIn>,
    /// What the core can be told.
    pub(crate) core: Settings,
    /// Where the pages for people and short links are; `None` where the address of the server is not
    /// set.
    pub(crate) pages: Option<Url>,
}

impl ApplicationSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError`] by variant.
    pub(crate) fn load(options: StorageOptions, sources: &Sources) -> Result<Self, ConfigError> {
        let networks = NetworkSettings::load(sources)?;
        let media = MediaSettings::load(sources)?;
        let core = Settings {
            plans: plans(sources)?,
            waits: Waits {
                publish: sources.get(&KEYS.publish_retry_seconds)?,
                delivery: sources.get(&KEYS.delivery_retry_seconds)?,
            },
            connect_twitter: networks.connect_twitter,
            read_link_pages: media.read_link_pages.unwrap_or(true),
            account_monthly_cap: sources.set(&KEYS.account_monthly_cap)?,
            file_bytes_max: sources.get(&KEYS.file_bytes_max)?,
            refresh_every: sources.get(&KEYS.metrics_refresh_seconds)?,
            history_kept: sources.get(&KEYS.history_days)?,
        };
        Ok(Self {
            storage: StorageSettings::load(options, sources)?,
            networks,
            media,
            assistant: assistant(sources)?,
            mail: mail(sources)?,
            openid: openid(sources)?,
            core,
            pages: if cfg!(feature = "web") { set_public_url(sources)? } else { None },
        })
    }

    /// Points every adapter at a sandbox, where accounts of X are connected like any others, pages
    /// are read only where that is said, and its model writes captions unless another is set.
    ///
    /// # Errors
    /// [`ConfigError::Value`] when the address takes no path.
    pub(crate) fn move_to_sandbox(&mut self, sandbox: &Url) -> Result<(), ConfigError> {
        self.networks = std::mem::take(&mut self.networks).at_sandbox(sandbox)?;
        self.core.connect_twitter = true;
        self.assistant = self.assistant.take().or_else(|| AssistantSettings::at_sandbox(sandbox));
        // Posts to a sandbox link to pages that are made up.
        self.core.read_link_pages = self.media.read_link_pages.unwrap_or(false);
        Ok(())
    }
}

/// The scheduler over an open database.
pub(crate) struct Application {
    /// The use cases.
    pub(crate) scheduler: Scheduler,
    /// The same for whoever works off what is due, over connections that nobody else uses.
    pub(crate) engine: Scheduler,
    /// The database.
    pub(crate) database: Database,
    /// Where the bytes of files are kept.
    pub(crate) files: FileStore,
    /// What wakes the worker of this process.
    pub(crate) notifier: Arc<Notifier>,
    /// What is known of the database and the clocks.
    pub(crate) health: Health,
    /// What goes on when nobody waits for it any more.
    pub(crate) tasks: SystemTasks,
    /// What is counted of it.
    pub(crate) metrics: Metrics,
}

impl Application {
    /// Opens the database of the settings, which is made where there is none.
    ///
    /// # Errors
    /// [`Failure::Config`] for wrong settings, [`Failure::Other`] when the database cannot be
    /// opened.
    pub(crate) async fn make(context: &Context, options: StorageOptions) -> Result<Self, Failure> {
        Ok(Self::start(ApplicationSettings::load(options, &context.sources)?).await?)
    }

    /// Opens the database of the settings, and makes none.
    ///
    /// # Errors
    /// As [`make`](Self::make); [`Failure::Other`] also where there is no database yet.
    pub(crate) async fn open(context: &Context, options: StorageOptions) -> Result<Self, Failure> {
        Self::existing(ApplicationSettings::load(options, &context.sources)?).await
    }

    /// The same with these settings.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) async fn existing(settings: ApplicationSettings) -> Result<Self, Failure> {
        refuse_missing(&settings.storage).await?;
        Ok(Self::start(settings).await?)
    }

    /// Opens the database of the settings, and a workspace of it: the one that a person names, or
    /// the only one. Where its accounts are those of a sandbox, every adapter is pointed at it, as
    /// are those of the server that made them: their tokens are no others' business.
    ///
    /// # Errors
    /// As [`open`](Self::open) and [`workspace`](Self::workspace).
    pub(crate) async fn of_workspace(
        context: &Context,
        storage: StorageOptions,
        name: Option<&str>,
    ) -> Result<(Self, Workspace), Failure> {
        let mut settings = ApplicationSettings::load(storage, &context.sources)?;
        if settings.media.public_url.is_none() {
            settings.media.public_url = Some(public_url(context, &settings.storage, None, None)?);
        }
        let application = Self::existing(settings.clone()).await?;
        let workspace = application.workspace(name).await?;
        let accounts = application.scheduler.accounts(workspace.id).await?;
        let Some(sandbox) = sandbox_of(&accounts) else { return Ok((application, workspace)) };
        application.database.close().await;
        settings.move_to_sandbox(&sandbox)?;
        Ok((Self::existing(settings).await?, workspace))
    }

    /// Opens the database and puts the ports together.
    ///
    /// # Errors
    /// When the data folder, the secret key or the database cannot be used.
    pub(crate) async fn start(settings: ApplicationSettings) -> anyhow::Result<Self> {
        let ApplicationSettings { storage, networks, media, assistant, mail, openid, core, pages } =
            settings;
        make_private_folder(&storage.data)?;
        let key = sealing_key(&storage).await?;
        let url = storage.database.expose_secret();
        close_to_others(url);
        refuse_moved(url).await?;
        let database = Database::open(url, &key).await.map_err(cannot_open)?;
        let (notifier, tasks) = (Arc::new(Notifier::new()), SystemTasks::new());
        let clock = Arc::new(SystemClock::new());
        let files = FileStore::open(&storage.files, &media, &key, clock.clone()).await?;
        let examiner: Arc<dyn Examiner> =
            Arc::new(MediaExaminer::new(files.files(), media.tools(), ExaminerSettings::default()));
        let stored = StoredFiles { files: files.files(), examiner: Arc::clone(&examiner) };
        let metrics = Metrics::new(clock.now())?;
        count_acts(&metrics, &database);
        let observer = Arc::new(metrics.clone());
        let (clock_of_proofs, ids) = (clock.clone(), Arc::new(UuidV7));
        let secrets = key.derive_all("network signing").map(|secret| hex::encode(secret).into());
        let signing = Signing { clock: clock_of_proofs, ids, secrets: secrets.collect() };
        let surroundings = Surroundings { observer, signing: Some(signing) };
        let adapters = registry::adapters_within(&networks.adapters, stored, surroundings)?;
        let assistant: Arc<dyn Assistant> = match assistant {
            None => Arc::new(NoAssistant),
            Some(settings) => metrics.assistant(Arc::new(ChatAssistant::new(settings)?)),
        };
        let mail: Arc<dyn Mailer> = match mail {
            None => Arc::new(NoMail),
            Some(sender) => Arc::new(sender),
        };
        let health = Health::new(database.engine_store(), Arc::clone(&clock));
        let ports = Ports {
            store: database.store(),
            networks: adapters.networks,
            after: adapters.after,
            assistant,
            sender: Arc::new(WebhookSender::new(Guard::new(networks.webhooks_allow_private))?),
            mail,
            files: files.files(),
            fetcher: Arc::new(MediaFetcher::new(Guard::new(media.allow_private))?),
            examiner,
            clock,
            ids: Arc::new(UuidV7),
            random: Arc::new(OsRandom),
            wake: notifier.clone(),
            tasks: Arc::new(tasks.clone()),
        };
        let mut scheduler = Scheduler::new(ports, core);
        if let Some(LettingIn { name, provider, allow }) = openid {
            let provider = Arc::new(OpenIdProvider::new(provider)?);
            scheduler = scheduler.with_openid(OpenId::new(name, allow, provider));
        }
        if let Some(pages) = pages {
            let short = ShortLinks::new(pages.as_str(), key.derive("short links"));
            scheduler = scheduler.with_pages(pages.as_str()).with_short_links(short);
        }
        let engine = scheduler.with_store(database.engine_store());
        Ok(Self { scheduler, engine, database, files, notifier, health, tasks, metrics })
    }

    /// A client of the application's handlers, as somebody who may do anything in a workspace of
    /// this database.
    ///
    /// # Errors
    /// [`Failure::Config`] for wrong settings.
    pub(crate) fn client(
        self,
        context: &Context,
        storage: &StorageSettings,
        workspace: Workspace,
    ) -> Result<Client, Failure> {
        let server = public_url(context, storage, None, None)?;
        let networks = NetworkSettings::load(&context.sources)?;
        let app = App {
            scheduler: self.scheduler,
            settings: scheduler_http::ServerSettings::default(),
            worker: None,
            health: self.health,
            signed_files: self.files.signed_files(),
            connecting: connecting::pages(&networks, server),
            doctor: None,
            pages: tools::endpoints(),
        };
        let data = &storage.data;
        let place = std::path::absolute(data).unwrap_or_else(|_| data.clone());
        let name = format!("{} {}", place.display(), workspace.id);
        Ok(local(Local::new(app, Member::owner_of(workspace))?, name))
    }

    /// The workspace that a person names, or the only one.
    ///
    /// # Errors
    /// [`Failure::Refused`] when there is none of that name, or several and none is named.
    pub(crate) async fn workspace(&self, name: Option<&str>) -> Result<Workspace, Failure> {
        let refusal = match self.scheduler.workspace_named(name).await {
            Ok(workspace) => return Ok(workspace),
            Err(AppError::Refused(refusal)) if refusal.code == ErrorCode::NotFound => refusal,
            Err(error) => return Err(error.into()),
        };
        let known = self.scheduler.workspaces().await?;
        let known = known.iter().map(|workspace| workspace.name.as_str());
        let mut refused = Refused::from(refusal);
        refused.error.message.push_str(&match name.and_then(|name| nearest(name, known)) {
            Some(nearest) => format!(" Did you mean {nearest}?"),
            None => " `scheduler workspace create` makes one.".to_owned(),
        });
        Err(refused.looked_up_in(List::Workspaces).into())
    }
}

/// Leaves the files of a database to their user: an earlier release made them by the umask.
fn close_to_others(url: &str) {
    let Some(file) = sqlite_file(url) else { return };
    if let Err(error) = close_sqlite_files(&file) {
        let file = file.display();
        tracing::warn!(%error, "others than the server's user may read {file}, and that cannot be changed");
    }
}

/// Has the operations of the store counted, and its connections whenever the metrics are read.
fn count_acts(metrics: &Metrics, database: &Database) {
    database.observe(Arc::new(metrics.clone()));
    let database = database.clone();
    metrics.connections(move || {
        let Connections { open, idle, max } = database.connections();
        ConnectionCounts { open, idle, max }
    });
}
