//! What a server does and how much at once.

use std::net::SocketAddr;
use std::num::NonZeroU32;

use clap::Args;
use http::HeaderValue;
use scheduler_http::{ConnectionLimits, RateLimit};
use scheduler_worker::WorkerSettings;
use secrecy::SecretString;
use url::Url;

use super::error::ConfigError;
use super::sources::Sources;
use super::table::KEYS;
use super::value::{PublicUrl, Roles, is_web};

/// The options of a server.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ServerOptions {
    /// The address to listen on; port 0 takes a free one [env: SCHEDULER_LISTEN] [default:
    /// 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<SocketAddr>,
    /// What this process does: api, worker, or api,worker [env: SCHEDULER_ROLE] [default:
    /// api,worker]
    #[arg(long, value_name = "ROLES")]
    pub(crate) role: Option<Roles>,
    /// How callers, networks and browsers reach this server: signed links to files begin with it
    /// [env: SCHEDULER_PUBLIC_URL] [default: http:// and the address that it listens on]
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<Url>,
}

impl ServerOptions {
    /// The options that are given, by their keys.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, String)> {
        let listen = self.listen.map(|address| ("listen", address.to_string()));
        let role = self.role.map(|roles| ("role", roles.to_string()));
        let public_url = self.public_url.as_ref().map(|url| ("public_url", url.to_string()));
        [listen, role, public_url].into_iter().flatten()
    }
}

/// What a server does and how much at once.
#[derive(Clone, Debug)]
pub(crate) struct ServerSettings {
    /// Where it listens.
    pub(crate) listen: SocketAddr,
    /// What it does.
    pub(crate) roles: Roles,
    /// How it is reached from outside.
    pub(crate) public_url: Option<Url>,
    /// Requests that a key may make.
    pub(crate) rate_limit: RateLimit,
    /// Uploads that a workspace may begin within any minute, unless it is the default.
    pub(crate) uploads_per_minute: Option<NonZeroU32>,
    /// Batches of posts that a key may send in a minute, unless it is the default.
    pub(crate) batches_per_minute: Option<NonZeroU32>,
    /// Connections of callers at most.
    pub(crate) connections: ConnectionLimits,
    /// Origins whose pages may read its answers.
    pub(crate) allowed_origins: Vec<HeaderValue>,
    /// What its worker does at once.
    pub(crate) worker: WorkerSettings,
    /// Where metrics are served, when not beside the API.
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// What whoever reads the metrics has to show.
    pub(crate) metrics_token: Option<SecretString>,
}

impl ServerSettings {
    /// What holds of a server for which nothing is set but where it listens.
    pub(crate) fn at(listen: SocketAddr) -> Self {
        Self {
            listen,
            roles: Roles::ALL,
            public_url: None,
            rate_limit: RateLimit::default(),
            uploads_per_minute: None,
            batches_per_minute: None,
            connections: ConnectionLimits::default(),
            allowed_origins: Vec::new(),
            worker: WorkerSettings::default(),
            metrics_listen: None,
            metrics_token: None,
        }
    }

    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the setting.
    pub(crate) fn load(options: ServerOptions, sources: &Sources) -> Result<Self, ConfigError> {
        Ok(Self {
            listen: options.listen.map_or_else(|| sources.get(&KEYS.listen), Ok)?,
            roles: options.role.map_or_else(|| sources.get(&KEYS.role), Ok)?,
            public_url: public_url(options.public_url, sources)?,
            rate_limit: RateLimit {
                per_minute: sources.get(&KEYS.rate_limit_per_minute)?,
                burst: sources.get(&KEYS.rate_limit_burst)?,
            },
            uploads_per_minute: sources.set(&KEYS.uploads_per_minute)?,
            batches_per_minute: sources.set(&KEYS.batches_per_minute)?,
            connections: connections(sources)?,
            allowed_origins: sources.set(&KEYS.allowed_origins)?.unwrap_or_default().0,
            worker: WorkerSettings {
                publishes: sources.get(&KEYS.publishes_in_flight)?,
                per_network: sources.get(&KEYS.publishes_in_flight_per_network)?,
                deliveries: sources.get(&KEYS.deliveries_in_flight)?,
                fetches: sources.get(&KEYS.fetches_in_flight)?,
                examinations: sources.get(&KEYS.examinations_in_flight)?,
                erasures: sources.get(&KEYS.erasures_in_flight)?,
                readings: sources.get(&KEYS.readings_in_flight)?,
                ..WorkerSettings::default()
            },
            metrics_listen: sources.set(&KEYS.metrics_listen)?,
            metrics_token: sources.text(&KEYS.metrics_token).map(SecretString::from),
        })
    }
}

fn connections(sources: &Sources) -> Result<ConnectionLimits, ConfigError> {
    let all = sources.set(&KEYS.connections_max)?;
    let limits = all.map_or_else(ConnectionLimits::default, ConnectionLimits::of);
    let per_address = sources.set(&KEYS.connections_per_address)?;
    Ok(ConnectionLimits { per_address: per_address.unwrap_or(limits.per_address), ..limits })
}

/// The address that links begin with, where it is set.
///
/// # Errors
/// [`ConfigError::Value`] when it is none of the web.
pub(crate) fn set_public_url(sources: &Sources) -> Result<Option<Url>, ConfigError> {
    public_url(None, sources)
}

/// The address that links begin with, which is one of the web here.
fn public_url(option: Option<Url>, sources: &Sources) -> Result<Option<Url>, ConfigError> {
    let (place, url) = match (option, sources.set(&KEYS.public_url)) {
        (Some(url), _) => (Some("--public-url".to_owned()), url),
        (None, Ok(Some(PublicUrl(url)))) => (sources.place(&KEYS.public_url), url),
        (None, Ok(None)) => return Ok(None),
        (None, Err(error)) => return Err(error),
    };
    if is_web(&url) {
        return Ok(Some(url));
    }
    let (place, reason) = (place.unwrap_or_default(), PublicUrl::EXPECTED.to_owned());
    Err(ConfigError::Value { place, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn a_wrong_public_address_names_its_place() {
        let wrong = "must be an address such as https://scheduler.example.com";
        for (option, variables, place) in [
            (Some("ftp://e.com"), &[][..], "--public-url"),
            (None, &[("SCHEDULER_PUBLIC_URL", "ftp://e.com")], "SCHEDULER_PUBLIC_URL"),
            (None, &[("SCHEDULER_PUBLIC_URL", "e.com")], "SCHEDULER_PUBLIC_URL"),
        ] {
            let option = option.map(|text: &str| text.parse().unwrap());
            let options = ServerOptions { public_url: option, ..ServerOptions::default() };
            let error = ServerSettings::load(options, &sources(variables, &[])).unwrap_err();
            assert_eq!(error.to_string(), format!("{place} {wrong}"));
        }
    }

    #[test]
    fn options_come_first() {
        let sources = sources(
            &[("SCHEDULER_ROLE", "worker"), ("SCHEDULER_RATE_LIMIT_BURST", "5")],
            &[("listen", "127.0.0.1:9"), ("role", "api")],
        );
        let options = ServerOptions { listen: None, role: None, public_url: None };
        let settings = ServerSettings::load(options, &sources).unwrap();
        assert_eq!(settings.listen.port(), 9);
        assert_eq!(settings.roles, Roles { api: false, worker: true });
        assert_eq!(settings.rate_limit.burst.get(), 5);
        let options = ServerOptions { listen: None, role: Some(Roles::ALL), public_url: None };
        assert_eq!(ServerSettings::load(options, &sources).unwrap().roles, Roles::ALL);
    }
}
