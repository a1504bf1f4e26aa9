//! What a browser keeps while its person is at the provider.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};

use super::ATTEMPT_LIFETIME;
use crate::connecting::Pass;

/// How far the clocks of two servers that share a database may differ.
///
/// Source: our decision.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(1);

/// A sign-in that a browser has begun. The browser keeps it in a cookie, the server keeps nothing:
/// what the provider is asked with follows from it. Whoever has not the cookie cannot finish what
/// was begun with it, and however many begin, nothing fills up.
///
/// ```
/// use scheduler_core::connecting::Pass;
/// use scheduler_core::openid::Attempt;
///
/// let now = "2026-12-01T09:00:00Z".parse()?;
/// let begun = Attempt::begin(Pass::from_random([7; 32]), now);
/// let back = Attempt::parse(&begun.cookie()).ok_or("it has another form")?;
/// assert!(back.is_answered_by(&begun.state()));
/// assert!(!back.is_over(now));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Attempt {
    secret: Pass,
    begun_at: DateTime<Utc>,
}

impl Attempt {
    /// Begins one, with the precision of a second.
    #[must_use]
    pub fn begin(secret: Pass, now: DateTime<Utc>) -> Self {
        let begun_at = DateTime::from_timestamp(now.timestamp(), 0).unwrap_or(now);
        Self { secret, begun_at }
    }

    /// Reads what a browser has kept; `None` when it has another form.
    #[must_use]
    pub fn parse(cookie: &str) -> Option<Self> {
        let (secret, seconds) = cookie.split_once('.')?;
        let begun_at = DateTime::from_timestamp(seconds.parse().ok()?, 0)?;
        begun_at.checked_add_signed(ATTEMPT_LIFETIME)?;
        Some(Self { secret: Pass::parse(secret)?, begun_at })
    }

    /// What the browser keeps, and nobody else sees.
    #[must_use]
    pub fn cookie(&self) -> String {
        format!("{}.{}", self.secret.expose(), self.begun_at.timestamp())
    }

    /// What comes back from the provider with the browser.
    #[must_use]
    pub fn state(&self) -> String {
        self.derived("state")
    }

    /// What the provider writes into the token, so that it is of this sign-in and no other.
    #[must_use]
    pub fn nonce(&self) -> String {
        self.derived("nonce")
    }

    /// What proves to the provider that who asks for the token has begun the sign-in.
    #[must_use]
    pub fn verifier(&self) -> String {
        self.derived("verifier")
    }

    /// What the provider is told of the verifier beforehand.
    ///
    /// Source: RFC 7636, section 4.2 (S256).
    #[must_use]
    pub fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier()))
    }

    /// True for the state of this attempt. Hashes are compared, whose first different byte tells
    /// nothing of the state.
    #[must_use]
    pub fn is_answered_by(&self, state: &str) -> bool {
        Sha256::digest(self.state()) == Sha256::digest(state)
    }

    /// True when the person has taken too long, and for one that has not begun yet, which no server
    /// has given out.
    #[must_use]
    pub fn is_over(&self, now: DateTime<Utc>) -> bool {
        now >= self.ends_at() || now + CLOCKS_DIFFER < self.begun_at
    }

    /// From when on it cannot be finished.
    #[must_use]
    pub fn ends_at(&self) -> DateTime<Utc> {
        self.begun_at + ATTEMPT_LIFETIME
    }

    /// 256 bits that follow from the secret and from when it was begun: another time in the cookie
    /// is another state.
    fn derived(&self, what: &str) -> String {
        let mut hash = Sha256::new_with_prefix(b"signing in by OpenID ");
        hash.update(what);
        hash.update(" ");
        hash.update(self.cookie());
        URL_SAFE_NO_PAD.encode(hash.finalize())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn begun(random: u8) -> Attempt {
        Attempt::begin(Pass::from_random([random; 32]), "2026-12-01T09:00:00.5Z".parse().unwrap())
    }

    #[test]
    fn cookies_that_are_read() {
        let cookie = begun(7).cookie();
        let (secret, seconds) = cookie.split_once('.').unwrap();
        for (name, text, is_read) in [
            ("as made", cookie.clone(), true),
            ("no time", secret.to_owned(), false),
            ("an empty time", format!("{secret}."), false),
            ("no secret", format!(".{seconds}"), false),
            ("a short secret", format!("{}.{seconds}", &secret[1..]), false),
            ("a time that there is not", format!("{secret}.{}", i64::MAX), false),
            ("a time that cannot end", format!("{secret}.8210266876799"), false),
            ("words", format!("{secret}.soon"), false),
            ("empty", String::new(), false),
        ] {
            assert_eq!(Attempt::parse(&text).is_some(), is_read, "{name}");
        }
    }

    #[test]
    fn what_follows_from_it_is_its_own() {
        let (one, other) = (begun(7), begun(8));
        let mut seen = BTreeSet::new();
        for attempt in [&one, &other] {
            for value in [attempt.state(), attempt.nonce(), attempt.verifier(), attempt.challenge()]
            {
                // A verifier has 43 to 128 characters (RFC 7636, section 4.1).
                assert_eq!(value.len(), 43);
                assert!(seen.insert(value), "two are the same");
            }
        }
        let back = Attempt::parse(&one.cookie()).unwrap();
        assert_eq!(back.nonce(), one.nonce());
        assert!(back.is_answered_by(&one.state()));
        assert!(!back.is_answered_by(&other.state()) && !back.is_answered_by(""));
        assert!(!format!("{one:?}").contains(&one.cookie()[..43]));
    }

    #[test]
    fn nobody_gives_themselves_more_time() {
        let attempt = begun(7);
        let start = attempt.begun_at;
        for (name, seconds, is_over) in [
            ("at once", 0, false),
            ("9:59", 599, false),
            ("10:00", 600, true),
            ("a minute early", -60, false),
            ("earlier", -61, true),
        ] {
            assert_eq!(attempt.is_over(start + TimeDelta::seconds(seconds)), is_over, "{name}");
        }
        let (secret, seconds) =
            attempt.cookie().split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let later = format!("{secret}.{}", seconds.parse::<i64>().unwrap() + 60);
        assert!(!Attempt::parse(&later).unwrap().is_answered_by(&attempt.state()));
    }
}
