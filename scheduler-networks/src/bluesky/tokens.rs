//! What opens an account: a session of an app password, or access that a person has given on the
//! page of their server.

use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::conversation::Request;
use crate::proof::ProofKey;

/// What opens an account, as it is kept.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Tokens {
    /// By an app password.
    Session(SessionTokens),
    /// By OAuth.
    Grant(Box<Grant>),
}

/// The two tokens of a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionTokens {
    pub(super) access_jwt: SecretString,
    pub(super) refresh_jwt: SecretString,
}

/// Access that a person has given, and to whom it is bound.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Grant {
    pub(super) access_token: SecretString,
    pub(super) refresh_token: SecretString,
    /// The key that both tokens are bound to.
    #[serde(deserialize_with = "proof_key")]
    pub(super) key: ProofKey,
    /// The server that gave them.
    pub(super) issuer: String,
    /// The id of the application that they were given to.
    pub(super) client_id: String,
    /// The key by which the application authenticates; `None` where it has none.
    pub(super) client_key_id: Option<String>,
}

fn proof_key<'de, D: Deserializer<'de>>(stored: D) -> Result<ProofKey, D::Error> {
    let text = SecretString::deserialize(stored)?;
    let unreadable = || serde::de::Error::custom("the key cannot be read");
    ProofKey::read(text.expose_secret()).ok_or_else(unreadable)
}

impl Tokens {
    /// A request in the name of the account.
    pub(super) fn authorized(&self, request: Request) -> Request {
        match self {
            Self::Session(tokens) => request.bearer(tokens.access_jwt.expose_secret()),
            Self::Grant(grant) => grant.authorized(request),
        }
    }
}

impl SessionTokens {
    /// What is kept of it.
    pub(super) fn credentials(&self) -> Credentials {
        let stored = json!({
            "accessJwt": self.access_jwt.expose_secret(),
            "refreshJwt": self.refresh_jwt.expose_secret(),
        });
        Credentials::new(stored.to_string(), token_expiry(&self.access_jwt))
    }
}

impl Grant {
    /// A request in the name of the account.
    pub(super) fn authorized(&self, request: Request) -> Request {
        request.bound(&self.key, &self.access_token)
    }

    /// What is kept of it.
    pub(super) fn credentials(&self, expires_at: Option<DateTime<Utc>>) -> Credentials {
        let stored = json!({
            "accessToken": self.access_token.expose_secret(),
            "refreshToken": self.refresh_token.expose_secret(),
            "key": self.key.to_text().expose_secret(),
            "issuer": self.issuer,
            "clientId": self.client_id,
            "clientKeyId": self.client_key_id,
        });
        Credentials::new(stored.to_string(), expires_at)
    }
}

/// When a token expires, as it says itself; its signature is none of our business.
fn token_expiry(token: &SecretString) -> Option<DateTime<Utc>> {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    let payload = token.expose_secret().split('.').nth(1)?;
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    DateTime::from_timestamp(claims.get("exp")?.as_i64()?, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_say_when_they_expire() {
        let when = |token: &str| token_expiry(&SecretString::from(token));
        // {"exp":1795168800}
        let good = "eyJhbGciOiJFUzI1NksifQ.eyJleHAiOjE3OTUxNjg4MDB9.c2ln";
        assert_eq!(when(good), DateTime::from_timestamp(1_795_168_800, 0));
        for opaque in ["", "opaque", "a.b.c", "a.eyJhIjoxfQ.c"] {
            assert_eq!(when(opaque), None, "{opaque}");
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_prints_no_secret() {
        let key = ProofKey::derived(b"secret", "test").unwrap();
        let grant = Grant {
            access_token: "secret-a".into(),
            refresh_token: "secret-b".into(),
            key: key.clone(),
            issuer: "https://issuer.example".to_owned(),
            client_id: "https://scheduler.example/client.json".to_owned(),
            client_key_id: Some("k".to_owned()),
        };
        let session = SessionTokens { access_jwt: "secret-a".into(), refresh_jwt: "b".into() };
        let read = |stored: Credentials| {
            let tokens: Tokens = serde_json::from_str(stored.expose()).unwrap();
            let printed = format!("{tokens:?}");
            assert!(!printed.contains("secret-"), "{printed}");
            assert!(!printed.contains(key.to_text().expose_secret()), "{printed}");
            tokens
        };
        let Tokens::Grant(again) = read(grant.credentials(None)) else { panic!() };
        assert_eq!(again.key.id(), key.id());
        assert_eq!(again.access_token.expose_secret(), "secret-a");
        let Tokens::Session(again) = read(session.credentials()) else { panic!() };
        assert_eq!(again.access_jwt.expose_secret(), "secret-a");
        let of_later =
            r#"{"accessToken":"a","refreshToken":"b","key":"","issuer":"","clientId":""}"#;
        assert!(serde_json::from_str::<Tokens>(of_later).is_err(), "a key that is none");
    }
}
