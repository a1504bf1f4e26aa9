//! Where Pinterest's calls go.

use scheduler_core::ports::NetworkError;
use secrecy::ExposeSecret;
use serde_json::Value;
use url::Url;

use crate::code_flow::Fields;
use crate::conversation::{Body, Method, Request};
use crate::endpoint::Endpoint;
use crate::oauth_tokens::Tokens;

/// Where calls go.
///
/// Source: <https://developers.pinterest.com/docs/>, "reference".
const CALLS: &str = "https://api.pinterest.com";

/// Where people go.
const PAGES: &str = "https://www.pinterest.com";

/// The version of the interface that this was written for.
///
/// Source: <https://github.com/pinterest/api-description>, `v5/openapi.json`.
const VERSION: &str = "v5";

/// Pinterest's addresses.
#[derive(Clone, Debug)]
pub(super) struct Api {
    calls: Endpoint,
    pages: Endpoint,
    version: String,
}

impl Api {
    /// Pinterest itself, or whatever answers for all of it at `base`.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Permanent`] when its address cannot be read.
    pub(super) fn new(base: Option<&Url>, version: Option<&str>) -> Result<Self, NetworkError> {
        let at = |own: &str| match base {
            Some(base) => Ok(Endpoint::new(base.clone())),
            None => Url::parse(own).map(Endpoint::new).map_err(|_| {
                let message = "The address of Pinterest is unknown.";
                NetworkError::permanent(message)
            }),
        };
        let version = version.unwrap_or(VERSION).to_owned();
        Ok(Self { calls: at(CALLS)?, pages: at(PAGES)?, version })
    }

    /// The address of a call.
    pub(super) fn at(&self, segments: &[&str]) -> Url {
        let version = [self.version.as_str()];
        self.calls.at(version.into_iter().chain(segments.iter().copied()))
    }

    /// A call that reads.
    pub(super) fn read(
        &self,
        tokens: &Tokens,
        segments: &[&str],
        pairs: &[(&str, &str)],
    ) -> Request {
        let mut url = self.at(segments);
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        Request::read(url).bearer(tokens.access_token.expose_secret())
    }

    /// A call that does something.
    pub(super) fn act(&self, tokens: &Tokens, segments: &[&str], body: Value) -> Request {
        self.send(tokens, segments, Body::Json(body))
    }

    /// The same with a body of any kind.
    pub(super) fn send(&self, tokens: &Tokens, segments: &[&str], body: Body) -> Request {
        Request::act(self.at(segments), body).bearer(tokens.access_token.expose_secret())
    }

    /// A call that removes something.
    pub(super) fn remove(&self, tokens: &Tokens, segments: &[&str]) -> Request {
        self.send(tokens, segments, Body::Empty).method(Method::Delete)
    }

    /// The call about tokens.
    pub(super) fn token_call(&self, fields: Fields) -> Request {
        Request::act(self.at(&["oauth", "token"]), Body::Form(fields))
    }

    /// The page on which a person lets us in.
    pub(super) fn authorization(&self, pairs: &[(&str, &str)]) -> Url {
        // The address of this page ends with a slash.
        self.pages.query(["oauth", ""], pairs)
    }

    /// The page of a Pin.
    pub(super) fn pin_page(&self, id: &str) -> String {
        self.pages.at(["pin", id, ""]).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_stands_for_all_of_the_network() {
        let api = Api::new(None, None).unwrap();
        assert_eq!(api.at(&["pins", "1"]).as_str(), "https://api.pinterest.com/v5/pins/1");
        assert_eq!(api.pin_page("813744"), "https://www.pinterest.com/pin/813744/");
        assert_eq!(
            api.authorization(&[("scope", "a,b")]).as_str(),
            "https://www.pinterest.com/oauth/?scope=a%2Cb"
        );
        let base = Url::parse("http://127.0.0.1:9/pinterest/").unwrap();
        let api = Api::new(Some(&base), Some("v6")).unwrap();
        assert_eq!(api.at(&["pins"]).as_str(), "http://127.0.0.1:9/pinterest/v6/pins");
        assert_eq!(api.pin_page("1"), "http://127.0.0.1:9/pinterest/pin/1/");
    }
}
