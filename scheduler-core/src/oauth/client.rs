//! Clients, by the documents in which they say who they are.

use serde::Deserialize;
use url::Url;

use super::Redirect;
use crate::session::PersonName;

/// The longest id of a client, in bytes.
///
/// Source: our decision; addresses of documents are short.
const ID_MAX_BYTES: usize = 500;

/// Ways of proving who it is by a secret that the server would have to have.
///
/// Source: draft-ietf-oauth-client-id-metadata-document, section 4.1.
const SHARED_SECRETS: [&str; 3] =
    ["client_secret_basic", "client_secret_post", "client_secret_jwt"];

/// The id of a client: the https address of the document in which it says who it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClientId(Url);

/// Why a text is not the id of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the id of a client is the https address of its metadata document: with a path, without a user name, a fragment and dots that lead elsewhere, of {ID_MAX_BYTES} characters at most"
)]
pub struct ClientIdFault;

impl ClientId {
    /// Reads an id. It is compared as a text, so only one way to write an address is taken.
    ///
    /// Source: draft-ietf-oauth-client-id-metadata-document, section 3.
    ///
    /// ```
    /// use scheduler_core::oauth::ClientId;
    ///
    /// let id = ClientId::parse("https://claude.ai/oauth/mcp-oauth-client-metadata")?;
    /// assert_eq!(id.host(), "claude.ai");
    /// # Ok::<(), scheduler_core::oauth::ClientIdFault>(())
    /// ```
    ///
    /// # Errors
    /// [`ClientIdFault`]
    pub fn parse(text: &str) -> Result<Self, ClientIdFault> {
        let url = Url::parse(text).map_err(|_| ClientIdFault)?;
        let is_one = text.len() <= ID_MAX_BYTES
            && url.scheme() == "https"
            && url.host_str().is_some_and(|host| !host.is_empty())
            && !matches!(url.path(), "" | "/")
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            && url.as_str() == text;
        if is_one { Ok(Self(url)) } else { Err(ClientIdFault) }
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Where its document is.
    #[must_use]
    pub const fn address(&self) -> &Url {
        &self.0
    }

    /// The host, which is what can be relied on of who the client is; with its port where that is
    /// not the usual one.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }
}

/// What a document says, as far as it is needed.
#[derive(Deserialize)]
struct Document {
    client_id: String,
    #[serde(default)]
    client_name: Option<String>,
    redirect_uris: Vec<String>,
    #[serde(default)]
    token_endpoint_auth_method: Option<String>,
    #[serde(default)]
    client_secret: Option<serde::de::IgnoredAny>,
}

/// Why a document is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClientFault {
    /// It is no JSON object with `client_id` and `redirect_uris`.
    #[error("it is no JSON object with client_id and redirect_uris")]
    Unreadable,
    /// Its `client_id` is not its own address.
    #[error("its client_id is not its own address")]
    OfAnother,
    /// It holds a secret, or wants to prove itself by one.
    #[error("a secret that server and client share cannot be used with such a document")]
    SharedSecret,
    /// It names no address that people can be sent back to.
    #[error("it names no address that people can be sent back to")]
    NoRedirect,
}

/// A client, as its document describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: ClientId,
    /// What it calls itself, on one line; its host where it does not say. Anybody can call
    /// themselves anything.
    pub name: String,
    /// The addresses that people can be sent back to, as it writes them.
    redirects: Vec<String>,
}

impl Client {
    /// Reads the document that was found at an id.
    ///
    /// # Errors
    /// [`ClientFault`] by variant.
    pub fn read(id: &ClientId, document: &[u8]) -> Result<Self, ClientFault> {
        let document: Document =
            serde_json::from_slice(document).map_err(|_| ClientFault::Unreadable)?;
        if document.client_id != id.as_str() {
            return Err(ClientFault::OfAnother);
        }
        let method = document.token_endpoint_auth_method.as_deref();
        let is_shared = method.is_some_and(|method| SHARED_SECRETS.contains(&method));
        if is_shared || document.client_secret.is_some() {
            return Err(ClientFault::SharedSecret);
        }
        let redirects = document.redirect_uris.into_iter();
        let redirects: Vec<String> =
            redirects.filter(|address| Redirect::parse(address).is_some()).collect();
        if redirects.is_empty() {
            return Err(ClientFault::NoRedirect);
        }
        let name = document.client_name.as_deref().and_then(PersonName::nearest_to);
        let name = name.map_or_else(|| id.host(), String::from);
        Ok(Self { id: id.clone(), name, redirects })
    }

