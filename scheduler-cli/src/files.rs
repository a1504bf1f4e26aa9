//! The file store of a process: a folder whose links it serves itself, or a bucket.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use scheduler_core::ports::{Clock, Files, SignedFiles};
use scheduler_store::{FREE_BYTES_MIN, FilesUrl, FolderFiles, FolderSettings, SealingKey};
use url::Url;

use crate::config::MediaSettings;
use crate::optional::bucket::Bucket;

/// What the secret of signed links is derived for.
const LINK_PURPOSE: &str = "file links";

/// How often leftovers are removed from the folder of a server that runs for long.
const CLEAN_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// What links begin with in a process that does not listen and was told no public address.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

/// Where the bytes of files are kept.
#[derive(Clone, Debug)]
pub(crate) enum FileStore {
    Folder(FolderFiles),
    Bucket(Bucket),
}

impl FileStore {
    /// Opens a file store.
    ///
    /// # Errors
    /// When the folder cannot be used, or the settings of the bucket are refused.
    pub(crate) async fn open(
        url: &FilesUrl,
        settings: &MediaSettings,
        key: &SealingKey,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        match url {
            FilesUrl::Folder(folder) => {
                let public_url = match &settings.public_url {
                    Some(url) => url.clone(),
                    None => Url::parse(DEFAULT_URL)?,
                };
                let settings = FolderSettings {
                    folder: folder.clone(),
                    public_url,
                    link_secret: key.derive(LINK_PURPOSE),
                    free_bytes_min: settings.free_bytes_min.unwrap_or(FREE_BYTES_MIN),
                };
                let opened = FolderFiles::open(settings, clock).await;
                let place = || format!("cannot use the folder {}; see --files", folder.display());
                opened.map(Self::Folder).with_context(place)
            }
            FilesUrl::Bucket(bucket) => {
                Bucket::open(bucket, clock).map(Self::Bucket).context("see --files")
            }
        }
    }

    /// The store as the core uses it.
    pub(crate) fn files(&self) -> Arc<dyn Files> {
        match self {
            Self::Folder(folder) => Arc::new(folder.clone()),
            Self::Bucket(bucket) => bucket.files(),
        }
    }

    /// Whoever serves the store's links; `None` where they lead elsewhere.
    pub(crate) fn signed_files(&self) -> Option<Arc<dyn SignedFiles>> {
        match self {
            Self::Folder(folder) => Some(Arc::new(folder.clone())),
            Self::Bucket(_) => None,
        }
    }

    /// Looks after the store until the future is dropped: removes leftovers from a folder once a
    /// day, and says in the log when a bucket cannot be used at the start.
    pub(crate) async fn look_after(self) {
        match self {
            Self::Folder(folder) => loop {
                // Opening it has removed what was there at the start.
                tokio::time::sleep(CLEAN_EVERY).await;
                if let Err(error) = folder.clean().await {
                    tracing::warn!(%error, "leftovers of unfinished files cannot be removed");
                }
            },
            Self::Bucket(bucket) => {
                if let Err(error) = bucket.check().await {
                    tracing::error!(%error, "the bucket of files cannot be used; see --files");
                }
                std::future::pending().await
            }
        }
    }
}
