//! All settings of a server, as far as they can be used.

use super::assistant::assistant;
use super::client::{ClientSettings, RemoteOptions};
use super::error::ConfigError;
use super::logging::LogSettings;
use super::mail::mail;
use super::media::MediaSettings;
use super::networks::NetworkSettings;
use super::openid::openid;
use super::plans::plans;
use super::server::{ServerOptions, ServerSettings};
use super::sources::Sources;
use super::storage::{StorageOptions, StorageSettings};
use super::table::KEYS;

/// All settings of a server, as far as they can be used.
pub(crate) struct Checked {
    /// Where everything is kept; `None` when that cannot be used.
    pub(crate) storage: Option<StorageSettings>,
    /// What a server does; `None` when that cannot be used.
    pub(crate) server: Option<ServerSettings>,
    /// What cannot be used, and why, each once.
    pub(crate) faults: Vec<String>,
}

impl Checked {
    /// Reads every setting.
    pub(crate) fn read(server: ServerOptions, storage: StorageOptions, sources: &Sources) -> Self {
        let mut faults: Vec<String> = Vec::new();
        let mut keep = |fault: String| {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        };
        for fault in sources.faults() {
            keep(fault.to_string());
        }
        let storage = StorageSettings::load(storage, sources);
        if let Ok(storage) = &storage
            && storage.made_key_file().is_none()
            && let Err(error) = storage.sealing_key()
        {
            keep(format!("{error:#}"));
        }
        let server = ServerSettings::load(server, sources);
        let others: [Result<(), ConfigError>; 12] = [
            NetworkSettings::load(sources).map(drop),
            MediaSettings::load(sources).map(drop),
            assistant(sources).map(drop),
            mail(sources).map(drop),
            openid(sources).map(drop),
            plans(sources).map(drop),
            (sources.get(&KEYS.publish_retry_seconds))
                .and(sources.get(&KEYS.delivery_retry_seconds))
                .map(drop),
            sources.get(&KEYS.file_bytes_max).map(drop),
            sources.get(&KEYS.metrics_refresh_seconds).map(drop),
            sources.get(&KEYS.history_days).map(drop),
            LogSettings::load(sources, tracing::Level::INFO).map(drop),
            ClientSettings::load(RemoteOptions::default(), sources).map(drop),
        ];
        let found = [storage.as_ref().err(), server.as_ref().err()];
        let others = others.iter().filter_map(|read| read.as_ref().err());
        for fault in found.into_iter().flatten().chain(others) {
            keep(fault.to_string());
        }
        Self { storage: storage.ok(), server: server.ok(), faults }
    }
}
