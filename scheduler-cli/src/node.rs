//! A running server: the application, the API, the worker, and a sandbox beside them.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use scheduler_core::app::{FirstStart, Scheduler, WorkspaceChange};
use scheduler_core::engine::HistoryRemoved;
use scheduler_core::ports::Wake as _;
use scheduler_core::post::Field;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use scheduler_http::{App, ConnectPages, Doctor, MetricsAccess, MetricsToken, Server};
use scheduler_worker::Worker;
use secrecy::ExposeSecret as _;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use url::Url;

use crate::address::reachable;
use crate::config::{ServerOptions, ServerSettings, StorageSettings, make_private_folder};
use crate::connecting::pages;
use crate::context::Context;
use crate::failure::Failure;
use crate::handles::connections_within;
use crate::optional;
use crate::optional::sandbox::{Sandbox, start};
use crate::runtime::{Application, ApplicationSettings};
use crate::sandboxed::{connect_missing, refuse_imitated_accounts, refuse_real_accounts};
use crate::server_lock::{ServerLock, noted_address};
use crate::times::Reader;

/// How often those who are told what happens are looked for whose time has come. Source: our
/// decision.
const NOTIFY_EVERY: Duration = Duration::from_secs(10);

/// How often feeds are looked for whose poll is due. Source: our decision.
const FEEDS_EVERY: Duration = Duration::from_secs(5);

/// How often it is looked whether recurrences have changed or are due. Source: our decision.
const PLAN_EVERY: Duration = Duration::from_secs(5);

/// How often connections that nobody has ended are looked for. Source: our decision.
const FORGET_EVERY: Duration = Duration::from_secs(600);

/// How often history is looked for that is old. Source: our decision.
const HISTORY_EVERY: Duration = Duration::from_secs(600);

/// How long a stop waits for what nothing may cut off: a token that was exchanged, while the
/// database is away. Source: our decision.
const UNFINISHED_WITHIN: Duration = Duration::from_secs(300);

/// What a server's own sandbox holds, within the data folder.
const SANDBOX_FOLDER: &str = "sandbox";

/// How often idle accounts are looked for whose tokens are due. Source: our decision.
const REFRESH_EVERY: Duration = Duration::from_secs(600);

/// A server. It ends when it is stopped or dropped.
///
/// Opened first and begun second, so that what only the first start tells is out before anything
/// that may fail.
pub(crate) struct Node {
    application: Application,
    /// Held for as long as the node lives.
    _lock: ServerLock,
    listener: Option<io::Result<TcpListener>>,
    connecting: ConnectPages,
    sandbox: Option<Sandbox>,
    tasks: JoinSet<()>,
    stop: watch::Sender<bool>,
    /// What the first start has made; `None` on every later start.
    pub(crate) first_start: Option<FirstStart>,
    /// Where the sandbox is, when the node runs on one.
    pub(crate) sandbox_url: Option<Url>,
    /// Looks at what it needs, for owners who ask.
    pub(crate) doctor: Option<Arc<dyn Doctor>>,
}

