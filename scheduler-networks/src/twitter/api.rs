//! Where X's calls go.

use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::code_flow::Fields;
use crate::conversation::{Body, Method, Request};
use crate::endpoint::Endpoint;

/// The version of the interface, a part of every path.
const VERSION: &str = "2";

/// X's addresses.
#[derive(Clone, Debug)]
pub(super) struct Api {
    calls: Endpoint,
    site: Endpoint,
}

impl Api {
    /// X itself, or whatever answers for all of it at `base`.
    pub(super) fn new(base: Option<Url>) -> Self {
        let at = |own: &str| Endpoint::new(base.clone().unwrap_or_else(|| known(own)));
        Self { calls: at("https://api.x.com"), site: at("https://x.com") }
    }

    /// The address of a call.
    pub(super) fn at(&self, segments: &[&str]) -> Url {
        self.calls.at(versioned(segments))
    }

    /// A call that reads.
    pub(super) fn read(
        &self,
        token: &SecretString,
        segments: &[&str],
        query: &[(&str, &str)],
    ) -> Request {
        let url = self.calls.query(versioned(segments), query);
        Request::read(url).bearer(token.expose_secret())
    }

    /// A call that does something.
    pub(super) fn act(&self, token: &SecretString, segments: &[&str], body: Body) -> Request {
        Request::act(self.at(segments), body).bearer(token.expose_secret())
    }

    /// A call that removes something.
    pub(super) fn remove(&self, token: &SecretString, segments: &[&str]) -> Request {
        self.act(token, segments, Body::Empty).method(Method::Delete)
    }

    /// The call about tokens.
    pub(super) fn token_call(&self, fields: Fields) -> Request {
        Request::act(self.at(&["oauth2", "token"]), Body::Form(fields))
    }

    /// The page on which a person lets an application in.
    ///
    /// Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.
    pub(super) fn authorization(&self, pairs: &[(&str, &str)]) -> Url {
        let mut url = self.site.query(["i", "oauth2", "authorize"], pairs);
        // Forms write a space as a plus sign, which not every page reads back.
        let query = url.query().map(|query| query.replace('+', "%20"));
        url.set_query(query.as_deref());
        url
    }

    /// The page of a post.
    pub(super) fn page(&self, username: Option<&str>, id: &str) -> String {
        match username {
            Some(username) => self.site.at([username, "status", id]).into(),
            None => self.site.at(["i", "web", "status", id]).into(),
        }
    }
}

fn versioned<'a>(segments: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    [VERSION].into_iter().chain(segments.iter().copied())
}

#[expect(clippy::expect_used, reason = "an address of this file, which a test reads")]
fn known(address: &str) -> Url {
    Url::parse(address).expect("is an address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_x() {
        let api = Api::new(None);
        assert_eq!(api.at(&["tweets"]).as_str(), "https://api.x.com/2/tweets");
        assert_eq!(
            api.authorization(&[("scope", "a b+c"), ("state", "x")]).as_str(),
            "https://x.com/i/oauth2/authorize?scope=a%20b%2Bc&state=x"
        );
        assert_eq!(api.page(Some("ana"), "1"), "https://x.com/ana/status/1");
        assert_eq!(api.page(None, "1"), "https://x.com/i/web/status/1");
    }

    #[test]
    fn one_address_stands_for_all_of_the_network() {
        let api = Api::new(Some(Url::parse("http://127.0.0.1:9/twitter/").unwrap()));
        assert_eq!(api.at(&["tweets"]).as_str(), "http://127.0.0.1:9/twitter/2/tweets");
        assert_eq!(
            api.authorization(&[("state", "x")]).as_str(),
            "http://127.0.0.1:9/twitter/i/oauth2/authorize?state=x"
        );
        assert_eq!(api.page(Some("ana"), "1"), "http://127.0.0.1:9/twitter/ana/status/1");
    }
}
