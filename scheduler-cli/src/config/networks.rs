//! Where the networks are, and what else the server may call.

use std::collections::BTreeMap;

use scheduler_core::platform::Platform;
use scheduler_networks::registry;
use url::Url;

use super::error::ConfigError;
use super::keys::of_network;
use super::setting::Key;
use super::sources::Sources;
use super::table::{KEYS, OF_NETWORKS};

/// Where the networks are, and what else the server may call.
#[derive(Clone, Debug, Default)]
pub(crate) struct NetworkSettings {
    /// What the adapters are built with.
    pub(crate) adapters: registry::Settings,
    /// Whether events may go to private addresses and without https.
    pub(crate) webhooks_allow_private: bool,
    /// Whether programs may describe themselves at private addresses.
    pub(crate) oauth_allow_private: bool,
    /// Whether accounts of X can be connected.
    pub(crate) connect_twitter: bool,
    /// A sandbox that is running already.
    pub(crate) sandbox_url: Option<Url>,
    /// Whether a server runs on a sandbox.
    pub(crate) sandbox: bool,
}

impl NetworkSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the setting.
    pub(crate) fn load(sources: &Sources) -> Result<Self, ConfigError> {
        Ok(Self {
            adapters: adapters(sources)?,
            webhooks_allow_private: sources.get(&KEYS.webhooks_allow_private)?,
            oauth_allow_private: sources.get(&KEYS.oauth_allow_private)?,
            connect_twitter: sources.get(&KEYS.connect_twitter)?,
            sandbox_url: sources.set(&KEYS.sandbox_url)?,
            sandbox: sources.get(&KEYS.sandbox)?,
        })
    }

    /// The same with every adapter pointed at a sandbox.
    ///
    /// # Errors
    /// [`ConfigError::Value`] when the address takes no path.
    pub(crate) fn at_sandbox(self, sandbox: &Url) -> Result<Self, ConfigError> {
        let adapters = self.adapters.at_sandbox(sandbox);
        let adapters = adapters.ok_or_else(|| ConfigError::Value {
            place: "the address of the sandbox".to_owned(),
            reason: "must be an address such as https://example.com".to_owned(),
        })?;
        Ok(Self { adapters, sandbox_url: Some(sandbox.clone()), ..self })
    }
}

/// What is chosen of the networks: `bluesky_api_base`, `youtube_client_id` and so on.
fn adapters(sources: &Sources) -> Result<registry::Settings, ConfigError> {
    let mut networks = BTreeMap::new();
    for platform in Platform::ALL {
        let text = |key: &Key<String>| sources.text(of_network(platform, key));
        let id = text(&OF_NETWORKS.client_id);
        let secret = text(&OF_NETWORKS.client_secret).unwrap_or_default();
        let client = id.map(|id| registry::Client { id, secret: secret.into() });
        let scopes = text(&OF_NETWORKS.scopes);
        let api_base = of_network(platform, &OF_NETWORKS.api_base);
        let file_bytes_max = of_network(platform, &OF_NETWORKS.file_bytes_max);
        let reads_local_files = of_network(platform, &OF_NETWORKS.reads_local_files);
        let reads_local_files =
            sources.set_as(&reads_local_files, &OF_NETWORKS.reads_local_files)?;
        let of_network = registry::NetworkSettings {
            api_base: sources.set_as(&api_base, &OF_NETWORKS.api_base)?,
            api_version: text(&OF_NETWORKS.api_version),
            client,
            scopes: scopes.map(|text| text.split_whitespace().map(str::to_owned).collect()),
            file_bytes_max: sources.set_as(&file_bytes_max, &OF_NETWORKS.file_bytes_max)?,
            reads_local_files: reads_local_files.unwrap_or_default(),
        };
        networks.insert(platform, of_network);
    }
    Ok(registry::Settings { allow_private: false, networks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn nothing_private_is_called_unless_said() {
        let settings = NetworkSettings::load(&sources(&[], &[])).unwrap();
        assert!(!settings.adapters.allow_private && !settings.webhooks_allow_private);
        let sources = sources(&[("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "true")], &[]);
        let settings = NetworkSettings::load(&sources).unwrap();
        assert!(!settings.adapters.allow_private && settings.webhooks_allow_private);
    }

    #[test]
    fn a_server_of_ones_own_says_how_large_files_may_be() {
        let named = [("SCHEDULER_TELEGRAM_FILE_BYTES_MAX", "2000000000")];
        for (variables, want) in [(named.as_slice(), Some(2_000_000_000)), (&[], None)] {
            let settings = NetworkSettings::load(&sources(variables, &[])).unwrap();
            assert_eq!(settings.adapters.of(Platform::Telegram).file_bytes_max, want);
        }
        let none = [("SCHEDULER_TELEGRAM_FILE_BYTES_MAX", "0")];
        assert!(NetworkSettings::load(&sources(&none, &[])).is_err());
    }
}
