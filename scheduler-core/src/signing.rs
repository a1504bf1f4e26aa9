//! Signing events, and verifying them on the receiver's side.
//!
//! Each delivery carries our own signatures, and, where the secret can be read as they want it,
//! that of [Standard Webhooks](https://www.standardwebhooks.com), for which there are libraries in
//! many languages.
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

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
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

/// Header of Standard Webhooks with the event's id.
///
/// Source: Standard Webhooks, "Webhook Headers".
pub const STANDARD_ID_HEADER: &str = "webhook-id";
/// Header of Standard Webhooks with the Unix time of the delivery, in seconds.
pub const STANDARD_TIMESTAMP_HEADER: &str = "webhook-timestamp";
/// Header of Standard Webhooks with the signatures, with spaces between.
pub const STANDARD_SIGNATURE_HEADER: &str = "webhook-signature";

/// What secrets begin with.
///
/// Source: interface description, Webhook; Standard Webhooks, "Signature scheme".
pub const SECRET_PREFIX: &str = "whsec_";

/// How far the time of a delivery may be from the receiver's.
///
/// Source: interface description, Limits.
pub const TOLERANCE: TimeDelta = TimeDelta::minutes(5);

/// Why a delivery is not to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The header is not of the form `t=<unix seconds>,v2=<hex>`, `sha256=<hex>` or
    /// `v1,<base64>`, the time is no number, or the secret is none of Standard Webhooks.
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
    let tag = mac(secret.as_bytes(), &[seconds.as_bytes(), b".", body]).finalize().into_bytes();
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
    format!("sha256={}", hex::encode(mac(secret.as_bytes(), &[body]).finalize().into_bytes()))
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
    let (timestamp, tag) = parse_v2(header).ok_or(VerifyError::Malformed)?;
    let signed_at = seconds(timestamp).ok_or(VerifyError::Malformed)?;
    mac(secret.as_bytes(), &[timestamp.as_bytes(), b".", body])
        .verify_slice(&tag)
        .map_err(|_| VerifyError::Mismatch)?;
    in_time(signed_at, now)
}

/// Verifies `x-service-signature` over the raw bytes of a request.
///
/// # Errors
/// [`VerifyError::Malformed`] or [`VerifyError::Mismatch`].
pub fn verify(secret: &str, header: &str, body: &[u8]) -> Result<(), VerifyError> {
    let tag = header.strip_prefix("sha256=").and_then(parse_tag).ok_or(VerifyError::Malformed)?;
    mac(secret.as_bytes(), &[body]).verify_slice(&tag).map_err(|_| VerifyError::Mismatch)
}

/// Returns the value of `webhook-signature` for a body sent at `at`; `None` for a secret that is
/// none of Standard Webhooks, as those were until November 2026.
///
/// The key is what the secret has behind `whsec_`, decoded. Source: Standard Webhooks, "Signature
/// scheme".
///
/// ```
/// use scheduler_core::signing::{sign_standard, verify_standard};
/// let (secret, now) = ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "2026-11-21T12:00:00Z".parse()?);
/// let signature = sign_standard(secret, "an id", now, b"{}").ok_or("another kind of secret")?;
/// assert!(verify_standard(secret, "an id", "1795262400", &signature, b"{}", now).is_ok());
/// assert!(verify_standard(secret, "another", "1795262400", &signature, b"{}", now).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn sign_standard(secret: &str, id: &str, at: DateTime<Utc>, body: &[u8]) -> Option<String> {
    let key = standard_key(secret)?;
    let seconds = at.timestamp().to_string();
    let tag = mac(&key, &[id.as_bytes(), b".", seconds.as_bytes(), b".", body]).finalize();
    Some(format!("v1,{}", STANDARD.encode(tag.into_bytes())))
}

