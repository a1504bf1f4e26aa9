//! Which server the posting commands talk to, and with which key.

use clap::Args;
use secrecy::SecretString;

use super::error::ConfigError;
use super::profiles::Profile;
use super::sources::Sources;
use super::table::KEYS;
use super::value::ServerUrl;

/// The options of every command that talks to a server.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    /// The server, with or without /v1 [env: SCHEDULER_URL] [default: http://127.0.0.1:8080]
    #[arg(id = "server", long = "url", value_name = "URL")]
    url: Option<String>,
    /// The API key [env: SCHEDULER_API_KEY]
    #[arg(long, value_name = "KEY")]
    api_key: Option<SecretString>,
}

impl ClientOptions {
    /// The options of a command that needs no key.
    pub(crate) const fn at(url: Option<String>) -> Self {
        Self { url, api_key: None }
    }
}

/// Which server to talk to, and with which key.
#[derive(Clone, Debug)]
pub(crate) struct ClientSettings {
    /// The address before `/v1`, without a slash at its end.
    pub(crate) base: String,
    /// The key.
    pub(crate) api_key: Option<SecretString>,
}

impl ClientSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError::Value`] when the address is none.
    pub(crate) fn load(options: ClientOptions, sources: &Sources) -> Result<Self, ConfigError> {
        let ServerUrl(base) = match sources.given(options.url.as_deref(), &KEYS.url)? {
            Some(url) => url,
            None => sources.get(&KEYS.url)?,
        };
        let given = || sources.text(&KEYS.api_key).map(SecretString::from);
        Ok(Self { base, api_key: options.api_key.or_else(given) })
    }

    /// Whether an option or a setting names a server or a key, so that no profile counts unless it
    /// is named itself.
    pub(crate) fn are_given(options: &ClientOptions, sources: &Sources) -> bool {
        let is_set = |key: &str| sources.text(key).is_some();
        let of_options = options.url.is_some() || options.api_key.is_some();
        of_options || is_set(KEYS.url.as_ref()) || is_set(KEYS.api_key.as_ref())
    }

    /// Those of a profile.
    pub(crate) fn of_profile(profile: &Profile) -> Self {
        Self { base: profile.url.clone(), api_key: Some(profile.session()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn the_key_is_not_printed() {
        let options =
            ClientOptions { url: None, api_key: Some(SecretString::from("sk_secret".to_owned())) };
        let printed = format!("{options:?}");
        let settings = ClientSettings::load(options, &sources(&[], &[])).unwrap();
        assert!(!format!("{printed}{settings:?}").contains("sk_secret"));
        assert_eq!(settings.base, "http://127.0.0.1:8080");
    }
}
