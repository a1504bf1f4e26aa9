//! What is looked at: the settings, and what they lead to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Clock, StoreError, StoredCredentials};
use scheduler_http::system::SystemClock;
use scheduler_networks::assistant::AssistantSettings;
use scheduler_store::{Database, FilesUrl, Inspection, SchemaState, SealingKey};
use secrecy::ExposeSecret as _;
use tokio::time::timeout;
use url::Url;

use super::finding::chain;
use crate::client::{Route, build};
use crate::config::{
    LogSettings, MediaSettings, NetworkSettings, ServerOptions, ServerSettings, Sources,
    StorageOptions, StorageSettings, UnknownVariable, assistant, file_bytes_max, plans,
    refresh_every, waits,
};
use crate::failure::Failure;
use crate::files::FileStore;
use crate::node::reachable;

/// How long a database, a file store or a server may take to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// How long one request over HTTP may take.
const CALL_PATIENCE: Duration = Duration::from_secs(10);

/// The settings, as far as they can be read.
pub(super) struct Settings {
    /// What is wrong with those that cannot.
    pub(super) faults: Vec<String>,
    /// Variables with our prefix that nobody reads.
    pub(super) unknown_variables: Vec<UnknownVariable>,
    /// The settings file.
    pub(super) file: Option<PathBuf>,
    pub(super) storage: Option<StorageSettings>,
    pub(super) networks: Option<NetworkSettings>,
    pub(super) media: Option<MediaSettings>,
    pub(super) server: Option<ServerSettings>,
    /// The text model, where one is set.
    pub(super) assistant: Option<Option<AssistantSettings>>,
}

/// The secret key.
pub(super) enum KeyLook {
    /// Nobody knows where it is.
    Unknown,
    /// The file in the data folder does not exist.
    Missing(PathBuf),
    /// Why it cannot be used.
    Unusable(String),
    Loaded(SealingKey),
}

/// The database.
pub(super) enum DatabaseLook {
    /// Nobody knows where it is.
    Unknown,
    /// Its file does not exist.
    Missing,
    /// Why it cannot be looked at.
    Failed(String),
    Found {
        inspection: Inspection,
        /// When its clock was read, by our own.
        at: DateTime<Utc>,
    },
}

/// The accounts.
pub(super) enum AccountsLook {
    /// Why nobody knows.
    Unknown(String),
    /// Why they cannot be read.
    Failed(String),
    Found(Vec<Connected>),
}

/// A connected account.
pub(super) struct Connected {
    pub(super) account: Account,
    pub(super) credentials: Result<Option<StoredCredentials>, StoreError>,
}

/// The file store.
pub(super) enum FilesLook {
    /// Nobody knows where it is.
    Unknown,
    /// Its folder does not exist.
    Missing(PathBuf),
    /// Why it cannot be opened.
    Failed(String),
    Opened {
        store: FileStore,
        /// Whether its links are those of the server.
        has_links: bool,
    },
}

/// Everything that is looked at.
pub(super) struct Subject {
    pub(super) settings: Settings,
    pub(super) key: KeyLook,
    pub(super) database: DatabaseLook,
    /// Why a database whose schema is current cannot be opened.
    pub(super) fault_of_store: Option<String>,
    pub(super) accounts: AccountsLook,
    pub(super) files: FilesLook,
    pub(super) clock: Arc<SystemClock>,
    /// Calls the server, the networks' way and our own.
    pub(super) client: reqwest::Client,
    store: Option<Database>,
}

impl Subject {
    /// Reads the settings and opens what they lead to, as far as that changes nothing.
    ///
    /// # Errors
    /// [`Failure::Other`] when the system offers no TLS.
    pub(super) async fn gather(
        server: ServerOptions,
        storage: StorageOptions,
        sources: &Sources,
    ) -> Result<Self, Failure> {
        let client = build(CALL_PATIENCE, Route::Direct)?;
        let clock = Arc::new(SystemClock::new());
        let settings = Settings::read(server, storage, sources);
        let key = settings.storage.as_ref().map_or(KeyLook::Unknown, look_at_key);
        let database = match &settings.storage {
            None => DatabaseLook::Unknown,
            Some(storage) => look_at_database(storage, &*clock).await,
        };
        let (mut store, mut fault_of_store) = (None, None);
        if let (Some(storage), KeyLook::Loaded(key)) = (&settings.storage, &key)
            && database.is_current()
        {
            let opened = Database::open(storage.database.expose_secret(), key);
            match timeout(PATIENCE, opened).await {
                Ok(Ok(opened)) => store = Some(opened),
                Ok(Err(error)) => fault_of_store = Some(chain(&error)),
                Err(_) => fault_of_store = Some("it does not answer in time".to_owned()),
            }
        }
        let accounts = match &store {
            None => AccountsLook::Unknown("the database cannot be read with the key".to_owned()),
            Some(store) => accounts(store).await,
        };
        let accounts = match &database {
            DatabaseLook::Missing => AccountsLook::Found(Vec::new()),
            DatabaseLook::Unknown | DatabaseLook::Failed(_) => {
                AccountsLook::Unknown("they need the database".to_owned())
            }
            DatabaseLook::Found { .. } => accounts,
        };
        let files = look_at_files(&settings, &key, clock.clone()).await;
        Ok(Self { settings, key, database, fault_of_store, accounts, files, clock, client, store })
    }

    /// Closes what was opened.
    pub(super) async fn close(self) {
        if let Some(store) = self.store {
            store.close().await;
        }
    }

