//! Proofs that a request comes from who holds a key: what a conversation asks for, and how it is
//! signed.
//!
//! A conversation names the key; the driver, which knows the instant and what the server has asked
//! for, signs as it sends.
//!
//! Source: RFC 9449 (DPoP), RFC 7523 (an application that authenticates by a key), RFC 7515 and
//! RFC 7518, section 3.4 (ES256).

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, Mac as _};
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use scheduler_core::ports::{Clock, Ids};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use crate::conversation::Method;

/// How long a client assertion is good for, in seconds.
///
/// Source: <https://atproto.com/specs/oauth>, "Confidential Client Authentication": less than a
/// minute.
const ASSERTION_SECONDS: i64 = 50;

/// A key of the curve P-256, with which proofs are signed.
#[derive(Clone)]
pub struct ProofKey(SigningKey);

impl ProofKey {
    /// The key that follows from a secret for a purpose; the same for the same two.
    ///
    /// Source: the construction of RFC 6979, section 3.2, step h: candidates until one is a scalar.
    pub(crate) fn derived(secret: &[u8], purpose: &str) -> Option<Self> {
        // A candidate fails once in 2^32 times.
        (0..=u8::MAX).find_map(|number| {
            let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(secret).ok()?;
            mac.update(purpose.as_bytes());
            mac.update(&[number]);
            SigningKey::from_slice(&mac.finalize().into_bytes()).ok().map(Self)
        })
    }

    /// A key as it is stored; `None` where the text is none.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        SigningKey::from_slice(&bytes).ok().map(Self)
    }

    /// The text to store.
    pub(crate) fn to_text(&self) -> SecretString {
        URL_SAFE_NO_PAD.encode(self.0.to_bytes()).into()
    }

    /// The public half, as a JSON Web Key with only the members that its thumbprint covers.
    ///
    /// Source: RFC 7518, section 6.2.
    pub(crate) fn public(&self) -> Value {
        let point = self.0.verifying_key().to_encoded_point(false);
        let text = |part: Option<&_>| part.map(|part| URL_SAFE_NO_PAD.encode(part));
        json!({ "crv": "P-256", "kty": "EC", "x": text(point.x()), "y": text(point.y()) })
    }

    /// The thumbprint of the public half, by which the key is named.
    ///
    /// Source: RFC 7638: the members in the order of their names, without spaces.
    pub(crate) fn id(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.public().to_string()))
    }

    /// A signed token of these claims.
    fn signed(&self, header: &Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(header), part(claims));
        let signature: Signature = self.0.sign(text.as_bytes());
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
    }
}

/// Never the key itself.
impl fmt::Debug for ProofKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ProofKey([redacted])")
    }
}

/// What the driver signs of a request as it sends it.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The key that the caller's tokens are bound to.
    pub(crate) key: ProofKey,
    /// The access token that goes with the request.
    pub(crate) token: Option<SecretString>,
    /// Who the application says it is, in a call about tokens.
    pub(crate) client: Option<ClientAssertion>,
}

/// An application that authenticates by a key of its own, to the server that gives tokens.
#[derive(Clone, Debug)]
pub struct ClientAssertion {
    /// The application's key.
    pub(crate) key: ProofKey,
    /// The application's id.
    pub(crate) client_id: String,
    /// The issuer that the server calls itself.
    pub(crate) audience: String,
}

/// What proofs are made with: the present instant, and ids that never come twice.
#[derive(Clone)]
pub struct Signing {
    /// Tells when a proof is made.
    pub clock: Arc<dyn Clock>,
    /// Makes the ids of proofs.
    pub ids: Arc<dyn Ids>,
    /// Secrets of this installation, from each of which a key of the application follows: the
    /// present one, then those that were in use before.
    pub secrets: Vec<SecretString>,
}

impl fmt::Debug for Signing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Signing").field("secrets", &self.secrets).finish_non_exhaustive()
    }
}

impl Signing {
    /// The proof of a request, for its header `DPoP`.
    ///
    /// Source: RFC 9449, section 4.2.
    pub(crate) fn proof(
        &self,
        proof: &Proof,
        method: Method,
        url: &Url,
        nonce: Option<&str>,
    ) -> String {
        let header = json!({ "typ": "dpop+jwt", "alg": "ES256", "jwk": proof.key.public() });
        let mut address = url.clone();
        address.set_query(None);
        address.set_fragment(None);
        let (now, id) = self.stamp();
        let mut claims = json!({
            "jti": id,
            "htm": method.as_str(),
            "htu": address.as_str(),
            "iat": now.timestamp(),
        });
        if let Some(nonce) = nonce {
            claims["nonce"] = nonce.into();
        }
        if let Some(token) = &proof.token {
            let digest = Sha256::digest(token.expose_secret());
            claims["ath"] = URL_SAFE_NO_PAD.encode(digest).into();
        }
        proof.key.signed(&header, &claims)
    }

