//! The servers of Instagram's calls.

use scheduler_core::ports::NetworkError;
use url::Url;

use super::wire::Way;
use crate::endpoint::Endpoint;

/// The version of the interface that this adapter was written for.
///
/// Source: <https://developers.facebook.com/docs/graph-api/changelog>, v26.0 of 2026-07-29.
pub(super) const VERSION: &str = "v26.0";

/// A server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// Calls of accounts that are connected by Instagram's own login.
    InstagramGraph,
    /// Calls of accounts that are connected through a Facebook Page.
    FacebookGraph,
    /// The bytes of videos.
    Upload,
    /// The first token of Instagram's own login.
    InstagramTokens,
    /// The page of Instagram's own login.
    InstagramPages,
    /// The page of Facebook's login.
    FacebookPages,
}

impl Host {
    const fn address(self) -> &'static str {
        match self {
            Self::InstagramGraph => "https://graph.instagram.com",
            Self::FacebookGraph => "https://graph.facebook.com",
            Self::Upload => "https://rupload.facebook.com",
            Self::InstagramTokens => "https://api.instagram.com",
            Self::InstagramPages => "https://www.instagram.com",
            Self::FacebookPages => "https://www.facebook.com",
        }
    }
}

/// Where calls go.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    /// Takes the place of every server.
    base: Option<Endpoint>,
    version: String,
}

impl Hosts {
    pub(super) fn new(base: Option<Url>, version: Option<String>) -> Self {
        let version = version.unwrap_or_else(|| VERSION.to_owned());
        Self { base: base.map(Endpoint::new), version }
    }

    /// The version of the interface, as it stands in addresses.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// A server.
    ///
    /// # Errors
    /// None in practice: the addresses are constants.
    pub(super) fn host(&self, host: Host) -> Result<Endpoint, NetworkError> {
        if let Some(base) = &self.base {
            return Ok(base.clone());
        }
        let url = Url::parse(host.address()).map_err(|error| {
            let message = format!("The address of Instagram cannot be read: {error}.");
            NetworkError::permanent(message)
        })?;
        Ok(Endpoint::new(url))
    }

    /// The address of a call of an account, below the version.
    ///
    /// # Errors
    /// As [`Hosts::host`].
    pub(super) fn graph(&self, way: Way, segments: &[&str]) -> Result<Url, NetworkError> {
        self.graph_query(way, segments, &[])
    }

    /// The same with a query.
    ///
    /// # Errors
    /// As [`Hosts::host`].
    pub(super) fn graph_query(
        &self,
        way: Way,
        segments: &[&str],
        pairs: &[(&str, &str)],
    ) -> Result<Url, NetworkError> {
        let host = match way {
            Way::Direct => Host::InstagramGraph,
            Way::ViaPage => Host::FacebookGraph,
        };
        let segments = std::iter::once(self.version()).chain(segments.iter().copied());
        let host = self.host(host)?;
        Ok(if pairs.is_empty() { host.at(segments) } else { host.query(segments, pairs) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_goes_to_its_server_or_all_to_one() {
        let own = Hosts::new(None, None);
        let base = Url::parse("http://127.0.0.1:9/instagram").unwrap();
        let one = Hosts::new(Some(base), Some("v25.0".to_owned()));
        for (name, url, want) in [
            (
                "direct",
                own.graph(Way::Direct, &["1", "media"]),
                "https://graph.instagram.com/v26.0/1/media",
            ),
            (
                "through a page",
                own.graph(Way::ViaPage, &["1", "media"]),
                "https://graph.facebook.com/v26.0/1/media",
            ),
            (
                "of an operator",
                one.graph_query(Way::Direct, &["me"], &[("fields", "a,b")]),
                "http://127.0.0.1:9/instagram/v25.0/me?fields=a%2Cb",
            ),
            (
                "files",
                own.host(Host::Upload).map(|host| host.at(["ig-api-upload", VERSION, "1"])),
                "https://rupload.facebook.com/ig-api-upload/v26.0/1",
            ),
        ] {
            assert_eq!(url.unwrap().as_str(), want, "{name}");
        }
    }
}
