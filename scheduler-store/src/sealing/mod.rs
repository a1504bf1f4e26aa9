//! Secrets at rest: the tokens of networks, what is remembered while an account is connected, the
//! secrets of webhooks and the addresses that files are fetched from, encrypted row by row.

mod key;

use std::fmt;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use crate::error::corrupt;

pub use key::{SealingKey, SealingKeyError};

/// The first byte of everything sealed, so that a later way of sealing can be told apart.
const FORM: u8 = 1;
const NONCE_BYTES: usize = 24;

/// What is sealed. Its name is part of what the seal vouches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sealed {
    /// The credentials of an account.
    Credentials,
    /// How far the connection has come that a person is making.
    ConnectingStage,
    /// The secret of a webhook.
    WebhookSecret,
    /// The address that a file is fetched from, which may hold a signature.
    SourceUrl,
}

impl Sealed {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Credentials => "accounts.credentials",
            Self::ConnectingStage => "pending_connections.stage",
            Self::WebhookSecret => "webhooks.secret",
            Self::SourceUrl => "media.source_url",
        }
    }
}

/// Seals and opens secrets by XChaCha20-Poly1305 with a random nonce each.
///
/// The seal vouches for the place as well: what is copied to another row or column does not open.
#[derive(Clone)]
pub struct Sealer(XChaCha20Poly1305);

impl fmt::Debug for Sealer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Sealer([redacted])")
    }
}

impl Sealer {
    /// Seals with this key.
    #[must_use]
    pub fn new(key: &SealingKey) -> Self {
        Self(XChaCha20Poly1305::new(key.expose_secret().into()))
    }

    pub(crate) fn seal(
        &self,
        what: Sealed,
        row: Uuid,
        secret: &str,
    ) -> Result<Vec<u8>, StoreError> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let place = place(what, row);
        let payload = Payload { msg: secret.as_bytes(), aad: &place };
        let sealed = self
            .0
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| corrupt(what.as_str(), "the secret is too long to seal"))?;
        let mut stored = Vec::with_capacity(1 + NONCE_BYTES + sealed.len());
        stored.push(FORM);
        stored.extend_from_slice(&nonce);
        stored.extend_from_slice(&sealed);
        Ok(stored)
    }

    pub(crate) fn open(
        &self,
        what: Sealed,
        row: Uuid,
        stored: &[u8],
    ) -> Result<String, StoreError> {
        let cut_off = || corrupt(what.as_str(), "the sealed secret is cut off");
        let (form, rest) = stored.split_first().ok_or_else(cut_off)?;
        if *form != FORM {
            return Err(corrupt(what.as_str(), "the secret is sealed in an unknown way"));
        }
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or_else(cut_off)?;
        let place = place(what, row);
        let payload = Payload { msg: sealed, aad: &place };
        let secret = self.0.decrypt(&XNonce::from(*nonce), payload).map_err(|_| {
            corrupt(what.as_str(), "the secret was sealed with another key, or was tampered with")
        })?;
        String::from_utf8(secret).map_err(|_| corrupt(what.as_str(), "the secret is not text"))
    }
}

fn place(what: Sealed, row: Uuid) -> Vec<u8> {
    let mut place = what.as_str().as_bytes().to_vec();
    place.push(b':');
    place.extend_from_slice(row.as_bytes());
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealer(byte: u8) -> Sealer {
        Sealer::new(&SealingKey::from_bytes([byte; 32]))
    }

    #[test]
    fn only_the_same_key_and_place_open() {
        let row = Uuid::from_u128(1);
        let stored = sealer(1).seal(Sealed::Credentials, row, "token").unwrap();
        let mut changed = stored.clone();
        *changed.last_mut().unwrap() ^= 1;
        let mut other_form = stored.clone();
        other_form[0] = 9;
        for (name, sealer, what, row, stored, opens) in [
            ("as sealed", sealer(1), Sealed::Credentials, row, stored.clone(), true),
            ("another key", sealer(2), Sealed::Credentials, row, stored.clone(), false),
            (
                "another row",
                sealer(1),
                Sealed::Credentials,
                Uuid::from_u128(2),
                stored.clone(),
                false,
            ),
            ("another column", sealer(1), Sealed::WebhookSecret, row, stored.clone(), false),
            ("one bit changed", sealer(1), Sealed::Credentials, row, changed, false),
            ("an unknown form", sealer(1), Sealed::Credentials, row, other_form, false),
            ("cut off", sealer(1), Sealed::Credentials, row, stored[..20].to_vec(), false),
            ("empty", sealer(1), Sealed::Credentials, row, Vec::new(), false),
        ] {
            let opened = sealer.open(what, row, &stored);
            assert_eq!(opened.is_ok(), opens, "{name}");
            if let Err(error) = opened {
                let StoreError::Corrupt { what: named, .. } = error else { panic!("{name}") };
                assert_eq!(named, what.as_str(), "{name}");
            }
        }
    }

    #[test]
    fn the_same_secret_is_sealed_anew_each_time_and_is_not_there_in_clear() {
        let row = Uuid::from_u128(1);
        let first = sealer(1).seal(Sealed::WebhookSecret, row, "whsec_plain").unwrap();
        let second = sealer(1).seal(Sealed::WebhookSecret, row, "whsec_plain").unwrap();
        assert_ne!(first, second);
        assert!(!first.windows(11).any(|window| window == b"whsec_plain"));
    }
}
