//! Where calls go, and what every call carries.

use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::code_flow::Fields;
use crate::conversation::{Body, Request};
use crate::endpoint::Endpoint;

/// Where calls go.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "URI Structure".
const SERVER: &str = "https://api.tumblr.com";

/// Where a person lets us in, and where blogs are read.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "OAuth2 Authorization".
const SITE: &str = "https://www.tumblr.com";

/// The version of the interface that this was written for.
const VERSION: &str = "v2";

/// What every call is introduced with: always the same, since Tumblr may suspend an application
/// whose calls vary in it.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Request User Agent".
const USER_AGENT: &str = "scheduler";

/// Side of the picture of a blog, in pixels; one of those that there are.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve a Blog Avatar".
const AVATAR: &str = "128";

/// Tumblr, or what stands in its place.
#[derive(Clone, Debug)]
pub(super) struct Api {
    server: Endpoint,
    site: Endpoint,
    version: String,
    /// True when an operator has chosen another address.
    is_other: bool,
}

impl Api {
    /// Tumblr, or what stands at `base` in place of all its addresses.
    pub(super) fn new(base: Option<Url>, version: Option<String>) -> Self {
        let is_other = base.is_some();
        let of = |usual: &str| {
            let base = base.clone();
            #[expect(clippy::expect_used, reason = "it is a constant, and every test reads it")]
            let base = base.unwrap_or_else(|| Url::parse(usual).expect("an address"));
            Endpoint::new(base)
        };
        let version = version.unwrap_or_else(|| VERSION.to_owned());
        Self { server: of(SERVER), site: of(SITE), version, is_other }
    }

    /// The address that an operator has chosen.
    pub(super) fn other_address(&self) -> Option<&str> {
        self.is_other.then(|| self.server.address())
    }

    /// The address of a call.
    pub(super) fn at(&self, segments: &[&str]) -> Url {
        let version = [self.version.as_str()];
        self.server.at(version.into_iter().chain(segments.iter().copied()))
    }

    /// The request that reads.
    pub(super) fn read(
        &self,
        token: &SecretString,
        segments: &[&str],
        pairs: &[(&str, &str)],
    ) -> Request {
        let mut url = self.at(segments);
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        introduced(Request::read(url)).bearer(token.expose_secret())
    }

    /// The request that does something.
    pub(super) fn act(&self, token: &SecretString, segments: &[&str], body: Body) -> Request {
        introduced(Request::act(self.at(segments), body)).bearer(token.expose_secret())
    }

    /// The request of the calls about tokens, which carry none.
    pub(super) fn token(&self, fields: Fields) -> Request {
        introduced(Request::act(self.at(&["oauth2", "token"]), Body::Form(fields)))
    }

    /// The page on which a person lets us in.
    pub(super) fn authorize(&self, pairs: &[(&str, &str)]) -> Url {
        self.site.query(["oauth2", "authorize"], pairs)
    }

    /// The page of a post.
    pub(super) fn page(&self, blog_name: &str, id: &str) -> String {
        self.site.at([blog_name, id]).into()
    }

    /// The picture of a blog; whoever asks is sent on to it.
    pub(super) fn avatar(&self, blog: &str) -> String {
        self.at(&["blog", blog, "avatar", AVATAR]).into()
    }
}

fn introduced(request: Request) -> Request {
    request.header("user-agent", USER_AGENT.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_stands_for_all_of_tumblrs() {
        for (base, version, call, page, authorize) in [
            (
                None,
                None,
                "https://api.tumblr.com/v2/blog/t:a%2Fb/avatar/128",
                "https://www.tumblr.com/ana/1",
                "https://www.tumblr.com/oauth2/authorize?a=b",
            ),
            (
                Some("http://127.0.0.1:9/tumblr/"),
                Some("v3"),
                "http://127.0.0.1:9/tumblr/v3/blog/t:a%2Fb/avatar/128",
                "http://127.0.0.1:9/tumblr/ana/1",
                "http://127.0.0.1:9/tumblr/oauth2/authorize?a=b",
            ),
        ] {
            let url = base.map(|base| Url::parse(base).unwrap());
            let api = Api::new(url, version.map(str::to_owned));
            assert_eq!(api.avatar("t:a/b"), call);
            assert_eq!(api.page("ana", "1"), page);
            assert_eq!(api.authorize(&[("a", "b")]).as_str(), authorize);
            assert_eq!(api.other_address().is_some(), base.is_some());
        }
    }
}
