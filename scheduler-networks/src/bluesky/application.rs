//! This program as an application of OAuth: it registers nowhere. Its id is the address of a
//! document that describes it, which servers of accounts read.
//!
//! Source: <https://atproto.com/specs/oauth>, "Clients".

use scheduler_core::ports::NetworkError;
use scheduler_core::target::FailureCode;
use serde_json::{Value, json};
use url::{Host, Url};

use crate::proof::{ClientAssertion, ProofKey};

/// What a person allows: to write and delete posts, rules about answers and quotes, and likes; to
/// upload files; to read the posts and people that this program shows; and to let the service for
/// videos put a file there.
///
/// The sets of permissions that Bluesky publishes do not fit: the one for posts lets a program
/// create but not update, and `putRecord`, which makes a publish repeatable, wants both; the one
/// for reading opens preferences and notifications as well.
///
/// Source: <https://atproto.com/specs/permission>.
pub(super) const SCOPES: &str = "atproto \
     repo?collection=app.bsky.feed.like&collection=app.bsky.feed.post&collection=app.bsky.feed.postgate&collection=app.bsky.feed.threadgate \
     blob?accept=image/*&accept=video/*&accept=text/vtt \
     rpc?aud=*&lxm=app.bsky.actor.getProfile&lxm=app.bsky.actor.searchActorsTypeahead&lxm=app.bsky.feed.getPostThread&lxm=app.bsky.feed.getPosts&lxm=app.bsky.video.getUploadLimits&lxm=com.atproto.repo.uploadBlob";

/// The last step of the path of the document, below the network's own.
const DOCUMENT: &str = "client-metadata.json";

/// What the document calls this program.
const NAME: &str = "scheduler";

/// How this program is known to a server.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub(super) id: String,
    /// The key that it authenticates with; `None` for a server on the person's own computer, whose
    /// document nobody could read.
    key: Option<ProofKey>,
}

impl Application {
    /// The application whose browsers come back to an address. `keys` are this installation's, the
    /// present one first.
    ///
    /// # Errors
    /// [`FailureCode::Unsupported`] for an address to which servers send nobody back.
    pub(super) fn at(redirect_uri: &str, keys: &[ProofKey]) -> Result<Self, NetworkError> {
        let refused = || {
            let error = NetworkError::permanent(
                "Bluesky's page sends browsers back only to a public https address with a name, or to http://127.0.0.1. Connect the account with an app password.",
            );
            error.with_code(FailureCode::Unsupported)
        };
        let address = Url::parse(redirect_uri).map_err(|_| refused())?;
        match (address.scheme(), address.host()) {
            ("http", Some(Host::Ipv4(ip))) if ip.is_loopback() => Ok(Self::here(redirect_uri)),
            ("http", Some(Host::Ipv6(ip))) if ip.is_loopback() => Ok(Self::here(redirect_uri)),
            ("https", Some(Host::Domain(_))) => {
                let id = document_of(&address).ok_or_else(refused)?;
                // A server takes no application of this kind without a key.
                let key = keys.first().ok_or_else(refused)?;
                Ok(Self { id: id.into(), key: Some(key.clone()) })
            }
            _ => Err(refused()),
        }
    }

    /// The application that tokens were given to, by what was kept of it; its key is `None` where
    /// it is not one of this installation any more.
    pub(super) fn known(id: &str, key_id: Option<&str>, keys: &[ProofKey]) -> Self {
        let key = key_id.and_then(|id| keys.iter().find(|key| key.id() == id));
        Self { id: id.to_owned(), key: key.cloned() }
    }

    /// The application on the person's own computer, whose id says all there is.
    fn here(redirect_uri: &str) -> Self {
        let mut id = String::from("http://localhost?");
        let pairs = [("redirect_uri", redirect_uri), ("scope", SCOPES)];
        id += url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs)
            .finish()
            .as_str();
        Self { id, key: None }
    }

    /// The name of its key.
    pub(super) fn key_id(&self) -> Option<String> {
        self.key.as_ref().map(ProofKey::id)
    }

    /// How it authenticates to the server that calls itself `issuer`.
    pub(super) fn assertion(&self, issuer: &str) -> Option<ClientAssertion> {
        let key = self.key.clone()?;
        Some(ClientAssertion { key, client_id: self.id.clone(), audience: issuer.to_owned() })
    }
}

