//! What clients show: codes and tokens.

use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::connecting::Pass;
use crate::redacted::redacted;

/// What a value is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Exchanged for tokens, once.
    Code,
    /// Opens the tools.
    Access,
    /// Exchanged for the next tokens, once.
    Refresh,
}

impl TokenKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Code, Self::Access, Self::Refresh];

    /// The name that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Access => "access",
            Self::Refresh => "refresh",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Code => "oac_",
            Self::Access => "oat_",
            Self::Refresh => "ort_",
        }
    }
}

/// The value of a code or a token: `oac_`, `oat_` or `ort_` and 43 characters of base62. Prints as
/// `[redacted]`.
///
/// ```
/// use scheduler_core::connecting::Pass;
/// use scheduler_core::oauth::{TokenKind, TokenValue};
///
/// let value = TokenValue::new(TokenKind::Access, &Pass::from_random([7; 32]));
/// let sent = TokenValue::parse(TokenKind::Access, value.expose()).ok_or("it has another form")?;
/// assert_eq!(sent.hash(), value.hash(), "only the hash is kept");
/// assert!(TokenValue::parse(TokenKind::Refresh, value.expose()).is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone)]
pub struct TokenValue(SecretString);

impl TokenValue {
    /// The value of this kind that a pass makes.
    #[must_use]
    pub fn new(kind: TokenKind, pass: &Pass) -> Self {
        Self(format!("{}{}", kind.prefix(), pass.expose()).into())
    }

    /// Reads a value of a kind as a client shows it; `None` when it has not the form of one.
    #[must_use]
    pub fn parse(kind: TokenKind, text: &str) -> Option<Self> {
        Pass::parse(text.strip_prefix(kind.prefix())?)?;
        Some(Self(text.into()))
    }

    /// The value itself, for the client that it is made for.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is kept of it. The value is 256 random bits, so a plain hash gives nothing away.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.expose().as_bytes()).into())
    }
}

/// The SHA-256 of a code or a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenHash(pub [u8; 32]);

redacted!(TokenValue, TokenHash);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::KeyValue;

    #[test]
    fn each_kind_is_read_as_itself_alone() {
        let pass = Pass::from_random([7; 32]);
        for kind in TokenKind::ALL {
            let value = TokenValue::new(kind, &pass);
            for other in TokenKind::ALL {
                let read = TokenValue::parse(other, value.expose());
                assert_eq!(read.is_some(), kind == other, "{kind:?} as {other:?}");
            }
            assert!(KeyValue::parse(value.expose()).is_none(), "{kind:?} is no key");
            assert_eq!(format!("{value:?} {:?}", value.hash()), "[redacted] [redacted]");
        }
        for (name, text) in [
            ("no prefix", pass.expose().to_owned()),
            ("one short", format!("oat_{}", &pass.expose()[1..])),
            ("one long", format!("oat_{}a", pass.expose())),
            ("empty", String::new()),
        ] {
            assert!(TokenValue::parse(TokenKind::Access, &text).is_none(), "{name}");
        }
    }
}
