//! Proofs that a request comes from who holds a key, and the nonces that they have to hold.
//!
//! Source: RFC 9449; wording and order of the checks measured at `@atproto/pds` 0.4.217. The
//! clock of this sandbox can be moved, so the age of a proof is not looked at.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use p256::EncodedPoint;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::network::Context;
use crate::outside::random_secret;
use crate::request::Request;

/// Seconds for which a nonce is the present one; the ones before and after are taken as well.
///
/// Source: `packages/oauth/oauth-provider` there, `DpopNonce`.
const NONCE_SECONDS: i64 = 60;

/// What is known of proofs.
#[derive(Debug, Default)]
pub(in crate::bluesky) struct Proofs {
    secret: String,
    /// The ids of proofs that were used with the nonces that are taken.
    used: HashSet<String>,
    used_since: i64,
}

/// Why a proof is not taken: the name of the error, and its words.
pub(in crate::bluesky) type Unproven = (&'static str, &'static str);

impl Proofs {
    /// The nonce that the next proof has to hold.
    pub(in crate::bluesky) fn nonce(&mut self, now: DateTime<Utc>) -> String {
        if self.secret.is_empty() {
            self.secret = random_secret();
        }
        self.nonce_of(now.timestamp() / NONCE_SECONDS)
    }

    fn nonce_of(&self, number: i64) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{} {number}", self.secret)))
    }

    /// Checks the proof of a request; returns the thumbprint of its key.
    ///
    /// # Errors
    /// [`Unproven`]
    pub(in crate::bluesky) fn check(
        &mut self,
        request: &Request,
        token: Option<&str>,
        context: &Context<'_>,
        no_nonce: &'static str,
    ) -> Result<String, Unproven> {
        const WRONG: &str = "invalid_dpop_proof";
        let text = request.header("dpop").ok_or((WRONG, "DPoP proof required"))?;
        let parts = read(text).ok_or((WRONG, "Failed to verify DPoP proof"))?;
        let claim = |name: &str| parts.claims.get(name).and_then(Value::as_str);
        let id = claim("jti").filter(|id| !id.is_empty()).ok_or((WRONG, "DPoP \"jti\" missing"))?;
        if claim("htm") != Some(request.method.as_str()) {
            return Err((WRONG, "DPoP \"htm\" mismatch"));
        }
        if claim("htu") != Some(format!("{}{}", context.base, request.path).as_str()) {
            return Err((WRONG, "DPoP \"htu\" mismatch"));
        }
        let number = context.now.timestamp() / NONCE_SECONDS;
        self.nonce(context.now);
        match claim("nonce") {
            None => return Err(("use_dpop_nonce", no_nonce)),
            Some(nonce)
                if [number - 1, number, number + 1].iter().any(|n| self.nonce_of(*n) == nonce) => {}
            Some(_) => return Err(("use_dpop_nonce", "DPoP \"nonce\" mismatch")),
        }
        let digest = token.map(|token| URL_SAFE_NO_PAD.encode(Sha256::digest(token)));
        match (claim("ath"), digest) {
            (Some(given), Some(wanted)) if given == wanted => {}
            (None, None) => {}
            (Some(_), None) => return Err((WRONG, "DPoP \"ath\" claim not allowed")),
            _ => return Err((WRONG, "DPoP \"ath\" mismatch")),
        }
        if self.used_since < number - 2 {
            self.used.clear();
            self.used_since = number;
        }
        if !self.used.insert(id.to_owned()) {
            return Err((WRONG, "DPoP proof replayed"));
        }
        Ok(parts.thumbprint)
    }
}

/// The thumbprint of the key in a request's proof, whose proof was checked before.
pub(in crate::bluesky) fn thumbprint(request: &Request) -> Option<String> {
    Some(read(request.header("dpop")?)?.thumbprint)
}

/// True for a request whose proof holds no nonce, so that it is refused whatever it is for.
pub(in crate::bluesky) fn lacks_nonce(request: &Request) -> bool {
    let parts = request.header("dpop").and_then(read);
    parts.is_some_and(|parts| parts.claims.get("nonce").is_none())
}

struct Parts {
    claims: Value,
    thumbprint: String,
}

/// Reads a proof whose signature is that of the key that it names.
fn read(text: &str) -> Option<Parts> {
    let (signed, signature) = text.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let json = |part: &str| -> Option<Value> {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
    };
    let (header, claims) = (json(header)?, json(claims)?);
    if header["typ"] != "dpop+jwt" || header["alg"] != "ES256" || !claims["iat"].is_i64() {
        return None;
    }
    let jwk = header.get("jwk").filter(|jwk| jwk["kty"] == "EC" && jwk["crv"] == "P-256")?;
    if jwk.get("d").is_some() {
        return None;
    }
    let (x, y) = (jwk["x"].as_str()?, jwk["y"].as_str()?);
    let half =
        |text: &str| -> Option<[u8; 32]> { URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok() };
    let point = EncodedPoint::from_affine_coordinates(&half(x)?.into(), &half(y)?.into(), false);
    let key = VerifyingKey::from_encoded_point(&point).ok()?;
    let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
    key.verify(signed.as_bytes(), &signature).ok()?;
    let members = json!({ "crv": "P-256", "kty": "EC", "x": x, "y": y }).to_string();
    Some(Parts { claims, thumbprint: URL_SAFE_NO_PAD.encode(Sha256::digest(members)) })
}
