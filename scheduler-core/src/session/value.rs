//! What a person's program shows.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::connecting::Pass;
use crate::key::base62;
use crate::redacted::redacted;

const PREFIX: &str = "ses_";

/// The value of a session: `ses_` and 43 characters of base62. Prints as `[redacted]`.
///
/// It follows from the secret of the login, so that a program whose claim was answered into the
/// void claims the same session again.
///
/// ```
/// use scheduler_core::connecting::Pass;
/// use scheduler_core::session::SessionValue;
///
/// let value = SessionValue::of_login(&Pass::from_random([7; 32]));
/// assert!(value.expose().starts_with("ses_") && value.expose().len() == 47);
/// let sent = SessionValue::parse(value.expose()).ok_or("it has another form")?;
/// assert_eq!(sent.hash(), value.hash(), "only the hash is kept");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone)]
pub struct SessionValue(SecretString);

impl SessionValue {
    /// The value of the session that a login becomes whose secret this is.
    #[must_use]
    pub fn of_login(secret: &Pass) -> Self {
        let mut hash = Sha256::new_with_prefix(b"the session of the login ");
        hash.update(secret.expose());
        Self(format!("{PREFIX}{}", base62(hash.finalize().into())).into())
    }

    /// Reads a value as a program sends it; `None` when it has not the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Pass::parse(text.strip_prefix(PREFIX)?)?;
        Some(Self(text.into()))
    }

    /// True for a text that begins as sessions do, whether it is one or not.
    pub(crate) fn is_meant(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// The value itself, for the program that has the secret.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is kept of it. The value is 256 random bits, so a plain hash gives nothing away.
    #[must_use]
    pub fn hash(&self) -> SessionHash {
        SessionHash(Sha256::digest(self.expose().as_bytes()).into())
    }
}

/// The SHA-256 of a session's value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionHash(pub [u8; 32]);

impl SessionHash {
    /// What is kept of a link that signs a browser in. It is the hash of no [`SessionValue`], so
    /// that the link itself opens nothing.
    ///
    /// ```
    /// use scheduler_core::connecting::Pass;
    /// use scheduler_core::session::{SessionHash, SessionValue};
    ///
    /// let pass = Pass::from_random([7; 32]);
    /// assert_ne!(SessionHash::of_link(&pass), SessionValue::of_login(&pass).hash());
    /// ```
    #[must_use]
    pub fn of_link(pass: &Pass) -> Self {
        let mut hash = Sha256::new_with_prefix(b"the link that signs in ");
        hash.update(pass.expose());
        Self(hash.finalize().into())
    }
}

redacted!(SessionValue, SessionHash);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let secret = Pass::from_random([7; 32]);
        let value = SessionValue::of_login(&secret);
        let text = value.expose().to_owned();
        for (name, sent, is_read) in [
            ("as made", text.clone(), true),
            ("the secret of the login", secret.expose().to_owned(), false),
            ("the prefix of a key", text.replace("ses_", "sk_"), false),
            ("one short", text[..46].to_owned(), false),
            ("one long", format!("{text}a"), false),
            ("empty", String::new(), false),
        ] {
            assert_eq!(SessionValue::parse(&sent).is_some(), is_read, "{name}");
        }
        assert_eq!(value.hash(), SessionValue::of_login(&secret).hash(), "claimed again");
        assert_ne!(value.hash(), SessionValue::of_login(&Pass::from_random([8; 32])).hash());
        assert_eq!(format!("{value:?} {:?}", value.hash()), "[redacted] [redacted]");
    }
}
