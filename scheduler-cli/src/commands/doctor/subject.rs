//! What is looked at: the settings, and what they lead to.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use scheduler_core::ports::Clock;
use scheduler_store::{
    Database, FilesUrl, Inspection, Obstacle, OpenError, SchemaState, SealingKey,
};
use scheduler_worker::SystemClock;
use secrecy::ExposeSecret as _;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::DoctorArguments;
use super::finding::chain;
use super::reach::{Behind, behind};
use super::settings::Settings;
use super::stored::StoredLook;
use crate::client::{Route, build};
use crate::config::{MediaSettings, Sources, StorageSettings};
use crate::failure::Failure;
use crate::files::FileStore;

/// How long a database, a file store or a server may take to answer. Source: our decision; one
/// that takes longer is too slow to work with.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

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
    Failed(DatabaseFault),
    Found {
        inspection: Inspection,
        /// When its clock was read, by our own.
        at: DateTime<Utc>,
    },
}

/// Why a database cannot be used.
pub(super) enum DatabaseFault {
    /// It does not answer in time.
    Silent,
    /// It answers with an error.
    Refused {
        /// What can be done about it.
        obstacle: Obstacle,
        /// The error, with its causes.
        reason: String,
    },
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
    pub(super) fault_of_store: Option<DatabaseFault>,
    pub(super) stored: StoredLook,
    pub(super) files: FilesLook,
    pub(super) clock: Arc<SystemClock>,
    /// Calls the server and the networks, past any proxy, as the server itself does.
    pub(super) client: reqwest::Client,
    /// Whether the server runs where its settings say; several checks ask.
    runs_here: OnceCell<bool>,
    store: Option<Database>,
}

impl Subject {
    /// Reads the settings and opens what they lead to, as far as that changes nothing.
    ///
    /// # Errors
    /// [`Failure::Other`] when the system offers no TLS.
    pub(super) async fn gather(
        arguments: DoctorArguments,
        sources: &Sources,
    ) -> Result<Self, Failure> {
        let client = build(PATIENCE, Route::Direct)?;
        let clock = Arc::new(SystemClock::new());
        let settings = Settings::read(arguments, sources);
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
                Ok(Err(error)) => fault_of_store = Some((&error).into()),
                Err(_) => fault_of_store = Some(DatabaseFault::Silent),
            }
        }
        let stored = match (&database, &store) {
            (DatabaseLook::Missing, _) => StoredLook::Nothing,
            (DatabaseLook::Found { inspection, .. }, _)
                if inspection.schema == SchemaState::Empty =>
            {
                StoredLook::Nothing
            }
            (DatabaseLook::Found { .. }, Some(store)) => {
                let plans = settings.plans.unwrap_or_default();
                StoredLook::at(store, &plans, clock.now()).await
            }
            (DatabaseLook::Found { inspection, .. }, None)
                if inspection.schema == SchemaState::Current =>
            {
                StoredLook::Unknown("the database cannot be read with the key".to_owned())
            }
            (DatabaseLook::Found { .. }, None) => {
                StoredLook::Unknown("the database belongs to another release".to_owned())
            }
            (DatabaseLook::Unknown | DatabaseLook::Failed(_), _) => {
                StoredLook::Unknown("this needs the database".to_owned())
            }
        };
        let files = look_at_files(&settings, &key, clock.clone()).await;
        Ok(Self {
            settings,
            key,
            database,
            fault_of_store,
            stored,
            files,
            clock,
            client,
            runs_here: OnceCell::new(),
            store,
        })
    }

    /// Closes what was opened.
    pub(super) async fn close(self) {
        if let Some(store) = self.store {
            // One that hangs is left to the end of the process.
            let _ = timeout(PATIENCE, store.close()).await;
        }
    }

    /// The present instant.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Whether the server runs on this machine, where its settings say.
    pub(super) async fn runs_here(&self) -> bool {
        let ask = || async {
            match self.settings.own_url() {
                None => false,
                Some(url) => matches!(behind(self, &url).await, Behind::Scheduler),
            }
        };
        *self.runs_here.get_or_init(ask).await
    }

    /// Whether an account is connected of a network that fetches files by their address.
    pub(super) fn has_fetching_accounts(&self) -> bool {
        self.stored
            .accounts()
            .any(|connected| connected.account.platform.sheet().media.fetched_by_address)
    }

    /// Whether the server runs on sandbox networks, which reach every address of this machine.
    pub(super) fn has_sandbox(&self) -> bool {
        self.settings.has_sandbox()
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
        Err(_) => DatabaseLook::Failed(DatabaseFault::Silent),
        Ok(Err(error)) => DatabaseLook::Failed((&error).into()),
        Ok(Ok(None)) => DatabaseLook::Missing,
        Ok(Ok(Some(inspection))) => DatabaseLook::Found { inspection, at },
    }
}

impl From<&OpenError> for DatabaseFault {
    fn from(error: &OpenError) -> Self {
        Self::Refused { obstacle: error.obstacle(), reason: chain(error) }
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
