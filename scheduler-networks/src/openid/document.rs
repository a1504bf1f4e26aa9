//! What a provider says of itself.

use scheduler_core::openid::Issuer;
use scheduler_core::ports::IdentityError;
use serde::Deserialize;
use url::Url;

use super::untrusted;

/// The document of a provider, as far as it is needed.
///
/// Source: OpenID Connect Discovery 1.0, section 3.
#[derive(Debug, Deserialize)]
pub(super) struct Document {
    issuer: String,
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    pub(super) jwks_uri: Url,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

impl Document {
    /// Reads the document of an issuer.
    ///
    /// # Errors
    /// [`IdentityError::Untrusted`] for one of another issuer, and for one that names an address
    /// which is not encrypted.
    pub(super) fn read(body: &[u8], issuer: &Issuer) -> Result<Self, IdentityError> {
        let document: Self = serde_json::from_slice(body)
            .map_err(|error| untrusted(format!("its document cannot be read: {error}")))?;
        if document.issuer != issuer.as_str() {
            return Err(untrusted(format!(
                "its document is that of the issuer {:?}, and {:?} is set",
                document.issuer,
                issuer.as_str()
            )));
        }
        let Self { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri, .. } =
            &document;
        let named = [
            ("authorization_endpoint", Some(authorization_endpoint)),
            ("token_endpoint", Some(token_endpoint)),
            ("userinfo_endpoint", userinfo_endpoint.as_ref()),
            ("jwks_uri", Some(jwks_uri)),
        ];
        for (field, address) in named {
            if address.is_some_and(|address| !issuer.may_name(address)) {
                return Err(untrusted(format!("the {field} of its document is not https")));
            }
        }
        Ok(document)
    }

    /// Whether a secret is sent in a header. It is what holds where nothing is said.
    pub(super) fn takes_basic(&self) -> bool {
        let methods = self.token_endpoint_auth_methods_supported.as_deref();
        methods.is_none_or(|methods| {
            methods.iter().any(|method| method == "client_secret_basic")
                || !methods.iter().any(|method| method == "client_secret_post")
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn documents() {
        let issuer = Issuer::parse("https://a.example").unwrap();
        let good = json!({
            "issuer": "https://a.example",
            "authorization_endpoint": "https://a.example/auth",
            "token_endpoint": "https://tokens.b.example/token",
            "jwks_uri": "https://a.example/keys",
        });
        for (name, field, value, want) in [
            ("as it is", "more", json!(1), None),
            ("another issuer", "issuer", json!("https://b.example"), Some("is set")),
            ("with a slash", "issuer", json!("https://a.example/"), Some("is set")),
            ("no keys", "jwks_uri", Value::Null, Some("cannot be read")),
            ("no address", "token_endpoint", json!("/token"), Some("cannot be read")),
            ("plain http", "token_endpoint", json!("http://a.example/t"), Some("token_endpoint")),
            ("keys by http", "jwks_uri", json!("http://a.example/k"), Some("jwks_uri")),
            ("people by http", "userinfo_endpoint", json!("http://a.example/u"), Some("userinfo")),
            ("a script", "authorization_endpoint", json!("javascript:alert(1)"), Some("authoriz")),
        ] {
            let mut document = good.clone();
            document[field] = value;
            let read = Document::read(document.to_string().as_bytes(), &issuer);
            let found = read.err().map(|error| error.to_string());
            match want {
                None => assert_eq!(found, None, "{name}"),
                Some(want) => assert!(found.is_some_and(|it| it.contains(want)), "{name}"),
            }
        }
    }

    #[test]
    fn how_it_wants_to_be_asked() {
        for (name, methods, is_basic) in [
            ("nothing said", Value::Null, true),
            ("both", json!(["client_secret_post", "client_secret_basic"]), true),
            ("in the body", json!(["client_secret_post"]), false),
            ("neither", json!(["private_key_jwt"]), true),
        ] {
            let text = json!({
                "issuer": "https://a.example", "authorization_endpoint": "https://a.example",
                "token_endpoint": "https://a.example", "jwks_uri": "https://a.example",
                "token_endpoint_auth_methods_supported": methods,
            });
            let issuer = Issuer::parse("https://a.example").unwrap();
            let document = Document::read(text.to_string().as_bytes(), &issuer).unwrap();
            assert_eq!(document.takes_basic(), is_basic, "{name}");
        }
    }
}