/// The document that describes this program to servers, for browsers that come back to an address;
/// `None` where no server reads one.
pub(super) fn document(redirect_uri: &str, keys: &[ProofKey]) -> Option<Value> {
    let address = Url::parse(redirect_uri).ok().filter(|address| address.scheme() == "https")?;
    let id = document_of(&address)?;
    let keys: Vec<Value> = keys.iter().map(described).collect();
    Some(json!({
        "client_id": id,
        "client_name": NAME,
        "client_uri": id.join("/").ok()?,
        "application_type": "web",
        "redirect_uris": [redirect_uri],
        "scope": SCOPES,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_signing_alg": "ES256",
        "dpop_bound_access_tokens": true,
        "jwks": { "keys": keys },
    }))
}

fn document_of(redirect_uri: &Url) -> Option<Url> {
    redirect_uri.join(DOCUMENT).ok()
}

fn described(key: &ProofKey) -> Value {
    let mut public = key.public();
    public["kid"] = key.id().into();
    public["use"] = "sig".into();
    public["alg"] = "ES256".into();
    public
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Vec<ProofKey> {
        vec![ProofKey::derived(b"new", "a").unwrap(), ProofKey::derived(b"old", "a").unwrap()]
    }

    #[test]
    fn an_application_is_known_by_where_its_browsers_come_back_to() {
        let id =
            |address: &str| Application::at(address, &keys()).map(|application| application.id);
        for (name, address, want) in [
            (
                "a public one",
                "https://s.example/connect/bluesky/callback",
                Some("https://s.example/connect/bluesky/client-metadata.json"),
            ),
            (
                "below a path",
                "https://s.example:8443/x/connect/bluesky/callback",
                Some("https://s.example:8443/x/connect/bluesky/client-metadata.json"),
            ),
            ("a number", "https://192.0.2.1/connect/bluesky/callback", None),
            ("no https", "http://s.example/connect/bluesky/callback", None),
            ("a name of this computer", "http://localhost:1/connect/bluesky/callback", None),
            ("nothing", "callback", None),
        ] {
            let found = id(address);
            assert_eq!(found.as_deref().ok(), want, "{name}");
            if let Err(error) = found {
                assert_eq!(error.code, FailureCode::Unsupported, "{name}");
            }
        }
        let here = Application::at("http://127.0.0.1:1/c/callback", &[]).unwrap();
        assert!(here.id.starts_with("http://localhost?redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fc%2Fcallback&scope=atproto+repo%3F"), "{}", here.id);
        assert!(here.key_id().is_none() && here.assertion("a").is_none());
        assert!(Application::at("https://s.example/c/callback", &[]).is_err(), "without a key");
    }

    #[test]
    fn tokens_go_on_with_the_key_that_they_were_given_to() {
        let keys = keys();
        let old = keys[1].id();
        let known = |id| Application::known("a", id, &keys).key_id();
        assert_eq!(known(Some(old.as_str())), Some(old.clone()));
        assert_eq!(known(Some("another")), None);
        assert_eq!(known(None), None);
    }

    #[test]
    fn servers_read_who_this_is() {
        let mut document = document("https://s.example/connect/bluesky/callback", &keys()).unwrap();
        let published = document["jwks"]["keys"].take();
        assert_eq!(published.as_array().unwrap().len(), 2);
        assert_eq!(published[0]["kid"], keys()[0].id());
        assert!(published[0].get("d").is_none(), "the private half");
        insta::assert_json_snapshot!(document);
        for address in ["http://127.0.0.1:1/connect/bluesky/callback", "nothing"] {
            assert_eq!(super::document(address, &keys()), None, "{address}");
        }
    }
}
