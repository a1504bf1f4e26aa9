//! Signatures of tokens, by the ring that TLS has anyway.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind, new_error};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind, EncodingKey, Validation, decode, decode_header,
};
use ring::signature::{
    self as rings, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use scheduler_core::openid::IdToken;
use scheduler_core::ports::IdentityError;

use super::keys::Keys;
use super::untrusted;
use super::wire::Claims;

/// Nothing is signed here, and no key is made; only signatures are verified.
static RING: CryptoProvider = CryptoProvider {
    signer_factory: no_signer,
    verifier_factory: verifier,
    key_utils: KeyUtils {
        rsa_pub_components_from_private_key: |_| Err(unsupported()),
        rsa_pub_components_from_public_key: |_| Err(unsupported()),
        ec_pub_components_from_private_key: |_, _| Err(unsupported()),
        ed_pub_components_from_private_key: |_, _| Err(unsupported()),
        compute_digest: |_, _| Err(unsupported()),
    },
};

/// Has signatures verified by ring. To be called before [`read`].
pub(super) fn prepare() {
    // Fails when it was done before.
    let _ = RING.install_default();
}

/// Reads a token that one of the keys has signed. What it holds is not looked at.
///
/// # Errors
/// [`IdentityError::Untrusted`]
pub(super) fn read(token: &str, keys: &Keys) -> Result<IdToken, IdentityError> {
    let header = decode_header(token)
        .map_err(|error| untrusted(format!("its token cannot be read: {error}")))?;
    let mut validation = Validation::new(header.alg);
    // The core checks what is in it, by the clock of this server.
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let mut fault = "no key of it is named";
    for key in keys.candidates(&header)? {
        match decode::<Claims>(token, &key, &validation) {
            Ok(token) => return Ok(token.claims.into()),
            // What else is wrong may quote what the token holds.
            Err(error) => {
                fault = match error.kind() {
                    ErrorKind::InvalidSignature => "its key has not signed it",
                    _ => "what it holds cannot be read",
                };
            }
        }
    }
    Err(untrusted(format!("its token: {fault}")))
}

fn unsupported() -> Error {
    new_error(ErrorKind::UnsupportedAlgorithm)
}

fn no_signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Err(unsupported())
}

/// How a way of signing is verified.
enum By {
    Rsa(&'static RsaParameters),
    Point(&'static dyn VerificationAlgorithm),
}

/// A key and how it is used.
struct RingVerifier {
    algorithm: Algorithm,
    by: By,
    key: DecodingKey,
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let by = match algorithm {
        Algorithm::RS256 => By::Rsa(&rings::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => By::Rsa(&rings::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => By::Rsa(&rings::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => By::Rsa(&rings::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => By::Rsa(&rings::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => By::Rsa(&rings::RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => By::Point(&rings::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => By::Point(&rings::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => By::Point(&rings::ED25519),
        _ => return Err(unsupported()),
    };
    if key.family() != algorithm.family() {
        return Err(new_error(ErrorKind::InvalidKeyFormat));
    }
    Ok(Box::new(RingVerifier { algorithm: *algorithm, by, key: key.clone() }))
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match (&self.by, self.key.kind()) {
            (By::Rsa(by), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(by, message, signature)
            }
            (By::Point(by), DecodingKeyKind::SecretOrDer(point)) => {
                UnparsedPublicKey::new(*by, point).verify(message, signature)
            }
            _ => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
