//! Signing events, and verifying them on the receiver's side.
//!
//! ```
//! use chrono::TimeDelta;
//! use scheduler_core::signing::{VerifyError, sign_v2, verify_v2};
//!
//! let sent_at = "2026-11-21T12:00:00Z".parse()?;
//! let header = sign_v2("whsec_x", sent_at, b"{}");
//! let late = sent_at + TimeDelta::minutes(6);
//! assert_eq!(verify_v2("whsec_x", &header, b"{}", late), Err(VerifyError::OutOfTime));
//! # Ok::<(), chrono::ParseError>(())
//! ```

use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Header with the kind of the event.
pub const EVENT_HEADER: &str = "x-service-event";
/// Header with the event's id.
pub const ID_HEADER: &str = "x-service-id";
/// Header with the Unix time of the delivery, in seconds.
pub const TIMESTAMP_HEADER: &str = "x-service-timestamp";
/// Header with the signature over time and body.
pub const SIGNATURE_V2_HEADER: &str = "x-service-signature-v2";
/// Header with the older signature, over the body alone.
pub const SIGNATURE_HEADER: &str = "x-service-signature";

/// How far the time of a delivery may be from the receiver's.
///
/// Source: interface description, Limits.
pub const TOLERANCE: TimeDelta = TimeDelta::minutes(5);

/// Why a delivery is not to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The header is not of the form `t=<unix seconds>,v2=<hex>` or `sha256=<hex>`.
    #[error("the signature header is malformed")]
    Malformed,
    /// The signature was not made with this secret over these bytes.
    #[error("the signature does not match")]
    Mismatch,
    /// The delivery was signed more than five minutes from now.
    #[error("the signature's time is more than five minutes from now")]
    OutOfTime,
}

/// Returns the value of `x-service-signature-v2` for a body sent at `at`.
///
/// The secret is used as it was shown, `whsec_` included. Source: interface description, Events.
///
/// ```
/// use scheduler_core::signing::sign_v2;
/// let at = "2026-11-21T12:00:00Z".parse()?;
/// let header = sign_v2("whsec_x", at, b"{}");
/// assert!(header.starts_with("t=1795262400,v2="));
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn sign_v2(secret: &str, at: DateTime<Utc>, body: &[u8]) -> String {
    let seconds = at.timestamp().to_string();
    let tag = mac(secret, &[seconds.as_bytes(), b".", body]).finalize().into_bytes();
    format!("t={seconds},v2={}", hex::encode(tag))
}

/// Returns the value of `x-service-signature` for a body.
///
/// Source: interface description, Events; kept for earlier receivers.
///
/// ```
/// use scheduler_core::signing::{sign, verify};
/// let header = sign("whsec_x", b"{}");
/// assert!(header.starts_with("sha256="));
/// assert!(verify("whsec_x", &header, b"{}").is_ok());
/// assert!(verify("another", &header, b"{}").is_err());
/// ```
#[must_use]
pub fn sign(secret: &str, body: &[u8]) -> String {
    format!("sha256={}", hex::encode(mac(secret, &[body]).finalize().into_bytes()))
}

/// Verifies `x-service-signature-v2` over the raw bytes of a request.
///
/// The comparison takes the same time wherever the signatures differ.
///
/// # Errors
/// [`VerifyError::Malformed`], [`VerifyError::Mismatch`], or [`VerifyError::OutOfTime`] when the
/// signature is right but its time differs from `now` by more than [`TOLERANCE`].
/// ```
/// use scheduler_core::signing::{sign_v2, verify_v2};
/// let now = "2026-11-21T12:00:00Z".parse().unwrap();
/// let header = sign_v2("whsec_x", now, b"{}");
/// assert!(verify_v2("whsec_x", &header, b"{}", now).is_ok());
/// assert!(verify_v2("whsec_x", &header, b"{ }", now).is_err());
/// ```
pub fn verify_v2(
    secret: &str,
    header: &str,
    body: &[u8],
    now: DateTime<Utc>,
) -> Result<(), VerifyError> {
    let (seconds, tag) = parse_v2(header).ok_or(VerifyError::Malformed)?;
    mac(secret, &[seconds.as_bytes(), b".", body])
        .verify_slice(&tag)
        .map_err(|_| VerifyError::Mismatch)?;
    let signed_at = seconds
        .parse()
        .ok()
        .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
        .ok_or(VerifyError::Malformed)?;
    // The header holds whole seconds, so the receiver's clock is read as such too.
    let distance = TimeDelta::seconds(now.timestamp() - signed_at.timestamp()).abs();
    if distance > TOLERANCE { Err(VerifyError::OutOfTime) } else { Ok(()) }
}

/// Verifies `x-service-signature` over the raw bytes of a request.
///
/// # Errors
/// [`VerifyError::Malformed`] or [`VerifyError::Mismatch`].
pub fn verify(secret: &str, header: &str, body: &[u8]) -> Result<(), VerifyError> {
    let tag = header.strip_prefix("sha256=").and_then(parse_tag).ok_or(VerifyError::Malformed)?;
    mac(secret, &[body]).verify_slice(&tag).map_err(|_| VerifyError::Mismatch)
}

