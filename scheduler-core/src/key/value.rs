//! Secrets that are shown once: API keys and webhook secrets.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::redacted::redacted;
use crate::signing::SECRET_PREFIX;

const KEY_PREFIX: &str = "sk_";
/// Base62 digits that 256 bits need.
const DIGITS: usize = 43;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The value of an API key: `sk_` and 43 characters of base62. Prints as `[redacted]`.
///
/// ```
/// use scheduler_core::key::KeyValue;
///
/// let value = KeyValue::from_random([7; 32]);
/// assert!(value.expose().starts_with("sk_") && value.expose().len() == 46);
/// assert_eq!(format!("{value:?}"), "[redacted]");
/// let sent = KeyValue::parse(value.expose()).ok_or("it has another form")?;
/// assert_eq!(sent.hash(), value.hash(), "only the hash is kept");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone)]
pub struct KeyValue(SecretString);

impl KeyValue {
    /// Makes a value of 256 random bits.
    #[must_use]
    pub fn from_random(random: [u8; 32]) -> Self {
        Self(format!("{KEY_PREFIX}{}", base62(random)).into())
    }

    /// Reads a value as a caller sends it; `None` when it has not the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(KEY_PREFIX)?;
        let shaped = digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_alphanumeric());
        shaped.then(|| Self(text.into()))
    }

    /// True for a text that begins as keys do, whether it is one or not.
    pub(crate) fn is_meant(text: &str) -> bool {
        text.starts_with(KEY_PREFIX)
    }

    /// The value itself, to be shown once.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is kept of it. The value is 256 random bits, so a plain hash gives nothing away.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash(Sha256::digest(self.expose().as_bytes()).into())
    }

    /// Its first 8 characters, to recognise it by.
    #[must_use]
    pub fn hint(&self) -> String {
        self.expose().chars().take(8).collect()
    }
}

/// The SHA-256 of a key's value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyHash(pub [u8; 32]);

/// The secret of a webhook: `whsec_` and 44 characters of base64; until November 2026 it was 43 of
/// base62. Prints as `[redacted]`.
///
/// A store that cannot open a secret any more, because the key that sealed it is gone, gives a
/// [lost](Self::lost) one: everything else of the webhook is still there.
#[derive(Clone)]
pub struct WebhookSecret(Option<SecretString>);

impl WebhookSecret {
    /// Makes a secret of 256 random bits, as Standard Webhooks wants it: `whsec_` and 44 characters
    /// of base64.
    #[must_use]
    pub fn from_random(random: [u8; 32]) -> Self {
        Self(Some(format!("{SECRET_PREFIX}{}", STANDARD.encode(random)).into()))
    }

    /// Takes a secret out of storage.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(Some(text.into()))
    }

    /// A secret that cannot be opened any more.
    #[must_use]
    pub const fn lost() -> Self {
        Self(None)
    }

    /// The secret itself, to be shown once and to sign with; `None` when it is lost.
    #[must_use]
    pub fn expose(&self) -> Option<&str> {
        self.0.as_ref().map(ExposeSecret::expose_secret)
    }
}

redacted!(KeyValue, KeyHash, WebhookSecret);

/// Writes 256 bits as 43 base62 digits, the most significant first.
pub(crate) fn base62(mut number: [u8; 32]) -> String {
    let mut digits = [0_u8; DIGITS];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0_u16;
        for byte in &mut number {
            let value = (remainder << 8) | u16::from(*byte);
            *byte = u8::try_from(value / 62).unwrap_or(u8::MAX);
            remainder = value % 62;
        }
        *digit = ALPHABET[usize::from(remainder)];
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn base62_of_known_numbers() {
        let mut one = [0; 32];
        one[31] = 1;
        let mut sixty_two = [0; 32];
        sixty_two[31] = 62;
        for (name, number, want) in [
            ("zero", [0; 32], "0".repeat(43)),
            ("one", one, format!("{}1", "0".repeat(42))),
            ("62", sixty_two, format!("{}10", "0".repeat(41))),
        ] {
            assert_eq!(base62(number), want, "{name}");
        }
        // 2^256 - 1, computed by another program.
        assert_eq!(base62([255; 32]), "yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1");
    }

    #[test]
    fn nothing_prints_a_secret() {
        let key = KeyValue::from_random([3; 32]);
        assert_eq!(format!("{key:?} {:?}", key.hash()), "[redacted] [redacted]");
        assert_eq!(format!("{:?}", WebhookSecret::from_random([3; 32])), "[redacted]");
        assert_eq!(key.hint().len(), 8);
    }

    #[test]
    fn forms() {
        let secret = WebhookSecret::from_random([9; 32]);
        let secret = secret.expose().unwrap();
        assert_eq!(secret, format!("whsec_{}=", "CQkJ".repeat(10) + "CQk"));
        let good = KeyValue::from_random([9; 32]);
        for (name, text, ok) in [
            ("as made", good.expose().to_owned(), true),
            ("another prefix", good.expose().replace("sk_", "pk_"), false),
            ("one short", good.expose()[..45].to_owned(), false),
            ("one long", format!("{}0", good.expose()), false),
            ("a dash", format!("sk_{}-", "0".repeat(42)), false),
            ("empty", String::new(), false),
        ] {
            assert_eq!(KeyValue::parse(&text).is_some(), ok, "{name}");
        }
    }

    proptest! {
        #[test]
        fn base62_agrees_with_long_division(bytes in any::<[u8; 16]>()) {
            let mut number = [0; 32];
            number[16..].copy_from_slice(&bytes);
            let mut value = u128::from_be_bytes(bytes);
            let mut digits = Vec::new();
            for _ in 0..43 {
                digits.push(ALPHABET[usize::try_from(value % 62).unwrap()] as char);
                value /= 62;
            }
            prop_assert_eq!(base62(number), digits.into_iter().rev().collect::<String>());
        }
    }
}