    /// The fields by which an application authenticates.
    ///
    /// Source: RFC 7523, sections 2.2 and 3.
    pub(crate) fn assertion(&self, client: &ClientAssertion) -> [(&'static str, String); 2] {
        let header = json!({ "typ": "JWT", "alg": "ES256", "kid": client.key.id() });
        let (now, id) = self.stamp();
        let claims = json!({
            "iss": client.client_id,
            "sub": client.client_id,
            "aud": client.audience,
            "jti": id,
            "iat": now.timestamp(),
            "exp": now.timestamp() + ASSERTION_SECONDS,
        });
        let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        [
            ("client_assertion_type", kind.to_owned()),
            ("client_assertion", client.key.signed(&header, &claims)),
        ]
    }

    fn stamp(&self) -> (DateTime<Utc>, String) {
        let now = self.clock.now();
        (now, self.ids.next(now).to_string())
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier as _;
    use scheduler_core::memory::{CountedIds, ManualClock};

    use super::*;
    use crate::testing::begun_at;

    fn signing() -> Signing {
        Signing {
            clock: Arc::new(ManualClock::at(begun_at())),
            ids: Arc::new(CountedIds::default()),
            secrets: Vec::new(),
        }
    }

    fn part(token: &str, index: usize) -> Value {
        let part = token.split('.').nth(index).unwrap();
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
    }

    /// The key of RFC 7515, appendix A.3, whose public half stands there.
    fn known() -> ProofKey {
        ProofKey::read("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI").unwrap()
    }

    #[test]
    fn a_key_has_the_public_half_of_the_standard() {
        let key = known();
        assert_eq!(
            key.public(),
            json!({
                "kty": "EC",
                "crv": "P-256",
                "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            })
        );
        assert_eq!(key.to_text().expose_secret(), "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI");
        // Computed by the npm package `jose` 5.10.0, `calculateJwkThumbprint`.
        assert_eq!(key.id(), "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U");
        for wrong in ["", "a", "AAAA", "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LJ="] {
            assert!(ProofKey::read(wrong).is_none(), "{wrong}");
        }
        assert_eq!(format!("{key:?}"), "ProofKey([redacted])");
    }

    #[test]
    fn a_key_follows_from_secret_and_purpose_alone() {
        let id = |secret: &[u8], purpose| ProofKey::derived(secret, purpose).unwrap().id();
        assert_eq!(id(b"a", "session"), id(b"a", "session"));
        assert_ne!(id(b"a", "session"), id(b"b", "session"));
        assert_ne!(id(b"a", "session"), id(b"a", "client"));
    }

    #[test]
    fn a_proof_names_the_request_and_is_signed() {
        let url = Url::parse("https://pds.example.com/xrpc/a.b?c=d#e").unwrap();
        let token = Some(SecretString::from("token"));
        let proof = Proof { key: known(), token, client: None };
        let signing = signing();
        let made = signing.proof(&proof, Method::Post, &url, Some("n1"));
        assert_eq!(
            part(&made, 0),
            json!({ "typ": "dpop+jwt", "alg": "ES256", "jwk": known().public() })
        );
        let mut claims = part(&made, 1);
        let id = claims.as_object_mut().unwrap().remove("jti").unwrap();
        assert_eq!(
            claims,
            json!({
                "htm": "POST",
                "htu": "https://pds.example.com/xrpc/a.b",
                "iat": begun_at().timestamp(),
                "nonce": "n1",
                "ath": "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A",
            })
        );
        let (text, signature) = made.rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        let signature = Signature::from_slice(&signature).unwrap();
        let public = VerifyingKey::from(&known().0);
        public.verify(text.as_bytes(), &signature).unwrap();

        let bare = Proof { key: known(), token: None, client: None };
        let another = part(&signing.proof(&bare, Method::Get, &url, None), 1);
        assert_ne!(another["jti"], id);
        assert!(another.get("nonce").is_none() && another.get("ath").is_none(), "{another}");
    }

    #[test]
    fn an_application_says_who_it_is_and_to_whom() {
        let client = ClientAssertion {
            key: known(),
            client_id: "https://scheduler.example/client.json".to_owned(),
            audience: "https://issuer.example".to_owned(),
        };
        let [(_, kind), (name, made)] = signing().assertion(&client);
        assert_eq!(kind, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        assert_eq!(name, "client_assertion");
        assert_eq!(part(&made, 0), json!({ "typ": "JWT", "alg": "ES256", "kid": known().id() }));
        let claims = part(&made, 1);
        assert_eq!(claims["iss"], client.client_id);
        assert_eq!(claims["sub"], client.client_id);
        assert_eq!(claims["aud"], client.audience);
        assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 50);
    }
}