fn parse_v2(header: &str) -> Option<(&str, Vec<u8>)> {
    let (seconds, tag) = header.split_once(',')?;
    let seconds = seconds.strip_prefix("t=")?;
    let is_number = !seconds.is_empty()
        && seconds.len() <= 15
        && seconds.bytes().all(|byte| byte.is_ascii_digit());
    let tag = parse_tag(tag.strip_prefix("v2=")?)?;
    is_number.then_some((seconds, tag))
}

fn parse_tag(text: &str) -> Option<Vec<u8>> {
    (text.len() == 64).then(|| hex::decode(text).ok()).flatten()
}

fn mac(secret: &str, parts: &[&[u8]]) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret.as_bytes()).expect("any key");
    for part in parts {
        mac.update(part);
    }
    mac
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    /// Source: RFC 4231, test case 2 (key "Jefe").
    #[test]
    fn agrees_with_the_standard() {
        assert_eq!(
            sign("Jefe", b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn headers() {
        let now = at("2026-11-21T12:00:00Z");
        let good = sign_v2("whsec_a", now, b"body");
        let upper = good.to_uppercase().replace("T=", "t=").replace("V2=", "v2=");
        for (name, secret, header, body, now, want) in [
            ("as signed", "whsec_a", good.as_str(), "body", now, Ok(())),
            ("hex in upper case", "whsec_a", upper.as_str(), "body", now, Ok(())),
            ("another secret", "whsec_b", good.as_str(), "body", now, Err(VerifyError::Mismatch)),
            ("another body", "whsec_a", good.as_str(), "body ", now, Err(VerifyError::Mismatch)),
            ("five minutes late", "whsec_a", good.as_str(), "body", now + TOLERANCE, Ok(())),
            ("five minutes early", "whsec_a", good.as_str(), "body", now - TOLERANCE, Ok(())),
            (
                "a second later",
                "whsec_a",
                good.as_str(),
                "body",
                now + TOLERANCE + TimeDelta::seconds(1),
                Err(VerifyError::OutOfTime),
            ),
            (
                "a second earlier",
                "whsec_a",
                good.as_str(),
                "body",
                now - TOLERANCE - TimeDelta::seconds(1),
                Err(VerifyError::OutOfTime),
            ),
            ("empty", "whsec_a", "", "body", now, Err(VerifyError::Malformed)),
            (
                "no time",
                "whsec_a",
                &good[good.find(',').unwrap() + 1..],
                "body",
                now,
                Err(VerifyError::Malformed),
            ),
            (
                "cut off",
                "whsec_a",
                &good[..good.len() - 2],
                "body",
                now,
                Err(VerifyError::Malformed),
            ),
            (
                "the older form",
                "whsec_a",
                &sign("whsec_a", b"body"),
                "body",
                now,
                Err(VerifyError::Malformed),
            ),
        ] {
            assert_eq!(verify_v2(secret, header, body.as_bytes(), now), want, "{name}");
        }
        let moved = good.replacen("t=1", "t=2", 1);
        assert_eq!(verify_v2("whsec_a", &moved, b"body", now), Err(VerifyError::Mismatch));
    }

    #[test]
    fn the_older_header() {
        let good = sign("whsec_a", b"body");
        for (name, secret, header, body, want) in [
            ("as signed", "whsec_a", good.as_str(), "body", Ok(())),
            ("another secret", "whsec_b", good.as_str(), "body", Err(VerifyError::Mismatch)),
            ("another body", "whsec_a", good.as_str(), "Body", Err(VerifyError::Mismatch)),
            ("no prefix", "whsec_a", &good[7..], "body", Err(VerifyError::Malformed)),
            ("not hex", "whsec_a", "sha256=zz", "body", Err(VerifyError::Malformed)),
        ] {
            assert_eq!(verify(secret, header, body.as_bytes()), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn what_is_signed_verifies_and_nothing_else(
            secret in ".{0,80}", body in prop::collection::vec(any::<u8>(), 0..200),
            seconds in 0_i64..4_000_000_000, flip in any::<prop::sample::Index>(),
        ) {
            let now = DateTime::from_timestamp(seconds, 0).unwrap();
            let header = sign_v2(&secret, now, &body);
            prop_assert_eq!(verify_v2(&secret, &header, &body, now), Ok(()));
            prop_assert_eq!(verify(&secret, &sign(&secret, &body), &body), Ok(()));
            if !body.is_empty() {
                let mut other = body.clone();
                other[flip.index(body.len())] ^= 1;
                prop_assert_eq!(verify_v2(&secret, &header, &other, now), Err(VerifyError::Mismatch));
            }
        }

        #[test]
        fn no_header_panics(header in ".{0,120}") {
            let now = DateTime::from_timestamp(0, 0).unwrap();
            prop_assert!(verify_v2("s", &header, b"", now).is_err());
        }
    }
}
