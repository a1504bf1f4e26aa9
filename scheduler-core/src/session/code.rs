//! What a person reads on one screen and confirms on another.

use std::fmt;
use std::str::FromStr;

/// Letters of a code: without vowels, so that they form no words, and without what looks alike.
///
/// Source: <https://www.rfc-editor.org/rfc/rfc8628#section-6.1>.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";

/// Letters on either side of the hyphen.
const HALF: usize = 4;

/// How many codes there are.
const CODES: u64 = 20_u64.pow(8);

/// The code of a login: eight letters with a hyphen in their middle, such as `WDJB-MJHT`.
///
/// Typed codes are read without regard to case, hyphens and spaces.
///
/// ```
/// use scheduler_core::session::LoginCode;
///
/// let code: LoginCode = "wdjbmjht".parse()?;
/// assert_eq!(code.to_string(), "WDJB-MJHT");
/// # Ok::<(), scheduler_core::session::UnknownLoginCode>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoginCode(String);

impl LoginCode {
    /// Makes a code of random bytes. One of 25 600 000 000, which nobody guesses within the time of
    /// a login.
    #[must_use]
    pub fn from_random(random: [u8; 32]) -> Self {
        // The rest of a number of 256 bits: no code is likelier than another that anybody could tell.
        let mut number =
            random.into_iter().fold(0, |rest, byte| ((rest << 8) | u64::from(byte)) % CODES);
        let mut letters = String::with_capacity(2 * HALF);
        for _ in 0..2 * HALF {
            letters.push(char::from(LETTERS[usize::try_from(number % 20).unwrap_or_default()]));
            number /= 20;
        }
        Self(letters)
    }
}

impl fmt::Display for LoginCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.0.split_at(HALF);
        write!(formatter, "{first}-{second}")
    }
}

/// The text has not the form of a code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a code; codes look like WDJB-MJHT")]
pub struct UnknownLoginCode(pub String);

impl FromStr for LoginCode {
    type Err = UnknownLoginCode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let signs = text.chars().filter(|sign| !matches!(sign, '-' | ' '));
        let letters: String = signs.map(|sign| sign.to_ascii_uppercase()).collect();
        let is_code =
            letters.len() == 2 * HALF && letters.bytes().all(|letter| LETTERS.contains(&letter));
        if is_code { Ok(Self(letters)) } else { Err(UnknownLoginCode(text.to_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn codes_as_people_type_them() {
        for (name, text, want) in [
            ("as shown", "WDJB-MJHT", Some("WDJB-MJHT")),
            ("small", "wdjb-mjht", Some("WDJB-MJHT")),
            ("without its hyphen", "WDJBMJHT", Some("WDJB-MJHT")),
            ("with spaces", " wdjb mjht ", Some("WDJB-MJHT")),
            ("a vowel", "WDAB-MJHT", None),
            ("a digit", "WD1B-MJHT", None),
            ("one short", "WDJB-MJH", None),
            ("one long", "WDJB-MJHTB", None),
            ("another alphabet", "ẞDJB-MJHT", None),
            ("empty", "", None),
        ] {
            let read = text.parse::<LoginCode>().ok().map(|code| code.to_string());
            assert_eq!(read.as_deref(), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_made_code_is_read_as_itself(random in any::<[u8; 32]>()) {
            let code = LoginCode::from_random(random);
            prop_assert_eq!(code.to_string().parse(), Ok(code));
        }
    }
}
