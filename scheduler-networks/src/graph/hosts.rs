//! The servers of the Graph API's calls.

use scheduler_core::ports::NetworkError;
use url::Url;

use crate::endpoint::Endpoint;

/// A server of a network.
pub(crate) trait Host {
    /// Where it is.
    fn address(self) -> &'static str;
}

/// Where calls go.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    /// Takes the place of every server.
    base: Option<Endpoint>,
    version: String,
}

impl Hosts {
    /// The servers of an operator's choices; `usual` is the version of the interface where none is
    /// chosen.
    pub(crate) fn new(base: Option<Url>, version: Option<String>, usual: &str) -> Self {
        let version = version.unwrap_or_else(|| usual.to_owned());
        Self { base: base.map(Endpoint::new), version }
    }

    /// The version of the interface, as it stands in addresses.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// A server.
    ///
    /// # Errors
    /// None in practice: the addresses are constants.
    pub(crate) fn host(&self, host: impl Host) -> Result<Endpoint, NetworkError> {
        if let Some(base) = &self.base {
            return Ok(base.clone());
        }
        let url = Url::parse(host.address()).map_err(|error| {
            let message = format!("The address of the network cannot be read: {error}.");
            NetworkError::permanent(message)
        })?;
        Ok(Endpoint::new(url))
    }

    /// The address of a call below the version, with a query where there is one.
    ///
    /// # Errors
    /// As [`Hosts::host`].
    pub(crate) fn call(
        &self,
        host: impl Host,
        segments: &[&str],
        pairs: &[(&str, &str)],
    ) -> Result<Url, NetworkError> {
        let segments = std::iter::once(self.version()).chain(segments.iter().copied());
        let host = self.host(host)?;
        Ok(if pairs.is_empty() { host.at(segments) } else { host.query(segments, pairs) })
    }
}