    /// The address that is asked for, where the client has named it.
    #[must_use]
    pub fn redirect(&self, asked: &str) -> Option<Redirect> {
        let asked = Redirect::parse(asked)?;
        self.redirects.iter().any(|registered| asked.is(registered)).then_some(asked)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ID: &str = "https://a.example/client.json";

    #[test]
    fn ids() {
        let long = format!("https://a.example/{}", "a".repeat(ID_MAX_BYTES));
        for (name, text, is_read) in [
            ("as it should be", ID, true),
            ("a query", "https://a.example/client?of=1", true),
            ("a port", "https://a.example:8443/client", true),
            ("an address by number", "https://192.0.2.1/client", true),
            ("plain http", "http://a.example/client.json", false),
            ("no path", "https://a.example", false),
            ("the root", "https://a.example/", false),
            ("a fragment", "https://a.example/client#a", false),
            ("a user", "https://user@a.example/client", false),
            ("dots", "https://a.example/a/../client.json", false),
            ("large letters", "https://A.example/client.json", false),
            ("the usual port", "https://a.example:443/client.json", false),
            ("a space", "https://a.example/client json", false),
            ("long", &long, false),
            ("a word", "claude", false),
            ("empty", "", false),
        ] {
            assert_eq!(ClientId::parse(text).is_ok(), is_read, "{name}");
        }
    }

    #[test]
    fn documents() {
        let good = json!({"client_id": ID, "redirect_uris": ["https://a.example/back"]});
        for (name, field, value, want) in [
            ("as it should be", "more", json!({"of": 1}), None),
            ("a public client", "token_endpoint_auth_method", json!("none"), None),
            ("keys of its own", "token_endpoint_auth_method", json!("private_key_jwt"), None),
            ("another id", "client_id", json!("https://b.example/"), Some(ClientFault::OfAnother)),
            ("a slash more", "client_id", json!(format!("{ID}/")), Some(ClientFault::OfAnother)),
            ("no id", "client_id", Value::Null, Some(ClientFault::Unreadable)),
            ("no addresses", "redirect_uris", Value::Null, Some(ClientFault::Unreadable)),
            ("none", "redirect_uris", json!([]), Some(ClientFault::NoRedirect)),
            (
                "only one by http",
                "redirect_uris",
                json!(["http://a.example/back"]),
                Some(ClientFault::NoRedirect),
            ),
            (
                "a secret",
                "token_endpoint_auth_method",
                json!("client_secret_post"),
                Some(ClientFault::SharedSecret),
            ),
            ("a secret in it", "client_secret", json!("s"), Some(ClientFault::SharedSecret)),
        ] {
            let mut document = good.clone();
            document[field] = value;
            let id = ClientId::parse(ID).unwrap();
            let read = Client::read(&id, document.to_string().as_bytes());
            assert_eq!(read.err(), want, "{name}");
        }
    }

    #[test]
    fn names_are_shown_on_one_line_and_prove_nothing() {
        let id = ClientId::parse(ID).unwrap();
        for (name, want) in [
            (json!("Claude"), "Claude"),
            (json!("Claude\n\u{202e}moc.live"), "Claude moc.live"),
            (json!(" "), "a.example"),
            (Value::Null, "a.example"),
        ] {
            let document = json!({
                "client_id": ID, "client_name": name, "redirect_uris": ["https://a.example/back"],
            });
            let client = Client::read(&id, document.to_string().as_bytes()).unwrap();
            assert_eq!(client.name, want);
        }
    }
}
