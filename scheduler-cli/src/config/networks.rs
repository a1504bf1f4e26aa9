//! Where the networks are, and whom events may be sent to.

use std::collections::BTreeMap;

use scheduler_core::platform::Platform;
use scheduler_networks::registry;
use url::Url;

use super::keys::of_network;
use super::{ConfigError, Sources};

const ADDRESS: &str = "must be an address such as https://example.com";

/// Where the networks are, and whom events may be sent to.
#[derive(Clone, Debug, Default)]
pub(crate) struct NetworkSettings {
    /// What the adapters are built with.
    pub(crate) adapters: registry::Settings,
    /// Whether events may go to private addresses and without https.
    pub(crate) webhooks_allow_private: bool,
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
        let address = |key| sources.parsed(None, key, http_address);
        Ok(Self {
            adapters: adapters(sources)?,
            webhooks_allow_private: sources.flag("webhooks_allow_private")?,
            connect_twitter: sources.flag("connect_twitter")?,
            sandbox_url: address("sandbox_url")?,
            sandbox: sources.flag("sandbox")?,
        })
    }

    /// The same with every adapter pointed at a sandbox.
    ///
    /// # Errors
    /// [`ConfigError::Value`] when the address takes no path.
    pub(crate) fn at_sandbox(self, sandbox: &Url) -> Result<Self, ConfigError> {
        let adapters = self.adapters.at_sandbox(sandbox);
        let adapters = adapters.ok_or_else(|| wrong("the address of the sandbox"))?;
        Ok(Self { adapters, sandbox_url: Some(sandbox.clone()), ..self })
    }
}

/// What is chosen of the networks: `bluesky_api_base`, `youtube_client_id` and so on.
fn adapters(sources: &Sources) -> Result<registry::Settings, ConfigError> {
    let mut networks = BTreeMap::new();
    for platform in Platform::ALL {
        let key = |name| of_network(platform, name);
        let id = sources.text(&key("client_id"));
        let secret = sources.text(&key("client_secret")).unwrap_or_default();
        let client = id.map(|id| registry::Client { id, secret: secret.into() });
        let scopes = sources.text(&key("scopes"));
        let of_network = registry::NetworkSettings {
            api_base: sources.parsed(None, &key("api_base"), http_address)?,
            api_version: sources.text(&key("api_version")),
            client,
            scopes: scopes.map(|text| text.split_whitespace().map(str::to_owned).collect()),
        };
        networks.insert(platform, of_network);
    }
    Ok(registry::Settings { allow_private: false, networks })
}

pub(super) fn http_address(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| ADDRESS)?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() { Ok(url) } else { Err(ADDRESS) }
}

fn wrong(place: &str) -> ConfigError {
    ConfigError::Value { place: place.to_owned(), reason: ADDRESS.to_owned() }
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
}
