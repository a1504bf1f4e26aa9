//! Where YouTube's calls go.

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use crate::code_flow::Fields;
use crate::conversation::{Body, Method, Request};
use crate::endpoint::Endpoint;

/// The version of the interface that this adapter was written for.
///
/// Source: <https://developers.google.com/youtube/data/revision_history>.
const VERSION: &str = "v3";

/// YouTube's addresses.
#[derive(Clone, Debug)]
pub(super) struct Api {
    calls: Endpoint,
    reports: Endpoint,
    accounts: Endpoint,
    tokens: Endpoint,
    pages: Endpoint,
    version: String,
}

impl Api {
    /// YouTube itself, or whatever answers for all of it at `base`.
    pub(super) fn new(base: Option<Url>, version: Option<String>) -> Self {
        let at = |own: &str| Endpoint::new(base.clone().unwrap_or_else(|| known(own)));
        Self {
            calls: at("https://www.googleapis.com"),
            reports: at("https://youtubeanalytics.googleapis.com"),
            accounts: at("https://accounts.google.com"),
            tokens: at("https://oauth2.googleapis.com"),
            pages: at("https://www.youtube.com"),
            version: version.unwrap_or_else(|| VERSION.to_owned()),
        }
    }

    /// The address of a call such as `videos`.
    pub(super) fn call(&self, path: &str, pairs: &[(&str, &str)]) -> Url {
        let segments = ["youtube", &self.version].into_iter().chain(path.split('/'));
        self.calls.query(segments, pairs)
    }

    /// The address of a call that takes a file.
    pub(super) fn upload(&self, path: &str, pairs: &[(&str, &str)]) -> Url {
        let segments = ["upload", "youtube", &self.version].into_iter().chain(path.split('/'));
        self.calls.query(segments, pairs)
    }

    /// The address of a report of YouTube Analytics.
    pub(super) fn report(&self, pairs: &[(&str, &str)]) -> Url {
        self.reports.query(["v2", "reports"], pairs)
    }

    /// The page on which a person lets us in.
    pub(super) fn authorization(&self, pairs: &[(&str, &str)]) -> Url {
        self.accounts.query(["o", "oauth2", "v2", "auth"], pairs)
    }

    /// The call about tokens.
    pub(super) fn token_call(&self, fields: Fields) -> Request {
        Request::act(self.tokens.at(["token"]), Body::Form(fields))
    }

    /// The page of a video.
    pub(super) fn watch(&self, id: &str) -> String {
        self.pages.query(["watch"], &[("v", id)]).into()
    }

    /// True for an address of the network's own calls, which may be told the token.
    pub(super) fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.calls.at([]).origin()
    }

    /// A call that reads.
    pub(super) fn read(&self, token: &SecretString, path: &str, pairs: &[(&str, &str)]) -> Request {
        Request::read(self.call(path, pairs)).bearer(token.expose_secret())
    }

    /// A call that does something, with a body of JSON.
    pub(super) fn act(
        &self,
        token: &SecretString,
        path: &str,
        pairs: &[(&str, &str)],
        body: Value,
    ) -> Request {
        let request = Request::act(self.call(path, pairs), Body::Json(body));
        request.bearer(token.expose_secret())
    }

    /// A call that does something, by another method and without a body where there is none.
    pub(super) fn by(
        &self,
        token: &SecretString,
        method: Method,
        path: &str,
        pairs: &[(&str, &str)],
        body: Option<Value>,
    ) -> Request {
        let body = body.map_or(Body::Empty, Body::Json);
        let request = Request::act(self.call(path, pairs), body).method(method);
        request.bearer(token.expose_secret())
    }
}

#[expect(clippy::expect_used, reason = "an address of this file, which a test reads")]
fn known(address: &str) -> Url {
    Url::parse(address).expect("is an address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_has_its_calls() {
        let api = Api::new(None, None);
        let shown = [
            api.call("comments/setModerationStatus", &[("id", "a.b")]).to_string(),
            api.upload("thumbnails/set", &[]).to_string(),
            api.report(&[("ids", "channel==MINE")]).to_string(),
            api.authorization(&[("a", "b")]).to_string(),
            api.token_call(Vec::new()).url.to_string(),
            api.watch("aBc-_1"),
        ];
        assert_eq!(
            shown,
            [
                "https://www.googleapis.com/youtube/v3/comments/setModerationStatus?id=a.b",
                "https://www.googleapis.com/upload/youtube/v3/thumbnails/set?",
                "https://youtubeanalytics.googleapis.com/v2/reports?ids=channel%3D%3DMINE",
                "https://accounts.google.com/o/oauth2/v2/auth?a=b",
                "https://oauth2.googleapis.com/token",
                "https://www.youtube.com/watch?v=aBc-_1",
            ]
        );
    }

    #[test]
    fn one_address_stands_for_all_of_the_network() {
        let base = Url::parse("http://127.0.0.1:9/youtube/").unwrap();
        let api = Api::new(Some(base), None);
        for (url, want) in [
            (api.call("videos", &[("id", "1")]).to_string(), "youtube/v3/videos?id=1"),
            (api.upload("videos", &[("a", "b")]).to_string(), "upload/youtube/v3/videos?a=b"),
            (api.report(&[("a", "b")]).to_string(), "v2/reports?a=b"),
            (api.authorization(&[("a", "b")]).to_string(), "o/oauth2/v2/auth?a=b"),
            (api.token_call(Vec::new()).url.to_string(), "token"),
            (api.watch("1"), "watch?v=1"),
        ] {
            assert_eq!(url, format!("http://127.0.0.1:9/youtube/{want}"));
        }
        let session = |address: &str| Url::parse(address).unwrap();
        assert!(api.is_own(&session("http://127.0.0.1:9/youtube/upload/x?upload_id=1")));
        assert!(!api.is_own(&session("http://127.0.0.1:10/youtube/upload/x?upload_id=1")));
        let google = Api::new(None, None);
        assert!(google.is_own(&session("https://www.googleapis.com/upload/youtube/v3/videos")));
        assert!(!google.is_own(&session("https://evil.example/upload/youtube/v3/videos")));
    }
}
