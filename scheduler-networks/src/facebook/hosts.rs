//! The servers of Facebook's calls.

use scheduler_core::ports::NetworkError;
use url::Url;

use crate::endpoint::Endpoint;

/// The version of the interface that this adapter was written for.
///
/// Source: <https://developers.facebook.com/docs/graph-api/changelog>, v26.0 of 2026-07-29.
pub(super) const VERSION: &str = "v26.0";

/// A server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// Almost all calls.
    Graph,
    /// The bytes of videos of the feed.
    GraphVideo,
    /// The bytes of reels.
    Upload,
    /// The page of the login.
    Pages,
}

impl Host {
    const fn address(self) -> &'static str {
        match self {
            Self::Graph => "https://graph.facebook.com",
            Self::GraphVideo => "https://graph-video.facebook.com",
            Self::Upload => "https://rupload.facebook.com",
            Self::Pages => "https://www.facebook.com",
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
            let message = format!("The address of Facebook cannot be read: {error}.");
            NetworkError::permanent(message)
        })?;
        Ok(Endpoint::new(url))
    }

    /// The address of a call below the version, with a query where there is one.
    ///
    /// # Errors
    /// As [`Hosts::host`].
    pub(super) fn call(
        &self,
        host: Host,
        segments: &[&str],
        pairs: &[(&str, &str)],
    ) -> Result<Url, NetworkError> {
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
        let base = Url::parse("http://127.0.0.1:9/facebook").unwrap();
        let one = Hosts::new(Some(base), Some("v25.0".to_owned()));
        for (name, url, want) in [
            (
                "a post",
                own.call(Host::Graph, &["1", "feed"], &[]),
                "https://graph.facebook.com/v26.0/1/feed",
            ),
            (
                "a video",
                own.call(Host::GraphVideo, &["1", "videos"], &[]),
                "https://graph-video.facebook.com/v26.0/1/videos",
            ),
            (
                "of an operator",
                one.call(Host::GraphVideo, &["me"], &[("fields", "a,b")]),
                "http://127.0.0.1:9/facebook/v25.0/me?fields=a%2Cb",
            ),
            (
                "a reel",
                own.host(Host::Upload).map(|host| host.at(["video-upload", VERSION, "1"])),
                "https://rupload.facebook.com/video-upload/v26.0/1",
            ),
        ] {
            assert_eq!(url.unwrap().as_str(), want, "{name}");
        }
    }
}