/// Verifies the headers of Standard Webhooks over the raw bytes of a request: `webhook-id`,
/// `webhook-timestamp` and `webhook-signature`, of which one of several has to fit.
///
/// The comparison takes the same time wherever the signatures differ.
///
/// # Errors
/// [`VerifyError::Malformed`], [`VerifyError::Mismatch`], or [`VerifyError::OutOfTime`] when the
/// signature is right but its time differs from `now` by more than [`TOLERANCE`].
pub fn verify_standard(
    secret: &str,
    id: &str,
    timestamp: &str,
    signatures: &str,
    body: &[u8],
    now: DateTime<Utc>,
) -> Result<(), VerifyError> {
    let key = standard_key(secret).ok_or(VerifyError::Malformed)?;
    let signed_at = seconds(timestamp).ok_or(VerifyError::Malformed)?;
    let tags: Vec<Vec<u8>> = signatures
        .split(' ')
        .filter_map(|signature| STANDARD.decode(signature.strip_prefix("v1,")?).ok())
        .collect();
    if tags.is_empty() {
        return Err(VerifyError::Malformed);
    }
    let parts = [id.as_bytes(), b".", timestamp.as_bytes(), b".", body];
    if !tags.iter().any(|tag| mac(&key, &parts).verify_slice(tag).is_ok()) {
        return Err(VerifyError::Mismatch);
    }
    in_time(signed_at, now)
}

/// The key of a secret of Standard Webhooks.
fn standard_key(secret: &str) -> Option<Vec<u8>> {
    let key = STANDARD.decode(secret.strip_prefix(SECRET_PREFIX)?).ok()?;
    (!key.is_empty()).then_some(key)
}

fn seconds(text: &str) -> Option<DateTime<Utc>> {
    let is_number = !text.is_empty() && text.len() <= 15;
    let is_number = is_number && text.bytes().all(|byte| byte.is_ascii_digit());
    DateTime::from_timestamp(text.parse().ok().filter(|_| is_number)?, 0)
}

/// The headers hold whole seconds, so the receiver's clock is read as such too.
fn in_time(signed_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), VerifyError> {
    let distance = TimeDelta::seconds(now.timestamp() - signed_at.timestamp()).abs();
    if distance > TOLERANCE { Err(VerifyError::OutOfTime) } else { Ok(()) }
}

fn parse_v2(header: &str) -> Option<(&str, Vec<u8>)> {
    let (seconds, tag) = header.split_once(',')?;
    Some((seconds.strip_prefix("t=")?, parse_tag(tag.strip_prefix("v2=")?)?))
}

fn parse_tag(text: &str) -> Option<Vec<u8>> {
    (text.len() == 64).then(|| hex::decode(text).ok()).flatten()
}

fn mac(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("any key");
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

    /// Source: the example of Standard Webhooks, which its libraries test themselves with.
    #[test]
    fn agrees_with_standard_webhooks() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let body = br#"{"test": 2432232314}"#;
        let sent_at = DateTime::from_timestamp(1_614_265_330, 0).unwrap();
        let signed = sign_standard(secret, id, sent_at, body).unwrap();
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn the_headers_of_standard_webhooks() {
        let (secret, now) = ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", at("2026-11-21T12:00:00Z"));
        let good = sign_standard(secret, "id", now, b"body").unwrap();
        let time = now.timestamp().to_string();
        let several = format!("v1,{} {good} v1a,x", STANDARD.encode([0; 32]));
        let late = now + TOLERANCE + TimeDelta::seconds(1);
        let (malformed, mismatch) = (Err(VerifyError::Malformed), Err(VerifyError::Mismatch));
        for (name, secret, id, time, signatures, body, now, want) in [
            ("as signed", secret, "id", &*time, &*good, "body", now, Ok(())),
            ("one of several", secret, "id", &time, &several, "body", now, Ok(())),
            ("another secret", "whsec_AAAA", "id", &time, &good, "body", now, mismatch),
            ("another id", secret, "ib", &time, &good, "body", now, mismatch),
            ("another time", secret, "id", "1795262401", &good, "body", now, mismatch),
            ("another body", secret, "id", &time, &good, "Body", now, mismatch),
            ("too late", secret, "id", &time, &good, "body", late, Err(VerifyError::OutOfTime)),
            ("a time that is none", secret, "id", "+1795262400", &good, "body", now, malformed),
            ("no signature", secret, "id", &time, "", "body", now, malformed),
            ("another version", secret, "id", &time, "v2,AAAA", "body", now, malformed),
            ("not base64", secret, "id", &time, "v1,A", "body", now, malformed),
            ("an empty key", "whsec_", "id", &time, &good, "body", now, malformed),
            ("another kind of secret", "sk_AAAA", "id", &time, &good, "body", now, malformed),
        ] {
            let found = verify_standard(secret, id, time, signatures, body.as_bytes(), now);
            assert_eq!(found, want, "{name}");
        }
        // 43 digits, as secrets were made until now.
        let earlier = format!("whsec_{}", "a".repeat(43));
        assert_eq!(sign_standard(&earlier, "id", now, b"body"), None);
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