impl Node {
    /// Opens the application. With `networks.sandbox` it runs on a sandbox: the one at
    /// `networks.sandbox_url`, else one of its own.
    ///
    /// # Errors
    /// [`Failure::Other`] when the database cannot be used, or when another server uses its file;
    /// [`Failure::Usage`] when it has accounts of a sandbox, and the settings name none.
    pub(crate) async fn open(
        mut settings: ApplicationSettings,
        server: &ServerSettings,
    ) -> Result<Self, Failure> {
        // Links to files hold the address, so it must be known before the application is opened;
        // that it could not be had is told when the node begins.
        let listener = match server.roles.api {
            true => Some(TcpListener::bind(server.listen).await),
            false => None,
        };
        let bound =
            listener.as_ref().and_then(|listener| listener.as_ref().ok()?.local_addr().ok());
        let own_url = reachable(bound.unwrap_or(server.listen));
        let own_url = Url::parse(&format!("http://{own_url}")).map_err(anyhow::Error::from)?;
        let public_url = server.public_url.clone().unwrap_or(own_url);
        settings.media.public_url = Some(public_url.clone());
        make_private_folder(&settings.storage.data)?;
        // Before anything in the folder is touched: another server may be at work there.
        let mut lock = ServerLock::take(settings.storage.database.expose_secret())?;
        lock.note_address(&public_url);
        let may_be_imitated = settings.networks.sandbox || settings.networks.sandbox_url.is_some();
        let (sandbox, sandbox_url) = if settings.networks.sandbox {
            let running = settings.networks.sandbox_url.take();
            let (sandbox, url) = sandbox(running, &settings.storage.data).await?;
            settings.move_to_sandbox(&url)?;
            (sandbox, Some(url))
        } else {
            (None, None)
        };
        let oauth = optional::oauth(&public_url, settings.networks.oauth_allow_private);
        let oauth = oauth.map_err(anyhow::Error::from)?;
        let connecting = pages(&settings.networks, public_url);
        let mut application = Application::start(settings).await?;
        if !may_be_imitated {
            refuse_imitated_accounts(&application).await?;
        }
        if let Some(oauth) = oauth {
            application.scheduler = application.scheduler.with_oauth(oauth);
        }
        let mut first_start = application.scheduler.first_start().await?;
        if let Some(first) = &mut first_start {
            first.workspace = in_zone_of_machine(&application, &first.workspace).await?;
        }
        let tasks = JoinSet::new();
        let stop = watch::Sender::new(false);
        Ok(Self {
            application,
            _lock: lock,
            listener,
            connecting,
            sandbox,
            tasks,
            stop,
            first_start,
            sandbox_url,
            doctor: None,
        })
    }

    /// The application that it runs.
    pub(crate) const fn application(&self) -> &Application {
        &self.application
    }

