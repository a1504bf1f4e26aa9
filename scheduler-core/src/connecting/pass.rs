//! What a browser shows to take its next step.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::key::base62;
use crate::redacted::redacted;

/// Characters of a pass: the base62 digits of 256 bits.
const DIGITS: usize = 43;

/// A secret of 256 random bits in 43 characters of base62: the ticket of a link, the cookie of a
/// browser, the state that a network gives back. Prints as `[redacted]`.
///
/// ```
/// use scheduler_core::connecting::Pass;
/// let pass = Pass::from_random([7; 32]);
/// let shown = Pass::parse(pass.expose()).ok_or("it has another form")?;
/// assert_eq!(shown.hash(), pass.hash(), "only the hash is kept");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone)]
pub struct Pass(SecretString);

impl Pass {
    /// Makes a pass of 256 random bits.
    #[must_use]
    pub fn from_random(random: [u8; 32]) -> Self {
        Self(base62(random).into())
    }

    /// Reads a pass as a browser shows it; `None` when it has not the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_shaped = text.len() == DIGITS && text.bytes().all(|b| b.is_ascii_alphanumeric());
        is_shaped.then(|| Self(text.into()))
    }

    /// The pass itself, for the one browser that it is made for.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is kept of it. The pass is 256 random bits, so a plain hash gives nothing away.
    #[must_use]
    pub fn hash(&self) -> PassHash {
        PassHash(Sha256::digest(self.expose().as_bytes()).into())
    }
}

/// The SHA-256 of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PassHash(pub [u8; 32]);

redacted!(Pass, PassHash);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let made = Pass::from_random([7; 32]);
        for (name, text, is_read) in [
            ("as made", made.expose().to_owned(), true),
            ("one short", made.expose()[1..].to_owned(), false),
            ("one long", format!("{}a", made.expose()), false),
            ("another sign", format!("{}-", &made.expose()[1..]), false),
            ("empty", String::new(), false),
        ] {
            assert_eq!(Pass::parse(&text).is_some(), is_read, "{name}");
        }
        assert_eq!(Pass::parse(made.expose()).unwrap().hash(), made.hash());
        assert_ne!(Pass::from_random([8; 32]).hash(), made.hash());
        assert_eq!(format!("{made:?} {:?}", made.hash()), "[redacted] [redacted]");
    }
}
