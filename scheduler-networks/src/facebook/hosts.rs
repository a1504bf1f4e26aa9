//! The servers of Facebook's calls.

use crate::graph;
pub(super) use crate::graph::Hosts;

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

impl graph::Host for Host {
    fn address(self) -> &'static str {
        match self {
            Self::Graph => "https://graph.facebook.com",
            Self::GraphVideo => "https://graph-video.facebook.com",
            Self::Upload => "https://rupload.facebook.com",
            Self::Pages => "https://www.facebook.com",
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
        let base = Url::parse("http://127.0.0.1:9/facebook").unwrap();
        let one = Hosts::new(Some(base), Some("v25.0".to_owned()), VERSION);
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
