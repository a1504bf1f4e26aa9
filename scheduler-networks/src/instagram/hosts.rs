//! The servers of Instagram's calls.

use super::wire::Way;
use crate::graph;
pub(super) use crate::graph::Hosts;

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

impl graph::Host for Host {
    fn address(self) -> &'static str {
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

impl Way {
    /// The server of the calls of an account.
    pub(super) const fn host(self) -> Host {
        match self {
            Self::Direct => Host::InstagramGraph,
            Self::ViaPage => Host::FacebookGraph,
        }
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    #[test]
    fn every_call_goes_to_its_server_or_all_to_one() {
        let own = Hosts::new(None, None, VERSION);
        let base = Url::parse("http://127.0.0.1:9/instagram").unwrap();
        let one = Hosts::new(Some(base), Some("v25.0".to_owned()), VERSION);
        for (name, url, want) in [
            (
                "direct",
                own.call(Way::Direct.host(), &["1", "media"], &[]),
                "https://graph.instagram.com/v26.0/1/media",
            ),
            (
                "through a page",
                own.call(Way::ViaPage.host(), &["1", "media"], &[]),
                "https://graph.facebook.com/v26.0/1/media",
            ),
            (
                "of an operator",
                one.call(Way::Direct.host(), &["me"], &[("fields", "a,b")]),
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
