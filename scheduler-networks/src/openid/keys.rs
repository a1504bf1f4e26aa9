//! The keys that a provider signs with.

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Header, decode_header};
use scheduler_core::ports::IdentityError;
use serde::Deserialize;
use serde_json::Value;

use super::untrusted;

/// The ways of signing that are believed: with a key of which only the provider has the private
/// half. Source: our decision; `none`, and secrets that both sides have (HS256), are not among them.
const BELIEVED: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// The keys of a provider that can be used.
#[derive(Debug)]
pub(super) struct Keys(Vec<Jwk>);

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

impl Keys {
    /// Reads a set of keys. What cannot be used is left out: providers have keys for other things.
    ///
    /// # Errors
    /// [`IdentityError::Untrusted`] for what is no set.
    pub(super) fn read(body: &[u8]) -> Result<Self, IdentityError> {
        let set: KeySet = serde_json::from_slice(body)
            .map_err(|error| untrusted(format!("its keys cannot be read: {error}")))?;
        let keys = set.keys.into_iter().filter_map(|key| serde_json::from_value::<Jwk>(key).ok());
        let signs = |key: &Jwk| {
            let is_for_signing =
                key.common.public_key_use.as_ref().is_none_or(|of| *of == PublicKeyUse::Signature);
            is_for_signing && DecodingKey::from_jwk(key).is_ok()
        };
        Ok(Self(keys.filter(signs).collect()))
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a key of the name that the token says is among them.
    pub(super) fn may_have_signed(&self, token: &str) -> bool {
        decode_header(token).is_ok_and(|header| self.of(&header).next().is_some())
    }

    /// The keys that may have signed what has this header; all that fit where it names none.
    ///
    /// # Errors
    /// [`IdentityError::Untrusted`] for a way of signing that is not believed.
    pub(super) fn candidates(
        &self,
        header: &Header,
    ) -> Result<impl Iterator<Item = DecodingKey>, IdentityError> {
        if !BELIEVED.contains(&header.alg) {
            return Err(untrusted(format!("its token is signed by {:?}", header.alg)));
        }
        let family = header.alg.family();
        let keys = self.of(header).filter_map(|key| DecodingKey::from_jwk(key).ok());
        Ok(keys.filter(move |key| key.family() == family))
    }

    fn of(&self, header: &Header) -> impl Iterator<Item = &Jwk> {
        let (name, way) = (header.kid.clone(), format!("{:?}", header.alg));
        self.0.iter().filter(move |key| {
            let is_named = name.is_none() || key.common.key_id == name;
            let signs_so = key.common.key_algorithm.is_none_or(|signs| signs.to_string() == way);
            is_named && signs_so
        })
    }
}
