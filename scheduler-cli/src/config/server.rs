//! What a server does and how much at once.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::str::FromStr;

use clap::Args;
use secrecy::SecretString;
use url::Url;

use super::{ConfigError, Sources};

/// Where a server listens unless told otherwise.
const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// The options of a server.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServerOptions {
    /// The address to listen on; port 0 takes a free one [env: SCHEDULER_LISTEN] [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<SocketAddr>,
    /// What this process does: api, worker, or api,worker [env: SCHEDULER_ROLE] [default: api,worker]
    #[arg(long, value_name = "ROLES")]
    pub(crate) role: Option<Roles>,
    /// How callers, networks and browsers reach this server: signed links to files begin with it
    /// [env: SCHEDULER_PUBLIC_URL] [default: http:// and the address that it listens on]
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<Url>,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Roles {
    /// It answers requests.
    pub(crate) api: bool,
    /// It does what is due.
    pub(crate) worker: bool,
}

impl Roles {
    /// Everything.
    pub(crate) const ALL: Self = Self { api: true, worker: true };
}

/// The text names no roles.
#[derive(Debug, thiserror::Error)]
#[error("must be api, worker, or api,worker")]
pub(crate) struct UnknownRole;

impl FromStr for Roles {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut roles = Self { api: false, worker: false };
        for role in text.split(',') {
            match role.trim() {
                "api" => roles.api = true,
                "worker" => roles.worker = true,
                _ => return Err(UnknownRole),
            }
        }
        Ok(roles)
    }
}

/// What a server does and how much at once. What is `None` is as the server has it by default.
#[derive(Clone, Debug)]
pub(crate) struct ServerSettings {
    /// Where it listens.
    pub(crate) listen: SocketAddr,
    /// What it does.
    pub(crate) roles: Roles,
    /// How it is reached from outside.
    pub(crate) public_url: Option<Url>,
    /// Requests that a key may make in a minute.
    pub(crate) rate_limit_per_minute: Option<NonZeroU32>,
    /// Requests that a key may make at once.
    pub(crate) rate_limit_burst: Option<NonZeroU32>,
    /// Uploads that a workspace may begin within any minute.
    pub(crate) uploads_per_minute: Option<NonZeroU32>,
    /// Publishes in flight at most.
    pub(crate) publishes_in_flight: Option<NonZeroU32>,
    /// Publishes to one network in flight at most.
    pub(crate) publishes_in_flight_per_network: Option<NonZeroU32>,
    /// Deliveries of events in flight at most.
    pub(crate) deliveries_in_flight: Option<NonZeroU32>,
    /// Files that are worked on at the same time at most.
    pub(crate) media_in_flight: Option<NonZeroU32>,
    /// Accounts of which readings are taken at the same time at most.
    pub(crate) readings_in_flight: Option<NonZeroU32>,
    /// Where metrics are served, when not beside the API.
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// What whoever reads the metrics has to show.
    pub(crate) metrics_token: Option<SecretString>,
}

impl ServerSettings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ConfigError::Value`], naming the setting.
    pub(crate) fn load(options: ServerOptions, sources: &Sources) -> Result<Self, ConfigError> {
        let address = "must be an address and a port, such as 127.0.0.1:8080";
        let url = "must be an address such as https://scheduler.example.com";
        let count = |key| sources.value(None, key, "must be a whole number from 1 on");
        Ok(Self {
            listen: sources.value(options.listen, "listen", address)?.unwrap_or(DEFAULT_LISTEN),
            roles: sources.parsed(options.role, "role", str::parse)?.unwrap_or(Roles::ALL),
            public_url: sources
                .parsed(options.public_url, "public_url", |text| text.parse().map_err(|_| url))?
                .map(|found: Url| {
                    let wrong =
                        ConfigError::Value { place: "--public-url".into(), reason: url.into() };
                    if is_web(&found) { Ok(found) } else { Err(wrong) }
                })
                .transpose()?,
            rate_limit_per_minute: count("rate_limit_per_minute")?,
            rate_limit_burst: count("rate_limit_burst")?,
            uploads_per_minute: count("uploads_per_minute")?,
            publishes_in_flight: count("publishes_in_flight")?,
            publishes_in_flight_per_network: count("publishes_in_flight_per_network")?,
            deliveries_in_flight: count("deliveries_in_flight")?,
            media_in_flight: count("media_in_flight")?,
            readings_in_flight: count("readings_in_flight")?,
            metrics_listen: sources.value(None, "metrics_listen", address)?,
            metrics_token: sources.text("metrics_token").map(SecretString::from),
        })
    }
}

/// True for an address that links can begin with.
fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn roles() {
        for (text, want) in [
            ("api", Some((true, false))),
            ("worker", Some((false, true))),
            ("api,worker", Some((true, true))),
            ("worker, api", Some((true, true))),
            ("", None),
            ("both", None),
            ("api,", None),
        ] {
            let roles = text.parse::<Roles>().ok().map(|roles| (roles.api, roles.worker));
            assert_eq!(roles, want, "{text:?}");
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
        assert_eq!(settings.rate_limit_burst, NonZeroU32::new(5));
        let options = ServerOptions { listen: None, role: Some(Roles::ALL), public_url: None };
        assert_eq!(ServerSettings::load(options, &sources).unwrap().roles, Roles::ALL);
    }
}
