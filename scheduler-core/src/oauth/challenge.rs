//! Proof that who exchanges a code has asked for it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Characters of a verifier.
///
/// Source: RFC 7636, section 4.1.
const VERIFIER_CHARACTERS: std::ops::RangeInclusive<usize> = 43..=128;

/// What a client tells of its verifier beforehand: the SHA-256 of it.
///
/// ```
/// use scheduler_core::oauth::Challenge;
///
/// // The example of RFC 7636, appendix B.
/// let challenge = Challenge::parse("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
/// let challenge = challenge.ok_or("it has another form")?;
/// assert!(challenge.is_answered_by("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge(pub [u8; 32]);

impl Challenge {
    /// Reads a challenge of the method S256; `None` when it has not the form of one.
    ///
    /// Source: RFC 7636, section 4.2.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// True for its verifier. Hashes are compared, whose first different byte tells nothing.
    #[must_use]
    pub fn is_answered_by(&self, verifier: &str) -> bool {
        let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        VERIFIER_CHARACTERS.contains(&verifier.len())
            && verifier.bytes().all(is_unreserved)
            && self.0 == <[u8; 32]>::from(Sha256::digest(verifier))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn challenge_of(verifier: &str) -> Challenge {
        Challenge(Sha256::digest(verifier).into())
    }

    #[test]
    fn challenges() {
        let good = URL_SAFE_NO_PAD.encode([7; 32]);
        for (name, text, is_read) in [
            ("as made", good.clone(), true),
            ("padded", format!("{good}="), false),
            ("31 bytes", URL_SAFE_NO_PAD.encode([7; 31]), false),
            ("33 bytes", URL_SAFE_NO_PAD.encode([7; 33]), false),
            ("hexadecimal", hex::encode([7; 32]), false),
            ("empty", String::new(), false),
        ] {
            assert_eq!(Challenge::parse(&text).is_some(), is_read, "{name}");
        }
    }

    #[test]
    fn verifiers() {
        for (name, verifier, is_answer) in [
            ("the shortest", "a".repeat(43), true),
            ("the longest", "~".repeat(128), true),
            ("one short", "a".repeat(42), false),
            ("one long", "a".repeat(129), false),
            ("a space", format!("{} ", "a".repeat(43)), false),
            ("a letter with an accent", format!("{}é", "a".repeat(43)), false),
            ("empty", String::new(), false),
        ] {
            assert_eq!(challenge_of(&verifier).is_answered_by(&verifier), is_answer, "{name}");
        }
        assert!(!challenge_of(&"a".repeat(43)).is_answered_by(&"b".repeat(43)), "of another");
    }
}
