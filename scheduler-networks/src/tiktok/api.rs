//! Where TikTok's calls go, and what each of them carries.

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use crate::code_flow::Fields;
use crate::conversation::{Body, Request};
use crate::endpoint::Endpoint;

/// Where calls go, and where its pages are.
///
/// Source: <https://developers.tiktok.com/docs/en/oauth-user-access-token-management>.
const CALLS: &str = "https://open.tiktokapis.com";
const SITE: &str = "https://www.tiktok.com";

/// The version of the interface that this adapter was written for, the only current one.
const VERSION: &str = "v2";

/// TikTok's addresses, and the version that is spoken with them.
#[derive(Clone, Debug)]
pub(super) struct Api {
    calls: Endpoint,
    site: Endpoint,
    version: String,
}

impl Api {
    /// TikTok itself, or whatever answers for all of it at `base`.
    pub(super) fn new(base: Option<Url>, version: Option<String>) -> Self {
        let at = |own: &str| Endpoint::new(base.clone().unwrap_or_else(|| known(own)));
        let version = version.unwrap_or_else(|| VERSION.to_owned());
        Self { calls: at(CALLS), site: at(SITE), version }
    }

    /// A call that reads, with the fields that are asked for.
    pub(super) fn read(&self, token: &SecretString, path: &[&str], fields: &str) -> Request {
        Request::read(self.at(path, Some(fields))).bearer(token.expose_secret())
    }

    /// A call with a body, and the fields that are asked for where it gives any.
    pub(super) fn call(
        &self,
        token: &SecretString,
        path: &[&str],
        fields: Option<&str>,
        body: Body,
    ) -> Request {
        // Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-direct-post>.
        Request::act(self.at(path, fields), body)
            .bearer(token.expose_secret())
            .header("content-type", "application/json; charset=UTF-8".to_owned())
    }

    /// The same with a body of JSON.
    pub(super) fn act(&self, token: &SecretString, path: &[&str], body: Value) -> Request {
        self.call(token, path, None, Body::Json(body))
    }

    /// A call about tokens.
    pub(super) fn token_call(&self, fields: Fields) -> Request {
        Request::act(self.at(&["oauth", "token"], None), Body::Form(fields))
    }

    /// The page on which a person lets us in.
    pub(super) fn authorize_page(&self, pairs: &[(&str, &str)]) -> Url {
        self.site.query(["v2", "auth", "authorize", ""], pairs)
    }

    /// The page of a post.
    ///
    /// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-video-object>, `share_url`.
    pub(super) fn page(&self, username: &str, is_video: bool, id: &str) -> String {
        let kind = if is_video { "video" } else { "photo" };
        self.site.at([format!("@{username}").as_str(), kind, id]).into()
    }

    /// The address of a call: each ends with a slash.
    fn at(&self, path: &[&str], fields: Option<&str>) -> Url {
        let version = [self.version.as_str()];
        let mut url = self.calls.at(version.into_iter().chain(path.iter().copied()).chain([""]));
        url.set_query(fields.map(|fields| format!("fields={fields}")).as_deref());
        url
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
    fn one_address_stands_for_all_of_the_network() {
        let token = SecretString::from("t");
        let own = Api::new(None, None);
        let base = Url::parse("http://127.0.0.1:9/tiktok/").unwrap();
        let here = Api::new(Some(base), Some("v3".to_owned()));
        for (api, calls, site) in [
            (own, "https://open.tiktokapis.com/v2", "https://www.tiktok.com"),
            (here, "http://127.0.0.1:9/tiktok/v3", "http://127.0.0.1:9/tiktok"),
        ] {
            let read = api.read(&token, &["user", "info"], "open_id,username");
            assert_eq!(read.url.as_str(), format!("{calls}/user/info/?fields=open_id,username"));
            let call = api.token_call(Vec::new());
            assert_eq!(call.url.as_str(), format!("{calls}/oauth/token/"));
            assert_eq!(api.page("ana.b", true, "75"), format!("{site}/@ana.b/video/75"));
            assert_eq!(api.page("ana.b", false, "75"), format!("{site}/@ana.b/photo/75"));
            let page = api.authorize_page(&[("state", "a b")]);
            assert_eq!(page.as_str(), format!("{site}/v2/auth/authorize/?state=a+b"));
        }
    }
}
