//! Secrets at rest: the tokens of networks, what is remembered while an account is connected, the
//! secrets of webhooks and the addresses that files are fetched from, encrypted row by row.

mod key;

use std::fmt;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::SystemTime;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use scheduler_core::ports::StoreError;
use secrecy::{ExposeSecret as _, SecretBox};
use uuid::Uuid;

use crate::error::corrupt;

pub use key::{SealingKey, SealingKeyError};

/// The first byte of what was sealed before keys could be changed: a nonce and the secret follow.
const FORM_WITHOUT_KEY: u8 = 1;

/// The first byte of what is sealed: the name of the key, a nonce and the secret follow.
const FORM: u8 = 2;

const NONCE_BYTES: usize = 24;

/// Bytes of the name of a key, which tells keys apart and nothing of them.
const KEY_NAME_BYTES: usize = 8;

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
    /// Where somebody is told what happens.
    NotifierAddress,
}

impl Sealed {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Credentials => "accounts.credentials",
            Self::ConnectingStage => "pending_connections.stage",
            Self::WebhookSecret => "webhooks.secret",
            Self::SourceUrl => "media.source_url",
            Self::NotifierAddress => "notifiers.address",
        }
    }
}

/// What became of the secrets that were not sealed with the present key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resealed {
    /// How many were sealed anew.
    pub sealed: u64,
    /// How many open with no key, and stayed as they were.
    pub closed: u64,
}

impl AddAssign for Resealed {
    fn add_assign(&mut self, other: Self) {
        self.sealed += other.sealed;
        self.closed += other.closed;
    }
}

/// Seals and opens secrets by XChaCha20-Poly1305 with a random nonce each.
///
/// The seal vouches for the place as well: what is copied to another row or column does not open.
/// Seals with the present key, and opens with earlier ones too. A key that was read from a file is
/// read again when the file has changed.
#[derive(Clone)]
pub struct Sealer(Arc<Shared>);

struct Shared {
    file: Option<PathBuf>,
    ring: RwLock<Ring>,
}

/// The present key, then the earlier ones.
struct Ring {
    keys: Vec<Key>,
    /// The state of the file that they were read from.
    state: Option<FileState>,
}

/// When a file was changed, and its bytes.
type FileState = (SystemTime, u64);

#[derive(Clone)]
struct Key {
    name: [u8; KEY_NAME_BYTES],
    cipher: XChaCha20Poly1305,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Sealer([redacted])")
    }
}

impl Ring {
    fn new(key: &SealingKey, state: Option<FileState>) -> Self {
        let of = |secret: &SecretBox<[u8; 32]>| {
            let mut name = [0; KEY_NAME_BYTES];
            name.copy_from_slice(&key::derive(secret, "name of the key")[..KEY_NAME_BYTES]);
            Key { name, cipher: XChaCha20Poly1305::new(secret.expose_secret().into()) }
        };
        Self { keys: key.secrets().map(of).collect(), state }
    }
}

impl Sealer {
    /// Seals with this key.
    #[must_use]
    pub fn new(key: &SealingKey) -> Self {
        let file = key.file().map(Path::to_owned);
        let state = file.as_deref().and_then(state_of);
        let ring = RwLock::new(Ring::new(key, state));
        Self(Arc::new(Shared { file, ring }))
    }

    /// Whether a secret is sealed with the present key.
    pub(crate) fn is_current(&self, stored: &[u8]) -> bool {
        let ring = self.ring();
        let name = ring.keys.first().map(|key| key.name);
        let rest = stored.strip_prefix(&[FORM]).unwrap_or_default();
        name.is_some_and(|name| rest.starts_with(&name))
    }

