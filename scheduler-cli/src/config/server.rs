//! What a server does and how much at once.

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::str::FromStr;

use clap::Args;
use secrecy::SecretString;
use url::Url;

use super::{ConfigError, Sources};

/// Where a server listens unless told otherwise.
pub(crate) const DEFAULT_LISTEN: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// The options of a server.
#[derive(Args, Clone, Debug, Default)]
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

impl ServerOptions {
    /// The options that are given, by their keys.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, String)> {
        let listen = self.listen.map(|address| ("listen", address.to_string()));
        let role = self.role.map(|roles| ("role", roles.to_string()));
        let public_url = self.public_url.as_ref().map(|url| ("public_url", url.to_string()));
        [listen, role, public_url].into_iter().flatten()
    }
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

impl fmt::Display for Roles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [(self.api, "api"), (self.worker, "worker")];
        let names: Vec<&str> =
            names.into_iter().filter_map(|(is_one, name)| is_one.then_some(name)).collect();
        formatter.write_str(&names.join(","))
    }
}

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
    /// Connections of callers at most.
    pub(crate) connections_max: Option<NonZeroU32>,
    /// Those of one address at most.
    pub(crate) connections_per_address: Option<NonZeroU32>,
    /// Publishes in flight at most.
    pub(crate) publishes_in_flight: Option<NonZeroU32>,
    /// Publishes to one network in flight at most.
    pub(crate) publishes_in_flight_per_network: Option<NonZeroU32>,
    /// Deliveries of events in flight at most.
    pub(crate) deliveries_in_flight: Option<NonZeroU32>,
    /// Files that are fetched at the same time at most.
    pub(crate) fetches_in_flight: Option<NonZeroU32>,
    /// Files that are examined at the same time at most.
    pub(crate) examinations_in_flight: Option<NonZeroU32>,
    /// Files that are given up or erased at the same time at most.
    pub(crate) erasures_in_flight: Option<NonZeroU32>,
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
        let count = |key| sources.value(None, key, "must be a whole number from 1 on");
        Ok(Self {
            listen: sources.value(options.listen, "listen", address)?.unwrap_or(DEFAULT_LISTEN),
            roles: sources.parsed(options.role, "role", str::parse)?.unwrap_or(Roles::ALL),
            public_url: public_url(options.public_url, sources)?,
            rate_limit_per_minute: count("rate_limit_per_minute")?,
            rate_limit_burst: count("rate_limit_burst")?,
            uploads_per_minute: count("uploads_per_minute")?,
            connections_max: count("connections_max")?,
            connections_per_address: count("connections_per_address")?,
            publishes_in_flight: count("publishes_in_flight")?,
            publishes_in_flight_per_network: count("publishes_in_flight_per_network")?,
            deliveries_in_flight: count("deliveries_in_flight")?,
            fetches_in_flight: count("fetches_in_flight")?,
            examinations_in_flight: count("examinations_in_flight")?,
            erasures_in_flight: count("erasures_in_flight")?,
            readings_in_flight: count("readings_in_flight")?,
            metrics_listen: sources.value(None, "metrics_listen", address)?,
            metrics_token: sources.text("metrics_token").map(SecretString::from),
        })
    }
}

fn public_url(option: Option<Url>, sources: &Sources) -> Result<Option<Url>, ConfigError> {
    let wrong = "must be an address such as https://scheduler.example.com";
    match option {
        Some(url) if is_web(&url) => Ok(Some(url)),
        Some(_) => {
            Err(ConfigError::Value { place: "--public-url".to_owned(), reason: wrong.to_owned() })
        }
        None => {
            sources.parsed(None, "public_url", |text| text.parse().ok().filter(is_web).ok_or(wrong))
        }
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
            if let Ok(roles) = text.parse::<Roles>() {
                assert_eq!(roles.to_string().parse::<Roles>().ok(), Some(roles), "{text:?}");
            }
        }
    }

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
        assert_eq!(settings.rate_limit_burst, NonZeroU32::new(5));
        let options = ServerOptions { listen: None, role: Some(Roles::ALL), public_url: None };
        assert_eq!(ServerSettings::load(options, &sources).unwrap().roles, Roles::ALL);
    }
}
