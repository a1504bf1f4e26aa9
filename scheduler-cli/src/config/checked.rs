//! All settings of a server, as far as they can be used.

use super::{
    ClientOptions, ClientSettings, ConfigError, LogSettings, MediaSettings, NetworkSettings,
    ServerOptions, ServerSettings, Sources, StorageOptions, StorageSettings, assistant,
    file_bytes_max, history_kept, plans, refresh_every, waits,
};

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
        let others: [Result<(), ConfigError>; 10] = [
            NetworkSettings::load(sources).map(drop),
            MediaSettings::load(sources).map(drop),
            assistant(sources).map(drop),
            plans(sources).map(drop),
            waits(sources).map(drop),
            file_bytes_max(sources).map(drop),
            refresh_every(sources).map(drop),
            history_kept(sources).map(drop),
            LogSettings::load(sources, tracing::Level::INFO).map(drop),
            ClientSettings::load(ClientOptions::default(), sources).map(drop),
        ];
        let found = [storage.as_ref().err(), server.as_ref().err()];
        let others = others.iter().filter_map(|read| read.as_ref().err());
        for fault in found.into_iter().flatten().chain(others) {
            keep(fault.to_string());
        }
        Self { storage: storage.ok(), server: server.ok(), faults }
    }
}