    pub(crate) fn seal(
        &self,
        what: Sealed,
        row: Uuid,
        secret: &str,
    ) -> Result<Vec<u8>, StoreError> {
        self.read_again();
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        let place = place(what, row);
        let payload = Payload { msg: secret.as_bytes(), aad: &place };
        let ring = self.ring();
        let key = ring.keys.first().ok_or_else(|| corrupt(what.as_str(), "there is no key"))?;
        let sealed = key
            .cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| corrupt(what.as_str(), "the secret is too long to seal"))?;
        let mut stored = vec![FORM];
        stored.extend_from_slice(&key.name);
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
        let (name, rest) = match *form {
            FORM_WITHOUT_KEY => (None, rest),
            FORM => {
                let (name, rest) = rest.split_first_chunk().ok_or_else(cut_off)?;
                (Some(*name), rest)
            }
            _ => return Err(corrupt(what.as_str(), "the secret is sealed in an unknown way")),
        };
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or_else(cut_off)?;
        let place = place(what, row);
        let opened = || {
            let ring = self.ring();
            let mut keys = ring.keys.iter().filter(|key| name.is_none_or(|name| name == key.name));
            keys.find_map(|key| {
                let payload = Payload { msg: sealed, aad: &place };
                key.cipher.decrypt(&XNonce::from(*nonce), payload).ok()
            })
        };
        let secret = opened().or_else(|| if self.read_again() { opened() } else { None });
        let secret = secret.ok_or_else(|| {
            corrupt(what.as_str(), "the secret was sealed with another key, or was tampered with")
        })?;
        String::from_utf8(secret).map_err(|_| corrupt(what.as_str(), "the secret is not text"))
    }

    /// Reads the file of the key again when it has changed; true when there are other keys now. A
    /// file that cannot be read, as in the middle of a copy, leaves the keys as they are.
    fn read_again(&self) -> bool {
        let Some(file) = self.0.file.as_deref() else { return false };
        let state = state_of(file);
        if state == self.ring().state {
            return false;
        }
        match SealingKey::load_file(file) {
            Ok(key) => {
                let ring = Ring::new(&key, state);
                *self.0.ring.write().unwrap_or_else(PoisonError::into_inner) = ring;
                tracing::info!(earlier = key.earlier_count(), "the secret key was read again");
                true
            }
            Err(error) => {
                tracing::error!(%error, "the file of the secret key has changed and cannot be read");
                false
            }
        }
    }

    fn ring(&self) -> RwLockReadGuard<'_, Ring> {
        self.0.ring.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn state_of(file: &Path) -> Option<FileState> {
    std::fs::metadata(file).and_then(|data| Ok((data.modified()?, data.len()))).ok()
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
        let unnamed = [&[FORM_WITHOUT_KEY], &stored[1 + KEY_NAME_BYTES..]].concat();
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
            (
                "cut off in the key's name",
                sealer(1),
                Sealed::Credentials,
                row,
                stored[..5].to_vec(),
                false,
            ),
            ("before keys had names", sealer(1), Sealed::Credentials, row, unnamed.clone(), true),
            ("that with another key", sealer(2), Sealed::Credentials, row, unnamed, false),
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

    #[test]
    fn a_key_that_was_changed_is_read_again_and_the_earlier_still_opens() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let row = Uuid::from_u128(1);
        let running = Sealer::new(&SealingKey::load_or_create_file(&path).unwrap());
        let early = running.seal(Sealed::Credentials, row, "early").unwrap();
        let renewed = Sealer::new(&SealingKey::renew_file(&path).unwrap());
        assert!(running.is_current(&early) && !renewed.is_current(&early));
        let late = renewed.seal(Sealed::Credentials, row, "late").unwrap();
        assert_eq!(running.open(Sealed::Credentials, row, &late).unwrap(), "late");
        let later = running.seal(Sealed::Credentials, row, "later").unwrap();
        assert!(renewed.is_current(&later) && renewed.is_current(&late));
        assert_eq!(renewed.open(Sealed::Credentials, row, &early).unwrap(), "early");
        SealingKey::drop_earlier_from_file(&path).unwrap();
        let started = Sealer::new(&SealingKey::load_file(&path).unwrap());
        assert!(started.open(Sealed::Credentials, row, &early).is_err());
        assert_eq!(started.open(Sealed::Credentials, row, &later).unwrap(), "later");
        std::fs::write(&path, "half a ke").unwrap();
        assert!(running.seal(Sealed::Credentials, row, "still").is_ok(), "the keys stay");
    }
}