    /// Connects what is missing at the sandbox, and starts the worker and the API. When it
    /// returns, requests are taken at the address that it returns.
    ///
    /// # Errors
    /// [`Failure::Other`] when the address cannot be listened on; [`Failure::Unreachable`] when
    /// the sandbox is not there; [`Failure::Usage`] when it would get the tokens of real accounts.
    pub(crate) async fn begin(
        &mut self,
        settings: &ServerSettings,
    ) -> Result<Option<SocketAddr>, Failure> {
        if let Some(url) = &self.sandbox_url {
            refuse_real_accounts(&self.application, url).await?;
            let workspaces = self.application.scheduler.workspaces().await?;
            let workspace = workspaces.first().context("there is no workspace")?;
            let is_new = self.sandbox.as_ref().is_some_and(Sandbox::is_new);
            connect_missing(&self.application, workspace, url, is_new).await?;
        }
        // Everything goes by the clock of the database from here on.
        let health = self.application.health.clone();
        health.ask().await;
        let stopped = wait(self.stop.subscribe());
        self.tasks.spawn(async move { health.watch(stopped).await });
        let metrics = self.application.metrics.clone();
        let worker = settings
            .roles
            .worker
            .then(|| self.worker(settings).observed_by(Arc::new(metrics.clone())));
        let status = worker.as_ref().map(Worker::status);
        let mut address = None;
        let connections = connections_within(settings.connections, &settings.worker);
        let app = App {
            scheduler: self.application.scheduler.clone(),
            settings: scheduler_http::ServerSettings {
                rate_limit: settings.rate_limit,
                uploads_per_minute: settings.uploads_per_minute,
                batches_per_minute: settings.batches_per_minute,
                connections,
                allowed_origins: settings.allowed_origins.clone(),
            },
            worker: status,
            health: self.application.health.clone(),
            signed_files: self.application.files.signed_files(),
            connecting: self.connecting.clone(),
            doctor: self.doctor.clone(),
            pages: optional::served(),
        };
        let token = settings
            .metrics_token
            .as_ref()
            .map(|token| MetricsAccess::Token(MetricsToken::new(token.expose_secret())));
        let access = match settings.metrics_listen {
            Some(listen) => {
                let access = token.unwrap_or(MetricsAccess::Open);
                let server = Server::bind(listen, app.clone()).await.with_context(|| {
                    format!("cannot serve metrics on {listen}; see metrics_listen")
                })?;
                tracing::info!(address = %server.address(), "metrics are served at this address");
                let server = server.with_metrics(metrics.clone(), access).for_monitoring();
                self.tasks.spawn(server.serve(wait(self.stop.subscribe())));
                MetricsAccess::Hidden
            }
            None => token.unwrap_or(MetricsAccess::Local),
        };
        if let Some(listener) = self.listener.take() {
            let server = listener
                .and_then(|listener| Server::on(listener, app))
                .map(|server| server.with_metrics(metrics.clone(), access))
                .with_context(|| format!("cannot listen on {}; see --listen", settings.listen))?;
            address = Some(server.address());
            self.tasks.spawn(server.serve(wait(self.stop.subscribe())));
        }
        let (files, stopped) = (self.application.files.clone(), wait(self.stop.subscribe()));
        self.tasks.spawn(async move {
            tokio::select! {
                () = files.look_after() => {}
                () = stopped => {}
            }
        });
        let scheduler = self.application.scheduler.clone();
        self.tasks.spawn(every(FORGET_EVERY, wait(self.stop.subscribe()), move || {
            forget_connections(scheduler.clone())
        }));
        if let Some(worker) = worker {
            let scheduler = self.application.engine.clone();
            self.tasks.spawn(every(REFRESH_EVERY, wait(self.stop.subscribe()), move || {
                refresh_idle(scheduler.clone())
            }));
            let scheduler = self.application.engine.clone();
            self.tasks.spawn(every(NOTIFY_EVERY, wait(self.stop.subscribe()), move || {
                notify(scheduler.clone())
            }));
            let scheduler = self.application.engine.clone();
            self.tasks.spawn(every(FEEDS_EVERY, wait(self.stop.subscribe()), move || {
                Box::pin(poll_feeds(scheduler.clone()))
            }));
            let scheduler = self.application.engine.clone();
            self.tasks.spawn(every(PLAN_EVERY, wait(self.stop.subscribe()), move || {
                plan_recurrences(scheduler.clone())
            }));
            let scheduler = self.application.engine.clone();
            self.tasks.spawn(every(HISTORY_EVERY, wait(self.stop.subscribe()), move || {
                remove_history(scheduler.clone())
            }));
            let notifier = Arc::clone(&self.application.notifier);
            self.application.database.listen(move || notifier.wake());
            self.tasks.spawn(worker.run(wait(self.stop.subscribe())));
        }
        Ok(address)
    }

    fn worker(&self, wanted: &ServerSettings) -> Worker {
        let settings = wanted.worker;
        let (engine, notifier) = (&self.application.engine, &self.application.notifier);
        let worker = Worker::new(engine.clone(), Arc::clone(notifier), settings);
        worker.with_health(self.application.health.clone())
    }

