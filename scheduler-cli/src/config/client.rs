//! Which server the posting commands talk to, and with which key.

use clap::Args;
use secrecy::SecretString;
use url::Url;

use super::{ConfigError, Sources};

/// Where a server listens that was started with no options.
pub(crate) const DEFAULT_URL: &str = "http://127.0.0.1:8080";

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
        let base = match options.url {
            Some(url) => Some(base(&url).map_err(|reason| ConfigError::Value {
                place: "--url".into(),
                reason: reason.into(),
            })?),
            None => sources.parsed(None, "url", base)?,
        };
        let api_key = options.api_key.or_else(|| sources.text("api_key").map(SecretString::from));
        Ok(Self { base: base.unwrap_or_else(|| DEFAULT_URL.to_owned()), api_key })
    }
}

fn base(text: &str) -> Result<String, &'static str> {
    let wrong = "must be an address such as http://127.0.0.1:8080";
    let url = Url::parse(text).map_err(|_| wrong)?;
    let complete = matches!(url.scheme(), "http" | "https") && url.has_host();
    let plain = url.query().is_none() && url.fragment().is_none();
    if !complete || !plain {
        return Err(wrong);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must hold no user name and password; the API key is given apart");
    }
    let text = url.as_str().trim_end_matches('/');
    Ok(text.strip_suffix("/v1").unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn addresses_with_and_without_the_version() {
        for (text, want) in [
            ("http://127.0.0.1:8080", Ok("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080/", Ok("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080/v1", Ok("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080/v1/", Ok("http://127.0.0.1:8080")),
            ("https://e.com/scheduler/v1", Ok("https://e.com/scheduler")),
            ("https://e.com/v10", Ok("https://e.com/v10")),
            ("127.0.0.1:8080", Err(())),
            ("ftp://e.com", Err(())),
            ("https://user:word@e.com", Err(())),
            ("https://user@e.com", Err(())),
            ("https://e.com/?a=b", Err(())),
            ("", Err(())),
        ] {
            assert_eq!(base(text).map_err(|_| ()), want.map(str::to_owned), "{text:?}");
        }
    }

    #[test]
    fn the_key_is_not_printed() {
        let options =
            ClientOptions { url: None, api_key: Some(SecretString::from("sk_secret".to_owned())) };
        let printed = format!("{options:?}");
        let settings = ClientSettings::load(options, &sources(&[], &[])).unwrap();
        assert!(!format!("{printed}{settings:?}").contains("sk_secret"));
        assert_eq!(settings.base, DEFAULT_URL);
    }
}