    /// The present instant.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Whether an account is connected of a network that fetches files by their address.
    pub(super) fn has_fetching_accounts(&self) -> bool {
        let AccountsLook::Found(accounts) = &self.accounts else { return false };
        accounts.iter().any(|connected| fetches(connected.account.platform))
    }

    /// Whether the server runs on sandbox networks, which reach every address of this machine.
    pub(super) fn has_sandbox(&self) -> bool {
        let networks = self.settings.networks.as_ref();
        networks.is_some_and(|networks| networks.sandbox || networks.sandbox_url.is_some())
    }
}

/// Whether a network takes files by an address of theirs, some of them at least.
const fn fetches(platform: Platform) -> bool {
    match platform {
        Platform::Instagram | Platform::Threads | Platform::Tiktok => true,
        Platform::Youtube
        | Platform::Facebook
        | Platform::Twitter
        | Platform::Linkedin
        | Platform::Pinterest
        | Platform::Bluesky
        | Platform::Mastodon
        | Platform::Telegram
        | Platform::Discord
        | Platform::Tumblr => false,
    }
}

impl Settings {
    fn read(server: ServerOptions, storage: StorageOptions, sources: &Sources) -> Self {
        let mut faults: Vec<String> = Vec::new();
        let mut keep = |fault: String| {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        };
        sources.faults().iter().for_each(|fault| keep(fault.to_string()));
        macro_rules! read {
            ($loaded:expr) => {
                $loaded.map_err(|error| keep(error.to_string())).ok()
            };
        }
        let storage = read!(StorageSettings::load(storage, sources));
        let networks = read!(NetworkSettings::load(sources));
        let media = read!(MediaSettings::load(sources));
        let server = read!(ServerSettings::load(server, sources));
        let assistant = read!(assistant(sources));
        let _ = read!(plans(sources));
        let _ = read!(waits(sources));
        let _ = read!(file_bytes_max(sources));
        let _ = read!(LogSettings::load(sources, tracing::Level::INFO));
        let _ = read!(refresh_every(sources));
        let unknown_variables = sources.unknown_variables();
        let file = sources.file().map(Path::to_owned);
        Self { faults, unknown_variables, file, storage, networks, media, server, assistant }
    }

    /// Where this machine would reach the server; `None` for a port that is chosen at the start.
    pub(super) fn own_url(&self) -> Option<Url> {
        let listen = self.server.as_ref()?.listen;
        let url = format!("http://{}", reachable(listen));
        if listen.port() == 0 { None } else { Url::parse(&url).ok() }
    }
}

fn look_at_key(storage: &StorageSettings) -> KeyLook {
    if let Some(path) = storage.made_key_file()
        && !path.exists()
    {
        return KeyLook::Missing(path.to_owned());
    }
    match storage.sealing_key() {
        Ok(key) => KeyLook::Loaded(key),
        Err(error) => KeyLook::Unusable(format!("{error:#}")),
    }
}

async fn look_at_database(storage: &StorageSettings, clock: &dyn Clock) -> DatabaseLook {
    let looked = timeout(PATIENCE, Inspection::of(storage.database.expose_secret())).await;
    let at = clock.now();
    match looked {
        Err(_) => DatabaseLook::Failed("it does not answer in time".to_owned()),
        Ok(Err(error)) => DatabaseLook::Failed(chain(&error)),
        Ok(Ok(None)) => DatabaseLook::Missing,
        Ok(Ok(Some(inspection))) => DatabaseLook::Found { inspection, at },
    }
}

impl DatabaseLook {
    const fn is_current(&self) -> bool {
        match self {
            Self::Found { inspection, .. } => matches!(inspection.schema, SchemaState::Current),
            Self::Unknown | Self::Missing | Self::Failed(_) => false,
        }
    }
}

async fn accounts(database: &Database) -> AccountsLook {
    let store = database.store();
    let read = async {
        let mut found = Vec::new();
        for workspace in store.workspaces().await? {
            for account in store.accounts(workspace.id).await? {
                let credentials = store.credentials(account.id).await;
                found.push(Connected { account, credentials });
            }
        }
        Ok::<_, StoreError>(found)
    };
    match timeout(PATIENCE, read).await {
        Ok(Ok(found)) => AccountsLook::Found(found),
        Ok(Err(error)) => AccountsLook::Failed(chain(&error)),
        Err(_) => AccountsLook::Failed("the database does not answer in time".to_owned()),
    }
}

async fn look_at_files(settings: &Settings, key: &KeyLook, clock: Arc<SystemClock>) -> FilesLook {
    let (Some(storage), Some(media)) = (&settings.storage, &settings.media) else {
        return FilesLook::Unknown;
    };
    if let FilesUrl::Folder(folder) = &storage.files
        && !folder.exists()
    {
        return FilesLook::Missing(folder.clone());
    }
    let public_url = settings.server.as_ref().and_then(|server| server.public_url.clone());
    let public_url = public_url.or_else(|| settings.own_url());
    let is_bucket = matches!(storage.files, FilesUrl::Bucket(_));
    let without_key = SealingKey::from_bytes([0; 32]);
    let (key, has_key) = match key {
        KeyLook::Loaded(key) => (key, true),
        KeyLook::Unknown | KeyLook::Missing(_) | KeyLook::Unusable(_) => (&without_key, false),
    };
    let has_links = is_bucket || (has_key && public_url.is_some());
    let media = MediaSettings { public_url, ..media.clone() };
    match timeout(PATIENCE, FileStore::open(&storage.files, &media, key, clock)).await {
        Ok(Ok(store)) => FilesLook::Opened { store, has_links },
        Ok(Err(error)) => FilesLook::Failed(format!("{error:#}")),
        Err(_) => FilesLook::Failed("it does not answer in time".to_owned()),
    }
}
