//! What an operator can choose of the networks.

use std::collections::BTreeMap;

use scheduler_core::platform::Platform;
use secrecy::SecretString;
use url::Url;

/// What an operator can choose. The default is right for the networks themselves.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether servers of networks may be private and without https, for development.
    pub allow_private: bool,
    /// What is chosen of each network.
    pub networks: BTreeMap<Platform, NetworkSettings>,
}

/// What an operator can choose of one network.
#[derive(Clone, Debug, Default)]
pub struct NetworkSettings {
    /// The address in place of all of the network's own: what the paths of its calls are appended
    /// to.
    pub api_base: Option<Url>,
    /// The version of its interface in place of the one that its adapter was written for.
    pub api_version: Option<String>,
    /// The operator's application at the network.
    pub client: Option<Client>,
    /// What a person is asked to allow, in place of what its adapter can use.
    pub scopes: Option<Vec<String>>,
    /// The largest video that the server at `api_base` takes, in bytes, where it takes larger ones
    /// than the network's own.
    pub file_bytes_max: Option<u64>,
    /// Whether the server at `api_base` reads files of this machine by their paths, so that their
    /// bytes need not be sent.
    pub reads_local_files: bool,
}

/// An operator's application at a network.
#[derive(Clone, Debug)]
pub struct Client {
    /// Its id, or key.
    pub id: String,
    /// Its secret; empty where it has none.
    pub secret: SecretString,
}

impl Settings {
    /// What is chosen of a network.
    #[must_use]
    pub fn of(&self, platform: Platform) -> NetworkSettings {
        self.networks.get(&platform).cloned().unwrap_or_default()
    }
}