    /// Waits until a part of the node ends by itself, which none should.
    pub(crate) async fn ended(&mut self) {
        if self.tasks.join_next().await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Takes no new work, finishes what is in flight, and ends.
    pub(crate) async fn stop(mut self) {
        self.stop.send_replace(true);
        while self.tasks.join_next().await.is_some() {}
        if let Some(sandbox) = self.sandbox.take() {
            sandbox.stop().await;
        }
        let unfinished = self.application.tasks.finish(UNFINISHED_WITHIN).await;
        if unfinished > 0 {
            tracing::error!(unfinished, "tokens that were refreshed could not be stored");
        }
        self.application.database.close().await;
    }
}

/// The sandbox at this address, else one of its own, which goes on with what it has in the data
/// folder.
async fn sandbox(url: Option<Url>, data: &Path) -> Result<(Option<Sandbox>, Url), Failure> {
    if let Some(url) = url {
        return Ok((None, url));
    }
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    make_private_folder(data)?;
    let sandbox = start(listen, Some(data.join(SANDBOX_FOLDER)), false, None).await?;
    let url = Url::parse(sandbox.url()).map_err(anyhow::Error::from)?;
    Ok((Some(sandbox), url))
}

/// How browsers reach the server of a database: by its settings, else where it has listened last.
///
/// # Errors
/// [`Failure::Config`] for wrong settings.
pub(crate) fn public_url(
    context: &Context,
    storage: &StorageSettings,
    listen: Option<SocketAddr>,
    public_url: Option<Url>,
) -> Result<Url, Failure> {
    let noted =
        if listen.is_none() { noted_address(storage.database.expose_secret()) } else { None };
    let options = ServerOptions { listen, role: None, public_url };
    let settings = ServerSettings::load(options, &context.sources)?;
    match settings.public_url.or(noted) {
        Some(url) => Ok(url),
        None => {
            let url = format!("http://{}", reachable(settings.listen));
            Ok(Url::parse(&url).map_err(anyhow::Error::from)?)
        }
    }
}

/// Does something again and again, until the node stops; what is under way then is cut off.
async fn every<F: Future<Output = ()>>(
    interval: Duration,
    stopped: impl Future<Output = ()>,
    mut act: impl FnMut() -> F,
) {
    let again_and_again = async {
        let mut turns = tokio::time::interval(interval);
        loop {
            turns.tick().await;
            act().await;
        }
    };
    tokio::select! {
        () = stopped => {}
        () = again_and_again => {}
    }
}

/// Forgets connections that nobody has ended, and the secrets in them.
async fn forget_connections(scheduler: Scheduler) {
    if let Err(error) = scheduler.clear_pending_connections().await {
        tracing::warn!(%error, "pending connections cannot be cleared");
    }
}

async fn refresh_idle(scheduler: Scheduler) {
    match scheduler.refresh_idle().await {
        Ok(0) => {}
        Ok(accounts) => tracing::info!(accounts, "tokens of idle accounts were refreshed"),
        Err(error) => tracing::warn!(%error, "tokens of idle accounts cannot be refreshed"),
    }
}

async fn notify(scheduler: Scheduler) {
    match scheduler.notify().await {
        Ok(0) => {}
        Ok(messages) => tracing::info!(messages, "people were told what has happened"),
        Err(error) => tracing::warn!(%error, "people cannot be told what has happened"),
    }
}

async fn poll_feeds(scheduler: Scheduler) {
    match scheduler.poll_feeds().await {
        Ok(0) => {}
        Ok(posts) => tracing::info!(posts, "items of feeds became posts"),
        Err(error) => tracing::warn!(%error, "feeds cannot be polled"),
    }
}

async fn plan_recurrences(scheduler: Scheduler) {
    match scheduler.plan_recurrences().await {
        Ok(0) => {}
        Ok(posts) => tracing::info!(posts, "posts that come again were made"),
        Err(error) => tracing::warn!(%error, "posts that come again cannot be made"),
    }
}

async fn remove_history(scheduler: Scheduler) {
    match scheduler.remove_history().await {
        Ok(HistoryRemoved { deliveries: 0, events: 0, audit: 0, grants: 0 }) => {}
        Ok(HistoryRemoved { deliveries, events, audit, grants }) => {
            tracing::info!(deliveries, events, audit, grants, "old history was removed");
        }
        Err(error) => tracing::warn!(%error, "old history cannot be removed"),
    }
}

async fn wait(mut stopped: watch::Receiver<bool>) {
    // The sender is gone only when the node was dropped, which ends the tasks as well.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// The first workspace, with the zone of this machine, where whoever starts it is likely to be.
async fn in_zone_of_machine(
    application: &Application,
    workspace: &Workspace,
) -> Result<Workspace, Failure> {
    let zone: Zone = Reader::here().zone().name().parse().map_err(anyhow::Error::from)?;
    let change = WorkspaceChange { timezone: Field::Value(zone), ..WorkspaceChange::default() };
    Ok(application.scheduler.change_workspace(workspace, change).await?)
}
