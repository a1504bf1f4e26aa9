//! What the server says of itself to clients.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use url::Url;

use super::{GRANTABLE, KnownClients};
use crate::key::{Preset, Scope, Scopes};
use crate::platform::is_loopback;
use crate::ports::ClientDocuments;

/// Where clients find what the tools at `/mcp` want of them.
///
/// Source: RFC 9728, section 3.1.
pub const RESOURCE_METADATA_PATH: &str = "/.well-known/oauth-protected-resource/mcp";

/// Where they find the server that asks people. Its issuer is the address of the tools, so that the
/// metadata stands under that path alone: a client that finds some at the root takes the whole
/// server to want OAuth, also of those who have a key.
///
/// Source: RFC 8414, section 3.1.
pub const SERVER_METADATA_PATH: &str = "/.well-known/oauth-authorization-server/mcp";

/// Lets clients in by OAuth.
#[derive(Clone)]
pub struct OAuth {
    /// The address of the server without a slash at its end.
    server: Arc<str>,
    /// The address of the tools, which is the issuer as well.
    resource: Arc<str>,
    /// Reads the documents of clients.
    pub(crate) documents: Arc<dyn ClientDocuments>,
    /// Those that were read.
    pub(crate) known: Arc<KnownClients>,
}

impl fmt::Debug for OAuth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OAuth").field("resource", &self.resource).finish_non_exhaustive()
    }
}

impl OAuth {
    /// Lets clients in to a server that is reached at this address; `None` where what is sent to it
    /// could be read on its way: it is neither https nor of this machine. Nor where it has a path,
    /// outside of which the metadata would have to be.
    #[must_use]
    pub fn at(server: &Url, documents: Arc<dyn ClientDocuments>) -> Option<Self> {
        let is_private =
            server.scheme() == "https" || (server.scheme() == "http" && is_loopback(server));
        if !is_private || server.path() != "/" {
            return None;
        }
        let server = server.origin().ascii_serialization();
        let resource = format!("{server}/mcp").into();
        Some(Self { server: server.into(), resource, documents, known: Arc::default() })
    }

    /// The address of the tools: what tokens are for.
    #[must_use]
    pub fn resource(&self) -> &str {
        &self.resource
    }

    /// Who asks people.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.resource
    }

    /// What the tools want of clients.
    ///
    /// Source: RFC 9728, section 2.
    #[must_use]
    pub fn resource_metadata(&self) -> Value {
        json!({
            "resource": self.resource(),
            "resource_name": "scheduler",
            "authorization_servers": [self.issuer()],
            "scopes_supported": GRANTABLE.map(Scope::as_str),
            "bearer_methods_supported": ["header"],
        })
    }

    /// How people are asked, and how tokens are got.
    ///
    /// Sources: RFC 8414, section 2; RFC 9207, section 3; RFC 9728, section 4;
    /// draft-ietf-oauth-client-id-metadata-document, section 5.
    #[must_use]
    pub fn server_metadata(&self) -> Value {
        json!({
            "issuer": self.issuer(),
            "authorization_endpoint": format!("{}/authorize", self.resource),
            "token_endpoint": format!("{}/token", self.resource),
            "revocation_endpoint": format!("{}/revoke", self.resource),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": true,
            "authorization_response_iss_parameter_supported": true,
            "scopes_supported": GRANTABLE.map(Scope::as_str),
            "protected_resources": [self.resource()],
        })
    }

    /// What a client that is not let in is told in `WWW-Authenticate`: where the metadata is, and
    /// which scopes to ask for; those of an agent where nothing else is needed.
    ///
    /// Sources: RFC 9728, section 5.1; RFC 6750, section 3.1.
    #[must_use]
    pub fn challenge(&self, error: Option<&str>, scopes: Option<Scopes>) -> String {
        let error = error.map_or_else(String::new, |error| format!("error=\"{error}\", "));
        let scopes = scopes.unwrap_or(Preset::Agent.scopes());
        format!(
            "Bearer {error}resource_metadata=\"{}{RESOURCE_METADATA_PATH}\", scope=\"{scopes}\"",
            self.server
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::NoDocuments;

    fn at(address: &str) -> Option<OAuth> {
        OAuth::at(&address.parse().unwrap(), Arc::new(NoDocuments))
    }

    #[test]
    fn where_it_is_offered() {
        for (address, resource) in [
            ("https://posts.example", Some("https://posts.example/mcp")),
            ("https://posts.example:8443/", Some("https://posts.example:8443/mcp")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080/mcp")),
            ("http://[::1]:8080", Some("http://[::1]:8080/mcp")),
            ("http://localhost", Some("http://localhost/mcp")),
            ("http://posts.example", None),
            ("http://192.168.1.7:8080", None),
            ("https://example.com/posts", None),
        ] {
            assert_eq!(at(address).as_ref().map(OAuth::resource), resource, "{address}");
        }
    }

    #[test]
    fn documents_name_each_other() {
        let oauth = at("https://posts.example").unwrap();
        let (resource, server) = (oauth.resource_metadata(), oauth.server_metadata());
        assert_eq!(resource["authorization_servers"], json!([server["issuer"]]));
        assert_eq!(server["protected_resources"], json!([resource["resource"]]));
        for (name, want) in [
            ("authorization_endpoint", "https://posts.example/mcp/authorize"),
            ("token_endpoint", "https://posts.example/mcp/token"),
            ("revocation_endpoint", "https://posts.example/mcp/revoke"),
        ] {
            assert_eq!(server[name], want);
        }
        // Claude takes a client by its document only where both are said.
        assert_eq!(server["client_id_metadata_document_supported"], true);
        assert_eq!(server["token_endpoint_auth_methods_supported"], json!(["none"]));
        assert_eq!(server.get("registration_endpoint"), None);
        assert_eq!(
            oauth.challenge(None, None),
            "Bearer resource_metadata=\"https://posts.example/.well-known/oauth-protected-resource/mcp\", scope=\"posts:read posts:write media:read media:write\""
        );
        let more = Some(Scopes::of(&[Scope::PostsPublish]));
        assert!(
            oauth
                .challenge(Some("insufficient_scope"), more)
                .starts_with("Bearer error=\"insufficient_scope\", resource_metadata=")
        );
    }
}
