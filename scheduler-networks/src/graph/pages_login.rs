//! Facebook's login for Pages: a token of the person, what the person has allowed, and the Pages.
//!
//! Source: <https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow/> and
//! <https://developers.facebook.com/docs/pages-api/getting-started/>.

use hmac::{Hmac, KeyInit, Mac};
use scheduler_core::ports::NetworkError;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;
use url::Url;

use super::{Page, id};
use crate::conversation::{Answer, Request, Turn, TurnResult, or_send};
use crate::settings::Client;

/// Pages that are asked for at once.
const PAGE: &str = "100";

/// Pages of one list that are read, and businesses whose Pages are.
const LIST_MAX: usize = 10;
const BUSINESSES_MAX: usize = 10;

/// The address of a call, by its path and its query.
pub(crate) type Address<'a> = dyn Fn(&[&str], &[(&str, &str)]) -> Result<Url, NetworkError> + 'a;

/// The login as far as it has come.
pub(crate) struct PagesLogin<'a> {
    pub(crate) answers: std::slice::Iter<'a, Answer>,
    pub(crate) address: &'a Address<'a>,
    /// The application whose token it is, where calls are to prove that.
    pub(crate) proven: Option<&'a Client>,
    /// What is asked of each Page.
    pub(crate) fields: &'static str,
    /// What a refusal means.
    pub(crate) not_connected: fn(&Answer) -> NetworkError,
    /// The failure of a success that cannot be read.
    pub(crate) unreadable: fn() -> NetworkError,
}

#[derive(Deserialize)]
struct Token {
    access_token: SecretString,
}

#[derive(Deserialize)]
struct Permission {
    permission: String,
    status: String,
}

#[derive(Deserialize)]
struct Business {
    #[serde(deserialize_with = "id")]
    id: String,
}

impl PagesLogin<'_> {
    /// A call in the name of the person.
    pub(crate) fn asks<T>(
        &self,
        segments: &[&str],
        pairs: &[(&str, &str)],
        user_token: &SecretString,
    ) -> TurnResult<T> {
        let mut url = (self.address)(segments, pairs)?;
        if let Some(proof) = self.proven.and_then(|client| proof(client, user_token)) {
            prove(&mut url, &proof);
        }
        Ok(Turn::Send(Request::read(url).bearer(user_token.expose_secret())))
    }

    /// Exchanges a code for a token of an hour, and that for one of 60 days: the tokens of Pages
    /// that a long-lived one gives have no end.
    pub(crate) fn user_token(
        &mut self,
        client: &Client,
        code: &str,
        redirect_uri: &str,
    ) -> TurnResult<SecretString> {
        let secret = client.secret.expose_secret();
        let short = or_send!(self.token(&[
            ("client_id", client.id.as_str()),
            ("client_secret", secret),
            ("redirect_uri", redirect_uri),
            ("code", code),
        ])?);
        self.token(&[
            ("grant_type", "fb_exchange_token"),
            ("client_id", client.id.as_str()),
            ("client_secret", secret),
            ("fb_exchange_token", short.expose_secret()),
        ])
    }

    fn token(&mut self, pairs: &[(&str, &str)]) -> TurnResult<SecretString> {
        let Some(answer) = self.answers.next() else {
            let url = (self.address)(&["oauth", "access_token"], pairs)?;
            return Ok(Turn::Send(Request::read(url)));
        };
        let Token { access_token } = self.taken(answer)?;
        Ok(Turn::Done(access_token))
    }

    /// What the person has allowed.
    pub(crate) fn granted(&mut self, user_token: &SecretString) -> TurnResult<Vec<String>> {
        let Some(answer) = self.answers.next() else {
            return self.asks(&["me", "permissions"], &[], user_token);
        };
        let permissions: Page<Permission> = self.taken(answer)?;
        let granted = permissions.data.into_iter().filter(|it| it.status == "granted");
        Ok(Turn::Done(granted.map(|it| it.permission).collect()))
    }

    /// Every Page of the person. Those that the person has not ticked are found through their
    /// businesses, where that was allowed.
    pub(crate) fn pages<P: DeserializeOwned>(
        &mut self,
        user_token: &SecretString,
        granted: &[String],
    ) -> TurnResult<Vec<P>> {
        let mut pages = or_send!(self.list(&["me", "accounts"], user_token, true)?);
        if !granted.iter().any(|scope| scope == "business_management") {
            return Ok(Turn::Done(pages));
        }
        let Some(answer) = self.answers.next() else {
            let pairs = [("fields", "id"), ("limit", PAGE)];
            return self.asks(&["me", "businesses"], &pairs, user_token);
        };
        let businesses: Option<Page<Business>> =
            answer.is_success().then(|| answer.json()).flatten();
        let businesses = businesses.into_iter().flat_map(|page| page.data);
        for business in businesses.take(BUSINESSES_MAX) {
            for list in ["owned_pages", "client_pages"] {
                pages.extend(or_send!(self.list(&[&business.id, list], user_token, false)?));
            }
        }
        Ok(Turn::Done(pages))
    }

    /// Reads a list of Pages to its end; one that is not needed may be refused.
    fn list<P: DeserializeOwned>(
        &mut self,
        segments: &[&str],
        user_token: &SecretString,
        is_needed: bool,
    ) -> TurnResult<Vec<P>> {
        let mut pages = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..LIST_MAX {
            let Some(answer) = self.answers.next() else {
                let mut pairs = vec![("fields", self.fields), ("limit", PAGE)];
                pairs.extend(after.as_deref().map(|after| ("after", after)));
                return self.asks(segments, &pairs, user_token);
            };
            if !answer.is_success() && !is_needed {
                return Ok(Turn::Done(pages));
            }
            let page: Page<P> = self.taken(answer)?;
            after = page.after();
            pages.extend(page.data);
            if after.is_none() {
                break;
            }
        }
        Ok(Turn::Done(pages))
    }

    fn taken<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, NetworkError> {
        answer.taken(|| (self.not_connected)(answer), self.unreadable)
    }
}

/// What proves that a token is used by its application, which may ask for that.
///
/// Source: <https://developers.facebook.com/docs/graph-api/guides/secure-requests/>,
/// `appsecret_proof`.
pub(crate) fn proof(client: &Client, token: &SecretString) -> Option<SecretString> {
    let secret = client.secret.expose_secret().as_bytes();
    // Keys of every length are taken.
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret).ok()?;
    mac.update(token.expose_secret().as_bytes());
    Some(SecretString::from(hex::encode(mac.finalize().into_bytes())))
}

/// Adds what proves that a token is used by its application.
pub(crate) fn prove(url: &mut Url, proof: &SecretString) {
    url.query_pairs_mut().append_pair("appsecret_proof", proof.expose_secret());
}

/// What an account cannot do since it was not allowed: a sentence for each.
pub(crate) fn lacks(known: &[(&str, &str)], granted: &[String]) -> Vec<String> {
    let is_missing = |name: &str| !granted.iter().any(|granted| granted == name);
    let missing = known.iter().filter(|(name, _)| is_missing(name));
    missing.map(|(_, sentence)| (*sentence).to_owned()).collect()
}
